// SPDX-License-Identifier: BSD-3-Clause
// A joint of your own: give the pose as a function of q, get screws, rates and Jacobians. The
// function runs once, when the joint is made, and what it does is recorded.
#include <cassert>
#include <iostream>
#include <jounce/jounce.hpp>
#include <jounce/model/custom.hpp>

int main() {
  using namespace jounce;
  // A follower on an eccentric cam: it lifts by 0.02 (1 - cos q) and turns by 0.1 sin q.
  const auto cam = custom_joint<1>([](const auto* q) {
    using Real = std::decay_t<decltype(*q)>;
    const Real lift = 0.02 * (1.0 - cos(q[0]));
    return SE3<Real>{exp(Vec3<Real>{Real(0), Real(0), 0.1 * sin(q[0])}), {Real(0), Real(0), lift}};
  });

  RobotDescription machine{.name = "cam"};
  machine.links = {{.name = "frame"},
                   {.name = "follower", .mass = 0.2, .I_com = {1, 0, 1, 0, 0, 1}}};
  JointDescription joint{.name = "follower_joint", .parent = "frame", .child = "follower"};
  joint.geometry.kind = JointKind::custom;
  joint.geometry.custom = cam;
  machine.joints = {joint};

  Kinematics kinematics{Robot(machine)};
  const FrameId follower = kinematics.robot().frame("follower");
  const double lift_rate = kinematics.at({0.5}, {2.0}).twist_hybrid(follower).v.z;
  std::cout << "the follower rises at " << lift_rate << " m/s\n";
  assert(std::abs(lift_rate - 0.02 * std::sin(0.5) * 2.0) < 1e-15);
}

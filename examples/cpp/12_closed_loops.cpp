// SPDX-License-Identifier: BSD-3-Clause
// A five-bar linkage: two arms that hold one pin. Which motors can give one and the same motion,
// and what does the pin feel of it? Then its shoulders in gear, one of them driven by
// a function of time, and a spring between the arms; and a disc that rolls.
#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <jounce/jounce.hpp>
#include <jounce/model/custom_constraint.hpp>

using Vector = Eigen::VectorXd;

namespace {

using Motors = std::array<bool, 4>;  // left shoulder and elbow, right shoulder and elbow

jounce::ConstrainedDynamics with_motors(const jounce::Robot& linkage, const Motors& motors) {
  jounce::RobotDescription description = linkage.description();
  for (size_t k = 0; k < motors.size(); ++k) description.joints[k].actuated = motors[k];
  return jounce::ConstrainedDynamics(jounce::Robot(std::move(description)));
}

/// The forces of all joints, and what the pin exerts on the right arm, in the axes of its seat.
void print(const char* name, jounce::ConstrainedDynamics& dyn, const Vector& q, const auto& found) {
  const std::span lambda(found.lambda.data(), size_t(found.lambda.size()));
  const jounce::Vec3<double> f = dyn.loop_wrenches(q, lambda)[0].f;
  std::printf("%-26s%9.5f%9.5f%9.5f%9.5f%9.5f%9.5f%6d\n", name, found.tau[0], found.tau[1],
              found.tau[2], found.tau[3], f.x, f.y, found.free_dimension);
}

/// The linkage with one more loop or a bushing.
void print_kind(const char* name, jounce::RobotDescription linkage, double time = 0) {
  jounce::ConstrainedDynamics dyn{jounce::Robot(std::move(linkage))};
  const jounce::Assembly closed = dyn.assemble(dyn.robot().closed(), {}, time);
  assert(closed.converged);
  const Vector none = Vector::Zero(4), v = dyn.project(closed.q, none, {}, time);
  const auto f = dyn.forward(closed.q, v, none, {.time = time});
  assert(f.residual < 1e-9);
  std::printf("%-26s%5d%5d%9d%14.4f%14.4f\n", name, dyn.rows(), f.rank, dyn.mobility(), f.a[0],
              f.a[2]);
}

void print_kinds() {
  const jounce::RobotDescription five_bar = jounce::read_robot("builtin:five_bar").robot;
  const std::string left = five_bar.joints[0].name, right = five_bar.joints[2].name;
  std::printf("\n%-26s%5s%5s%9s%14s%14s\n", "", "rows", "rank", "freedom", "left rad/s2",
              "right rad/s2");
  print_kind("on its own", five_bar);

  jounce::RobotDescription geared = five_bar;  // shoulders turn against each other
  jounce::LoopDescription gear;
  gear.name = "gear";
  gear.kind = jounce::LoopKind::gear;
  gear.joints = {{left, 1}, {right, 1}};
  gear.offset = five_bar.joints[0].closed[0] + five_bar.joints[2].closed[0];
  geared.loops.push_back(gear);
  print_kind("shoulders in gear", geared);

  jounce::RobotDescription driven = five_bar;  // C(q, t) = 0
  jounce::LoopDescription drive;
  drive.name = "drive";
  drive.kind = jounce::LoopKind::custom;
  drive.joints = {{left}};
  const double start = five_bar.joints[0].closed[0];
  drive.custom = jounce::custom_constraint<1, 1>(
      [start](const auto* q, const auto& t, auto* C) { C[0] = q[0] - start - 0.1 * sin(2.0 * t); });
  driven.loops.push_back(drive);
  print_kind("left shoulder driven", driven, 0.2);

  jounce::RobotDescription soft = five_bar;  // a spring and damper between upper arms
  jounce::BushingDescription bushing;
  bushing.name = "bushing";
  bushing.link_1 = five_bar.joints[0].child;
  bushing.link_2 = five_bar.joints[2].child;
  bushing.stiffness = {0.1, 0.1, 0.1, 5, 5, 5};
  bushing.damping = {0.01, 0.01, 0.01, 0.1, 0.1, 0.1};
  soft.bushings.push_back(bushing);
  print_kind("arms on a bushing", soft);
}

/// A disc that rolls on the ground without slipping forbids velocities, but no place on it.
void roll_a_disc() {
  const double mass = 2, radius = 0.3, axial = mass * radius * radius / 2, across = axial / 2;
  jounce::RobotDescription wheel;
  wheel.name = "wheel";
  wheel.links = {{.name = "disc", .mass = mass, .I_com = {across, 0, across, 0, 0, axial}}};
  jounce::JointDescription free;
  free.name = "free", free.child = "disc";
  free.geometry.kind = jounce::JointKind::free;
  free.closed = {0, 0, radius, std::sqrt(0.5), 0, 0, std::sqrt(0.5)};  // its axle lies in the plane
  wheel.joints = {free};
  jounce::LoopDescription rolls;
  rolls.name = "rolls", rolls.link_2 = "disc", rolls.kind = jounce::LoopKind::rolling;
  rolls.radius = radius;
  wheel.loops = {rolls};

  jounce::ConstrainedDynamics dyn{jounce::Robot(wheel)};
  const std::vector<double> q = dyn.robot().closed();
  Vector tau = Vector::Zero(6);
  tau[2] = 0.5;  // about its axle, z
  const auto f = dyn.forward(q, Vector::Zero(6), tau);
  std::printf(
      "\na disc that rolls: %d of %d velocities are left, %.4f rad/s2 with %.1f N m, %.2f N "
      "up and %.4f N along the ground\n",
      dyn.mobility(), dyn.robot().nv(), f.a[2], tau[2], f.lambda[2],
      std::hypot(f.lambda[0], f.lambda[1]));
  assert(std::abs(f.a[2] - tau[2] / (axial + mass * radius * radius)) < 1e-12);
}

}  // namespace

int main() {
  const jounce::Robot linkage = jounce::load("builtin:five_bar");
  jounce::ConstrainedDynamics dyn(linkage);
  std::printf("%d rows, %d of them count: %d degrees of freedom\n", dyn.rows(), dyn.rank(),
              dyn.mobility());

  // Close it with both shoulders where we want them, and let it move.
  Vector guess = Vector::Map(linkage.closed().data(), 4);
  guess[0] = 2, guess[2] = 1;
  const bool shoulders[] = {true, false, true, false};
  const jounce::Assembly closed = dyn.assemble(guess, shoulders);
  assert(closed.converged && closed.q[0] == 2 && closed.q[2] == 1);
  const Vector q = closed.q, v = dyn.project(q, Eigen::Vector4d(1.5, -2, -0.7, 1.7));
  const Vector none = Vector::Zero(4), wanted = Eigen::Vector4d(3, 0, -2, 0);
  const Vector a = dyn.hybrid(shoulders, q, v, wanted, none).a;  // the elbows follow

  std::printf("\n%-26s%36s%18s%6s\n", "", "joint forces / N m", "pin / N", "free");
  const auto give_this_motion = [&](const Vector& tau) {
    return (dyn.forward(q, v, tau).a - a).norm() < 1e-10 * a.norm();
  };
  const auto two = dyn.inverse(q, v, a);
  print("two motors", dyn, q, two);
  assert(two.free_dimension == 0 && give_this_motion(two.tau));
  double pin = two.lambda.norm();  // the more motors, the less it has to feel

  // With more motors than degrees of freedom the arms can pull at each other.
  const std::pair<std::string, Motors> more[] = {{"three motors", {true, true, true, false}},
                                                 {"four motors", {true, true, true, true}}};
  for (const auto& [name, motors] : more) {
    auto driven = with_motors(linkage, motors);
    const auto force = driven.inverse(q, v, a);
    const auto torque = driven.inverse(q, v, a, {}, {}, jounce::Optimum::torque);
    print((name + ", least force").c_str(), driven, q, force);
    print((name + ", least torque").c_str(), driven, q, torque);
    assert(give_this_motion(force.tau) && give_this_motion(torque.tau));
    assert(force.lambda.norm() < pin && torque.tau.norm() < force.tau.norm());
    pin = force.lambda.norm();
  }

  // One motor cannot hold two degrees of freedom, but it can hold its own joint.
  auto one = with_motors(linkage, {true, false, false, false});
  try {
    one.inverse(q, v, a);
    assert(false);
  } catch (const jounce::ComputationError& refusal) {
    const bool left_shoulder[] = {true, false, false, false};
    const auto found = one.hybrid(left_shoulder, q, v, wanted, none);
    print("one motor, hybrid", one, q, found);
    assert(found.a[0] == 3 && found.tau[2] == 0);
    std::printf("\nwith one motor: %s\n", refusal.what());
  }
  print_kinds();
  roll_a_disc();
}

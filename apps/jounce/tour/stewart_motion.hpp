// SPDX-License-Identifier: BSD-3-Clause
// The Gough-Stewart platform with legs of mass in motion, two ways: as a robot with loops, and by
// its own dynamics of the platform alone. Both integrated by dop853.
#pragma once

#include <algorithm>
#include <jounce/integrators/explicit_rk.hpp>
#include <jounce/io.hpp>
#include <jounce/model/manifold.hpp>
#include <jounce/simulation.hpp>
#include <jounce/stewart.hpp>
#include <vector>

namespace jounce::app {

/// The dynamics of builtin:stewart as a platform on six legs.
inline StewartDynamics own_dynamics(const RobotDescription& d) {
  const auto named = [](const auto& items, const std::string& name) {
    return *std::ranges::find_if(items, [&](const auto& item) { return item.name == name; });
  };
  std::array<LegBodies, 6> legs;
  SixPoints base, top;
  for (size_t i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i + 1);
    legs[i] = {link_inertia(named(d.links, "cylinder_" + number)),
               link_inertia(named(d.links, "piston_" + number))};
    base[i] = named(d.joints, "universal_" + number).geometry.placement.p;
    top[i] = i == 0 ? -named(d.joints, "spherical_1").child_placement.p
                    : named(d.loops, "spherical_" + number).placement_1.p;
  }
  const Stewart platform(base, top);
  return {platform, link_inertia(named(d.links, "platform")), legs,
          platform.mounts_at({{}, {0, 0, 0.5}})};
}

/// Forces of the legs over time: they nearly carry the platform and shake it.
inline SixNumbers leg_forces(double t) {
  SixNumbers f;
  for (size_t i = 0; i < 6; ++i) f[i] = 30 + 8 * std::sin(9 * t + double(i));
  return f;
}

/// What explicit_step asks of a platform on its own: one free body.
class PlatformEquations {
 public:
  explicit PlatformEquations(const StewartDynamics& dynamics) : dynamics_(dynamics) {}
  int nq() const { return 7; }
  int nv() const { return 6; }
  std::span<const Factor> factors() const { return {&factor_, 1}; }
  void acceleration(double t, double* q, double* v, double* a) const {
    const SE3<double> T{to_rotation(Quaternion<double>{q[3], q[4], q[5], q[6]}),
                        {q[0], q[1], q[2]}};
    const Twist<double> V{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    const Twist<double> Vdot = dynamics_.forward(T, V, leg_forces(t));
    coordinates(JointKind::free, Vdot, a);
  }

 private:
  const StewartDynamics& dynamics_;
  Factor factor_{JointKind::free, 0, 0, 7, 6};
};

struct PlatformMotion {
  SE3<double> pose;
  Twist<double> twist;  ///< in the platform's own axes
};
/// The platform at time t by its own dynamics, in steps of h.
inline PlatformMotion platform_alone(const StewartDynamics& own, const PlatformMotion& start,
                                     double t, int steps) {
  PlatformEquations f(own);
  const Quaternion<double> r = to_quaternion(start.pose.R);
  double q[] = {start.pose.p.x, start.pose.p.y, start.pose.p.z, r.x, r.y, r.z, r.w}, v[6];
  coordinates(JointKind::free, start.twist, v);
  const ExplicitTable& table = dop853_table;
  std::vector<double> room(7 + 12 + 2 * 6 * size_t(table.stages));
  double* at = room.data();
  const StageRoom<double> stages{at, at + 7, at + 13, at + 19, at + 19 + 6 * table.stages};
  for (int i = 0; i < steps; ++i) {
    explicit_step(table, f, t * i / steps, t / steps, q, v, false, stages);
    std::copy_n(stages.q, 7, q);
    std::copy_n(stages.v, 6, v);
  }
  return {{to_rotation(Quaternion<double>{q[3], q[4], q[5], q[6]}), {q[0], q[1], q[2]}},
          {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}};
}

/// The robot with loops under the same forces.
struct StewartMotion {
  explicit StewartMotion(double tol)
      : robot(load("builtin:stewart")), sim(robot, {.integrator = Integrator::dop853, .tol = tol}) {
    for (size_t i = 0; i < 6; ++i)
      sim.command("leg_" + std::to_string(i + 1),
                  Command::force([i](double t) { return leg_forces(t)[i]; }));
  }
  PlatformMotion platform(const SimulationState& x) const {
    Kinematics kin(robot);
    kin.at(x.q, x.v);
    const FrameId frame = robot.frame("platform");
    return {kin.pose(frame), kin.twist_body(frame)};
  }

  Robot robot;
  Simulation sim;
};

}  // namespace jounce::app

// SPDX-License-Identifier: BSD-3-Clause
// Damping, friction and springs: springs conserve energy, friction's derivatives are right at every
// speed, mimic joints act on and bound their leaders.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/derivatives.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/equations/passive.hpp>
#include <jounce/inverse_kinematics.hpp>
#include <jounce/model/custom.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/second_derivatives.hpp>
#include <jounce/series.hpp>
#include <numbers>

#include "model/random_robot.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"

namespace jounce {
namespace {

using test::largest, test::message;
using Vector = Eigen::VectorXd;
constexpr double pi = std::numbers::pi;

/// One body of unit mass and inertia on a joint, without gravity.
RobotDescription one_joint(JointKind kind, JointProperties properties) {
  RobotDescription robot;
  robot.name = "one";
  robot.gravity = {0, 0, 0};
  robot.links.push_back({"body", 1, {0, 0, 0}, {1, 0, 1, 0, 0, 1}, {}, {}});
  JointDescription joint;
  joint.name = "joint";
  joint.child = "body";
  joint.geometry.kind = kind;
  if (kind == JointKind::planar || kind == JointKind::revolute) joint.geometry.axes = {{0, 0, 1}};
  joint.properties = std::move(properties);
  robot.joints.push_back(std::move(joint));
  return robot;
}

Vector moved(const Robot& robot, const Vector& q, const Vector& dv) {
  Vector to(robot.nq());
  robot.integrate({q.data(), size_t(q.size())}, {dv.data(), size_t(dv.size())},
                  {to.data(), size_t(to.size())});
  return to;
}
Vector between(const Robot& robot, std::span<const double> from, const Vector& to) {
  Vector dv(robot.nv());
  robot.difference(from, {to.data(), size_t(to.size())}, {dv.data(), size_t(dv.size())});
  return dv;
}
/// The work of holding a robot against its springs along a closed path of n chords.
double work_around(const Robot& robot, const std::function<Vector(double)>& path, int n) {
  Dynamics dynamics(robot);
  const Vector still = Vector::Zero(robot.nv());
  double work = 0;
  for (int k = 0; k < n; ++k) {
    const auto at = [&](double step) { return path(2 * pi * (k + step) / n); };
    const Vector from = at(0), force = dynamics.inverse(at(0.5), still, still);
    work += force.dot(between(robot, {from.data(), size_t(from.size())}, at(1)));
  }
  return work;
}

/// Midpoints of n chords err by n^-2: a quarter of it remains with twice as many.
TEST(PassiveForces, SpringsDoNoWorkAroundALoop) {
  for (const JointKind kind : {JointKind::planar, JointKind::spherical, JointKind::free}) {
    const bool free = kind == JointKind::free;
    const Robot robot(one_joint(kind, {.stiffness = free ? std::vector<double>{1, 2, 3, 4, 5, 6}
                                                         : std::vector<double>{1, 2, 3}}));
    const std::vector<double> neutral = robot.neutral();
    const Vector start = Vector::Map(neutral.data(), robot.nq());
    const auto path = [&](double t) {
      Vector u(robot.nv());
      u.head(3) << 1 + 0.8 * std::cos(t), 0.8 * std::sin(t), 0.5;
      if (free) u.tail(3) << 0.3 * std::sin(t), -0.7 + 0.4 * std::cos(2 * t), 0.2;
      return moved(robot, start, u);
    };
    EXPECT_NEAR(work_around(robot, path, 2000), 0, 2e-5) << name(kind);
    EXPECT_NEAR(work_around(robot, path, 8000), 0, 2e-6) << name(kind);
  }
}

/// Force = dE/dq with E = u^T K u / 2, on joints of every kind with springs of different stiffness.
TEST(PassiveForces, SpringsAreGradientsOfTheirEnergy) {
  for (std::uint64_t seed = 0; seed < 60; seed += 3) {  // every third robot has springs
    test::RobotInMotion c(seed, seed % 2 == 1);
    const int n = c.robot.nv();
    const PassiveData& p = c.robot.passive();
    const Vector zero = Vector::Zero(n);
    const Vector with = c.dynamics.inverse(c.q, zero, zero);
    const Vector found = with - c.dynamics.inverse(c.q, zero, zero, {.passive = false});
    const auto energy = [&](const Vector& dv) {
      const Vector u = between(c.robot, p.rest, moved(c.robot, c.q, dv));
      return 0.5 * u.dot(Vector::Map(p.stiffness.data(), n).cwiseProduct(u));
    };
    for (int k = 0; k < n; ++k) {
      const auto at = [&](double h) { return energy(Vector::Unit(n, k) * h); };
      const double h = 1e-3, slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      EXPECT_NEAR(found[k], slope, 1e-8 * (1 + largest(found))) << seed << " " << k;
    }
  }
}

TEST(PassiveForces, PlanarSpringsForgetFullTurns) {
  Dynamics dynamics{Robot(one_joint(JointKind::planar, {.stiffness = {1, 2, 3}}))};
  const Vector still = Vector::Zero(3);
  for (const double angle : {-1e-3, 0.0, 1e-6, 2.0, -3.0}) {
    const Vector first = dynamics.inverse(Eigen::Vector3d(1, 0.5, angle), still, still);
    EXPECT_LE(largest(first), 20);
    for (const int turns : {-3, 1, 50}) {
      const std::vector<double> q = {1, 0.5, angle + 2 * pi * turns};
      const Vector found = dynamics.inverse(q, still, still);
      EXPECT_LE(largest(found - first), 1e-13 * (1 + std::abs(turns))) << angle << " " << turns;
    }
  }
}

/// Derivative n of tanh(v / 0.01) for v > 0: those of 1 + 2 sum_k (-1)^k exp(-2 k v / 0.01).
long double friction_derivative(long double v, int n) {
  long double sum = 0;
  for (int k = 60; k > 0; --k)
    sum += 2 * (k % 2 == 0 ? 1 : -1) * std::exp(-200 * k * v) * std::pow(-200.0L * k, n);
  return sum;
}

/// To 1e-12 of themselves: exp(-2 v / 0.01) magnifies the rounding of its argument.
TEST(PassiveForces, FrictionsDerivativesAtEverySpeed) {
  const Robot robot(one_joint(JointKind::revolute, {.friction = {1}}));
  Derivatives derivatives(robot);
  SecondDerivatives second_derivatives(robot);
  Series to_order_16(robot, 16);
  const Vector q = Vector::Constant(1, 0.2), none = Vector::Zero(1);
  for (const double speed : {0.05, 0.1, 0.15, 0.2, 0.3, 1.0, 3.4}) {
    Eigen::MatrixXd motion = Eigen::MatrixXd::Zero(1, 18);
    motion(0, 0) = speed, motion(0, 1) = 1;  // v = speed + t
    const Eigen::MatrixXd taus = to_order_16.inverse(q, motion);
    const auto series = unit_resistance(Resistance::friction, Taylor<double, 16>::line(speed, 1));
    double factorial = 1;
    for (int n = 1; n <= 16; ++n) {
      factorial *= n;
      const auto needed = double(friction_derivative(speed, n));
      EXPECT_NEAR(taus(0, n), needed, 1e-12 * std::abs(needed)) << speed << " order " << n;
      EXPECT_NEAR(series.c[n] * factorial, needed, 1e-12 * std::abs(needed)) << speed;
    }
    for (const double v : {speed, -speed}) {
      const Vector at = Vector::Constant(1, v);
      const auto slope = double(friction_derivative(speed, 1));
      const auto curve = double(friction_derivative(speed, 2)) * (v > 0 ? 1 : -1);
      const double dv = derivatives.inverse(q, at, none).dv(0, 0);
      const double dvdv = second_derivatives.inverse(q, at, none).dvdv(0, 0, 0);
      EXPECT_NEAR(dv, slope, 1e-12 * slope) << v;
      EXPECT_NEAR(dvdv, curve, 1e-12 * std::abs(curve)) << v;
      const Dual<double, 1> first =
          unit_resistance(Resistance::friction, Dual<double, 1>::variable(v, 0));
      EXPECT_NEAR(first.d[0], slope, 1e-12 * slope) << v;
      const auto second =
          unit_resistance(Resistance::friction,
                          Dual<Dual<double, 1>, 1>::variable(Dual<double, 1>::variable(v, 0), 0));
      EXPECT_NEAR(second.d[0].d[0], curve, 1e-12 * std::abs(curve)) << v;
    }
  }
}

/// v |v| and its derivatives 2 |v|, 2 sign(v), 0; where v is 0 all of them count as 0.
TEST(PassiveForces, DragAtEverySpeed) {
  const Robot robot(one_joint(JointKind::revolute, {.drag = {0.5}}));
  Dynamics dynamics(robot);
  Derivatives derivatives(robot);
  SecondDerivatives second_derivatives(robot);
  Series to_order_4(robot, 4);
  const Surroundings still_ground{.gravity = false};
  const Vector q = Vector::Constant(1, 0.2), none = Vector::Zero(1);
  for (const double speed : {-3.0, -1e-9, 0.0, 1e-9, 0.25, 7.0}) {
    const double sign = speed < 0 ? -1 : speed > 0 ? 1 : 0;
    const Vector v = Vector::Constant(1, speed);
    EXPECT_EQ(dynamics.inverse(q, v, none, still_ground)[0], 0.5 * speed * std::abs(speed));
    EXPECT_EQ(derivatives.inverse(q, v, none).dv(0, 0), std::abs(speed));
    EXPECT_EQ(second_derivatives.inverse(q, v, none).dvdv(0, 0, 0), sign);
    Eigen::MatrixXd motion = Eigen::MatrixXd::Zero(1, 6);
    motion(0, 0) = speed, motion(0, 1) = 3, motion(0, 2) = 4;  // v = speed + 3 t + 2 t^2
    const Eigen::MatrixXd with = to_order_4.inverse(q, motion);
    const Eigen::MatrixXd without = to_order_4.inverse(q, motion, {.passive = false});
    const double s = speed, square[] = {s * s, 6 * s, 18 + 8 * s, 72, 96};  // derivatives at 0
    for (int k = 0; k <= 4; ++k)
      EXPECT_NEAR(with(0, k) - without(0, k), 0.5 * sign * square[k], 1e-13) << s << " " << k;
  }
}

/// Two hinges about z, one after the other, and the second as a mimic of the first or free.
RobotDescription two_hinges(std::optional<Mimic> mimic, JointProperties follower) {
  RobotDescription robot = one_joint(JointKind::revolute, {.armature = {0.1},
                                                           .damping = {0.2},
                                                           .friction = {0.3},
                                                           .drag = {0.7},
                                                           .stiffness = {4},
                                                           .rest = {0.5}});
  robot.links.push_back(robot.links[0]);
  robot.links[1].name = "tip";
  JointDescription second = robot.joints[0];
  second.name = "follower";
  second.parent = "body";
  second.child = "tip";
  second.geometry.placement.p = {1, 0, 0};
  second.properties = std::move(follower);
  second.mimic = std::move(mimic);
  robot.joints.push_back(std::move(second));
  return robot;
}

/// With tau of both joints free, the coupled robot needs tau_1 + ratio tau_2. Friction is smoothed
/// at the leader's speed: compared where both have slipped.
TEST(PassiveForces, MimicJointsActOnTheirLeader) {
  const JointProperties own{.armature = {0.7},
                            .damping = {1.1},
                            .friction = {0.9},
                            .drag = {0.6},
                            .stiffness = {3},
                            .rest = {-0.4}};
  for (const double ratio : {-1.5, 0.0, 0.25, 2.0}) {
    Dynamics coupled{Robot(two_hinges(Mimic{"joint", ratio, 0.6}, own))};
    Dynamics apart{Robot(two_hinges({}, own))};
    const Vector q = Vector::Constant(1, 0.8), v = Vector::Constant(1, -2), a = q;
    const auto spread = [&](const Vector& x, double offset) {
      return Eigen::Vector2d(x[0], ratio * x[0] + offset);
    };
    const Vector tau = apart.inverse(spread(q, 0.6), spread(v, 0), spread(a, 0));
    EXPECT_NEAR(coupled.inverse(q, v, a)[0], tau[0] + ratio * tau[1], 1e-13) << ratio;
    EXPECT_NEAR(coupled.robot().passive().armature[0], 0.1 + 0.7 * ratio * ratio, 1e-15);
    const Vector back = coupled.forward(q, v, coupled.inverse(q, v, a));
    EXPECT_NEAR(back[0], a[0], 1e-13) << ratio;
  }
}

TEST(PassiveForces, MimicJointsBoundTheirLeader) {
  RobotDescription gripper =
      two_hinges(Mimic{"joint", -2, 0.1}, {.lower = {-0.9}, .upper = {0.5}, .velocity_limit = {3}});
  gripper.joints[0].properties.lower = {-0.1};
  const Limits limits = Robot(gripper).limits();
  EXPECT_EQ(limits.lower[0], -0.1);  // the follower's is -0.2
  EXPECT_NEAR(limits.upper[0], 0.5, 1e-15);
  EXPECT_EQ(limits.velocity[0], 1.5);
  EXPECT_EQ(limits.effort[0], std::numeric_limits<double>::infinity());
  gripper.joints[0].properties.lower = {1};  // out of the follower's reach: the leader's count
  EXPECT_EQ(Robot(gripper).limits().lower[0], 1);
  EXPECT_EQ(Robot(gripper).limits().upper[0], std::numeric_limits<double>::infinity());
}

TEST(PassiveForces, InverseKinematicsKeepsFollowersWithinTheirLimits) {
  const Robot robot(two_hinges(Mimic{"joint", 2, 0}, {.lower = {-0.5}, .upper = {0.5}}));
  const FrameId tip = robot.frame("tip");
  const Vector beyond = Vector::Constant(1, 1.2);  // the follower would stand at 2.4
  InverseKinematics solver(robot);
  const SE3<double> goal = Kinematics(robot).at(beyond).pose(tip);
  const IkResult found = solver.solve({{tip, goal}}, Vector::Zero(1));
  EXPECT_FALSE(found.converged);
  EXPECT_LE(std::abs(found.q[0]), 0.25);
}

TEST(PassiveForces, RestsAreRotations) {
  JointProperties p{.stiffness = {1, 1, 1}, .rest = {0, 0, 0, 0.001}};
  const auto told = [&] { return message([&] { Robot{one_joint(JointKind::spherical, p)}; }); };
  EXPECT_EQ(told(), "joint \"joint\": the quaternion of rest has length 0.001, needs 1");
  p.rest = {0, 0, 0, 0};
  EXPECT_EQ(told(), "joint \"joint\": the quaternion of rest has length 0, needs 1");
  p.rest = {0, 0, 0, INFINITY};
  EXPECT_EQ(told(), "joint \"joint\": rest is infinite");
  p.rest = {0, 0, 0.6 * (1 + 5e-7), 0.8 * (1 + 5e-7)};
  EXPECT_EQ(told(), "no error");
  const std::vector<double> rest = Robot{one_joint(JointKind::spherical, p)}.passive().rest;
  EXPECT_NEAR(rest[2], 0.6, 1e-15);
  EXPECT_NEAR(rest[3], 0.8, 1e-15);
  RobotDescription chain = one_joint(JointKind::composite, {});
  chain.joints[0].geometry.parts.resize(2);
  chain.joints[0].geometry.parts[0].kind = JointKind::translational;
  chain.joints[0].geometry.parts[1].kind = JointKind::spherical;
  chain.joints[0].properties.rest = {7, 8, 9, 0, 0, 0, 2};
  EXPECT_EQ(message([&] { Robot{chain}; }),
            "joint \"joint\": the quaternion of rest has length 2, needs 1");
}

TEST(PassiveForces, CustomPosesAreRotations) {
  const auto cam = [](double scale) {
    RobotDescription robot = one_joint(JointKind::custom, {});
    robot.joints[0].geometry.custom = custom_joint<1>([scale](const auto* q) {
      using Real = std::remove_cvref_t<decltype(q[0])>;
      const Vec3<Real> turn{Real(0), Real(0), q[0]};
      SE3<Real> T{exp(turn), {Real(0), Real(0), Real(0)}};
      T.R.m.row[0] = T.R.m.row[0] * (q[0] * q[0] * (scale - 1) + Real(1));
      return T;
    });
    return robot;
  };
  EXPECT_EQ(message([&] { Robot{cam(1)}; }), "no error");
  EXPECT_EQ(message([&] { Robot{cam(2)}; }),
            "joint \"joint\": its function at q = (-1): rotation is not orthogonal (defect 3)");
  RobotDescription narrow = cam(2);  // looked at within its limits
  narrow.joints[0].properties.lower = {3}, narrow.joints[0].properties.upper = {4};
  EXPECT_EQ(message([&] { Robot{narrow}; }),
            "joint \"joint\": its function at q = (3.5): rotation is not orthogonal (defect "
            "174.562)");
}

}  // namespace
}  // namespace jounce

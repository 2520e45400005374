// SPDX-License-Identifier: BSD-3-Clause
// Velocities that no configuration forbids: knife edges and discs that roll.
#include <gtest/gtest.h>

#include <jounce/constrained_dynamics.hpp>
#include <jounce/constrained_series.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/io.hpp>

#include "support/dense.hpp"
#include "support/largest.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// A body on a joint of this kind.
RobotDescription one_body(JointKind kind, double mass, const Vec3<double>& com,
                          const Sym3<double>& I) {
  RobotDescription robot{.name = "body"};
  robot.links = {{.name = "body", .mass = mass, .com = com, .I_com = I}};
  JointDescription joint;
  joint.name = "joint", joint.child = "body";
  joint.geometry.kind = kind;
  if (kind == JointKind::planar) joint.geometry.axes = {{0, 0, 1}};
  robot.joints = {joint};
  return robot;
}

/// Chaplygin's sleigh: a body in the plane on a knife edge, `ahead` of which lies its centre.
struct Sleigh {
  static constexpr double mass = 2, ahead = 0.3, inertia = 0.5;

  static Robot make() {
    RobotDescription robot =
        one_body(JointKind::planar, mass, {ahead, 0, 0}, {inertia, 0, inertia, 0, 0, inertia});
    robot.gravity = {};
    LoopDescription blade;
    blade.name = "blade", blade.kind = LoopKind::knife_edge, blade.link_2 = "body";
    blade.placement_2 = {exp(Vec3<double>{-std::numbers::pi / 2, 0, 0}),
                         {}};  // z along the body's y
    robot.loops = {blade};
    return Robot(robot);
  }
  Robot robot = make();
  ConstrainedDynamics dyn{robot};
};

TEST(KnifeEdge, ChaplyginsSleigh) {
  Sleigh s;
  EXPECT_EQ(s.dyn.rank(), 1);
  EXPECT_EQ(s.dyn.mobility(), 2);
  const double J = Sleigh::inertia + Sleigh::mass * Sleigh::ahead * Sleigh::ahead;
  const double c = 1.7, alpha = Sleigh::ahead * c * Sleigh::mass / J, start = -0.8;
  const auto speed = [&](double t) {  // omega, v_x, v_y
    const double x = alpha * t + start;
    return Vector(
        Eigen::Vector3d(c * std::sqrt(Sleigh::mass / J) / std::cosh(x), c * std::tanh(x), 0));
  };
  Vector q(3);
  q << 0.2, -0.4, 1.1;
  const Vector none = Vector::Zero(3);
  EXPECT_LE(largest(s.dyn.closure(q)), 0);
  for (const double t : {0.0, 0.5, 2.0}) {
    const double h = 1e-4;
    const Vector rate =
        (8 * (speed(t + h) - speed(t - h)) - (speed(t + 2 * h) - speed(t - 2 * h))) / (12 * h);
    EXPECT_LE(largest(s.dyn.forward(q, speed(t), none).a - rate), 1e-10) << t;
  }
  ConstrainedSeries series(s.robot, 6);
  const Matrix motion = series.forward(q, speed(0), Matrix::Zero(3, 7)).motion;
  const double t = 0.05;
  Vector found = Vector::Zero(3);
  double power = 1;
  for (int k = 0; k < motion.cols(); power *= t / ++k) found += motion.col(k) * power;
  EXPECT_LE(largest(found - speed(t)), 1e-9);  // the eighth power of t
}

/// A sleigh pushed sideways does not move; its blade takes the push.
TEST(KnifeEdge, HoldsAndGivesWay) {
  Sleigh s;
  const Vector q = Vector::Zero(3), v = Vector::Zero(3);
  Vector along(3), across(3);
  along << 0, 4, 0;
  across << 0, 0, 4;
  EXPECT_NEAR(s.dyn.forward(q, v, along).a[1], 4 / Sleigh::mass, 1e-12);
  const ConstrainedForward held = s.dyn.forward(q, v, across);
  EXPECT_NEAR(held.a[2], 0, 1e-12);
  Vector sideways(3);
  sideways << 0.3, 1, 2;
  EXPECT_NEAR(s.dyn.project(q, sideways)[2], 0, 1e-12);
  const Impulse bounce = s.dyn.impulse(q, sideways, {}, 1);
  EXPECT_NEAR(bounce.v[2], -2, 1e-12);
  const Contact skate[] = {{s.robot.frame("body"), LoopKind::knife_edge}};
  EXPECT_EQ(s.dyn.forward(q, v, across, {}, skate).rank, 1);  // along z nothing moves anyway
}

/// A thin disc on the ground.
struct Disc {
  static constexpr double mass = 1.5, radius = 0.4, A = 0.25 * mass * radius * radius, C = 2 * A;

  static Robot make() {
    RobotDescription robot = one_body(JointKind::free, mass, {}, {A, 0, A, 0, 0, C});
    LoopDescription ground;
    ground.name = "ground", ground.kind = LoopKind::rolling, ground.link_2 = "body";
    ground.radius = radius;
    robot.loops = {ground};
    robot.joints[0].closed = {0, 0, radius, std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
    return Robot(robot);
  }
  Robot robot = make();
  ConstrainedDynamics dyn{robot};

  /// The disc with its axis at an angle to the vertical.
  static Vector tilted(double angle) {
    Vector q(7);
    q << 0.3, -0.2, radius * std::sin(angle), std::sin(angle / 2), 0, 0, std::cos(angle / 2);
    return q;
  }
};

/// The axis turns about the vertical with `turn` at a constant angle where
/// (C + m r^2) w turn sin - A turn^2 sin cos + m g r cos = 0, w the spin about the axis.
TEST(Rolling, SteadyPrecession) {
  Disc disc;
  EXPECT_EQ(disc.dyn.rank(), 3);
  EXPECT_EQ(disc.dyn.mobility(), 3);
  for (const double angle : {0.4, 1.1, 1.5}) {
    const double turn = 2.3, s = std::sin(angle), c = std::cos(angle);
    const double mr2 = Disc::mass * Disc::radius * Disc::radius;
    const double w = (Disc::A * turn * turn * s * c - Disc::mass * 9.81 * Disc::radius * c) /
                     ((Disc::C + mr2) * turn * s);
    const Vector q = Disc::tilted(angle), none = Vector::Zero(6);
    EXPECT_LE(largest(disc.dyn.closure(q)), 1e-15);
    Vector v(6), a(6);
    v << 0, turn * s, w, -Disc::radius * w, 0, 0;
    EXPECT_LE(largest(disc.dyn.jacobian(q) * v), 1e-13) << "it does not slip";
    const double spin = w - turn * c;  // against the frame that goes round with it
    a << spin * turn * s, 0, 0, 0, spin * Disc::radius * w, 0;
    const ConstrainedForward found = disc.dyn.forward(q, v, none);
    EXPECT_LE(largest(found.a - a), 1e-11 * largest(a)) << angle;
    const Wrench<double> F =
        disc.dyn.loop_wrenches(q, {found.lambda.data(), size_t(found.lambda.size())})[0];
    EXPECT_NEAR(found.lambda[2], Disc::mass * 9.81, 1e-9) << "the height does not change";
    EXPECT_NEAR(dot(F, Twist<double>{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}), 0, 1e-11);
  }
}

/// A disc that wobbles keeps its energy, its height and its grip.
TEST(Rolling, KeepsEnergyAndGrip) {
  Disc disc;
  Vector q = Disc::tilted(1.0), v(6), none = Vector::Zero(6);
  v << 0.5, 1.2, -6, 0, 0, 0;
  v = disc.dyn.project(q, v);
  Dynamics open(disc.robot);
  const auto energy = [&] {
    const Energy now = open.energy(q, v);
    return now.kinetic + now.potential;
  };
  const double before = energy(), h = 5e-4;
  for (int step = 0; step < 1000; ++step) {
    const auto move = [&](const Vector& by) {
      Vector to(7);
      disc.robot.integrate({q.data(), 7}, {by.data(), 6}, {to.data(), 7});
      return to;
    };
    // the mid-point rule, twice corrected
    const Vector a = disc.dyn.forward(q, v, none).a;
    Vector middle = v + a * (h / 2);
    for (int again = 0; again < 2; ++again)
      middle = v + disc.dyn.forward(move(middle * (h / 2)), middle, none).a * (h / 2);
    q = move(middle * h);
    v = 2 * middle - v;
  }
  EXPECT_NEAR(energy(), before, 1e-5 * std::abs(before));  // of the step's square
  EXPECT_LE(largest(disc.dyn.closure(q)), 1e-5);
  EXPECT_LE(largest(disc.dyn.jacobian(q) * v), 1e-4);
}

TEST(Rolling, ThroughFilesAndRefusals) {
  RobotDescription robot = Disc::make().description();
  EXPECT_EQ(read_json(write_json(robot), "text").robot.loops[0].radius, Disc::radius);
  robot.loops[0].radius = 0;
  EXPECT_EQ(message([&] { Robot{robot}; }),
            "loop \"ground\": radius 0 must be finite and positive");
  Disc disc;
  const Contact wheel[] = {{disc.robot.frame("body"), LoopKind::rolling}};
  EXPECT_EQ(message([&] {
              disc.dyn.forward(Disc::tilted(1), Vector::Zero(6), Vector::Zero(6), {}, wheel);
            }),
            "constrained_forward: contact \"body\": kind rolling needs a second frame, make it "
            "a loop");
}

}  // namespace
}  // namespace jounce::test

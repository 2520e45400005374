// SPDX-License-Identifier: BSD-3-Clause
// Functions of coordinates and time that are to be zero: a crank that is driven, and one where both
// mix; each call at its instant.
#include <gtest/gtest.h>

#include <jounce/jounce.hpp>

#include "constraints/custom_loop.hpp"
#include "constraints/vectors.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// A crank that a function of time drives: q_0 = 0.3 + 0.5 t + 0.7 t^2 + 0.2 t^3.
struct DrivenCrank {
  static Robot make() {
    RobotDescription robot = load("builtin:arm7").description();
    robot.loops = {custom({{load("builtin:arm7").joints()[0].name}},
                          custom_constraint<1, 1>([](const auto* q, const auto& t, auto* C) {
                            C[0] = q[0] - (0.3 + 0.5 * t + 0.7 * t * t + 0.2 * t * t * t);
                          }))};
    return Robot(robot);
  }
  static double angle(double t) { return 0.3 + 0.5 * t + 0.7 * t * t + 0.2 * t * t * t; }
  static double speed(double t) { return 0.5 + 1.4 * t + 0.6 * t * t; }
  static double acceleration(double t) { return 1.4 + 1.2 * t; }

  Robot robot = make();
  ConstrainedDynamics dyn{robot};
};

TEST(CustomConstraint, DrivesACrank) {
  DrivenCrank crank;
  const double t = 0.8;
  Vector guess = Vector::LinSpaced(7, -0.6, 0.9), v = Vector::LinSpaced(7, 1, -1),
         tau = Vector::LinSpaced(7, 5, -3);
  const Assembly closed = crank.dyn.assemble(guess, {}, t);
  ASSERT_TRUE(closed.converged);
  EXPECT_NEAR(closed.q[0], DrivenCrank::angle(t), 1e-12);
  EXPECT_GT(largest(crank.dyn.closure(closed.q)), 0.1) << "at another time it is open";
  v = crank.dyn.project(closed.q, v, {}, t);
  EXPECT_NEAR(v[0], DrivenCrank::speed(t), 1e-12);
  const ConstrainedForward found = crank.dyn.forward(closed.q, v, tau, {.time = t});
  EXPECT_NEAR(found.a[0], DrivenCrank::acceleration(t), 1e-11);
  EXPECT_LE(found.residual, 1e-11);
  Vector driven = tau;
  driven[0] += found.lambda[0];
  EXPECT_LE(largest(Dynamics(crank.robot).inverse(closed.q, v, found.a) - driven), 1e-10);
  const ConstrainedInverse back = crank.dyn.inverse(closed.q, v, found.a, {.time = t});
  const Vector again = crank.dyn.forward(closed.q, v, back.tau, {.time = t}).a;
  EXPECT_LE(largest(again - found.a), 1e-11 * largest(found.a));  // a light wrist
  EXPECT_TRUE(message([&] {
                crank.dyn.inverse(closed.q, v, found.a);
              }).starts_with("constrained_inverse: the accelerations would open loop"))
      << "at another time";
  EXPECT_EQ(message([&] { crank.dyn.forward(closed.q, v, tau, {.time = std::nan("")}); }),
            "constrained_forward: time is not finite");
}

TEST(CustomConstraint, SeriesOfADrivenCrank) {
  DrivenCrank crank;
  const double t = 0.8;
  const Vector q = crank.dyn.assemble(Vector::LinSpaced(7, -0.6, 0.9), {}, t).q;
  const Vector v = crank.dyn.project(q, Vector::LinSpaced(7, 1, -1), {}, t);
  ConstrainedSeries series(crank.robot, 4);
  const auto found = series.forward(q, v, Matrix::Constant(7, 5, 0.5), {.time = t});
  const Matrix motion = found.motion;
  EXPECT_NEAR(motion(0, 1), DrivenCrank::acceleration(t), 1e-10);
  EXPECT_NEAR(motion(0, 2), 1.2, 1e-8);
  EXPECT_NEAR(motion(0, 3), 0, 1e-6);
}

/// sin(q_1) q_2 (1 + t) + q_3^2 = 0.4 cos(3 t) + t, which is a constraint everywhere.
Robot swayed() {
  const Robot arm = load("builtin:arm7");
  RobotDescription robot = arm.description();
  const auto joints = arm.joints();
  robot.loops = {custom({{joints[1].name}, {joints[2].name}, {joints[3].name}},
                        custom_constraint<3, 1>([](const auto* q, const auto& t, auto* C) {
                          C[0] = sin(q[0]) * q[1] * (1.0 + t) + q[2] * q[2] - 0.4 * cos(3 * t) - t;
                        }))};
  return Robot(robot);
}

TEST(CustomConstraint, RatesOfTime) {
  ConstrainedDynamics dyn(swayed());
  const Vector q = Vector::LinSpaced(7, 0.6, -0.9), v = Vector::LinSpaced(7, 1, -1);
  const double t = 0.3, h = 1e-4;
  const auto closure = [&](double step) { return dyn.closure(Vector(q + v * step), t + step)[0]; };
  const double rate = (closure(h) - closure(-h)) / (2 * h);
  const double again = (closure(h) - 2 * closure(0) + closure(-h)) / (h * h);
  const Vector drift = dyn.project(q, Vector::Zero(7), {}, t);
  EXPECT_NEAR((dyn.jacobian(q, {}, t) * (v - drift))[0], rate, 1e-7);
  EXPECT_NEAR(dyn.bias(q, v, {}, t)[0], again, 1e-6);
}

TEST(CustomConstraint, DerivativesAreThoseOfDifferences) {
  const Robot robot = swayed();
  ConstrainedDynamics dyn(robot);
  ConstrainedDerivatives derivatives(robot);
  const Vector q = Vector::LinSpaced(7, 0.6, -0.9), v = Vector::LinSpaced(7, 1, -1),
               tau = Vector::LinSpaced(7, 3, -2);
  const Surroundings around{.time = 0.3};
  const auto found = derivatives.forward(q, v, tau, around);
  const auto slope = [&](const Vector& dq, const Vector& dv) {
    const auto at = [&](double h) {
      return Vector(dyn.forward(Vector(q + h * dq), Vector(v + h * dv), tau, around).a);
    };
    const double h = 4e-4;
    return Vector((8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h));
  };
  const double scale = 1 + largest(Matrix(found.da_dq));
  for (int k = 0; k < 7; ++k) {
    const Vector along = Vector::Unit(7, k), none = Vector::Zero(7);
    EXPECT_LE(largest(Matrix(found.da_dq).col(k) - slope(along, none)), 1e-8 * scale) << k;
    EXPECT_LE(largest(Matrix(found.da_dv).col(k) - slope(none, along)), 1e-8 * scale) << k;
  }
}

/// A state of it at 0.3, its forces, and differences there: the row is one of any configuration.
struct Swayed {
  static constexpr double time = 0.3;

  Robot robot = swayed();
  ConstrainedDynamics dyn{robot};
  Vector q = dyn.assemble(Vector(Vector::LinSpaced(7, 0.6, -0.9)), {}, time).q;
  Vector v = dyn.project(q, Vector::LinSpaced(7, 1, -1), {}, time);
  Vector tau = Vector::LinSpaced(7, 3, -2);
  Surroundings around{.time = time};

  /// At all joints but the third, which the row moves.
  Robot with_motors() const {
    RobotDescription made = robot.description();
    for (const JointInfo& joint : robot.joints())
      made.joints[size_t(joint.description)].actuated = joint.v != 2;
    return Robot(made);
  }
  /// d/dh of f(q + h dq, v + h dv) at 0.
  template <class F>
  static Vector slope(const Vector& q, const Vector& v, const Vector& dq, const Vector& dv, F f) {
    const auto at = [&](double h) -> Vector { return f(q + h * dq, v + h * dv); };
    const double h = 4e-4;
    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  /// Of every coordinate and velocity: what `found` has by dq and dv.
  template <class Found, class F>
  void expect_slopes(Found found, F f) {
    for (int k = 0; k < 14; ++k) {
      const Vector along = Vector::Unit(7, k % 7), none = Vector::Zero(7);
      const Vector dq = k < 7 ? along : none, dv = k < 7 ? none : along;
      const Vector exact = slope(q, v, dq, dv, f), here = found(dq, dv);
      EXPECT_LE(largest(here - exact), 1e-8 * (largest(exact) + largest(f(q, v)))) << k;
    }
  }
};

TEST(CustomConstraint, DerivativesOfInverseAndHybridAtAnInstant) {
  Swayed x;
  const Robot robot = x.with_motors();
  ConstrainedDynamics dyn(robot);
  ConstrainedDerivatives derivatives(robot);
  const auto a = [&](const Vector& q, const Vector& v) -> Vector {
    return dyn.forward(q, v, x.tau, x.around).a;
  };
  const auto da = [&](const Vector& dq, const Vector& dv) {
    return Swayed::slope(x.q, x.v, dq, dv, a);
  };
  const auto i = derivatives.inverse(x.q, x.v, a(x.q, x.v), x.around);
  x.expect_slopes(
      [&](const Vector& dq, const Vector& dv) -> Vector {
        return both(i.dtau_dq, i.dlambda_dq) * dq + both(i.dtau_dv, i.dlambda_dv) * dv +
               both(i.dtau_da, i.dlambda_da) * da(dq, dv);
      },
      [&](const Vector& q, const Vector& v) {
        const ConstrainedInverse one = dyn.inverse(q, v, a(q, v), x.around);
        return both(one.tau, one.lambda);
      });
  const bool held[] = {true, false, true, false, false, true, false};
  const Vector given = Vector::LinSpaced(7, -2, 2);
  const auto h = derivatives.hybrid(held, x.q, x.v, given, x.tau, x.around);
  x.expect_slopes(
      [&](const Vector& dq, const Vector& dv) -> Vector {
        return both(h.dq, h.dlambda_dq) * dq + both(h.dv, h.dlambda_dv) * dv;
      },
      [&](const Vector& q, const Vector& v) {
        const ConstrainedHybrid one = dyn.hybrid(held, q, v, given, x.tau, x.around);
        return both(chosen(held, one.tau, one.a), one.lambda);
      });
}

/// With dC/dt before and after: what counts is the rate at which C changes.
TEST(CustomConstraint, ImpulsesAtAnInstant) {
  Swayed x;
  const Vector before = Vector::LinSpaced(7, 1, -1);
  const auto rate = [&](const Vector& v) {
    const auto C = [&](double h) { return x.dyn.closure(Vector(x.q + h * v), x.time + h)[0]; };
    return (8 * (C(1e-3) - C(-1e-3)) - (C(2e-3) - C(-2e-3))) / 12e-3;
  };
  const Matrix M = Dynamics(x.robot).mass(x.q), A = x.dyn.jacobian(x.q, {}, x.time);
  ASSERT_GT(std::abs(rate(before) - rate(x.v)), 0.1);
  for (const double restitution : {0.0, 0.4, 1.0}) {
    const Impulse hit = x.dyn.impulse(x.q, before, {}, restitution, x.time);
    EXPECT_NEAR(rate(hit.v), -restitution * rate(before), 1e-10);
    const Vector change = M * Vector(hit.v - before);
    EXPECT_LE(largest(change - A.transpose() * hit.lambda), 1e-13 * largest(change));
  }
}

/// The polynomials of a motion and its forces against the dynamics a little later.
TEST(CustomConstraint, SeriesAtInstants) {
  Swayed x;
  const Robot robot = x.with_motors();
  ConstrainedDynamics dyn(robot);
  constexpr int order = 5;
  ConstrainedSeries series(robot, order);
  const SeriesSurroundings around{.time = x.time};
  Matrix taus(7, order + 1);
  for (int k = 0; k <= order; ++k) taus.col(k) = (1.0 - 0.3 * k) * x.tau;
  taus.row(2).setZero();
  const bool held[] = {true, false, true, false, false, true, false};
  const auto f = series.forward(x.q, x.v, taus, around);
  const auto i = series.inverse(x.q, f.motion, around);
  const auto h = series.hybrid(held, x.q, f.motion, taus, around);
  Matrix positions(7, order + 3);
  positions << x.q, Matrix(f.motion);
  const auto off = [&](double t) {
    const Surroundings now{.time = x.time + t};
    const Vector q = at_time(positions, t), v = at_time(f.motion, t), tau = at_time(taus, t);
    const ConstrainedForward exact = dyn.forward(q, v, tau, now);
    const ConstrainedInverse forces = dyn.inverse(q, v, exact.a, now);
    const ConstrainedHybrid some = dyn.hybrid(held, q, v, exact.a, tau, now);
    const auto part = [&](const Matrix& derivatives, const Vector& numbers) {
      return largest(at_time(derivatives, t) - numbers) / largest(numbers);
    };
    return Eigen::Vector<double, 7>(
        part(f.motion.rightCols(order + 1), exact.a), part(f.lambdas, exact.lambda),
        part(i.taus, forces.tau), part(i.lambdas, forces.lambda),
        part(h.taus, chosen(held, some.tau, tau)), part(h.motion.rightCols(order + 1), some.a),
        part(h.lambdas, some.lambda));
  };
  const auto now = off(0), near = off(0.002), far = off(0.004);
  for (int k = 0; k < 7; ++k) {  // what is left out falls by 2^6, a wrong last term by 2^5
    EXPECT_LE(now[k], 1e-12) << "answer " << k;
    EXPECT_LE(near[k], far[k] / 45 + 1e-12) << "answer " << k;
    EXPECT_LE(near[k], 1e-8) << "answer " << k;
  }
}

}  // namespace
}  // namespace jounce::test

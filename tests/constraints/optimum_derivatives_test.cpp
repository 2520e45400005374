// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of forces that are one choice of many: the shortest lambda, the least motor forces.
// Differences of the solutions themselves along curves of closed states.
#include <gtest/gtest.h>

#include "constraints/closed_curve.hpp"
#include "constraints/counted_states.hpp"
#include "constraints/mechanisms.hpp"
#include "constraints/random_loops.hpp"
#include "constraints/vectors.hpp"
#include "support/largest.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// A mechanism in motion, with a force of every joint.
struct Moving {
  Moving(const Robot& robot, double time = 0.3)
      : dyn(robot), derivatives(robot), n(robot.nv()), curve(dyn, start(), speed(time)) {
    tau = Vector::LinSpaced(n, 0.4, -0.3);
  }
  /// The state of random loops, with motors and what surrounds it; it outlives this one.
  Moving(LoopedRobot& x, const Robot& robot)
      : dyn(robot),
        derivatives(robot),
        n(robot.nv()),
        contacts(x.feet()),
        around(x.motion.around()),
        curve(dyn, x.q, dyn.project(x.q, x.v, contacts), contacts),
        tau(x.tau) {}
  Vector start() { return Vector::Map(dyn.robot().closed().data(), dyn.robot().nq()); }
  Vector speed(double scale) {
    return dyn.project(start(), scale * Vector::LinSpaced(n, 1.5, -0.7));
  }
  /// Accelerations along the curve that suit the loops.
  Vector a(double t) { return dyn.forward(curve.q(t), curve.v(t), tau, around, contacts).a; }

  void expect_forward() {
    const auto d = derivatives.forward(curve.q(0), curve.v(0), tau);
    const Vector found =
        both(d.da_dq, d.dlambda_dq) * curve.dq() + both(d.da_dv, d.dlambda_dv) * curve.dv();
    const Vector differences = ClosedCurve::rate([&](double t) {
      const ConstrainedForward f = dyn.forward(curve.q(t), curve.v(t), tau);
      return both(f.a, f.lambda);
    });
    EXPECT_LE(largest(found - differences), 1e-6 * (1 + largest(differences)));
  }
  void expect_inverse(Optimum optimum, int free_dimension) {
    for (const double friction : {0.0, 0.3}) expect_inverse(optimum, free_dimension, friction);
  }
  void expect_inverse(Optimum optimum, int free_dimension, double friction) {
    const Vector passive = friction * Vector::LinSpaced(n, 1, -2);
    EXPECT_EQ(inverse(0, passive, optimum).free_dimension, free_dimension);
    expect_slope_of_inverse(passive, optimum, 0);
  }
  /// With forces of the coordinates without motors.
  ConstrainedInverse inverse(double t, const Vector& passive, Optimum optimum) {
    ConstrainedInverse found{{}, Vector(n), Vector(rows())};
    static_cast<ConstraintReport&>(found) =
        dyn.inverse(curve.q(t), curve.v(t), a(t), passive, around, contacts, optimum,
                    into(found.tau), into(found.lambda));
    return found;
  }
  /// To 1e-6, the rounding of differences of numbers of this size apart.
  void expect_slope_of_inverse(const Vector& passive, Optimum optimum, double rounding) {
    ConstrainedInverseDerivatives d(dyn.robot(), rows());
    derivatives.inverse(curve.q(0), curve.v(0), a(0), passive, around, contacts, optimum, into(d));
    const Vector found =
        both(d.dtau_dq, d.dlambda_dq) * curve.dq() + both(d.dtau_dv, d.dlambda_dv) * curve.dv() +
        both(d.dtau_da, d.dlambda_da) * ClosedCurve::rate([&](double t) { return a(t); });
    const Vector differences = ClosedCurve::rate([&](double t) {
      const ConstrainedInverse one = inverse(t, passive, optimum);
      return both(one.tau, one.lambda);
    });
    const double size = largest(both(d.dtau_dq, d.dlambda_dq)) * largest(curve.dq());
    EXPECT_LE(largest(found - differences), 1e-6 * (1 + largest(differences)) + rounding * size)
        << dyn.robot().name() << ", optimum " << int(optimum);
  }
  int rows() const { return dyn.rows() + ConstrainedDynamics::rows(contacts); }

  ConstrainedDynamics dyn;
  ConstrainedDerivatives derivatives;
  int n;
  std::vector<Contact> contacts;
  Surroundings around;
  ClosedCurve curve;
  Vector tau;
};

Robot five_bar(std::initializer_list<int> motors) {
  RobotDescription robot = read_robot("builtin:five_bar").robot;
  for (JointDescription& joint : robot.joints) joint.actuated = false;
  for (const int k : motors) robot.joints[size_t(k)].actuated = true;
  return Robot(robot);
}

/// [Kim] (57)-(66): as many motors as the mobility, one and two more.
TEST(OptimumDerivatives, OfTheFiveBar) {
  for (const Optimum optimum : {Optimum::force, Optimum::torque}) {
    Moving(five_bar({0, 2}), 1).expect_inverse(optimum, 0);
    Moving(five_bar({0, 1, 2}), 1).expect_inverse(optimum, 1);
    Moving(five_bar({0, 1, 3}), 1).expect_inverse(optimum, 1);
    Moving(five_bar({0, 1, 2, 3}), 1).expect_inverse(optimum, 2);
  }
}

/// Bennett's rows change the sums of them that vanish, those of planar linkages do not.
TEST(OptimumDerivatives, OfTheShortestMultipliers) {
  Moving(Robot(bennett(1))).expect_forward();
  Moving(Robot(parallelogram(0.8))).expect_forward();
  Moving(Robot(slider_crank(0.8))).expect_forward();
  for (const Optimum optimum : {Optimum::force, Optimum::torque})
    Moving(Robot(bennett(1))).expect_inverse(optimum, 2);
}

class OptimumOfLoops : public CountedStates {};

/// So many coordinates are prescribed that they strain the rows.
TEST_P(OptimumOfLoops, Hybrid) {
  for (const bool mimic : {false, true}) {
    LoopedRobot x(std::uint64_t(GetParam()), 1 + GetParam() % 3, mimic);
    const int n = x.robot.nv();
    const Surroundings around = x.motion.around();
    if (!compares(x.dyn.forward(x.q, x.v, x.tau, around).rank_margin >= 1e-2 &&
                  x.dyn.mobility() > 0))
      continue;
    ConstrainedDerivatives derivatives(x.robot);
    const ClosedCurve curve(x.dyn, x.q, x.v);
    const auto a = [&](double t) -> Vector {
      return x.dyn.forward(curve.q(t), curve.v(t), x.tau, around).a;
    };
    const auto flags = std::make_unique<bool[]>(size_t(n));
    for (int k = 0; k < n; ++k) flags[size_t(k)] = k % 4 != 3;
    const std::span<const bool> prescribed(flags.get(), size_t(n));
    for (const Optimum optimum : {Optimum::force, Optimum::torque}) {
      const auto solution = [&](double t) {
        return x.dyn.hybrid(prescribed, curve.q(t), curve.v(t), a(t), x.tau, around, {}, optimum);
      };
      if (solution(0).rank_margin < 1e-2) continue;
      const auto at = [&](double t) {
        const ConstrainedHybrid h = solution(t);
        return both(chosen(prescribed, h.tau, h.a), h.lambda);
      };
      const auto given = [&](double t) -> Vector { return chosen(prescribed, a(t), x.tau); };
      const auto d =
          derivatives.hybrid(prescribed, curve.q(0), curve.v(0), a(0), x.tau, around, {}, optimum);
      const Vector found = both(d.dq, d.dlambda_dq) * curve.dq() +
                           both(d.dv, d.dlambda_dv) * curve.dv() +
                           both(d.dgiven, d.dlambda_dgiven) * ClosedCurve::rate(given);
      const double scale = largest(d.dq) * largest(curve.dq()) + largest(at(0));
      EXPECT_LE(largest(found - ClosedCurve::rate(at)), 1e-5 * scale)
          << "seed " << GetParam() << " optimum " << int(optimum);
    }
  }
}

/// Joints without motors have forces, motors strain some of the rows, and a floating base stands.
TEST_P(OptimumOfLoops, Inverse) {
  for (const bool mimic : {false, true}) {
    LoopedRobot x(std::uint64_t(GetParam()), 1 + GetParam() % 3, mimic);
    Moving moving(x, with_motors(x.robot, x.dyn.jacobian(x.q, x.feet())));
    const ConstrainedForward f =
        moving.dyn.forward(x.q, moving.curve.v(0), x.tau, moving.around, moving.contacts);
    const bool moves = f.rank_margin >= 1e-2 && f.rank < moving.n;
    if (!compares(moves && moving.inverse(0, x.tau, Optimum::force).rank_margin >= 1e-2)) continue;
    for (const Optimum optimum : {Optimum::force, Optimum::torque})
      moving.expect_slope_of_inverse(x.tau, optimum, 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, OptimumOfLoops, testing::Range(1, 31));

}  // namespace
}  // namespace jounce::test

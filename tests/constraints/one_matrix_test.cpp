// SPDX-License-Identifier: BSD-3-Clause
// The closed-loop counterpart of Lemma 2 of [Ali 2026]: the last derivatives of motion and
// multipliers meet the last one of the forces by one matrix, whatever the order is.
#include <gtest/gtest.h>

#include <jounce/constrained_derivatives.hpp>
#include <jounce/constrained_series.hpp>

#include "constraints/mechanisms.hpp"
#include "constraints/random_loops.hpp"
#include "support/largest.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// A change of the last tau changes the last a and lambda as da/dtau and dlambda/dtau say at once.
/// It is made so large that the change does not drown in numbers that grow with the order.
void expect_one_matrix(const Robot& robot, const Vector& q, const Vector& v, const Vector& tau,
                       std::span<const Contact> contacts = {}) {
  ConstrainedDerivatives derivatives(robot);
  const auto d = derivatives.forward(q, v, tau, {}, contacts);
  const int n = robot.nv();
  for (const int order : {0, 1, 2, 5, 8}) {
    ConstrainedSeries series(robot, order);
    Matrix taus = Matrix::Zero(n, order + 1);
    taus.col(0) = tau;
    const ConstrainedSeriesResult before = series.forward(q, v, taus, {}, contacts);
    const Vector a = before.motion.col(order + 1);
    const Vector change = Vector::LinSpaced(n, -1, 0.8) * std::max(1.0, largest(a));
    taus.col(order) += change;
    const ConstrainedSeriesResult after = series.forward(q, v, taus, {}, contacts);
    const Vector of_a = Matrix(d.da_dtau) * change, of_lambda = Matrix(d.dlambda_dtau) * change;
    EXPECT_LE(largest(after.motion.col(order + 1) - a - of_a), 1e-9 * largest(of_a))
        << robot.name() << ", order " << order;
    EXPECT_LE(largest(after.lambdas.col(order) - before.lambdas.col(order) - of_lambda),
              1e-9 * largest(of_lambda))
        << robot.name() << ", order " << order;
  }
}

TEST(OneMatrixServesEveryOrder, OfMechanisms) {
  const auto where_it_is_closed = [](const Robot& robot, std::span<const Contact> contacts = {}) {
    const Vector q = Vector::Map(robot.closed().data(), robot.nq());
    ConstrainedDynamics dyn(robot);
    const Vector v = dyn.project(q, Vector::Constant(robot.nv(), 0.3), contacts);
    expect_one_matrix(robot, q, v, Vector::Constant(robot.nv(), 0.1), contacts);
  };
  where_it_is_closed(load("builtin:five_bar"));
  where_it_is_closed(Robot(bennett(0.9)));
  const Robot quadruped = load("builtin:quadruped");
  std::vector<Contact> feet;
  for (const char* foot : {"front_left_foot", "hind_right_foot"})
    feet.push_back({quadruped.frame(foot), LoopKind::point});
  where_it_is_closed(quadruped, feet);
}

TEST(OneMatrixServesEveryOrder, OfRandomLoops) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    LoopedRobot x(seed);
    if (x.dyn.forward(x.q, x.v, x.tau).rank_margin < 1e-2) continue;
    expect_one_matrix(x.robot, x.q, x.v, x.tau);
  }
}

}  // namespace
}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// The formulas for derivatives of rows against dual numbers, at states on and off the loops.
#include <gtest/gtest.h>

#include <jounce/constrained_derivatives.hpp>

#include "constraints/random_loops.hpp"
#include "doors/rows_by_dual.hpp"
#include "model/loop_lists.hpp"
#include "support/largest.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

/// By q and v, and of A^T lambda.
struct RowDerivatives {
  RowDerivatives(const LoopLists& lists, int nv)
      : C_q(Eigen::MatrixXd::Zero(lists.view().rows, nv)),
        C_v(C_q),
        D(Eigen::MatrixXd::Zero(nv, nv)),
        step(size_t(lists.view().longest)) {}
  LoopDerivatives<double> view() {
    return {C_q.data(), C_v.data(), int(C_q.rows()), D.data(), step.data()};
  }
  Eigen::MatrixXd C_q, C_v, D;
  std::vector<LoopStep<double>> step;
};

class DerivativesOfRows : public testing::TestWithParam<int> {};

TEST_P(DerivativesOfRows, AreThoseOfDualNumbers) {
  for (const bool mimic : {false, true}) {
    LoopedRobot at(GetParam(), 1 + GetParam() % 3, mimic);
    const LoopLists lists(at.robot);
    const Loops<double>& loops = lists.view();
    if (loops.count == 0 || needs_dual_numbers(at.robot.model(), loops)) continue;
    const int nv = at.robot.nv();
    const std::vector<double> closed = at.robot.closed(), open = at.robot.random(GetParam());
    for (const std::vector<double>& q : {closed, open}) {
      const Eigen::VectorXd v = at.motion.v, a = at.motion.a, lambda = at.motion.random(loops.rows);
      const OwnState<double> x{q.data(), v.data(), a.data()};
      RowDerivatives expected(lists, nv), found(lists, nv);
      RowsByDual dual(at.robot);
      dual.start(loops, loops.rows, 0);
      dual.run(loops, x, lambda.data(), expected.view());

      LoopNumbers<double> rows(at.robot);
      rows.resize(loops, loops.rows);
      rows.q.assign(q.begin(), q.end());
      rows.v.assign(v.begin(), v.end());
      rows.a.assign(a.begin(), a.end());
      rows.run(loops);
      loop_derivatives(at.robot.system(), loops, rows.tree_state(), rows.storage.view(),
                       lambda.data(), found.view());
      const auto expect_same = [&](const Eigen::MatrixXd& x_found, const Eigen::MatrixXd& x_exact,
                                   const char* name) {
        EXPECT_LE((x_found - x_exact).cwiseAbs().maxCoeff(),
                  1e-12 * std::max(1.0, x_exact.cwiseAbs().maxCoeff()))
            << name << ", seed " << GetParam();
      };
      expect_same(found.C_q, expected.C_q, "C by q");
      expect_same(found.C_v, expected.C_v, "C by v");
      expect_same(found.D, expected.D, "A^T lambda by q");
    }
  }
}

/// (A a + Adot v, A^T lambda), what `constraints` has the derivatives of.
struct Equations {
  Eigen::VectorXd operator()(std::span<const double> q, const Eigen::VectorXd& v) const {
    const Eigen::MatrixXd A = dyn.jacobian(q, contacts);
    Eigen::VectorXd found(A.rows() + A.cols());
    found << A * a + dyn.bias(q, v, contacts), A.transpose() * lambda;
    return found;
  }
  ConstrainedDynamics& dyn;
  std::span<const Contact> contacts;
  const Eigen::VectorXd &a, &lambda;
};

/// Differences of fourth order of what moves by h, -h, 2 h and -2 h.
template <class F>
Eigen::VectorXd slope(F f) {
  constexpr double h = 1e-3;
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

void expect_derivatives_of_constraints(const Robot& robot, const std::vector<double>& q,
                                       const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                                       std::span<const Contact> contacts, int seed) {
  ConstrainedDynamics dyn(robot);
  ConstrainedDerivatives derivatives(robot);
  const int n = robot.nv(), rows = dyn.rows() + ConstrainedDynamics::rows(contacts);
  const Eigen::VectorXd lambda = Eigen::VectorXd::LinSpaced(rows, -1, 0.7);
  const Equations at{dyn, contacts, a, lambda};
  const ConstraintDerivatives found = derivatives.constraints(q, v, a, lambda, contacts);
  Eigen::MatrixXd by_q(rows + n, n), by_v(rows, n);
  by_q << Eigen::MatrixXd(found.dq), Eigen::MatrixXd(found.dforce_dq);
  by_v = found.dv;
  for (int k = 0; k < n; ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, k);
    const Eigen::VectorXd along_q = slope([&](double h) {
      const Eigen::VectorXd step = h * unit;
      std::vector<double> there(q);
      robot.integrate(q, {step.data(), size_t(n)}, there);
      return at(there, v);
    });
    const Eigen::VectorXd along_v = slope([&](double h) { return at(q, v + h * unit); });
    const double scale = 1 + std::max(largest(by_q), largest(at(q, v)));
    EXPECT_LE(largest(by_q.col(k) - along_q), 1e-8 * scale) << "seed " << seed << ", q " << k;
    EXPECT_LE(largest(by_v.col(k) - along_v.head(rows)), 1e-8 * scale)
        << "seed " << seed << ", v " << k;
  }
}

/// The same from the door, for loops of every kind, on and off them, against differences of A,
/// Adot v and A^T lambda themselves.
TEST_P(DerivativesOfRows, AreThoseOfDifferences) {
  const LoopedRobot at(GetParam(), 1 + GetParam() % 3, GetParam() % 2 == 0);
  for (const std::vector<double>& q : {at.robot.closed(), at.robot.random(GetParam())})
    expect_derivatives_of_constraints(at.robot, q, at.motion.v, at.motion.a, {}, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Seeds, DerivativesOfRows, testing::Range(1, 61));

TEST(DerivativesOfConstraints, Contacts) {
  const Robot robot = load("builtin:quadruped");
  const Contact feet[] = {{robot.frame("front_left_foot"), LoopKind::point},
                          {robot.frame("hind_right_foot"), LoopKind::fixed},
                          {robot.frame("hind_left_foot"), LoopKind::planar}};
  const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(robot.nv(), -0.8, 0.6);
  expect_derivatives_of_constraints(robot, robot.random(3), v, 2 * v, feet, 3);
}

TEST(DerivativesOfConstraints, RefuseWrongSizes) {
  const Robot robot = load("builtin:five_bar");
  ConstrainedDerivatives derivatives(robot);
  const Eigen::VectorXd four = Eigen::VectorXd::Zero(4), lambda = Eigen::VectorXd::Zero(5);
  EXPECT_EQ(message([&] { derivatives.constraints(four, four, four, four); }),
            "constraint_derivatives: lambda has 4 elements, robot \"five_bar\" needs 5");
  ConstraintDerivatives small(robot, 3);
  EXPECT_EQ(
      message([&] { derivatives.constraints(four, four, four, lambda, {}, into(small)); }),
      "constraint_derivatives: the result has room for 3 rows of loops and contacts, needs 5");
}

}  // namespace
}  // namespace jounce::test

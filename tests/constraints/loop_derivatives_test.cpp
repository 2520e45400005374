// SPDX-License-Identifier: BSD-3-Clause
// The formulas for derivatives of rows against dual numbers, at states on and off the loops.
#include <gtest/gtest.h>

#include "constraints/random_loops.hpp"
#include "doors/rows_by_dual.hpp"
#include "model/loop_lists.hpp"

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

INSTANTIATE_TEST_SUITE_P(Seeds, DerivativesOfRows, testing::Range(1, 61));

}  // namespace
}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// Laws of closed loops on random trees with random loops of every kind: rows against differences
// of what is open, forward dynamics against dense equations, and all ways there and back.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "constraints/counted_states.hpp"
#include "constraints/random_loops.hpp"
#include "constraints/vectors.hpp"
#include "support/largest.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Vector moved(const Robot& robot, const Vector& q, const Vector& dv) {
  Vector to(robot.nq());
  robot.integrate({q.data(), size_t(q.size())}, {dv.data(), size_t(dv.size())},
                  {to.data(), size_t(to.size())});
  return to;
}

/// The rows that follow from a configuration: not those of a knife edge, of a disc the last.
Matrix holonomic(const LoopedRobot& x, const Matrix& A) {
  Matrix rows = A;
  for (size_t k = 0; k < x.robot.loops().size(); ++k) {
    const LoopKind kind = x.robot.loops()[k].kind;
    const int first = x.dyn.first_row(int(k));
    if (kind == LoopKind::knife_edge) rows.row(first).setZero();
    if (kind == LoopKind::rolling) rows.middleRows(first, 2).setZero();
  }
  return rows;
}

class LoopLaws : public CountedStates {
 protected:
  void SetUp() override {
    for (const bool mimic : {false, true})
      states.emplace_back(std::make_unique<LoopedRobot>(GetParam(), 1 + GetParam() % 3, mimic));
  }
  std::vector<std::unique_ptr<LoopedRobot>> states;
};

TEST_P(LoopLaws, RowsAreTheDerivativeOfWhatIsOpen) {
  for (const auto& x : states) {
    if (!compares(x->dyn.rank() > 0)) continue;
    EXPECT_LE(largest(x->dyn.closure(x->q)), 1e-12);
    const Matrix A = holonomic(*x, x->dyn.jacobian(x->q));
    Matrix differences(x->dyn.rows(), x->robot.nv());
    const double h = 1e-5;
    for (int k = 0; k < x->robot.nv(); ++k) {
      const Vector dv = h * Vector::Unit(x->robot.nv(), k);
      differences.col(k) =
          (x->dyn.closure(moved(x->robot, x->q, dv)) - x->dyn.closure(moved(x->robot, x->q, -dv))) /
          (2 * h);
    }
    EXPECT_LE(largest(Matrix(x->dyn.closure_jacobian(x->q)) - differences),
              1e-7 * largest(differences));
    const auto rank = [](const Matrix& B) {
      Eigen::ColPivHouseholderQR<Matrix> qr(B);
      qr.setThreshold(1e-7);
      return qr.rank();
    };
    Matrix both(2 * A.rows(), A.cols());
    both << A, differences;
    EXPECT_EQ(rank(differences), rank(A)) << "seed " << GetParam();
    EXPECT_EQ(rank(both), rank(A)) << "seed " << GetParam();
  }
}

TEST_P(LoopLaws, BiasIsTheRateOfTheRows) {
  for (const auto& x : states) {
    const double h = 1e-5;
    const Vector ahead = x->dyn.jacobian(moved(x->robot, x->q, h * x->v)) * x->v;
    const Vector behind = x->dyn.jacobian(moved(x->robot, x->q, -h * x->v)) * x->v;
    const Vector bias = x->dyn.bias(x->q, x->v), rate = (ahead - behind) / (2 * h);
    EXPECT_LE(largest(bias - rate), 1e-7 * std::max(1.0, largest(bias))) << "seed " << GetParam();
  }
}

TEST_P(LoopLaws, ForwardSolvesTheDenseEquations) {
  for (const auto& x : states) {
    const int n = x->robot.nv(), m = x->dyn.rows();
    const Surroundings around = x->motion.around();
    const ConstrainedForward f = x->dyn.forward(x->q, x->v, x->tau, around);
    if (!compares(f.rank_margin >= 1e-2)) continue;
    const Matrix M = x->motion.dynamics.mass(x->q), A = x->dyn.jacobian(x->q);
    const Vector b = x->motion.dynamics.inverse(x->q, x->v, Vector::Zero(n), around);
    const Vector gamma = x->dyn.bias(x->q, x->v);
    Matrix K = Matrix::Zero(n + m, n + m);
    K << M, -A.transpose(), A, Matrix::Zero(m, m);
    Vector right(n + m), found(n + m);
    right << x->tau - b, -gamma;
    found << f.a, f.lambda;
    Eigen::CompleteOrthogonalDecomposition<Matrix> dense(K);
    dense.setThreshold(1e-10);
    const Vector exact = dense.solve(right);
    const double scale = largest(K) * largest(found) + largest(right);
    EXPECT_LE(largest(K * found - right), 1e-11 * scale) << "seed " << GetParam();
    EXPECT_LE(largest(f.a - exact.head(n)), 1e-8 * largest(exact)) << "seed " << GetParam();
    for (const ConstrainedPath path : {ConstrainedPath::factors, ConstrainedPath::clusters}) {
      x->dyn.set_path(path);
      const ConstrainedForward same = x->dyn.forward(x->q, x->v, x->tau, around);
      EXPECT_LE(largest(same.a - f.a), 1e-8 * largest(exact)) << "seed " << GetParam();
    }
  }
}

TEST_P(LoopLaws, InverseAndHybridLeadBack) {
  for (const auto& x : states) {
    const int n = x->robot.nv();
    const Surroundings around = x->motion.around();
    const ConstrainedForward f = x->dyn.forward(x->q, x->v, x->tau, around);
    if (!compares(f.rank_margin >= 1e-2)) continue;
    // structures do not move at all: as large as they would without loops
    const double scale =
        std::max(largest(f.a), largest(x->motion.dynamics.forward(x->q, x->v, x->tau, around)));
    const auto expect_leads_back = [&](const Vector& tau, double tolerance) {
      const Vector a = x->dyn.forward(x->q, x->v, tau, around).a;
      EXPECT_LE(largest(a - f.a), tolerance * scale) << "seed " << GetParam();
    };
    for (const Optimum optimum : {Optimum::force, Optimum::torque}) {
      Vector tau(n), lambda(x->dyn.rows());
      x->dyn.inverse(x->q, x->v, f.a, x->tau, around, {}, optimum, into(tau), into(lambda));
      expect_leads_back(tau, 1e-9);
      const auto flags = std::make_unique<bool[]>(size_t(n));
      for (int k = 0; k < n; ++k) flags[size_t(k)] = (k + GetParam()) % 2 == 0;
      const ConstrainedHybrid h =
          x->dyn.hybrid({flags.get(), size_t(n)}, x->q, x->v, f.a, x->tau, around, {}, optimum);
      EXPECT_LE(largest(h.a - f.a), 1e-9 * scale) << "seed " << GetParam();
      expect_leads_back(h.tau, 1e-9);
    }
  }
}

TEST_P(LoopLaws, ProjectionsAreNearest) {
  for (const auto& x : states) {
    const Matrix M = x->motion.dynamics.mass(x->q), A = x->dyn.jacobian(x->q);
    EXPECT_LE(largest(A * x->v), 1e-10 * std::max(1.0, largest(A) * largest(x->v)));
    const Vector away = M * (x->v - x->motion.v);  // orthogonal to what the loops allow
    Eigen::FullPivLU<Matrix> lu(A);
    const Matrix allowed = lu.setThreshold(1e-9).kernel();
    EXPECT_LE(largest(allowed.transpose() * away), 1e-8 * std::max(1.0, largest(away)))
        << "seed " << GetParam();
  }
}

TEST_P(LoopLaws, LoopsCloseFromNearby) {
  for (const auto& x : states) {
    const Vector guess = moved(x->robot, x->q, 0.02 * x->motion.v);
    const Assembly found = x->dyn.assemble(guess);
    EXPECT_TRUE(found.converged) << "seed " << GetParam() << ", open by " << found.residual;
    EXPECT_LE(largest(x->dyn.closure(found.q)), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LoopLaws, testing::Range(1, 61));

}  // namespace
}  // namespace jounce::test

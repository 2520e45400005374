// SPDX-License-Identifier: BSD-3-Clause
// The inverse and factors of the mass matrix, forward and hybrid dynamics with mimic joints, and
// operational space: against dense algebra on random robots.
#include <gtest/gtest.h>

#include <jounce/io.hpp>
#include <jounce/model/mass_pattern.hpp>

#include "model/random_robot.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/scale.hpp"
#include "support/within.hpp"

namespace jounce {
namespace {

using test::message;
using test::RobotInMotion, test::largest, test::scaled, test::within, test::operator*;
using test::solve_positive, test::symmetric_eigenvalues;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// With and without mimic joints, up to 60 bodies.
RobotInMotion case_of(int seed) {
  return RobotInMotion(std::uint64_t(seed), seed % 3 == 0, 1 + seed % 60);
}

/// Backward error of X as the inverse of M: what rounding in a stable algorithm leaves.
void expect_inverse(const Matrix& M, const Matrix& X, const Robot& robot, int seed) {
  const Matrix one = Matrix::Identity(M.rows(), M.cols());
  const double tolerance = 1e-12 * largest(M.cwiseAbs() * X.cwiseAbs());
  EXPECT_TRUE(within(tolerance, M * X, one, robot, std::uint64_t(seed)));
}

TEST(MassMatrix, InverseOfRandomTrees) {
  for (int seed = 0; seed < scaled(500); ++seed) {
    RobotInMotion c = case_of(seed);
    const Matrix X = c.dynamics.mass_inverse(c.q);
    const Matrix M = c.dynamics.mass(c.q);
    expect_inverse(M, X, c.robot, seed);
    EXPECT_TRUE(within(1e-12 * largest(X), X, X.transpose(), c));
  }
}

/// Side by side, by factors and by articulated bodies, in any number and with rows between them.
TEST(MassMatrix, ColumnsAreSolvedAsOneByOne) {
  for (int seed = 0; seed < scaled(200); ++seed) {
    RobotInMotion c = case_of(seed);
    const int n = c.robot.nv(), columns = 1 + seed % 19;
    const Matrix given = Matrix::Random(n + 2, columns);
    Matrix found = given;
    auto inner = found.topRows(n);
    c.factors.at(c.q).solve_columns(inner);
    EXPECT_EQ(found.bottomRows(2), given.bottomRows(2));
    for (int k = 0; k < columns; ++k) {
      const Vector x = given.col(k).head(n), one = c.factors.solve(x);
      const double scale = largest(Matrix(c.dynamics.mass_inverse(c.q))) * n;
      EXPECT_TRUE(within(1e-12 * scale, found.col(k).head(n), one, c)) << k;
    }
  }
}

TEST(MassMatrix, ColumnsThatAreNoNumbersLeaveTheirEightAlone) {
  RobotInMotion c(2);
  Matrix X = Matrix::Ones(c.robot.nv(), 5);
  X(0, 3) = std::nan("");
  c.factors.at(c.q);
  EXPECT_THROW(c.factors.solve_columns(X), InputError);
  EXPECT_EQ(X.leftCols(3), Matrix::Ones(c.robot.nv(), 3));
  Matrix wrong = Matrix::Ones(c.robot.nv() + 1, 2);
  EXPECT_THROW(c.factors.solve_columns(wrong), InputError);
}

/// Whether velocity j belongs to the joint of k or to one that carries it.
bool carries(const Model<double>& m, int j, int k) {
  int body = 1;
  while (m.v_at[body + 1] <= k) ++body;
  for (; body > 0; body = m.parent[body])
    if (j >= m.v_at[body] && j < m.v_at[body + 1]) return true;
  return false;
}

/// What the rows of factors rely on, with mimic joints too: the entries of a row in front of that
/// of coordinate i are in the columns of row i.
TEST(MassMatrix, RowsOfItsPatternAreNested) {
  for (int seed = 0; seed < scaled(200); ++seed) {
    const MassPatternLists lists(case_of(seed).robot);
    const MassPattern s = lists.view();
    for (int k = 0; k < s.n; ++k) {
      EXPECT_EQ(s.length(k), s.at[k + 1] - s.at[k]);
      EXPECT_GT(s.row[k + 1], s.diagonal[k]);
      const int* columns = s.column + s.at[k];
      for (int c = 0; c < s.length(k); ++c) {
        const int i = columns[c];
        EXPECT_TRUE(std::equal(columns, columns + c, s.column + s.at[i], s.column + s.at[i + 1]))
            << seed << ' ' << k << ' ' << i;
      }
    }
  }
}

TEST(MassMatrix, FactorsMultiplyToItAndKeepItsZeros) {
  for (int seed = 0; seed < scaled(200); ++seed) {
    RobotInMotion c = case_of(seed);
    const Matrix LD = c.factors.at(c.q).LD();
    const Matrix M = c.dynamics.mass(c.q);
    const Matrix L = LD.triangularView<Eigen::UnitLower>();
    const Matrix multiplied = L.transpose() * LD.diagonal().asDiagonal() * L;
    EXPECT_TRUE(within(1e-12 * largest(M), multiplied, M, c));
    EXPECT_EQ(largest(LD.triangularView<Eigen::StrictlyUpper>()), 0) << seed;
    if (c.robot.has_mimic()) continue;
    for (int k = 0; k < M.rows(); ++k)
      for (int j = 0; j < k; ++j)
        EXPECT_TRUE(carries(c.robot.model(), j, k) || LD(k, j) == 0)
            << seed << ' ' << k << ' ' << j;
  }
}

TEST(MassMatrix, SolvesByFactorsAndByArticulatedBodies) {
  for (int seed = 0; seed < scaled(200); ++seed) {
    RobotInMotion c = case_of(seed);
    Matrix X = Matrix::Identity(c.robot.nv(), c.robot.nv());
    c.factors.at(c.q).solve_columns(X);
    expect_inverse(c.dynamics.mass(c.q), X, c.robot, seed);
    const double tolerance = 1e-11 * largest(X.cwiseAbs() * c.v.cwiseAbs());
    EXPECT_TRUE(within(tolerance, c.factors.solve(c.v), X * c.v, c));
  }
  // In registers up to 8; rows of 16 entries on average at 33.
  for (const int n : {1, 2, 5, 7, 8, 9, 20, 33, 34, 60}) {
    const Robot chain(generate_chain(n));
    const std::vector<double> q = chain.random(std::uint64_t(n));
    MassFactors factors(chain);
    Matrix X = Matrix::Identity(n, n);
    factors.at(q).solve_columns(X);
    expect_inverse(Dynamics(chain).mass(q), X, chain, n);
    const Vector x = Vector::LinSpaced(n, -1, 2), found = factors.solve(x);
    EXPECT_TRUE(within(1e-12 * largest(X.cwiseAbs() * x.cwiseAbs()), found, X * x)) << n;
  }
}

TEST(MassMatrix, MimicRobotsMoveAsTheirCoupledEquationSays) {
  for (int seed = 0; seed < scaled(200); ++seed) {
    RobotInMotion c(std::uint64_t(seed), true, 3 + seed % 25);
    const Vector tau = c.random(c.robot.nv());
    const Vector a = c.dynamics.forward(c.q, c.v, tau, c.around());
    const Vector back = c.dynamics.inverse(c.q, c.v, a, c.around());
    const Matrix M = c.dynamics.mass(c.q);
    const double scale =
        largest(M.cwiseAbs() * a.cwiseAbs()) + largest(back - M * a) + largest(tau);
    EXPECT_TRUE(within(1e-12 * scale, back, tau, c));
  }
}

TEST(MassMatrix, MimicRobotsInHybridDynamics) {
  for (int seed = 0; seed < scaled(200); ++seed) {
    RobotInMotion c(std::uint64_t(seed), true, 3 + seed % 25);
    const int n = c.robot.nv();
    const auto prescribed = std::make_unique<bool[]>(size_t(n));
    for (int k = 0; k < n; ++k) prescribed[size_t(k)] = c.rng.uniform(0, 1) < 0.4;
    const Vector given = c.random(n);
    const HybridResult found =
        c.dynamics.hybrid({prescribed.get(), size_t(n)}, c.q, c.v, c.a, given, c.around());
    const Vector a = found.a, tau = found.tau;
    for (int k = 0; k < n; ++k)
      EXPECT_EQ(prescribed[size_t(k)] ? a[k] : tau[k], prescribed[size_t(k)] ? c.a[k] : given[k]);
    const Vector back = c.dynamics.inverse(c.q, c.v, a, c.around());
    const Matrix M = c.dynamics.mass(c.q);
    const double scale =
        largest(M.cwiseAbs() * a.cwiseAbs()) + largest(back - M * a) + largest(tau);
    EXPECT_TRUE(within(1e-12 * scale, back, tau, c));
  }
}

TEST(OperationalSpace, DefinitionsHoldOnBundledRobots) {
  for (const char* name : {"arm7", "puma560", "quadruped", "humanoid"}) {
    const Robot robot = load(std::string("builtin:") + name);
    Dynamics dynamics(robot);
    Kinematics kinematics(robot);
    MassFactors factors(robot);
    const FrameId tip = FrameId(int(robot.description().links.size()) - 1);
    for (int seed = 0; seed < 20; ++seed) {
      const std::vector<double> q = robot.random(std::uint64_t(seed));
      kinematics.at(q), factors.at(q);
      for (const Representation in :
           {Representation::body, Representation::space, Representation::hybrid}) {
        const Matrix M = dynamics.mass(q), J = kinematics.jacobian(tip, in);
        const Matrix mobility = J * solve_positive(M, J.transpose());
        const Matrix Lambda = factors.operational_inertia(tip, in);
        const Matrix one = Matrix::Identity(6, 6);
        EXPECT_LE(largest(Lambda * mobility - one),
                  1e-11 * largest(Matrix(Lambda.cwiseAbs()) * Matrix(mobility.cwiseAbs())))
            << name << seed;
        const Matrix Jbar = factors.consistent_inverse(tip, in);
        EXPECT_LE(largest(J * Jbar - one),
                  1e-10 * largest(Matrix(J.cwiseAbs()) * Matrix(Jbar.cwiseAbs())))
            << seed;
      }
      const Matrix N = factors.null_space_projector(tip);
      const Matrix M = dynamics.mass(q), J = kinematics.jacobian_body(tip);
      EXPECT_LE(largest(J * solve_positive(M, N.transpose())),
                1e-9 * largest(solve_positive(M, Matrix::Identity(M.rows(), M.rows()))))
          << name;
      EXPECT_LE(largest(N * N - N), 1e-9 * (1 + largest(N))) << name;
    }
  }
}

/// A planar arm moves its tip in three directions: the others have no inertia, and are left out.
TEST(OperationalSpace, DirectionsWithoutMotionAreLeftOut) {
  const Robot robot = load("builtin:planar_2r");
  MassFactors factors(robot);
  const FrameId tip = FrameId(int(robot.description().links.size()) - 1);
  factors.at({0.3, 0.9});
  const Matrix J = Kinematics(robot).at({0.3, 0.9}).jacobian_hybrid(tip);
  const Matrix M = Dynamics(robot).mass({0.3, 0.9});
  const Matrix mobility = J * solve_positive(M, J.transpose());
  const Matrix Lambda = factors.operational_inertia(tip, Representation::hybrid);
  EXPECT_LE(largest(mobility * Lambda * mobility - mobility), 1e-12 * largest(mobility));
  EXPECT_LE(largest(Lambda * mobility * Lambda - Lambda), 1e-12 * largest(Lambda));
  const Vector e = symmetric_eigenvalues(Lambda);  // two of them, and four zeros
  EXPECT_GT(e[4], 1e-9 * e[5]);
  EXPECT_LE(largest(e.head(4)), 1e-13 * e[5]);
}

TEST(PathJacobian, EqualsTheJacobianOfAllPoses) {
  for (int seed = 0; seed < scaled(200); ++seed) {
    RobotInMotion c = case_of(seed);
    c.kinematics.at(c.q);
    for (int frame = 0; frame < int(c.robot.frames().size()); frame += 4)
      for (const Representation in :
           {Representation::body, Representation::space, Representation::hybrid}) {
        const Matrix J = c.kinematics.jacobian(FrameId(frame), in);
        const Matrix path = c.kinematics.jacobian(FrameId(frame), in, c.q);
        // 1e-12: the frames of a long chain are metres apart, their screws' errors multiply
        EXPECT_TRUE(within(1e-12 * (1 + largest(J)), path, J, c)) << "frame " << frame;
      }
  }
}

TEST(OperationalSpace, RefusesACutoffBelowZero) {
  MassFactors factors(load("builtin:planar_2r"));
  factors.at({0.3, 0.9});
  EXPECT_EQ(message([&] { factors.operational_inertia(FrameId(1), Representation::body, -1); }),
            "operational_inertia: cutoff must not be negative");
}

}  // namespace
}  // namespace jounce

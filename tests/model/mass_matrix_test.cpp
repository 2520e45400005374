// SPDX-License-Identifier: BSD-3-Clause
// The inverse and factors of the mass matrix, forward and hybrid dynamics with mimic joints, and
// operational space: against dense algebra on random robots.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <jounce/io.hpp>

#include "model/random_robot.hpp"
#include "support/allocation_guard.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/scale.hpp"

namespace jounce {
namespace {

using test::message;
using test::RobotInMotion, test::largest, test::scaled, test::operator*;
using test::solve_positive, test::symmetric_eigenvalues;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// With and without mimic joints, up to 60 bodies.
RobotInMotion case_of(int seed) {
  return RobotInMotion(std::uint64_t(seed), seed % 3 == 0, 1 + seed % 60);
}

/// Backward error of X as the inverse of M: what rounding in a stable algorithm leaves.
void expect_inverse(const Matrix& M, const Matrix& X, int seed) {
  const Matrix one = Matrix::Identity(M.rows(), M.cols());
  EXPECT_LE(largest(M * X - one), 1e-12 * largest(M.cwiseAbs() * X.cwiseAbs())) << seed;
}

TEST(MassMatrix, InverseOfRandomTrees) {
  for (int seed = 0; seed < scaled(500); ++seed) {
    RobotInMotion c = case_of(seed);
    const Matrix X = c.dynamics.mass_inverse(c.q);
    const Matrix M = c.dynamics.mass(c.q);
    expect_inverse(M, X, seed);
    EXPECT_LE(largest(X - X.transpose()), 1e-12 * largest(X)) << seed;
  }
}

/// Whether velocity j belongs to the joint of k or to one that carries it.
bool carries(const Model<double>& m, int j, int k) {
  int body = 1;
  while (m.v_at[body + 1] <= k) ++body;
  for (; body > 0; body = m.parent[body])
    if (j >= m.v_at[body] && j < m.v_at[body + 1]) return true;
  return false;
}

TEST(MassMatrix, FactorsMultiplyToItAndKeepItsZeros) {
  for (int seed = 0; seed < scaled(200); ++seed) {
    RobotInMotion c = case_of(seed);
    const Matrix LD = c.dynamics.mass_factors(c.q).LD;
    const Matrix M = c.dynamics.mass(c.q);
    const Matrix L = LD.triangularView<Eigen::UnitLower>();
    EXPECT_LE(largest(L.transpose() * LD.diagonal().asDiagonal() * L - M), 1e-12 * largest(M))
        << seed;
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
    c.dynamics.factor_mass(c.q);
    Matrix X = Matrix::Identity(c.robot.nv(), c.robot.nv());
    c.dynamics.mass_solve_columns(X);
    expect_inverse(c.dynamics.mass(c.q), X, seed);
    const Vector again = c.dynamics.mass_solve(c.v);  // the factors outlive other calls
    EXPECT_LE(largest(X * c.v - again), 1e-11 * largest(X.cwiseAbs() * c.v.cwiseAbs())) << seed;
  }
  for (const int n : {20, 33, 34, 60}) {  // rows of 16 entries on average at 33
    Dynamics dynamics{Robot(generate_chain(n))};
    const std::vector<double> q = dynamics.robot().random(std::uint64_t(n));
    dynamics.factor_mass(q);
    Matrix X = Matrix::Identity(n, n);
    dynamics.mass_solve_columns(X);
    expect_inverse(dynamics.mass(q), X, n);
  }
}

/// A view that a call returned is an argument of the next one, as good as a copy of it.
TEST(Dynamics, ResultsMayBeArguments) {
  for (int seed = 0; seed < scaled(60); ++seed) {
    RobotInMotion c = case_of(seed);
    Dynamics& d = c.dynamics;
    const Vector tau = d.inverse(c.q, c.v, c.a), a = d.forward(c.q, c.v, tau);
    EXPECT_EQ(largest(d.forward(c.q, c.v, d.inverse(c.q, c.v, c.a)) - a), 0) << seed;
    const auto flags = std::make_unique<bool[]>(size_t(c.robot.nv()));
    for (int k = 0; k < c.robot.nv(); ++k) flags[size_t(k)] = k % 2 == seed % 2;
    const std::span<const bool> prescribed(flags.get(), size_t(c.robot.nv()));
    const HybridResult once = d.hybrid(prescribed, c.q, c.v, a, tau);
    const Vector hybrid_a = once.a, hybrid_tau = once.tau;
    const auto expect_same = [&](const HybridResult& again) {
      EXPECT_EQ(largest(again.a - hybrid_a), 0) << seed;
      EXPECT_EQ(largest(again.tau - hybrid_tau), 0) << seed;
    };
    expect_same(d.hybrid(prescribed, c.q, c.v, a, d.inverse(c.q, c.v, c.a)));
    expect_same(d.hybrid(prescribed, c.q, c.v, d.forward(c.q, c.v, tau), tau));
  }
}

/// The same of velocities and directions: mass_solve of an impulse is a change of velocity.
TEST(Dynamics, ResultsMayBeVelocities) {
  for (int seed = 0; seed < scaled(40); ++seed) {
    RobotInMotion c(std::uint64_t(seed), seed % 2 == 0,
                    2 + seed % 12);  // seeds 3 k have passive forces
    Dynamics& d = c.dynamics;
    const Vector &q = c.q, &a = c.a;
    d.factor_mass(q);
    d.reserve_second_derivatives();
    const auto flags = std::make_unique<bool[]>(size_t(c.robot.nv()));
    for (int k = 0; k < c.robot.nv(); ++k) flags[size_t(k)] = k % 2 == seed % 2;
    const std::span<const bool> prescribed(flags.get(), size_t(c.robot.nv()));
    const std::function<VectorView()> views[] = {
        [&] { return d.mass_solve(c.v); },
        [&] { return d.inverse(q, c.v, a); },
        [&] { return d.forward(q, c.v, a); },
        [&] { return d.inverse_vector_jacobian(c.v, q, c.v, a).dq; },
        [&] { return d.inverse_vector_jacobian(c.v, q, c.v, a).dv; },
        [&] {
          d.kinematics(q, c.v, a);
          return d.manipulability_gradient(FrameId(int(c.robot.frames().size()) - 1));
        },
        [&] { return d.inverse_jacobian_vector(q, c.v, a, c.v, a, a); },
        [&] { return d.forward_jacobian_vector(q, c.v, a, c.v, a, a); }};
    const std::function<double(const VectorArg&)> calls[] = {
        [&](const VectorArg& v) { return d.inverse(q, v, a).sum(); },
        [&](const VectorArg& v) { return d.forward(q, v, a).sum(); },
        [&](const VectorArg& v) { return d.hybrid(prescribed, q, v, a, a).tau.sum(); },
        [&](const VectorArg& x) { return d.hybrid(prescribed, q, c.v, x, x).tau.sum(); },
        [&](const VectorArg& v) { return d.power_balance(q, v, a).actuators; },
        [&](const VectorArg& v) { return d.forward_derivatives(q, v, a).da_dq.sum(); },
        [&](const VectorArg& v) { return d.hybrid_derivatives(prescribed, q, v, a, a).dv.sum(); },
        [&](const VectorArg& x) { return d.inverse_vector_jacobian(x, q, c.v, a).dq.sum(); },
        [&](const VectorArg& x) { return d.forward_vector_jacobian(x, q, x, a).dq.sum(); },
        [&](const VectorArg& x) { return d.inverse_jacobian_vector(q, c.v, a, x, x, x).sum(); },
        [&](const VectorArg& x) { return d.forward_jacobian_vector(q, x, a, x, x, x).sum(); },
        [&](const VectorArg& v) {
          return d.forward_second_derivatives(q, v, a).d2a_dqdq.slice(0).sum();
        },
        [&](const VectorArg& x) { return d.forward_second_products(x, q, x, a).dqdq.sum(); }};
    for (const auto& view : views)
      for (const auto& call : calls) {
        const Vector copy = view();
        const double expected = call(copy);
        EXPECT_EQ(call(view()), expected) << seed << ' ' << &view - views << ' ' << &call - calls;
      }
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
    EXPECT_LE(largest(back - tau), 1e-12 * scale) << seed;
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
    EXPECT_LE(largest(back - tau), 1e-12 * scale) << seed;
  }
}

TEST(OperationalSpace, DefinitionsHoldOnBundledRobots) {
  for (const char* name : {"arm7", "puma560", "quadruped", "humanoid"}) {
    const Robot robot = load(std::string("builtin:") + name);
    Dynamics dynamics(robot);
    const FrameId tip = FrameId(int(robot.description().links.size()) - 1);
    for (int seed = 0; seed < 20; ++seed) {
      const std::vector<double> q = robot.random(std::uint64_t(seed));
      dynamics.kinematics(q);
      for (const Representation in :
           {Representation::body, Representation::space, Representation::hybrid}) {
        const Matrix M = dynamics.mass(q), J = dynamics.jacobian(tip, in);
        const Matrix mobility = J * solve_positive(M, J.transpose());
        const Matrix Lambda = dynamics.operational_inertia(tip, in);
        const Matrix one = Matrix::Identity(6, 6);
        EXPECT_LE(largest(Lambda * mobility - one),
                  1e-11 * largest(Matrix(Lambda.cwiseAbs()) * Matrix(mobility.cwiseAbs())))
            << name << seed;
        const Matrix Jbar = dynamics.dynamically_consistent_inverse(tip, in);
        EXPECT_LE(largest(J * Jbar - one),
                  1e-10 * largest(Matrix(J.cwiseAbs()) * Matrix(Jbar.cwiseAbs())))
            << seed;
      }
      const Matrix N = dynamics.dynamic_null_space_projector(tip);
      const Matrix M = dynamics.mass(q), J = dynamics.jacobian(tip, Representation::body);
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
  Dynamics dynamics(robot);
  const FrameId tip = FrameId(int(robot.description().links.size()) - 1);
  dynamics.kinematics({0.3, 0.9});
  const Matrix J = dynamics.jacobian(tip, Representation::hybrid), M = dynamics.mass({0.3, 0.9});
  const Matrix mobility = J * solve_positive(M, J.transpose());
  const Matrix Lambda = dynamics.operational_inertia(tip, Representation::hybrid);
  EXPECT_LE(largest(mobility * Lambda * mobility - mobility), 1e-12 * largest(mobility));
  EXPECT_LE(largest(Lambda * mobility * Lambda - Lambda), 1e-12 * largest(Lambda));
  const Vector e = symmetric_eigenvalues(Lambda);  // two of them, and four zeros
  EXPECT_GT(e[4], 1e-9 * e[5]);
  EXPECT_LE(largest(e.head(4)), 1e-13 * e[5]);
}

TEST(PathJacobian, EqualsTheJacobianOfAllPoses) {
  for (int seed = 0; seed < scaled(200); ++seed) {
    RobotInMotion c = case_of(seed);
    c.dynamics.kinematics(c.q);
    for (int frame = 0; frame < int(c.robot.frames().size()); frame += 4)
      for (const Representation in :
           {Representation::body, Representation::space, Representation::hybrid}) {
        const Matrix J = c.dynamics.jacobian(FrameId(frame), in);
        const Matrix path = c.dynamics.jacobian(FrameId(frame), in, c.q);
        // 1e-12: the frames of a long chain are metres apart, their screws' errors multiply
        EXPECT_LE(largest(path - J), 1e-12 * (1 + largest(J))) << seed << ' ' << frame;
      }
  }
}

TEST(MassMatrix, AllocatesNothing) {
  RobotInMotion c(7, true, 12), plain(8, false, 12);
  for (RobotInMotion* x : {&c, &plain}) {
    x->dynamics.kinematics(x->q);
    const FrameId tip = FrameId(int(x->robot.frames().size()) - 1);
    const auto flags = std::make_unique<bool[]>(size_t(x->robot.nv()));
    flags[0] = true;
    test::NoAllocation scope;
    x->dynamics.mass_inverse(x->q);
    x->dynamics.mass_factors(x->q);
    x->dynamics.factor_mass(x->q);
    x->dynamics.mass_solve(x->v);
    x->dynamics.forward(x->q, x->v, x->a, x->around());
    x->dynamics.hybrid({flags.get(), size_t(x->robot.nv())}, x->q, x->v, x->a, x->v, x->around());
    x->dynamics.operational_inertia(tip, Representation::body);
    x->dynamics.dynamically_consistent_inverse(tip, Representation::hybrid);
    x->dynamics.dynamic_null_space_projector(tip);
    x->dynamics.jacobian(tip, Representation::space, x->q);
  }
}

TEST(MassMatrix, RefusesBadInput) {
  const Robot robot = load("builtin:planar_2r");
  Dynamics dynamics(robot);
  const FrameId tip = FrameId(1);
  const double nan = std::nan("");
  EXPECT_EQ(message([&] { dynamics.mass_solve({1, 2}); }), "mass_solve: call factor_mass first");
  EXPECT_EQ(message([&] { dynamics.mass_inverse({1}); }),
            "mass_inverse: q has 1 elements, robot \"planar_2r\" needs 2");
  EXPECT_EQ(message([&] { dynamics.mass_factors({1, nan}); }), "mass_factors: q[1] is NaN");
  EXPECT_EQ(message([&] { dynamics.factor_mass({nan, 1}); }), "factor_mass: q[0] is NaN");
  dynamics.factor_mass({0, 0});
  EXPECT_EQ(message([&] {
              dynamics.mass_solve({1, 2, 3});
            }),
            "mass_solve: x has 3 elements, robot \"planar_2r\" needs 2");
  EXPECT_EQ(message([&] { dynamics.operational_inertia(tip, Representation::body, -1); }),
            "operational_inertia: cutoff must not be negative");
  EXPECT_EQ(message([&] {
              dynamics.jacobian(tip, Representation::body, {1, 2, 3});
            }),
            "jacobian: q has 3 elements, robot \"planar_2r\" needs 2");
}

}  // namespace
}  // namespace jounce

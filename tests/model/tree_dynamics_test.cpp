// SPDX-License-Identifier: BSD-3-Clause
// Inverse, forward and hybrid dynamics and the mass matrix: laws on random trees with every kind of
// joint, against each other, against dense algebra and against the balance of power.
#include <gtest/gtest.h>

#include <jounce/algorithm/hybrid.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/group/eigen.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/operations.hpp>
#include <jounce/model/workspace.hpp>
#include <jounce/paper/dense_hybrid.hpp>

#include "model/random_robot.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/within.hpp"

namespace jounce {
namespace {

using test::message;
using test::RobotInMotion, test::largest, test::within, test::operator*;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr std::uint64_t seeds = 100;

TEST(TreeDynamics, InverseIsAffineInAccelerationWithTheMassMatrix) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    RobotInMotion c(seed, seed % 5 == 0);
    const Matrix M = c.dynamics.mass(c.q);
    EXPECT_TRUE(within(1e-14 * largest(M), M, M.transpose(), c));
    EXPECT_TRUE(test::positive_definite(M)) << seed;
    const Vector zero = Vector::Zero(c.robot.nv());
    const Vector rest = c.dynamics.inverse(c.q, c.v, zero, c.around());
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, c.around());
    EXPECT_TRUE(within(1e-12 * (largest(tau) + largest(M)), tau - rest, M * c.a, c));
  }
}

/// |M a + b - tau| <= 1e-12 (|M||a| + |b| + |tau|): backward error, because M may be ill
/// conditioned.
void expect_solves(RobotInMotion& c, const Vector& a, const Vector& tau, std::uint64_t seed) {
  const Matrix M = c.dynamics.mass(c.q);
  const Vector zero = Vector::Zero(c.robot.nv());
  const Vector b = c.dynamics.inverse(c.q, c.v, zero, c.around());
  EXPECT_LE((M * a + b - tau).norm(), 1e-12 * (M.norm() * a.norm() + b.norm() + tau.norm()))
      << seed;
}

TEST(TreeDynamics, ForwardInvertsInverse) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    RobotInMotion c(seed);
    const Vector tau = c.random(c.robot.nv());
    const Vector a = c.dynamics.forward(c.q, c.v, tau, c.around());
    expect_solves(c, a, tau, seed);
  }
}

/// [Kim] (34) with M_uv^T where it prints M_uv: of the free coordinates u and the prescribed ones
/// v, M_uu a_u = tau_u - b_u - M_uv a_v and tau_v = M_uv^T a_u + M_vv a_v + b_v.
TEST(TreeDynamics, HybridIsTheBlocksOfTheMassMatrix) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    RobotInMotion c(seed);
    const int n = c.robot.nv();
    const auto prescribed = std::make_unique<bool[]>(size_t(n));
    std::vector<int> u, v;
    for (int k = 0; k < n; ++k) {
      prescribed[size_t(k)] = c.rng.uniform() < 0.5;
      (prescribed[size_t(k)] ? v : u).push_back(k);
    }
    const Vector given = c.random(n);
    const HybridResult found =
        c.dynamics.hybrid({prescribed.get(), size_t(n)}, c.q, c.v, c.a, given, c.around());
    const Vector a = found.a, tau = found.tau;
    for (const int k : v) EXPECT_EQ(a[k], c.a[k]) << seed;
    for (const int k : u) EXPECT_NEAR(tau[k], given[k], 1e-13) << seed;
    const Matrix M = c.dynamics.mass(c.q);
    const Vector b = c.dynamics.inverse(c.q, c.v, Vector::Zero(n), c.around());
    const Matrix M_uu = M(u, u), M_uv = M(u, v), M_vv = M(v, v);
    const Vector a_v = c.a(v), pull = M_uv * a_v;
    const Matrix a_u = test::solve_positive(M_uu, given(u) - b(u) - pull);
    // As forces: a_u itself is as uncertain as M_uu is ill conditioned.
    const double scale = M.norm() * a.norm() + b.norm() + tau.norm();
    const Vector apart = a(u) - a_u.col(0), force = M_uu * apart;
    EXPECT_LE(force.norm(), 1e-12 * scale) << seed;
    const Vector a_found = a(u), inertia = M_vv * a_v, reaction = M_uv.transpose() * a_found;
    EXPECT_LE((reaction + inertia + b(v) - tau(v)).norm(), 1e-12 * scale) << seed;
    const HybridResult dense =
        dense_hybrid(c.dynamics, {prescribed.get(), size_t(n)}, c.q, c.v, c.a, given, c.around());
    const Vector off = dense.a - a;
    EXPECT_LE((M_uu * off(u)).norm(), 1e-12 * scale) << seed;
    EXPECT_LE((dense.tau - M * dense.a - b).norm(), 1e-12 * scale) << seed;
  }
}

TEST(TreeDynamics, HybridWithAllOrNonePrescribedIsInverseOrForward) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    RobotInMotion c(seed);
    const int n = c.robot.nv();
    const auto all = std::make_unique<bool[]>(size_t(n)),
               none = std::make_unique<bool[]>(size_t(n));
    std::fill(all.get(), all.get() + n, true);
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, c.around());
    const Vector by_hybrid =
        c.dynamics.hybrid({all.get(), size_t(n)}, c.q, c.v, c.a, tau, c.around()).tau;
    EXPECT_TRUE(within(1e-12 * largest(tau), by_hybrid, tau, c));
    const Vector a = c.dynamics.forward(c.q, c.v, tau, c.around());
    const Vector a_hybrid =
        c.dynamics.hybrid({none.get(), size_t(n)}, c.q, c.v, c.a, tau, c.around()).a;
    // As forces: a itself is as uncertain as M is ill conditioned.
    const Matrix M = c.dynamics.mass(c.q);
    const double scale = largest(M) * largest(a) + largest(tau);
    EXPECT_TRUE(within(1e-12 * scale, M * a_hybrid, M * a, c));
  }
}

/// d/dt (kinetic + potential) = tau . v, by differences of fourth order along the motion with
/// velocity v + t a: no mass matrix, no Newton-Euler equation on the left.
TEST(TreeDynamics, PowerBalance) {
  for (std::uint64_t seed = 1; seed < seeds; ++seed) {
    RobotInMotion c(seed);
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, {.passive = false});
    const double h = 1e-4;
    const auto energy_at = [&](double t) {
      Vector step = c.v * t + c.a * (t * t / 2), to(c.robot.nq());
      c.robot.integrate({c.q.data(), size_t(c.q.size())}, {step.data(), size_t(step.size())},
                        {to.data(), size_t(to.size())});
      const Energy energy = c.dynamics.energy(to, c.v + t * c.a);
      return energy.kinetic + energy.potential;
    };
    const double rate =
        (8 * (energy_at(h) - energy_at(-h)) - energy_at(2 * h) + energy_at(-2 * h)) / (12 * h);
    EXPECT_NEAR(rate, tau.dot(c.v), 1e-7 * (1 + tau.cwiseAbs().dot(c.v.cwiseAbs()))) << seed;
  }
}

TEST(TreeDynamics, OutsideWrenchesActThroughTheJacobian) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    RobotInMotion c(seed, seed % 5 == 0);
    const Vector without = c.dynamics.inverse(c.q, c.v, c.a);
    for (const OutsideWrench<double>& external : c.external) {
      const Vector with = c.dynamics.inverse(c.q, c.v, c.a, {.wrenches = {&external, 1}});
      const Matrix J = c.kinematics.at(c.q).jacobian(external.frame, external.in);
      const Vector expected = without - J.transpose() * to_eigen(external.wrench);
      EXPECT_TRUE(within(1e-12 * (1 + largest(with)), with, expected, c));
    }
  }
}

TEST(TreeDynamics, PassiveForces) {
  RobotDescription description = generate_chain(3);
  for (JointDescription& joint : description.joints)
    joint.properties = {.armature = {0.1}, .damping = {0.3}, .friction = {0.2}, .stiffness = {5}};
  for (JointDescription& joint : description.joints) joint.properties.rest = {0.4};
  Dynamics dynamics{Robot(description)};
  const Vector q = Vector::Constant(3, 0.7), v = Vector::LinSpaced(3, -0.02, 0.02);
  const Vector a = Vector::Constant(3, 0.5);
  const Vector with = dynamics.inverse(q, v, a);
  const Vector without = dynamics.inverse(q, v, a, {.passive = false});
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(with[k] - without[k], 0.3 * v[k] + 0.2 * std::tanh(v[k] / 0.01) + 5 * (0.7 - 0.4),
                1e-12);
  EXPECT_NEAR(largest(dynamics.bias(q, v) + dynamics.mass(q) * a - without), 0, 1e-11);
}

TEST(TreeDynamics, RefusesFlagsThatDoNotFitAndJointsWithoutMass) {
  Dynamics dynamics(load("builtin:arm7"));
  const std::vector<double> q(7), two(2);
  EXPECT_EQ(message([&] { dynamics.hybrid({}, q, q, q, q); }),
            "hybrid: prescribed has 0 elements, robot \"arm7\" needs 7");
  RobotDescription massless = generate_chain(2);
  massless.links.back() = {.name = massless.links.back().name};
  Dynamics light{Robot(massless)};
  EXPECT_EQ(message([&] { light.forward(two, two, two); }),
            "forward: joint \"joint_2\" moves link \"" + massless.links.back().name +
                "\", which has no mass");
}

}  // namespace
}  // namespace jounce

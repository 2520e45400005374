// SPDX-License-Identifier: BSD-3-Clause
// The paper's spatial recursions against the body-frame ones, its lemmas, closed forms and Table 5.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "series/spatial_case.hpp"

namespace jounce {
namespace {

using Eigen::MatrixXd;
using spatial::Vec6;

MatrixXd body_form(const test::SpatialCase& c, int order) {
  Dynamics dynamics(c.robot);
  dynamics.set_max_order(order);
  return dynamics.inverse_series(c.q, c.motion, order);
}
MatrixXd spatial_form(const test::SpatialCase& c, int order) {
  const spatial::Motion x = spatial::kinematics(c.tree, c.twists, c.rates, order + 1);
  return c.columns(spatial::inverse(c.tree, x, c.robot.gravity(), {}, order), order);
}

/// Two formulations, two frames, derivatives with binomials against Taylor coefficients: 1e-12 of
/// the largest entry of an order, with all bodies within 2 m of the origin. The spatial form's
/// derivatives of inertias are what limits it at order 8.
TEST(SpatialSeries, InverseEqualsBodyForm) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const test::SpatialCase c(seed, 6, 8);
    EXPECT_LE(test::column_error(spatial_form(c, 8), body_form(c, 8)), 1e-12) << seed;
  }
}

/// tau does not know where the origin is. 100 km away the body form gives the same numbers; the
/// spatial form works with moments of 1e5 m and inertias of 1e10 m^2, and loses what they cancel.
TEST(SpatialSeries, FarFromTheOriginOnlyTheBodyFormKeepsItsDigits) {
  const test::SpatialCase here(5, 6, 3), there(5, 6, 3, 1e5);
  const MatrixXd expected = body_form(here, 3);
  EXPECT_LE(test::column_error(body_form(there, 3), expected), 1e-14);
  EXPECT_LE(test::column_error(spatial_form(here, 3), expected), 1e-13);
  const double lost = test::column_error(spatial_form(there, 3), expected);
  EXPECT_GE(lost, 1e-8);
  EXPECT_LE(lost, 1);
}

/// Forward (the base's wrench given, nothing prescribed) and hybrid, against the motion that the
/// forces came from. Errors of q^(k) return in q^(k+2), amplified: 1e-8 at order 5.
TEST(SpatialSeries, ForwardAndHybridReturnTheMotion) {
  constexpr int order = 5;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const test::SpatialCase c(seed, 6, order);
    const spatial::Motion x = spatial::kinematics(c.tree, c.twists, c.rates, order + 1);
    const spatial::Forces f = spatial::inverse(c.tree, x, c.robot.gravity(), {}, order);
    for (const bool base_given : {false, true}) {
      spatial::Given given{
          std::vector<bool>(c.tree.size()), c.rates, f.taus, c.twists, f.W[0], c.robot.gravity()};
      for (size_t j = 0; j < c.tree.size(); ++j) {
        given.prescribed[j] = j == 0 ? base_given : base_given && j % 2 == 0;
        if (j > 0 && !given.prescribed[j]) given.rates[j].resize(1);
        if (given.prescribed[j]) given.taus[j].clear();
      }
      const spatial::Found found = spatial::hybrid(c.tree, given, order);
      for (size_t j = 1; j < c.tree.size(); ++j)
        for (size_t k = 0; k <= order; ++k) {
          EXPECT_NEAR(found.rates[j][k + 1], c.rates[j][k + 1], 1e-8 * std::pow(10, k)) << seed;
          const double size = 1 + std::abs(f.taus[j][k]);
          EXPECT_NEAR(found.taus[j][k], f.taus[j][k], 1e-8 * size * std::pow(10, k)) << seed;
        }
    }
  }
}

/// Lemma 2: the base's wrench changes with its acceleration of order r by the same matrix at every
/// order, when the forces of the joints are given.
TEST(SpatialSeries, ArticulatedInertiaIsTheSameAtEveryOrder) {
  constexpr int order = 5;
  const test::SpatialCase c(3, 6, order);
  spatial::Given given{
      std::vector<bool>(c.tree.size()), c.rates, {}, c.twists, {}, c.robot.gravity()};
  given.prescribed[0] = true;
  given.taus.assign(c.tree.size(), std::vector<double>(order + 1, 0.3));
  for (std::vector<double>& rates : given.rates) rates.resize(1);
  const spatial::Found before = spatial::hybrid(c.tree, given, order);
  for (size_t r = 0; r <= order; ++r)
    for (int column = 0; column < 6; ++column) {
      spatial::Given moved = given;
      moved.base_twists[r + 1](column, 0) += 1;
      const spatial::Found after = spatial::hybrid(c.tree, moved, int(r));
      const Vec6 change = after.W[0][r] - before.W[0][r];
      double size = 0;
      for (int i = 0; i < 6; ++i) size = test::worse(size, std::abs(before.W[0][r](i, 0)));
      for (int i = 0; i < 6; ++i)
        EXPECT_NEAR(change(i, 0), before.MA[0](i, column), 1e-11 * (1 + size)) << r << column;
    }
}

/// Derivatives of a pose (20) against Taylor numbers: C = C_0 exp(t X) has body twist X.
TEST(SpatialSeries, PoseDerivativesAndConversions) {
  test::Random rng(7);
  const SE3<double> C = rng.pose();
  const Twist<double> X = rng.twist();
  using Number = Taylor<double, 6>;
  const Twist<Number> tX = test::as<Number>(X) * Number::line(0.0, 1.0);
  const Mat4<Number> expected = to_matrix(test::as<Number>(C) * exp(tX));
  spatial::Series6 body(7);
  body[0] = to_matrix(X);
  const spatial::Series6 V = spatial::from_body_twists(C, body);
  const auto derivatives = spatial::pose_derivatives(C, V, 6);
  for (int k = 0; k <= 6; ++k)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        EXPECT_NEAR(derivatives[size_t(k)](i, j), expected(i, j).c[k] * test::factorial(k), 1e-12);
  for (Vec6& U : body)
    for (int i = 0; i < 6; ++i) U(i, 0) = rng.uniform(-1, 1);
  const spatial::Series6 again = spatial::to_body_twists(C, spatial::from_body_twists(C, body));
  for (size_t k = 0; k < body.size(); ++k)
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(again[k](i, 0), body[k](i, 0), 1e-11);
}

/// Stacked matrices of Proposition 1 (Table 2), as docs/higher-order.md writes them.
struct ClosedForm {
  ClosedForm(const std::vector<spatial::Body>& tree, const spatial::Motion& x)
      : n(int(tree.size())) {
    const int nv = 5 + n;
    P = MatrixXd::Zero(6 * n, 6 * n);
    for (MatrixXd* m : {&M, &Mdot, &adV, &adVdot}) *m = MatrixXd::Zero(6 * n, 6 * n);
    for (MatrixXd* m : {&S, &Sdot, &Sddot}) *m = MatrixXd::Zero(6 * n, nv);
    S.topLeftCorner(6, 6).setIdentity();  // its derivatives are zero
    for (int j = 0; j < n; ++j) {
      for (int i = j;; i = tree[size_t(i)].parent) {
        P.block<6, 6>(6 * j, 6 * i).setIdentity();
        if (i == 0) break;
      }
      const auto at = size_t(j);
      M.block<6, 6>(6 * j, 6 * j) = dense(x.M[at][0]);
      Mdot.block<6, 6>(6 * j, 6 * j) = dense(x.M[at][1]);
      adV.block<6, 6>(6 * j, 6 * j) = dense(spatial::ad_matrix(x.V[at][0]));
      adVdot.block<6, 6>(6 * j, 6 * j) = dense(spatial::ad_matrix(x.V[at][1]));
      if (j == 0) continue;
      S.block<6, 1>(6 * j, 5 + j) = dense(x.S[at][0]);
      Sdot.block<6, 1>(6 * j, 5 + j) = dense(x.S[at][1]);
      Sddot.block<6, 1>(6 * j, 5 + j) = dense(x.S[at][2]);
    }
  }
  template <int R, int C>
  static Eigen::Matrix<double, R, C> dense(const Matrix<double, R, C>& a) {
    Eigen::Matrix<double, R, C> b;
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < C; ++j) b(i, j) = a(i, j);
    return b;
  }

  int n;
  MatrixXd P, M, Mdot, adV, adVdot, S, Sdot, Sddot;
};

/// Proposition 1, orders 0 (10)-(13) and 1 (14)-(19), and Lemma 1 (21): Mdot - 2 C is skew.
TEST(SpatialSeries, ClosedFormsOfOrdersZeroAndOne) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const test::SpatialCase c(seed, 7, 1);
    const spatial::Motion x = spatial::kinematics(c.tree, c.twists, c.rates, 2);
    const spatial::Forces f = spatial::inverse(c.tree, x, c.robot.gravity(), {}, 1);
    const ClosedForm k(c.tree, x);
    const int nv = c.robot.nv();
    MatrixXd nu(nv, 3), expected(nv, 2);
    for (int d = 0; d < 3; ++d) {
      for (int j = 0; j < 6; ++j) nu(j, d) = c.twists[size_t(d)](j, 0);
      nu.col(d).tail(nv - 6) = c.motion.col(d).tail(nv - 6);
    }
    for (int d = 0; d < 2; ++d) {
      for (int j = 0; j < 6; ++j) expected(j, d) = f.W[0][size_t(d)](j, 0);
      for (int j = 6; j < nv; ++j) expected(j, d) = f.taus[size_t(j - 5)][size_t(d)];
    }
    Eigen::VectorXd gamma = Eigen::VectorXd::Zero(6 * k.n);
    for (int j = 0; j < k.n; ++j) {
      const Vec3<double> g = c.robot.gravity();
      gamma.segment<3>(6 * j + 3) = Eigen::Vector3d(g.x, g.y, g.z);
    }
    const MatrixXd SC = k.S.transpose() * k.P.transpose(),
                   SdotC = k.Sdot.transpose() * k.P.transpose();
    const MatrixXd PS = k.P * k.S, PSdot = k.P * k.Sdot;
    const MatrixXd mass = SC * k.M * PS;  // (11)
    const MatrixXd inner = k.M * PSdot - k.adV.transpose() * k.M * PS;
    const MatrixXd C = SC * inner;                                                    // (12), (21)
    const Eigen::VectorXd tau = mass * nu.col(1) + C * nu.col(0) - SC * k.M * gamma;  // (10), (13)
    const double size = test::largest(expected);
    EXPECT_LE(test::largest(tau - expected.col(0)), 1e-12 * size) << seed;
    const MatrixXd mass_rate = SdotC * k.M * PS + SC * k.M * PSdot + SC * k.Mdot * PS;
    const MatrixXd skew = mass_rate - 2 * C;
    EXPECT_LE(test::largest(skew + skew.transpose()), 1e-12 * mass_rate.norm()) << seed;
    const MatrixXd C_rate = SdotC * inner + SC * (k.Mdot * PSdot + k.M * k.P * k.Sddot -
                                                  k.adVdot.transpose() * k.M * PS -
                                                  k.adV.transpose() * (k.Mdot * PS + k.M * PSdot));
    const Eigen::VectorXd rate = mass * nu.col(2) + (mass_rate + C) * nu.col(1) +
                                 C_rate * nu.col(0) - (SdotC * k.M + SC * k.Mdot) * gamma;  // (14)
    EXPECT_LE(test::largest(rate - expected.col(1)), 1e-12 * size) << seed;
  }
}

}  // namespace
}  // namespace jounce

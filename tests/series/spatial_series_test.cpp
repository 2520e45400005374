// SPDX-License-Identifier: BSD-3-Clause
// The paper's spatial recursions against the body-frame ones, its lemmas and closed forms.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "series/spatial_case.hpp"
#include "support/dense.hpp"
#include "support/near.hpp"
#include "support/within.hpp"

namespace jounce {
namespace {

using Eigen::MatrixXd;
using spatial::Vec6;

MatrixXd body_form(const test::SpatialCase& c, int order) {
  return Series(c.robot, order).inverse(c.q, c.motion);
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

/// Wrenches on all bodies, given with their derivatives in the bodies' frames. In the inertial
/// frame they are Ad_C^-T F (67)-(69), here of Taylor numbers along the motion.
TEST(SpatialSeries, AppliedWrenchesEqualBodyForm) {
  constexpr int order = 5;
  using Number = Taylor<double, order>;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const test::SpatialCase c(seed, 6, order);
    const Model<double>& m = c.robot.model();
    const test::TaylorState<order> state(m, c.q.data(), c.motion);
    WorkspaceStorage<Number> storage(m);
    forward_poses(m, state.view(), storage.view());
    test::Random rng(seed);
    std::vector<std::vector<Wrench<double>>> body(c.tree.size());
    std::vector<OutsideWrenchSeries> external;
    std::vector<spatial::Series6> applied(c.tree.size());
    for (size_t j = 0; j < c.tree.size(); ++j) {
      const auto F = rng.wrench<Number>();
      const FrameId frame = c.frame_on(int(j) + 1);
      const SE3<Number> offset = test::as<Number>(c.robot.frame_info(frame).offset);
      const auto W = to_matrix(dual_Ad_inv(storage.view().pose[j + 1] * offset, F));
      const auto derivative = [](const auto& x, int k) {
        return test::map(x, [k](const auto& s) { return s.c[k] * test::factorial(k); });
      };
      for (int k = 0; k <= order; ++k) {
        body[j].push_back(derivative(F, k));
        applied[j].push_back(derivative(W, k));
      }
      external.push_back({frame, body[j], Representation::body});
    }
    const spatial::Motion x = spatial::kinematics(c.tree, c.twists, c.rates, order + 1);
    const MatrixXd found =
        c.columns(spatial::inverse(c.tree, x, c.robot.gravity(), applied, order), order);
    const MatrixXd expected = Series(c.robot, order).inverse(c.q, c.motion, {.wrenches = external});
    EXPECT_LE(test::column_error(found, expected), 1e-12) << seed;
  }
}

/// tau does not know where the origin is. A push along a line fixed in the ground is given about
/// the origin: 100 km away the body form loses the digits of its moment, 1e5 m times rounding. The
/// spatial form works with inertias of 1e10 m^2, and loses what they cancel.
TEST(SpatialSeries, FarFromTheOriginTheSpatialFormLosesMore) {
  const test::SpatialCase here(5, 6, 3), there(5, 6, 3, 1e5);
  const Wrench<double> push{{0.3, -0.2, 0.1}, {1, 2, -1.5}};
  const Vec3<double> moved = there.base.p - here.base.p;
  const Wrench<double> push_there{push.m + cross(moved, push.f), push.f};
  const auto body = [&](const test::SpatialCase& c, const Wrench<double>& F) -> MatrixXd {
    const std::vector<Wrench<double>> derivatives{F, {}, {}, {}};
    const OutsideWrenchSeries external{c.frame_on(c.robot.bodies() - 1), derivatives,
                                       Representation::space};
    return Series(c.robot, 3).inverse(c.q, c.motion, {.wrenches = {&external, 1}});
  };
  const auto space = [&](const test::SpatialCase& c, const Wrench<double>& F) {
    std::vector<spatial::Series6> applied(c.tree.size(), spatial::Series6(4));
    applied.back()[0] = to_matrix(F);
    const spatial::Motion x = spatial::kinematics(c.tree, c.twists, c.rates, 4);
    return c.columns(spatial::inverse(c.tree, x, c.robot.gravity(), applied, 3), 3);
  };
  const MatrixXd expected = body(here, push);
  EXPECT_LE(test::column_error(body(there, push_there), expected), 1e-9);
  EXPECT_GE(test::column_error(body(there, push), expected), 1);  // another line: another tau
  EXPECT_LE(test::column_error(space(here, push), expected), 1e-13);
  const double lost = test::column_error(space(there, push_there), expected);
  EXPECT_GE(lost, 1e-8);
  EXPECT_LE(lost, 1);
}

/// |found - expected| of order k, relative to the largest of that order.
double error_at(const std::vector<spatial::Series6>& found,
                const std::vector<spatial::Series6>& expected, size_t body, size_t k) {
  double size = 0, error = 0;
  for (const spatial::Series6& one : expected)
    for (int i = 0; i < 6; ++i) size = test::worse(size, std::abs(one[k](i, 0)));
  for (int i = 0; i < 6; ++i)
    error = test::worse(error, std::abs(found[body][k](i, 0) - expected[body][k](i, 0)));
  return error / size;
}

/// Forward (the base's wrench given, nothing prescribed) and hybrid, against the motion that the
/// forces came from: rates of the joints, twists and wrenches of all bodies, the base's found
/// acceleration or wrench among them. Errors of q^(k) return in q^(k+2), amplified: tenfold an
/// order, from 1e-11 on.
TEST(SpatialSeries, ForwardAndHybridReturnTheMotion) {
  constexpr int order = 5;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const test::SpatialCase c(seed, 6, order);
    const spatial::Motion x = spatial::kinematics(c.tree, c.twists, c.rates, order + 1);
    const spatial::Forces f = spatial::inverse(c.tree, x, c.robot.gravity(), {}, order);
    for (const bool base_given : {false, true}) {
      spatial::Given given{
          std::vector<bool>(c.tree.size()), c.rates, f.taus, c.twists, f.W[0], c.robot.gravity()};
      (base_given ? given.base_wrenches : given.base_twists).resize(base_given ? 0 : 1);
      for (size_t j = 0; j < c.tree.size(); ++j) {
        given.prescribed[j] = j == 0 ? base_given : base_given && j % 2 == 0;
        if (j > 0 && !given.prescribed[j]) given.rates[j].resize(1);
        if (given.prescribed[j]) given.taus[j].clear();
      }
      const spatial::Found found = spatial::hybrid(c.tree, given, order);
      for (size_t k = 0; k <= order; ++k) {
        const double tolerance = 1e-11 * std::pow(10, k);
        for (size_t j = 0; j < c.tree.size(); ++j) {
          EXPECT_LE(error_at(found.motion.V, x.V, j, k + 1), tolerance) << seed << " order " << k;
          EXPECT_LE(error_at(found.W, f.W, j, k), tolerance) << seed << " order " << k;
          if (j > 0 && given.prescribed[j]) {
            const double size = 1 + std::abs(f.taus[j][k]);
            EXPECT_NEAR(found.taus[j][k], f.taus[j][k], tolerance * size) << seed << " " << k;
          } else if (j > 0) {
            EXPECT_NEAR(found.rates[j][k + 1], c.rates[j][k + 1], tolerance) << seed << " " << k;
          }
        }
      }
    }
  }
}

/// How inverse dynamics of order r answers unit changes of V_1^(r+1) and q^(r+2): base wrench and
/// joint forces, one column each. It is affine in them and knows no articulated inertia.
MatrixXd response(const test::SpatialCase& c, int r) {
  const int n = 5 + int(c.tree.size());
  const auto forces = [&](const spatial::Series6& twists, const auto& rates) {
    const spatial::Motion x = spatial::kinematics(c.tree, twists, rates, r + 1);
    const spatial::Forces f = spatial::inverse(c.tree, x, c.robot.gravity(), {}, r);
    Eigen::VectorXd all(n);
    for (int i = 0; i < 6; ++i) all[i] = f.W[0][size_t(r)](i, 0);
    for (int j = 6; j < n; ++j) all[j] = f.taus[size_t(j - 5)][size_t(r)];
    return all;
  };
  const Eigen::VectorXd before = forces(c.twists, c.rates);
  MatrixXd K(n, n);
  for (int k = 0; k < n; ++k) {
    spatial::Series6 twists = c.twists;
    std::vector<std::vector<double>> rates = c.rates;
    if (k < 6) twists[size_t(r + 1)](k, 0) += 1;
    else rates[size_t(k - 5)][size_t(r + 1)] += 1;
    K.col(k) = forces(twists, rates) - before;
  }
  return K;
}

/// Lemma 2: the base's wrench changes with its acceleration of order r by the same matrix MA at
/// every order, when the forces of the free joints are held. That matrix is what elimination of
/// their accelerations leaves of the response of inverse dynamics.
TEST(SpatialSeries, ArticulatedInertiaIsTheSameAtEveryOrder) {
  constexpr int order = 5;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const test::SpatialCase c(seed, 6, order);
    for (const bool mixed : {false, true}) {
      std::vector<bool> prescribed(c.tree.size());
      std::vector<int> free;
      for (size_t j = 1; j < c.tree.size(); ++j) {
        prescribed[j] = mixed && j % 2 == 0;
        if (!prescribed[j]) free.push_back(int(j) + 5);
      }
      const Mat6<double> MA = spatial::articulated(c.tree, prescribed)[0];
      for (int r = 0; r <= order; ++r) {
        const MatrixXd K = response(c, r), joints = K(free, free),
                       coupling = K.topRows(6)(Eigen::all, free);
        const MatrixXd carried = test::solve(joints, coupling.transpose());
        const MatrixXd left = K.topLeftCorner(6, 6) - coupling * carried;
        MatrixXd expected(6, 6);
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) expected(i, j) = MA(i, j);
        EXPECT_TRUE(test::within(1e-10 * test::largest(expected), left, expected, seed))
            << "order " << r;
      }
    }
  }
}

/// A body on a curve C(t) of Taylor numbers, with its twists from dC/dt: derivatives of the pose
/// from the spatial twists (20), of either twist from the other (70), and of a wrench.
TEST(SpatialSeries, PoseDerivativesAndConversions) {
  constexpr int order = 6;
  using Number = Taylor<double, order + 1>;
  const auto derivatives = [](const auto& x) {  // of all entries, orders 0..order
    std::vector<decltype(test::map(x, [](const Number& s) { return s.c[0]; }))> all;
    for (int k = 0; k <= order; ++k)
      all.push_back(test::map(x, [k](const Number& s) { return s.c[k] * test::factorial(k); }));
    return all;
  };
  const auto rate = [](const Number& s) {
    Number r(0);
    for (int k = 0; k <= order; ++k) r.c[k] = (k + 1) * s.c[k + 1];
    return r;
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    test::Random rng(seed);
    const SE3<Number> C = rng.pose<Number>();
    const SE3<double> now = test::map(C, [](const Number& s) { return s.c[0]; });
    const Mat4<Number> dC = test::map(to_matrix(C), rate), back = to_matrix(inverse(C));
    const spatial::Series6 V = derivatives(to_matrix(vee(dC * back))),
                           body = derivatives(to_matrix(vee(back * dC)));
    const auto F = rng.wrench<Number>();
    const spatial::Series6 W = derivatives(to_matrix(F)),
                           in_body = derivatives(to_matrix(dual_Ad(C, F)));
    const auto poses = spatial::pose_derivatives(now, V, order);
    const auto expected = derivatives(to_matrix(C));
    const spatial::Series6 to_space = spatial::from_body_twists(now, body),
                           to_body = spatial::to_body_twists(now, V),
                           wrench = spatial::to_body_wrenches(now, V, W);
    for (size_t k = 0; k <= order; ++k) {
      test::expect_near(poses[k], expected[k], 1e-12, seed);
      test::expect_near(to_space[k], V[k], 1e-12, seed);
      test::expect_near(to_body[k], body[k], 1e-12, seed);
      test::expect_near(wrench[k], in_body[k], 1e-12, seed);
    }
  }
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
    EXPECT_TRUE(test::within(1e-12 * size, tau, expected.col(0), seed));
    const MatrixXd mass_rate = SdotC * k.M * PS + SC * k.M * PSdot + SC * k.Mdot * PS;
    const MatrixXd skew = mass_rate - 2 * C;
    EXPECT_LE(test::largest(skew + skew.transpose()), 1e-12 * mass_rate.norm()) << seed;
    const MatrixXd C_rate = SdotC * inner + SC * (k.Mdot * PSdot + k.M * k.P * k.Sddot -
                                                  k.adVdot.transpose() * k.M * PS -
                                                  k.adV.transpose() * (k.Mdot * PS + k.M * PSdot));
    const Eigen::VectorXd rate = mass * nu.col(2) + (mass_rate + C) * nu.col(1) +
                                 C_rate * nu.col(0) - (SdotC * k.M + SC * k.Mdot) * gamma;  // (14)
    EXPECT_TRUE(test::within(1e-12 * size, rate, expected.col(1), seed));
  }
}

}  // namespace
}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// The lemmas behind the dynamics, on curves of poses carried as power series in time.
//
// [Kim] Lemmas 1-3, Corollaries 1-2, (11), (13), (30), (31); [Park] (2), (9)-(11), (18). Time
// derivatives are those of the series themselves, so every statement is checked to fourth order.
#include <jounce/group/matrices.hpp>

#include "matrices/cases.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

constexpr int K = 5;
using Series = Taylor<double, K>;
using Rate = Taylor<double, K - 1>;

/// dx/dt, one order shorter.
template <class X>
auto rate(const X& x) {
  return map(x, [](const Series& s) {
    Rate r;
    for (int k = 0; k < K; ++k) r.c[k] = (k + 1) * s.c[k + 1];
    return r;
  });
}
/// The same curve, one order shorter.
template <class X>
auto cut(const X& x) {
  return map(x, [](const Series& s) {
    Rate r;
    for (int k = 0; k < K; ++k) r.c[k] = s.c[k];
    return r;
  });
}
/// T^-1 dT/dt and dT/dt T^-1, from 4x4 matrices only.
Twist<Rate> body_velocity(const SE3<Series>& T) {
  const Mat4<Rate> dT = rate(to_matrix(T));
  return vee(cut(to_matrix(inverse(T))) * dT);
}
Twist<Rate> space_velocity(const SE3<Series>& T) {
  const Mat4<Rate> dT = rate(to_matrix(T));
  return vee(dT * cut(to_matrix(inverse(T))));
}

constexpr double tolerance = 2e-12;

class KimLemma : public testing::TestWithParam<int> {
 protected:
  std::uint64_t seed = std::uint64_t(GetParam());
  Random rng{seed};
  SE3<Series> T = rng.pose<Series>();
  Twist<Rate> V = body_velocity(T);
};
INSTANTIATE_TEST_SUITE_P(Curves, KimLemma, testing::Range(1, 21));

/// d/dt X = Xdot + ad_V X.  (26)
TEST_P(KimLemma, First) {
  const Twist<Series> X = rng.twist<Series>();
  const Twist<Rate> derivative = Ad_inv(cut(T), rate(Ad(T, X)));
  expect_near(derivative, rate(X) + ad(V, cut(X)), tolerance, seed);
}

/// d/dt Y = Ydot - ad*_V Y.  (28)
TEST_P(KimLemma, Second) {
  const Wrench<Series> Y = rng.wrench<Series>();
  const Wrench<Rate> derivative = dual_Ad(cut(T), rate(dual_Ad_inv(T, Y)));
  expect_near(derivative, rate(Y) - dual_ad(V, cut(Y)), tolerance, seed);
}

/// d/dp Ad_T = ad_{dT T^-1} Ad_T.  (81)
TEST_P(KimLemma, Third) {
  const Mat6<Rate> derivative = rate(Ad_matrix(T));
  const Mat6<Rate> product = ad_matrix(space_velocity(T)) * Ad_matrix(cut(T));
  expect_near(derivative, product, tolerance, seed);
}

/// d/dp Ad_{T^-1} = -ad_dh Ad_{T^-1}  (87) and d/dp Ad*_{T^-1} = -Ad*_{T^-1} ad*_dh  (88),
/// where the print of (88) has Ad*_T; dh = T^-1 dT.
TEST_P(KimLemma, FirstCorollary) {
  const Twist<Rate> minus_dh = -V;
  expect_near(rate(Ad_inv_matrix(T)), ad_matrix(minus_dh) * Ad_inv_matrix(cut(T)), tolerance, seed);
  expect_near(rate(dual_Ad_inv_matrix(T)), dual_Ad_inv_matrix(cut(T)) * dual_ad_matrix(minus_dh),
              tolerance, seed);
}

/// dh/dq^k of a joint whose pose is a product of exponentials: its k-th screw.  (90)
TEST_P(KimLemma, SecondCorollary) {
  using D = Dual<double, 2>;
  const SE3<double> M = rng.pose();
  const Twist<double> S1 = rng.twist(), S2 = rng.twist();
  const double q1 = rng.uniform(-2, 2), q2 = rng.uniform(-2, 2);
  const SE3<D> joint =
      as<D>(M) * exp(as<D>(S1) * D::variable(q1, 0)) * exp(as<D>(S2) * D::variable(q2, 1));
  const auto dh = [&](int k) {
    const auto value = map(to_matrix(inverse(joint)), [](const D& x) { return x.a; });
    return vee(value * map(to_matrix(joint), [k](const D& x) { return x.d[k]; }));
  };
  expect_near(dh(0), Ad_inv(exp(S2 * q2), S1), 1e-14, seed);
  expect_near(dh(1), S2, 1e-14, seed);
}

/// The same of every joint of a robot along every coordinate: its own screws, and zero for the
/// coordinates of other joints.  (90), (91)
TEST_P(KimLemma, SecondCorollaryOnARobot) {
  using D = Dual<double, 1>;
  const Case c(seed, 12);
  const Model<double>& m = c.robot.model();
  const Vector q = tree_q(c.robot, c.q), zero = Vector::Zero(m.nv);
  WorkspaceStorage<double> storage(m);
  forward_poses(m, State<double>{q.data(), zero.data()}, storage.view());
  for (int k = 0; k < m.nv; ++k) {
    const Vector rates = tree_rates(c.robot, q, Vector::Unit(m.nv, k));
    std::vector<D> position(size_t(m.nq)), rest(size_t(m.nv));
    for (int j = 0; j < m.nq; ++j) {
      position[size_t(j)] = D(q[j]);
      position[size_t(j)].d[0] = rates[j];
    }
    WorkspaceStorage<D> moved(m);
    forward_poses(m, State<D>{position.data(), rest.data()}, moved.view());
    for (int i = 1; i < m.bodies; ++i) {
      const SE3<D>& T_i = moved.view().T[i];
      const auto value = map(to_matrix(inverse(T_i)), [](const D& x) { return x.a; });
      const auto dh = vee(value * map(to_matrix(T_i), [](const D& x) { return x.d[0]; }));
      if (k >= m.v_at[i] && k < m.v_at[i + 1]) {
        expect_near(dh, storage.view().S[k], 1e-13, seed);
      } else {
        expect_near(dh, Twist<double>{}, 0, seed);
      }
    }
  }
}

/// V_b = Ad_{T_ba} V_a for two frames of one body.  (11), and [Park] after (7)
TEST_P(KimLemma, VelocityOfAnotherFrameOfTheBody) {
  const SE3<double> T_ab = rng.pose();
  const Twist<Rate> V_b = body_velocity(T * as<Series>(T_ab));
  expect_near(V_b, Ad(as<Rate>(inverse(T_ab)), V), tolerance, seed);
  expect_near(V_b, Ad_inv(as<Rate>(T_ab), V), tolerance, seed);
}

/// The inertial and the body velocity of one motion: dT T^-1 = Ad_T (T^-1 dT).
TEST_P(KimLemma, BodyAndSpaceVelocity) {
  expect_near(space_velocity(T), Ad(cut(T), V), tolerance, seed);
}

/// A force at a point, seen from two frames: F_b = Ad*_{T_ab} F_a.  (13), [Park] (9)-(11)
TEST_P(KimLemma, ForceOfAnotherFrameOfTheBody) {
  const SE3<double> T_ab = rng.pose();
  const Vec3<double> f = rng.vec3(), r = rng.vec3(), pure = rng.vec3();
  const Wrench<double> F_a{cross(r, f) + pure, f};  // f attacks at r
  const Vec3<double> f_b = inverse_times(T_ab.R, f), r_b = inverse(T_ab) * r;
  const Wrench<double> F_b{cross(r_b, f_b) + inverse_times(T_ab.R, pure), f_b};
  expect_near(dual_Ad(T_ab, F_a), F_b, 1e-15, seed);
  expect_near(dual_Ad_inv(T_ab, F_b), F_a, 1e-15, seed);
  const Twist<double> swapped = Ad_inv(T_ab, Twist<double>{F_a.f, F_a.m});  // [Park] (9), (10)
  expect_near(swapped.w, F_b.f, 1e-15, seed);
  expect_near(swapped.v, F_b.m, 1e-15, seed);
}

/// [Park] (1), (5), (7), component by component.
TEST_P(KimLemma, BracketAndItsDualAsPrinted) {
  const Twist<double> x = rng.twist(), y = rng.twist();
  const Wrench<double> z = rng.wrench();
  const Twist<double> bracket = ad(x, y);
  expect_near(bracket.w, cross(x.w, y.w), 1e-15, seed);
  expect_near(bracket.v, cross(x.w, y.v) - cross(y.w, x.v), 1e-15, seed);
  const Wrench<double> dual = dual_ad(x, z);
  expect_near(dual.m, -(hat(x.w) * z.m) - hat(x.v) * z.f, 1e-15, seed);
  expect_near(dual.f, -(hat(x.w) * z.f), 1e-15, seed);
}

/// [Park] (18): the velocity of a product of exponentials.
TEST_P(KimLemma, VelocityOfAProductOfExponentials) {
  const SE3<Series> M = as<Series>(rng.pose());
  const Twist<double> B1 = rng.twist(), B2 = rng.twist();
  const Series x1 = rng.number<Series>(), x2 = rng.number<Series>();
  const SE3<Series> f = M * exp(as<Series>(B1) * x1) * exp(as<Series>(B2) * x2);
  const Vec3<Series> both{x1, x2, Series(0)};
  const Vec3<Rate> x = cut(both), xdot = rate(both);
  const Twist<Rate> first = Ad_inv(exp(as<Rate>(B2) * x.y), as<Rate>(B1));
  expect_near(body_velocity(f), first * xdot.x + as<Rate>(B2) * xdot.y, tolerance, seed);
}

/// The momentum in the inertial frame changes by the force: F = I Vdot - ad*_V I V.  (30), (31)
TEST_P(KimLemma, EquationOfMotion) {
  using Second = Taylor<double, K - 2>;
  const Inertia<double> G = rng.inertia();
  const auto shorter = [](const Rate& r) {
    Second s;
    for (int k = 0; k < K - 1; ++k) s.c[k] = r.c[k];
    return s;
  };
  const auto derivative = [](const Rate& r) {
    Second s;
    for (int k = 0; k < K - 1; ++k) s.c[k] = (k + 1) * r.c[k + 1];
    return s;
  };
  const SE3<Rate> pose = cut(T);
  const Wrench<Rate> inertial = dual_Ad_inv(pose, G * V);
  const Wrench<Second> force = dual_Ad(map(pose, shorter), map(inertial, derivative));
  const Twist<Second> velocity = map(V, shorter), acceleration = map(V, derivative);
  expect_near(G * acceleration - dual_ad(velocity, G * velocity), force, tolerance, seed);
}

/// (31) has the same form in every body frame.
TEST_P(KimLemma, EquationOfMotionIsCoordinateInvariant) {
  const Inertia<double> G_a = rng.inertia();
  const SE3<double> T_ab = rng.pose();
  const Inertia<double> G_b = pull_back(T_ab, G_a);
  const Twist<double> V_a = rng.twist(), A_a = rng.twist();
  const Twist<double> V_b = Ad_inv(T_ab, V_a), A_b = Ad_inv(T_ab, A_a);
  const Wrench<double> F_a = G_a * A_a - dual_ad(V_a, G_a * V_a);
  const Wrench<double> F_b = G_b * A_b - dual_ad(V_b, G_b * V_b);
  expect_near(F_b, dual_Ad(T_ab, F_a), 1e-14, seed);
}

}  // namespace
}  // namespace jounce::test

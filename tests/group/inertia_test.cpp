// SPDX-License-Identifier: BSD-3-Clause
// Inertias against explicit sums over point masses and against 6x6 matrices.
#include <jounce/group/inertia.hpp>
#include <jounce/group/matrices.hpp>
#include <vector>

#include "group/kinds.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

/// A cloud of point masses: the definition of an inertia, and nothing else.
template <class Real>
struct Cloud {
  std::vector<Real> mass;
  std::vector<Vec3<Real>> at;

  explicit Cloud(Random& rng, int points = 6) {
    for (int k = 0; k < points; ++k) {
      mass.push_back(rng.number<Real>(0.2, 1));
      at.push_back(rng.vec3<Real>());
    }
  }
  Cloud moved(const SE3<Real>& T) const {
    Cloud c = *this;
    for (auto& r : c.at) r = T * r;
    return c;
  }
  Inertia<Real> inertia() const {
    Inertia<Real> G = Random::point_mass(mass[0], at[0]);
    for (std::size_t k = 1; k < mass.size(); ++k) G = G + Random::point_mass(mass[k], at[k]);
    return G;
  }
  /// Moment of momentum about the origin and momentum, when the frame moves with twist V.
  Wrench<Real> momentum(const Twist<Real>& V) const {
    Wrench<Real> L = as<Real>(Wrench<double>{});
    for (std::size_t k = 0; k < mass.size(); ++k) {
      const Vec3<Real> p = (V.v + cross(V.w, at[k])) * mass[k];
      L += Wrench<Real>{cross(at[k], p), p};
    }
    return L;
  }
  Real energy(const Twist<Real>& V) const {  // [Kim] (14)
    Real e(0);
    for (std::size_t k = 0; k < mass.size(); ++k) {
      const Vec3<Real> v = V.v + cross(V.w, at[k]);
      e += mass[k] * dot(v, v) * Plain<Real>(0.5);
    }
    return e;
  }
};

/// A symmetric positive definite 6x6 that is not the inertia of one rigid body.
template <class Real>
ArticulatedInertia<Real> articulated(Random& rng) {
  ArticulatedInertia<Real> sum(rng.inertia<Real>());
  for (int k = 0; k < 2; ++k) {
    const ArticulatedInertia<Real> IA(rng.inertia<Real>());
    const Twist<Real> S = as<Real>(rng.twist());
    const Wrench<Real> U = IA * S;
    sum += minus_outer(IA, U, Real(1) / dot(U, S));
  }
  return sum;
}

TEST(InertiaLaws, MomentumAndEnergyOfACloud) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const Cloud<Real> cloud(rng);
      const Twist<Real> V = rng.twist<Real>();
      const Inertia<Real> G = cloud.inertia();
      expect_near(G * V, cloud.momentum(V), rounding<Real>(100), seed);               // (23)
      expect_near(kinetic_energy(G, V), cloud.energy(V), rounding<Real>(100), seed);  // (15)
      expect_near(ArticulatedInertia<Real>(G) * V, G * V, rounding<Real>(50), seed);
    }
  });
}

TEST(InertiaLaws, ChangeOfFrameMovesEveryPoint) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const Cloud<Real> cloud(rng);
      const SE3<Real> T = rng.pose<Real>();
      const double tolerance = rounding<Real>(400);
      expect_near(push_forward(T, cloud.inertia()), cloud.moved(T).inertia(), tolerance, seed);
      expect_near(pull_back(T, cloud.inertia()), cloud.moved(inverse(T)).inertia(), tolerance,
                  seed);
      expect_near(pull_back(T, push_forward(T, cloud.inertia())), cloud.inertia(), 2 * tolerance,
                  seed);
    }
  });
}

TEST(InertiaLaws, MomentumTransformsLikeForceAndEnergyStays) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const Inertia<Real> G_a = rng.inertia<Real>();
      const SE3<Real> T_ab = rng.pose<Real>();
      const Twist<Real> V_a = rng.twist<Real>(), V_b = Ad_inv(T_ab, V_a);
      const Inertia<Real> G_b = pull_back(T_ab, G_a);
      expect_near(G_b * V_b, dual_Ad(T_ab, G_a * V_a), rounding<Real>(400), seed);  // (24)
      expect_near(kinetic_energy(G_b, V_b), kinetic_energy(G_a, V_a), rounding<Real>(400), seed);
    }
  });
}

TEST(InertiaLaws, ArticulatedChangeOfFrame) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const auto IA = articulated<Real>(rng);
      const SE3<Real> T = rng.pose<Real>();
      const double tolerance = rounding<Real>(1000);
      const Mat6<Real> m = to_matrix(IA), X = Ad_matrix(T), X_inv = Ad_inv_matrix(T);
      expect_near(to_matrix(push_forward(T, IA)), transpose(X_inv) * m * X_inv, tolerance, seed);
      expect_near(to_matrix(pull_back(T, IA)), transpose(X) * m * X, tolerance, seed);
      const Inertia<Real> G = rng.inertia<Real>();
      expect_near(push_forward(T, ArticulatedInertia<Real>(G)),
                  ArticulatedInertia<Real>(push_forward(T, G)), tolerance, seed);
    }
  });
}

TEST(InertiaLaws, RigidChangeOfFrameAgainstMatrices) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const Inertia<Real> G = rng.inertia<Real>();
      const SE3<Real> T = rng.pose<Real>();
      const Mat6<Real> m = to_matrix(G), X = Ad_matrix(T);
      expect_near(to_matrix(pull_back(T, G)), transpose(X) * m * X, rounding<Real>(400),
                  seed);  // (21)
    }
  });
}

TEST(InertiaLaws, SolveAndRankOneUpdate) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const auto IA = articulated<Real>(rng);
      const Twist<Real> V = rng.twist<Real>(), S = rng.twist<Real>();
      expect_near(solve(IA, IA * V), V, rounding<Real>(4e4), seed);
      const Wrench<Real> U = IA * S;
      const Real inverse_D = Real(1) / dot(U, S);
      const auto rest = minus_outer(IA, U, inverse_D);
      const Matrix<Real, 6, 1> u = to_matrix(U);
      const Mat6<Real> outer = u * transpose(u);
      const Mat6<Real> scaled = map(outer, [&](const Real& x) { return x * inverse_D; });
      expect_near(to_matrix(rest), to_matrix(IA) - scaled, rounding<Real>(2000), seed);
      expect_near(rest * S + U, U, rounding<Real>(2000), seed);  // nothing is felt along S
    }
  });
}

TEST(InertiaLaws, SumsAndParameters) {
  on_every(kinds, []<class Real>() {
    Random rng(3);
    const Inertia<Real> G = rng.inertia<Real>(), H = rng.inertia<Real>();
    const Twist<Real> V = rng.twist<Real>();
    expect_near((G + H) * V, G * V + H * V, rounding<Real>(50));
    expect_near((G - H) * V, G * V - H * V, rounding<Real>(50));
    Real parameter[10];
    to_parameters(G, parameter);
    expect_near(inertia_from_parameters(parameter), G, 0);
    ArticulatedInertia<Real> sum(G);
    sum += ArticulatedInertia<Real>(H);
    expect_near(sum * V, (G + H) * V, rounding<Real>(50));
  });
}

TEST(InertiaLaws, PseudoInertiaIsTheIntegralOfSquares) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Random rng(seed);
      const Cloud<Real> cloud(rng);
      Mat4<Real> sum;
      for (std::size_t k = 0; k < cloud.mass.size(); ++k) {
        const Vec3<Real>& r = cloud.at[k];
        const Matrix<Real, 4, 1> point{{{r.x}, {r.y}, {r.z}, {Real(1)}}};
        const Mat4<Real> square = point * transpose(point);
        sum = sum + map(square, [&](const Real& x) { return x * cloud.mass[k]; });
      }
      const Inertia<Real> G = cloud.inertia();
      expect_near(pseudo_inertia(G), sum, rounding<Real>(100), seed);
      expect_near(inertia_from_pseudo(pseudo_inertia(G)), G, rounding<Real>(100), seed);
    }
  });
}

TEST(InertiaLayout, OrderOfTheTenParameters) {
  const Inertia<double> G{1, {2, 3, 4}, {5, 6, 7, 8, 9, 10}};
  double parameter[10];
  to_parameters(G, parameter);
  for (int k = 0; k < 10; ++k) EXPECT_EQ(parameter[k], k + 1);
  EXPECT_EQ(G.I.xy, 6);
  EXPECT_EQ(G.I.yy, 7);
  EXPECT_EQ(G.I.xz, 8);
}

/// [Kim] (22): R I_c R^T + m [p]^T [p], m [p], m 1, written out with 3x3 matrices.
TEST(InertiaLayout, FromTheCentreOfMass) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const SE3<double> T = rng.pose();
    const double mass = rng.uniform(0.5, 2);
    const Sym3<double> I_c{2, 0.1, 3, -0.2, 0.3, 4};
    const Inertia<double> G = inertia_from_com(mass, T, I_c);
    const Mat3<double> p = hat(T.p), &R = T.R.m;
    const Mat3<double> I = R * to_matrix(I_c) * transpose(R) + transpose(p) * p * mass;
    expect_near(to_matrix(G.I), I, 1e-15, seed);
    expect_near(G.h, T.p * mass, 1e-16, seed);
    EXPECT_EQ(G.mass, mass);
  }
}

/// A uniform bar along x from 0 to 2 with mass 3: I = m l^2 / 3 about its end.
TEST(InertiaLayout, UniformBarAboutItsEnd) {
  const Sym3<double> about_centre{0, 0, 1, 0, 0, 1};
  const Inertia<double> G = inertia_from_com(3.0, SE3<double>{{}, {1, 0, 0}}, about_centre);
  expect_near(G, Inertia<double>{3, {3, 0, 0}, {0, 0, 4, 0, 0, 4}}, 1e-16);
}

TEST(InertiaLayout, RandomInertiasArePhysical) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random rng(seed);
    Mat4<double> J = pseudo_inertia(rng.inertia());
    for (int k = 0; k < 4; ++k) {  // elimination meets positive pivots only
      EXPECT_GT(J(k, k), 0) << "seed " << seed;
      for (int i = k + 1; i < 4; ++i)
        for (int j = k + 1; j < 4; ++j) J(i, j) -= J(i, k) * J(k, j) / J(k, k);
    }
  }
}

/// Model constants stay double while the pose moves.
TEST(InertiaLayout, MixedKindsOfNumber) {
  using D = Dual<double, 3>;
  Random rng(4);
  const Inertia<double> G = rng.inertia();
  const SE3<D> T = rng.pose<D>();
  const Twist<D> V = rng.twist<D>();
  expect_near(G * V, as<D>(G) * V, 1e-15);
  expect_near(push_forward(T, G), push_forward(T, as<D>(G)), 1e-15);
  const ArticulatedInertia<double> IA(G);
  expect_near(push_forward(T, IA), push_forward(T, ArticulatedInertia<D>(G)), 1e-15);
}

static_assert([] {
  constexpr Inertia<double> G{2, {1, 0, 0}, {1, 0, 2, 0, 0, 3}};
  constexpr Twist<double> V{{0, 0, 1}, {0, 1, 0}};
  constexpr Wrench<double> L = G * V;
  return L.m.z == 4 && L.f.y == 3 && kinetic_energy(G, V) == 3.5;
}());

}  // namespace
}  // namespace jounce::test

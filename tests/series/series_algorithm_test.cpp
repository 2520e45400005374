// SPDX-License-Identifier: BSD-3-Clause
// The recursions of higher order against Taylor numbers through ordinary inverse dynamics, on
// random trees of every kind of joint.
#include <gtest/gtest.h>

#include <jounce/algorithm/hybrid_series.hpp>
#include <memory>

#include "series/series_case.hpp"

namespace jounce {
namespace {

using Eigen::MatrixXd;
using test::factorial;

template <int order, class F>
Twist<Taylor<double, order>> twist_series(F coefficient) {
  Twist<Taylor<double, order>> V;
  for (int k = 0; k <= order; ++k) {
    const Twist<double> c = coefficient(k);
    V.w.x.c[k] = c.w.x, V.w.y.c[k] = c.w.y, V.w.z.c[k] = c.w.z;
    V.v.x.c[k] = c.v.x, V.v.y.c[k] = c.v.y, V.v.z.c[k] = c.v.z;
  }
  return V;
}

/// A robot, a motion, wrenches on every body and a moving ground, all at random.
template <int order>
struct CaseOf {
  using Number = Taylor<double, order>;

  explicit CaseOf(std::uint64_t seed, bool sound = false)
      : robot(test::series_robot(seed, {.sound = sound, .passive = seed % 3 == 0})),
        m(robot.model()),
        storage(m, order),
        w(storage.view()),
        q(robot.random(seed)),
        rng(seed) {
    motion = test::random_columns(rng, m.nv, order + 2);
    wrenches = test::random_columns(rng, 6 * m.bodies, order + 1);
    ground = test::random_columns(rng, 6, order + 2);
    for (int i = 1; i < m.bodies; ++i)
      for (int k = 0; k <= order; ++k) w.F_ext[i][k] = wrench(i, k);
    for (int k = 0; k <= order + 1; ++k) {
      const Eigen::VectorXd x = ground.col(k) / factorial(k);
      V_0[k] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    }
  }
  Wrench<double> wrench(int i, int k) const {
    const Eigen::VectorXd x = wrenches.block(6 * i, k, 6, 1) / factorial(k);
    return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
  void load() {
    for (int j = 0; j < m.nv; ++j)
      for (int k = 0; k <= order + 1; ++k) w.v[k][j] = motion(j, k) / factorial(k);
    start_series(m, q.data(), w);
    start_ground(m, V_0, order, w);
  }
  MatrixXd tau() const {
    MatrixXd x(m.nv, order + 1);
    for (int j = 0; j < m.nv; ++j)
      for (int k = 0; k <= order; ++k) x(j, k) = w.tau[k][j] * factorial(k);
    return x;
  }
  MatrixXd by_taylor_numbers() const;

  Robot robot;
  const Model<double>& m;
  SeriesStorage<double> storage;
  SeriesWorkspace<double>& w;
  std::vector<double> q;
  test::Random rng;
  MatrixXd motion, wrenches, ground;
  Twist<double> V_0[order + 2];
};

/// Ordinary inverse dynamics on Taylor numbers. Gravity turns in the axes of the moving ground.
template <int order>
MatrixXd CaseOf<order>::by_taylor_numbers() const {
  test::TaylorState<order> x(m, q.data(), motion);
  for (int i = 1; i < m.bodies; ++i) {
    const Twist<Number> F = twist_series<order>([&](int k) {
      const Wrench<double> c = wrench(i, k);
      return Twist<double>{c.m, c.f};
    });
    x.F_ext[size_t(i)] = {F.w, F.v};
  }
  WorkspaceStorage<Number> numbers(m);
  Workspace<Number>& n = numbers.view();
  n.V[0] = twist_series<order>([&](int k) { return V_0[k]; });
  n.Vdot[0] = twist_series<order>([&](int k) { return V_0[k + 1] * double(k + 1); });
  Vec3<Number> g = detail::as<Number>(m.gravity);
  for (int k = 0; k < order; ++k) {
    const Vec3<Number> rate = cross(g, n.V[0].w);
    g.x.c[k + 1] = rate.x.c[k] / (k + 1);
    g.y.c[k + 1] = rate.y.c[k] / (k + 1);
    g.z.c[k + 1] = rate.z.c[k] / (k + 1);
  }
  n.Vdot[0].v -= g;
  rnea(m, x.view(), n);
  MatrixXd tau(m.nv, order + 1);
  for (int j = 0; j < m.nv; ++j)
    for (int k = 0; k <= order; ++k) tau(j, k) = n.tau[j].c[k] * factorial(k);
  return tau;
}

constexpr int order = 8;
using Case = CaseOf<order>;

/// 1e-11 of the largest entry of each order: a convolution adds at most nine products, a tree of
/// depth 12 hands errors of 1e-16 on with derivatives that grow about threefold per order.
TEST(SeriesAlgorithm, InverseEqualsTaylorNumbers) {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Case c(seed);
    if (c.m.nv == 0) continue;
    c.load();
    inverse_series(c.m, c.q.data(), order, c.w);
    const double error = test::column_error(c.tau(), c.by_taylor_numbers());
    EXPECT_LE(error, 1e-11) << seed;
    worst = test::worse(worst, error);
  }
  RecordProperty("worst", std::to_string(worst));
}

/// The highest order there is, where a custom joint's series are used to their last coefficient.
/// As above; the worst of these robots is off by 2.4e-12.
TEST(SeriesAlgorithm, HighestOrderEqualsTaylorNumbers) {
  for (std::uint64_t seed = 1; seed < 30; ++seed) {
    CaseOf<highest_order> c(seed);
    if (c.m.nv == 0) continue;
    c.load();
    inverse_series(c.m, c.q.data(), highest_order, c.w);
    EXPECT_LE(test::column_error(c.tau(), c.by_taylor_numbers()), 1e-11) << seed;
  }
}

/// With everything prescribed the hybrid recursion is inverse dynamics by another way.
TEST(SeriesAlgorithm, AllPrescribedIsInverse) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Case c(seed);
    if (c.m.nv == 0) continue;
    const auto all = std::make_unique<bool[]>(size_t(c.m.nv));
    std::fill(all.get(), all.get() + c.m.nv, true);
    c.load();
    inverse_series(c.m, c.q.data(), order, c.w);
    const MatrixXd tau = c.tau();
    c.load();
    hybrid_series(c.m, c.q.data(), all.get(), order, c.w);
    EXPECT_LE(test::column_error(c.tau(), tau), 1e-11) << seed;
  }
}

/// Forward and hybrid by their residual: the motion found, put into inverse dynamics, must give the
/// forces that were given. High orders of long chains are ill conditioned, so values would differ;
/// the backward error is small at every order, relative to the largest term that enters it.
TEST(SeriesAlgorithm, HybridSatisfiesInverse) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Case c(seed, true);
    if (c.m.nv == 0) continue;
    const auto prescribed = std::make_unique<bool[]>(size_t(c.m.nv));
    for (int j = 0; j < c.m.nv; ++j) prescribed[size_t(j)] = seed % 3 != 0 && c.rng.uniform() < 0.5;
    const MatrixXd given = test::random_columns(c.rng, c.m.nv, order + 1);
    c.load();
    for (int j = 0; j < c.m.nv; ++j)
      for (int k = 0; k <= order; ++k) c.w.tau[k][j] = given(j, k) / factorial(k);
    hybrid_series(c.m, c.q.data(), prescribed.get(), order, c.w);
    const MatrixXd found = c.tau();
    for (int j = 0; j < c.m.nv; ++j)
      for (int k = 0; k <= order; ++k)
        if (!prescribed[size_t(j)]) {
          EXPECT_NEAR(found(j, k), given(j, k), 1e-12) << seed;
        }
    std::vector<double> size(order + 1);  // largest wrench of each order: what cancels in tau
    for (int i = 1; i < c.m.bodies; ++i)
      for (int k = 0; k <= order; ++k) {
        const Wrench<double> F = c.w.now->IA[i] * c.w.V[i][k + 1] * double(k + 1);
        size[size_t(k)] = std::max({size[size_t(k)], norm(F.m), norm(F.f)});
      }
    inverse_series(c.m, c.q.data(), order, c.w);
    const MatrixXd again = c.tau();
    for (int k = 0; k <= order; ++k) {
      const double scale = size[size_t(k)] * factorial(k) + test::largest(found.col(k));
      EXPECT_LE(test::largest(again.col(k) - found.col(k)), 1e-12 * scale)
          << "seed " << seed << " order " << k;
    }
  }
}

/// Values on short chains: the motion that made the forces comes back.
TEST(SeriesAlgorithm, ForwardReturnsTheMotionOfShortChains) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Robot robot(generate({.bodies = 3, .seed = seed}));
    const Model<double>& m = robot.model();
    SeriesStorage<double> storage(m, order);
    SeriesWorkspace<double>& w = storage.view();
    const std::vector<double> q = robot.random(seed);
    test::Random rng(seed);
    const MatrixXd motion = test::random_columns(rng, m.nv, order + 2);
    for (int j = 0; j < m.nv; ++j)
      for (int k = 0; k <= order + 1; ++k) w.v[k][j] = motion(j, k) / factorial(k);
    start_series(m, q.data(), w);
    start_ground<double, double>(m, nullptr, order, w);
    inverse_series(m, q.data(), order, w);
    std::fill(w.v[1], w.v[order + 2], 0.0);
    const bool none[3] = {};
    hybrid_series(m, q.data(), none, order, w);
    MatrixXd found(m.nv, order + 2);
    for (int j = 0; j < m.nv; ++j)
      for (int k = 0; k <= order + 1; ++k) found(j, k) = w.v[k][j] * factorial(k);
    EXPECT_LE(test::column_error(found, motion), 1e-6) << seed;
  }
}

}  // namespace
}  // namespace jounce

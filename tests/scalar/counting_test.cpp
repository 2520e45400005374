// SPDX-License-Identifier: BSD-3-Clause
// The counting number: the flops of the group's actions are those of a count by hand.
#include <jounce/scalar/counting.hpp>

#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

using C = Counting;

struct Bodies {
  Random rng{1};
  SE3<C> T = rng.pose<C>(), U = rng.pose<C>();
  Twist<C> V = rng.twist<C>(), W = rng.twist<C>();
  Wrench<C> F = rng.wrench<C>();
  Inertia<C> G = rng.inertia<C>();
  ArticulatedInertia<C> IA{G};
};

template <class F>
void expect_cost(F f, long multiply, long add, const char* what) {
  const FlopCount cost = count_flops(f);
  EXPECT_EQ(cost.multiply, multiply) << what;
  EXPECT_EQ(cost.add, add) << what;
  EXPECT_EQ(cost.total(), multiply + add + cost.divide + cost.root + cost.transcendental) << what;
}

TEST(CountingNumber, VectorsAndRotations) {
  const Bodies b;
  const Vec3<C>&x = b.V.w, &y = b.V.v;
  expect_cost([&] { return x + y; }, 0, 3, "sum");
  expect_cost([&] { return -x; }, 0, 0, "a change of sign is free");
  expect_cost([&] { return dot(x, y); }, 3, 2, "dot");
  expect_cost([&] { return cross(x, y); }, 6, 3, "cross");
  expect_cost([&] { return b.T.R * x; }, 9, 6, "rotation");
  expect_cost([&] { return inverse_times(b.T.R, x); }, 9, 6, "inverse rotation");
  expect_cost([&] { return b.T.R * b.U.R; }, 27, 18, "product of rotations");
  expect_cost([&] { return congruence(b.T.R.m, b.G.I); }, 45, 30, "R M R^T");
}

TEST(CountingNumber, PosesAndAdjoints) {
  const Bodies b;
  expect_cost([&] { return b.T * b.U; }, 36, 27, "product of poses");
  expect_cost([&] { return b.T * b.V.w; }, 9, 9, "a point");
  expect_cost([&] { return Ad(b.T, b.V); }, 24, 18, "Ad");
  expect_cost([&] { return Ad_inv(b.T, b.V); }, 24, 18, "Ad_inv");
  expect_cost([&] { return dual_Ad(b.T, b.F); }, 24, 18, "dual_Ad");
  expect_cost([&] { return dual_Ad_inv(b.T, b.F); }, 24, 18, "dual_Ad_inv");
  expect_cost([&] { return ad(b.V, b.W); }, 18, 12, "ad");
  expect_cost([&] { return dual_ad(b.V, b.F); }, 18, 12, "dual_ad");
  expect_cost([&] { return dot(b.F, b.V); }, 6, 5, "power");
}

TEST(CountingNumber, Inertias) {
  const Bodies b;
  expect_cost([&] { return b.G * b.V; }, 24, 18, "momentum");
  expect_cost([&] { return kinetic_energy(b.G, b.V); }, 31, 23, "kinetic energy");
  expect_cost([&] { return b.IA * b.V; }, 36, 30, "articulated inertia times twist");
  expect_cost([&] { return minus_outer(b.IA, b.F, C(2)); }, 27, 21, "rank one update");
  expect_cost([&] { return solve(b.IA, b.F); }, 101, 65, "solve");
  EXPECT_EQ(count_flops([&] { solve(b.IA, b.F); }).divide, 6);
}

TEST(CountingNumber, EveryKindOfOperationHasItsOwnCounter) {
  const C x = 0.5, y = 2;
  const FlopCount cost = count_flops([&] {
    C z = x / y + sqrt(y) * sin(x) - cos(x);
    z += exp(x);
    z -= log(y);
    z *= tanh(x);
    z = select(z < x, abs(z), atan2(y, x));
    return sincos(z);
  });
  EXPECT_EQ(cost.divide, 1);
  EXPECT_EQ(cost.root, 1);
  EXPECT_EQ(cost.multiply, 2);
  EXPECT_EQ(cost.add, 4);
  EXPECT_EQ(cost.transcendental, 8);
  EXPECT_EQ(cost.total(), 16);
}

TEST(CountingNumber, CountsOnlyWhatRanInside) {
  const C before = C(1) + C(2);
  EXPECT_EQ(count_flops([] {}).total(), 0);
  const FlopCount outer = count_flops([&] {
    const FlopCount inner = count_flops([&] { return before * before; });
    EXPECT_EQ(inner.total(), 1);
    return before + before;
  });
  EXPECT_EQ(outer.multiply, 1);
  EXPECT_EQ(outer.add, 1);
}

TEST(CountingNumber, ComputesTheSameNumbers) {
  Random rng(7);
  const Twist<double> X = rng.twist();
  expect_near(exp(as<C>(X)), exp(X), 0, rng.seed());
  expect_near(log(exp(as<C>(X))), log(exp(X)), 0, rng.seed());
}

}  // namespace
}  // namespace jounce::test

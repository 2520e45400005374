// SPDX-License-Identifier: BSD-3-Clause
// Packs: every lane does what a plain number does, whatever the width of pack and register.
#include <jounce/scalar/pack.hpp>

#include "support/kinds.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

constexpr Kinds<Pack<double, 1>, Pack<double, 2>, Pack<double, 4>, Pack<double, 8>,
                Pack<double, 16>, Pack<float, 2>, Pack<float, 4>, Pack<float, 8>, Pack<float, 16>,
                Pack<float, 32>>
    kinds;

/// Lane k of two packs; compiles faster than EXPECT_EQ.
[[gnu::noinline]] void expect_same(double actual, double expected, int k,
                                   int line = __builtin_LINE()) {
  if (!(actual == expected))
    ADD_FAILURE_AT(__FILE__, line) << "lane " << k << " is " << actual << ", not " << expected;
}

TEST(PackLanes, LoadStoreAndSetKeepTheOrder) {
  on_every(kinds, []<class P>() {
    using T = Plain<P>;
    T in[P::lanes], out[P::lanes];
    for (int k = 0; k < P::lanes; ++k) in[k] = T(k * k + 1);
    P x = P::load(in);
    for (int k = 0; k < P::lanes; ++k) expect_same(x[k], in[k], k);
    x.set(P::lanes - 1, T(-3));
    x.set(0, T(-2));
    x.store(out);
    for (int k = 1; k + 1 < P::lanes; ++k) expect_same(out[k], in[k], k);
    EXPECT_EQ(out[0], T(-2));
    EXPECT_EQ(out[P::lanes - 1], P::lanes == 1 ? T(-2) : T(-3));
  });
}

TEST(PackLanes, ConstantsReachEveryLane) {
  on_every(kinds, []<class P>() {
    using T = Plain<P>;
    const P zero, three(3), half(0.5), minus = -P(0.25f);
    for (int k = 0; k < P::lanes; ++k) {
      expect_same(zero[k], T(0), k);
      expect_same(three[k], T(3), k);
      expect_same(half[k], T(0.5), k);
      expect_same(minus[k], T(-0.25), k);
    }
  });
}

TEST(PackLanes, RegistersAreNeverWiderThanTheHardware) {
  on_every(kinds, []<class P>() {
    using T = Plain<P>;
    static_assert(P::registers * P::register_lanes == P::lanes);
    static_assert(P::register_lanes * int(sizeof(T)) <= register_bytes(native_isa));
    static_assert(sizeof(P) == P::lanes * sizeof(T));
  });
}

TEST(PackLanes, ArithmeticIsExactlyThatOfTheLanes) {
  on_every(kinds, []<class P>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const P a = rng.number<P>(-3, 3), b = rng.number<P>(0.5, 2);
      P sum = a, difference = a, product = a, quotient = a;
      sum += b;
      difference -= b;
      product *= b;
      quotient /= b;
      for (int k = 0; k < P::lanes; ++k) {
        expect_same((a + b)[k], a[k] + b[k], k);
        expect_same((a - b)[k], a[k] - b[k], k);
        expect_same((a * b)[k], a[k] * b[k], k);
        expect_same((a / b)[k], a[k] / b[k], k);
        expect_same((-a)[k], -a[k], k);
        expect_same(sum[k], a[k] + b[k], k);
        expect_same(difference[k], a[k] - b[k], k);
        expect_same(product[k], a[k] * b[k], k);
        expect_same(quotient[k], a[k] / b[k], k);
      }
    }
  });
}

TEST(PackLanes, FunctionsAreThoseOfTheLanes) {
  on_every(kinds, []<class P>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const P a = rng.number<P>(0.1, 3), b = rng.number<P>(-3, 3);
      for (int k = 0; k < P::lanes; ++k) {
        expect_same(sqrt(a)[k], std::sqrt(a[k]), k);
        expect_same(exp(b)[k], std::exp(b[k]), k);
        expect_same(log(a)[k], std::log(a[k]), k);
        expect_same(tanh(b)[k], std::tanh(b[k]), k);
        expect_same(atan2(a, b)[k], std::atan2(a[k], b[k]), k);
        expect_same(atan2(b, a)[k], std::atan2(b[k], a[k]), k);
        expect_same(abs(b)[k], std::abs(b[k]), k);
      }
      EXPECT_EQ(value_of(a), a[0]);
    }
  });
}

TEST(PackLanes, AbsoluteValueOfZeroHasNoSign) {
  on_every(kinds, []<class P>() {
    const P zero = abs(-P(0));
    for (int k = 0; k < P::lanes; ++k) EXPECT_FALSE(std::signbit(zero[k]));
  });
}

TEST(PackLanes, ComparisonsGiveMasksLaneByLane) {
  on_every(kinds, []<class P>() {
    using T = Plain<P>;
    P a, b;
    for (int k = 0; k < P::lanes; ++k) {
      a.set(k, T(k % 3));
      b.set(k, T(1));
    }
    const auto less = a<b, at_most = a <= b, more = a> b, at_least = a >= b;
    const auto equal = at_most & at_least, different = less | (a > P(1.5));
    for (int k = 0; k < P::lanes; ++k) {
      expect_same(less[k], k % 3 < 1, k);
      expect_same(at_most[k], k % 3 <= 1, k);
      expect_same(more[k], k % 3 > 1, k);
      expect_same(at_least[k], k % 3 >= 1, k);
      expect_same(equal[k], k % 3 == 1, k);
      expect_same(different[k], k % 3 != 1, k);
      expect_same(select(less, a, b + b)[k], k % 3 < 1 ? a[k] : T(2), k);
    }
  });
}

TEST(PackLanes, ComparisonsWithNaNAreFalse) {
  on_every(kinds, []<class P>() {
    const P nan(std::numeric_limits<Plain<P>>::quiet_NaN()), one(1);
    for (int k = 0; k < P::lanes; ++k) {
      EXPECT_FALSE((nan < one)[k]);
      EXPECT_FALSE((nan >= one)[k]);
      expect_same(select(nan < one, nan, one)[k], 1, k);
    }
  });
}

/// One bad lane never reaches its neighbours.
TEST(PackLanes, LanesAreIndependent) {
  on_every(kinds, []<class P>() {
    using T = Plain<P>;
    for (int bad = 0; bad < P::lanes; ++bad) {
      P x(2);
      x.set(bad, T(-1));
      const P y = log(sqrt(x)) * P(3) / x;
      const auto wave = sincos(x / P(0) * P(0) + x);  // NaN everywhere
      for (int k = 0; k < P::lanes; ++k) {
        expect_same(std::isnan(y[k]), k == bad, k);
        EXPECT_TRUE(std::isnan(wave.sin[k]));
      }
    }
  });
}

/// The group on packs is the group on each lane: the same program, in step.
TEST(PackProgram, GroupAgreesWithDoubleLaneByLane) {
  using P = Pack<double, 8>;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random rng(seed);
    const Twist<P> X = rng.twist<P>(), Y = rng.twist<P>();
    const SE3<P> T = exp(X);
    const Twist<P> A = Ad(T, Y), L = log(T * T);
    for (int k = 0; k < 8; ++k) {
      const auto lane = [k](const Vec3<P>& a) { return Vec3<double>{a.x[k], a.y[k], a.z[k]}; };
      const Twist<double> x{lane(X.w), lane(X.v)}, y{lane(Y.w), lane(Y.v)};
      const Twist<double> a{lane(A.w), lane(A.v)}, l{lane(L.w), lane(L.v)};
      const SE3<double> t = exp(x);
      EXPECT_TRUE(near(a, Ad(t, y), 1e-15, seed)) << "lane " << k;
      EXPECT_TRUE(near(l, log(t * t), 1e-14, seed)) << "lane " << k;
    }
  }
}

TEST(PackProgram, InstructionSetIsPartOfTheType) {
  static_assert(!std::is_same_v<Pack<double, 4, Isa::baseline>, Pack<double, 4, Isa::avx512>>);
  static_assert(Pack<double, 8, Isa::baseline>::registers == 4);
  static_assert(Pack<double, 8, Isa::avx2>::registers == 2);
  static_assert(Pack<double, 8, Isa::avx512>::registers == 1);
  static_assert(Pack<float, 8, Isa::baseline>::registers == 2);
  EXPECT_STREQ(name(Isa::baseline), "baseline");
  EXPECT_STREQ(name(Isa::avx2), "avx2");
  EXPECT_STREQ(name(Isa::avx512), "avx512");
}

}  // namespace
}  // namespace jounce::test

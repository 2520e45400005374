// SPDX-License-Identifier: BSD-3-Clause
// Comparison of numbers, vectors, poses and matrices of any kind, relative to the largest entry.
//
// EXPECT_TRUE(near(actual, expected, tolerance, seed)) looks at every lane and every derivative. A
// failure prints the seed, the entry that is worst with both numbers, the tolerance and all others.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <jounce/group/inertia.hpp>
#include <jounce/scalar/counting.hpp>
#include <jounce/scalar/pack.hpp>
#include <limits>
#include <vector>

namespace jounce::test {

/// All plain numbers inside a value, in a fixed order.
struct Parts {
  std::vector<double> all;

  template <Arithmetic T>
  void add(T x) {
    all.push_back(double(x));
  }
  void add(Counting x) { add(x.x); }
  template <class T, int W, Isa I>
  void add(const Pack<T, W, I>& x) {
    for (int k = 0; k < W; ++k) add(x[k]);
  }
  template <class T, int K>
  void add(const Taylor<T, K>& x) {
    for (const T& term : x.c) add(term);
  }
  template <class T, int N>
  void add(const Dual<T, N>& x) {
    add(x.a);
    for (const T& derivative : x.d) add(derivative);
  }
  template <class A>
  void add(const Vec3<A>& a) {
    add(a.x), add(a.y), add(a.z);
  }
  template <class A>
  void add(const Mat3<A>& m) {
    for (const Vec3<A>& row : m.row) add(row);
  }
  template <class A>
  void add(const Sym3<A>& m) {
    add(m.xx), add(m.xy), add(m.yy), add(m.xz), add(m.yz), add(m.zz);
  }
  template <class A, int R, int C>
  void add(const Matrix<A, R, C>& a) {
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < C; ++j) add(a(i, j));
  }
  template <class A>
  void add(const SO3<A>& R) {
    add(R.m);
  }
  template <class A>
  void add(const Quaternion<A>& q) {
    add(q.x), add(q.y), add(q.z), add(q.w);
  }
  template <class A>
  void add(const SE3<A>& T) {
    add(T.R), add(T.p);
  }
  template <class A>
  void add(const Twist<A>& V) {
    add(V.w), add(V.v);
  }
  template <class A>
  void add(const Wrench<A>& F) {
    add(F.m), add(F.f);
  }
  template <class A>
  void add(const Inertia<A>& G) {
    add(G.mass), add(G.h), add(G.I);
  }
  template <class A>
  void add(const ArticulatedInertia<A>& G) {
    add(G.A), add(G.B), add(G.M);
  }
};

template <class T>
[[gnu::noinline]] std::vector<double> parts_of(const T& x) {
  Parts parts;
  parts.add(x);
  return parts.all;
}

inline double largest(const std::vector<double>& x) {
  double size = 0;
  for (double part : x) size = std::max(size, std::abs(part));
  return size;
}

[[gnu::noinline]] inline testing::AssertionResult near_parts(const std::vector<double>& a,
                                                             const std::vector<double>& b,
                                                             double tolerance, std::uint64_t seed) {
  if (a.size() != b.size()) return testing::AssertionFailure() << "different numbers of entries";
  const double scale = std::max(largest(a), largest(b));
  std::size_t worst = a.size();
  double error = tolerance * scale;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (const double apart = std::abs(a[k] - b[k]); !(apart <= error && std::isfinite(apart))) {
      worst = k;
      error = apart;
    }
  if (worst == a.size()) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "seed " << seed << ", entry " << worst << ": found " << testing::PrintToString(a[worst])
         << ", expected " << testing::PrintToString(b[worst]) << ", apart by " << error / scale
         << " of the largest, tolerance " << tolerance << "\n  found    "
         << testing::PrintToString(a) << "\n  expected " << testing::PrintToString(b);
}

/// |actual - expected| <= tolerance * (largest entry of both), for every entry.
template <class A, class B>
testing::AssertionResult near(const A& actual, const B& expected, double tolerance,
                              std::uint64_t seed = 0) {
  return near_parts(parts_of(actual), parts_of(expected), tolerance, seed);
}

/// The same as a failing test, reported at the line of the caller; compiles faster in long tests.
[[gnu::noinline]] inline void expect_near_parts(const std::vector<double>& a,
                                                const std::vector<double>& b, double tolerance,
                                                std::uint64_t seed, const char* file, int line) {
  if (const auto verdict = near_parts(a, b, tolerance, seed); !verdict)
    ADD_FAILURE_AT(file, line) << verdict.message();
}
template <class A, class B>
[[gnu::noinline]] void expect_near(const A& actual, const B& expected, double tolerance,
                                   std::uint64_t seed = 0, const char* file = __builtin_FILE(),
                                   int line = __builtin_LINE()) {
  expect_near_parts(parts_of(actual), parts_of(expected), tolerance, seed, file, line);
}

/// How much the derivatives of intermediate results may exceed those of the final one.
template <class Real>
inline constexpr double derivative_growth = 1;
template <class T, int K>
inline constexpr double derivative_growth<Taylor<T, K>> = double(1 << K);

/// `count` units of rounding of the plain number behind Real.
template <class Real>
double rounding(double count) {
  return count * derivative_growth<Real> * double(std::numeric_limits<Plain<Real>>::epsilon());
}

}  // namespace jounce::test

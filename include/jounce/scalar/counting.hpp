// SPDX-License-Identifier: BSD-3-Clause
// A double that counts what is done with it: the flops of an algorithm, measured, not estimated.
//
// Every operation adds one to a counter of the running thread; reset with count_flops(f), which
// runs f and returns what it cost. Assignments, comparisons and selects are free, as in the
// literature on dynamics algorithms (Featherstone 2008, section 10.2).
#pragma once

#include <jounce/scalar/number.hpp>

namespace jounce {

struct FlopCount {
  long add = 0, multiply = 0, divide = 0, root = 0, transcendental = 0;

  constexpr long total() const { return add + multiply + divide + root + transcendental; }
};

struct Counting {
  using Inner = double;

  double x = 0;

  Counting() = default;
  template <Arithmetic U>
  Counting(U value) : x(double(value)) {}  // NOLINT: a constant is a number

  static FlopCount& counter() {
    thread_local FlopCount count;
    return count;
  }

  friend Counting operator+(Counting a, Counting b) { return ++counter().add, a.x + b.x; }
  friend Counting operator-(Counting a, Counting b) { return ++counter().add, a.x - b.x; }
  friend Counting operator*(Counting a, Counting b) { return ++counter().multiply, a.x * b.x; }
  friend Counting operator/(Counting a, Counting b) { return ++counter().divide, a.x / b.x; }
  friend Counting operator-(Counting a) { return -a.x; }
  Counting& operator+=(Counting b) { return *this = *this + b; }
  Counting& operator-=(Counting b) { return *this = *this - b; }
  Counting& operator*=(Counting b) { return *this = *this * b; }
  friend bool operator<(Counting a, Counting b) { return a.x < b.x; }
  friend bool operator>(Counting a, Counting b) { return a.x > b.x; }
  friend bool operator<=(Counting a, Counting b) { return a.x <= b.x; }
  friend bool operator>=(Counting a, Counting b) { return a.x >= b.x; }
};

inline namespace JOUNCE_ISA {

inline Counting sqrt(Counting a) { return ++Counting::counter().root, std::sqrt(a.x); }
inline Counting sin(Counting a) { return ++Counting::counter().transcendental, std::sin(a.x); }
inline Counting cos(Counting a) { return ++Counting::counter().transcendental, std::cos(a.x); }
inline SinCos<Counting> sincos(Counting a) { return {sin(a), cos(a)}; }
inline Counting exp(Counting a) { return ++Counting::counter().transcendental, std::exp(a.x); }
inline Counting log(Counting a) { return ++Counting::counter().transcendental, std::log(a.x); }
inline Counting tanh(Counting a) { return ++Counting::counter().transcendental, std::tanh(a.x); }
inline Counting atan2(Counting y, Counting x) {
  return ++Counting::counter().transcendental, std::atan2(y.x, x.x);
}
inline Counting sech_squared(Counting a) {
  const Counting e = exp(Counting(-2 * std::abs(a.x))), sum = e + 1;
  return e * 4 / (sum * sum);
}
inline Counting abs(Counting a) { return std::abs(a.x); }
inline Counting select(bool mask, Counting a, Counting b) { return mask ? a : b; }
inline double value_of(Counting a) { return a.x; }

/// What running f costs on this thread.
template <class F>
FlopCount count_flops(F f) {
  const FlopCount before = Counting::counter();
  f();
  const FlopCount after = Counting::counter();
  return {after.add - before.add, after.multiply - before.multiply, after.divide - before.divide,
          after.root - before.root, after.transcendental - before.transcendental};
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// The plain numbers that a kind of number is made of, for checks and messages.
//
// Part 0 and those up to `values` are values: all lanes of a pack, the first coefficient of a
// series, the value of a dual number. The parts after them are derivatives.
#pragma once

#include <jounce/scalar/counting.hpp>
#include <jounce/scalar/dual.hpp>
#include <jounce/scalar/pack.hpp>
#include <jounce/scalar/taylor.hpp>
#include <string>

namespace jounce {

template <class Real>
struct NumberParts;

template <Arithmetic T>
struct NumberParts<T> {
  static constexpr int count = 1, values = 1;
  static double at(const T& x, int) { return double(x); }
  static std::string name(int) { return ""; }  ///< "lane 2 of ", to go before an argument's name
};

template <>
struct NumberParts<Counting> {
  static constexpr int count = 1, values = 1;
  static double at(const Counting& x, int) { return x.x; }
  static std::string name(int) { return ""; }
};

template <class T, int W, Isa I>
struct NumberParts<Pack<T, W, I>> {
  static constexpr int count = W, values = W;
  static double at(const Pack<T, W, I>& x, int k) { return double(x[k]); }
  static std::string name(int k) { return "lane " + std::to_string(k) + " of "; }
};

template <class T, int K>
struct NumberParts<Taylor<T, K>> {
  using Inner = NumberParts<T>;
  static constexpr int count = (K + 1) * Inner::count, values = Inner::values;
  static double at(const Taylor<T, K>& x, int k) {
    return Inner::at(x.c[k / Inner::count], k % Inner::count);
  }
  static std::string name(int k) {
    const std::string inner = Inner::name(k % Inner::count);
    const int order = k / Inner::count;
    return order == 0 ? inner : "coefficient " + std::to_string(order) + " of " + inner;
  }
};

template <class T, int N>
struct NumberParts<Dual<T, N>> {
  using Inner = NumberParts<T>;
  static constexpr int count = (N + 1) * Inner::count, values = Inner::values;
  static double at(const Dual<T, N>& x, int k) {
    const int direction = k / Inner::count - 1;
    return Inner::at(direction < 0 ? x.a : x.d[direction], k % Inner::count);
  }
  static std::string name(int k) {
    const std::string inner = Inner::name(k % Inner::count);
    const int direction = k / Inner::count - 1;
    return direction < 0 ? inner : "derivative " + std::to_string(direction) + " of " + inner;
  }
};

}  // namespace jounce

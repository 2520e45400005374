// SPDX-License-Identifier: BSD-3-Clause
// What every kind of number offers, and double and float as the first two of them.
//
// An algorithm of this library is one template that runs on any kind of number Real:
//   double, float       plain arithmetic
//   Pack<T, W>          W states in step, one per SIMD lane                       (pack.hpp)
//   Taylor<T, K>        a truncated power series in time: derivatives of order K  (taylor.hpp)
//   PowerSeries         the same of a length that the program knows         (power_series.hpp)
//   Dual<T, N>          a value with its gradient along N directions              (dual.hpp)
//   Counting            a double that counts its operations                       (counting.hpp)
//   Recorded            a number that records what is done with it                (recorded.hpp)
// For this to work an algorithm never branches on a number. Where a value decides, both answers are
// computed and select(mask, a, b) takes one, lane by lane. A kind of number supplies
//   + - * /  unary -  += -= *=   < > <= >= (giving a mask)   Real(double)
//   sqrt sin cos sincos exp log tanh sech_squared atan2 abs select
//   stumpff<M>(z), half_angle_ratio(u)   the functions behind exp and log of a group (stumpff.hpp)
// Constants keep their own, cheaper type: double * Taylor is a scaling, not a product of series.
#pragma once

#include <cmath>
#include <jounce/scalar/isa.hpp>
#include <type_traits>

namespace jounce {

inline namespace JOUNCE_ISA {

using std::abs, std::atan2, std::cos, std::exp, std::log, std::sin, std::sqrt, std::tanh;

template <class T>
concept Arithmetic = std::is_arithmetic_v<T>;

}  // namespace JOUNCE_ISA

/// The plain number behind a kind of number: float for Taylor<Pack<float, 8>, 3>.
template <class Real>
struct PlainNumber {
  using type = typename PlainNumber<typename Real::Inner>::type;
};
template <Arithmetic T>
struct PlainNumber<T> {
  using type = T;
};
template <class Real>
using Plain = typename PlainNumber<Real>::type;

/// Whether a kind carries values only (double, float, packs of them), no derivatives.
template <class Real>
inline constexpr bool is_plain_kind = true;

/// The type of a product, e.g. of a model constant (double) and a state (Taylor).
template <class A, class B>
using Product = decltype(std::declval<const A&>() * std::declval<const B&>());

template <class Real>
struct SinCos {
  Real sin, cos;
};

namespace detail::inline JOUNCE_ISA {

/// f(x...) as a call: a product of numbers that are large themselves takes hundreds of
/// instructions, and wherever it was inlined they would be compiled again.
template <auto f, class... X>
[[gnu::noinline]] constexpr auto called(const X&... x) {
  return f(x...);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

template <Arithmetic T>
SinCos<T> sincos(T x) {
  return {std::sin(x), std::cos(x)};
}

/// 1 - tanh^2 x, to full precision also where tanh x is 1 to rounding.
template <Arithmetic T>
T sech_squared(T x) {
  const T e = std::exp(-2 * std::abs(x)), sum = 1 + e;
  return 4 * e / (sum * sum);
}

template <Arithmetic T>
constexpr T select(bool mask, T a, T b) {
  return mask ? a : b;
}

/// The plain number a comparison looks at: the value part of a series or a dual number.
template <Arithmetic T>
constexpr T value_of(T x) {
  return x;
}

template <class Real>
constexpr Real square(const Real& x) {
  return x * x;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

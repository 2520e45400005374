// SPDX-License-Identifier: BSD-3-Clause
// Truncated Taylor series: a number that knows its first K derivatives with respect to time.
//
//   x(t) = c[0] + c[1] t + ... + c[K] t^K + O(t^(K+1)),   c[k] = x^(k)(0) / k!
// Sums are term by term, products are convolutions. Everything else follows from a differential
// equation: y = f(x) obeys y' = f'(x) x', and comparing the coefficients of t^(k-1) on both sides
// gives y[k] from earlier ones. For sine and cosine, s' = c x' and c' = -s x', that is
//   k s[k] = sum_{j=1..k} j x[j] c[k-j],    k c[k] = -sum_{j=1..k} j x[j] s[k-j].
// Running an algorithm on Taylor numbers gives all time derivatives of its result to order K at
// once, exactly, at a cost that grows as K^2.
#pragma once

#include <jounce/scalar/number.hpp>

namespace jounce {

inline namespace JOUNCE_ISA {

/// j / k as a plain number.
template <class T>
constexpr Plain<T> fraction(int j, int k) {
  return static_cast<Plain<T>>(double(j) / double(k));
}

}  // namespace JOUNCE_ISA

template <class T, int K>
struct Taylor {
  using Inner = T;
  static constexpr int order = K;

  T c[K + 1]{};  ///< coefficients, lowest first

  constexpr Taylor() = default;
  constexpr Taylor(const T& constant) : c{constant} {}  // NOLINT: a constant is a number
  template <Arithmetic U>
  requires(!std::is_same_v<U, T>) constexpr explicit(!std::is_convertible_v<U, T> || !Arithmetic<T>)
      Taylor(U constant)
      : c{static_cast<T>(constant)} {}
  /// The series a + b t.
  static constexpr Taylor line(const T& a, const T& b) {
    Taylor x(a);
    if constexpr (K > 0) x.c[1] = b;
    return x;
  }

  friend constexpr Taylor operator+(Taylor x, const Taylor& y) { return x += y; }
  friend constexpr Taylor operator-(Taylor x, const Taylor& y) { return x -= y; }
  friend constexpr Taylor operator*(const Taylor& x, const Taylor& y) {
    if constexpr (K >= 4 || !is_plain_kind<T>) return detail::called<&Taylor::product>(x, y);
    else return product(x, y);
  }
  friend constexpr Taylor operator/(const Taylor& x, const Taylor& y) {
    const T inverse = T(1) / y.c[0];
    Taylor z;  // z y = x
    for (int k = 0; k <= K; ++k) z.c[k] = (x.c[k] - convolve(y, z, 1, k, k)) * inverse;
    return z;
  }
  friend constexpr Taylor operator-(Taylor x) {
#pragma GCC unroll 17
    for (T& term : x.c) term = -term;
    return x;
  }

  friend constexpr Taylor operator+(Taylor x, const T& a) { return x.c[0] = x.c[0] + a, x; }
  friend constexpr Taylor operator+(const T& a, Taylor x) { return x.c[0] = a + x.c[0], x; }
  friend constexpr Taylor operator-(Taylor x, const T& a) { return x.c[0] = x.c[0] - a, x; }
  friend constexpr Taylor operator-(const T& a, const Taylor& x) { return -x + a; }
  friend constexpr Taylor operator*(Taylor x, const T& a) {
#pragma GCC unroll 17
    for (T& term : x.c) term = term * a;
    return x;
  }
  friend constexpr Taylor operator*(const T& a, const Taylor& x) { return x * a; }
  friend constexpr Taylor operator/(const Taylor& x, const T& a) { return x * (T(1) / a); }
  friend constexpr Taylor operator/(const T& a, const Taylor& x) { return Taylor(a) / x; }

  // A plain constant with nested numbers, where no implicit conversion reaches T in one step.
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Taylor operator+(const Taylor& x, U a) {
    return x + T(a);
  }
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Taylor operator+(U a, const Taylor& x) {
    return x + T(a);
  }
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Taylor operator-(const Taylor& x, U a) {
    return x - T(a);
  }
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Taylor operator-(U a, const Taylor& x) {
    return T(a) - x;
  }
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Taylor operator*(Taylor x, U a) {
#pragma GCC unroll 17
    for (T& term : x.c) term = term * a;
    return x;
  }
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Taylor operator*(U a, const Taylor& x) {
    return x * a;
  }
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Taylor operator/(const Taylor& x, U a) {
    return x * (U(1) / a);
  }
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Taylor operator/(U a, const Taylor& x) {
    return T(a) / x;
  }

  constexpr Taylor& operator+=(const Taylor& x) {
#pragma GCC unroll 17
    for (int k = 0; k <= K; ++k) c[k] = c[k] + x.c[k];
    return *this;
  }
  constexpr Taylor& operator-=(const Taylor& x) {
#pragma GCC unroll 17
    for (int k = 0; k <= K; ++k) c[k] = c[k] - x.c[k];
    return *this;
  }
  constexpr Taylor& operator*=(const Taylor& x) { return *this = *this * x; }

  friend constexpr auto operator<(const Taylor& x, const Taylor& y) { return x.c[0] < y.c[0]; }
  friend constexpr auto operator>(const Taylor& x, const Taylor& y) { return x.c[0] > y.c[0]; }
  friend constexpr auto operator<=(const Taylor& x, const Taylor& y) { return x.c[0] <= y.c[0]; }
  friend constexpr auto operator>=(const Taylor& x, const Taylor& y) { return x.c[0] >= y.c[0]; }

  static constexpr Taylor product(const Taylor& x, const Taylor& y) {
    Taylor z;
#pragma GCC unroll 17
    for (int k = 0; k <= K; ++k) z.c[k] = convolve(x, y, 0, k, k);
    return z;
  }
  /// sum_{j=first..last} x[j] y[k-j]: part of the coefficient k of a product.
  static constexpr T convolve(const Taylor& x, const Taylor& y, int first, int last, int k) {
    T sum(0);
#pragma GCC unroll 17
    for (int j = first; j <= last; ++j) sum = sum + x.c[j] * y.c[k - j];
    return sum;
  }
  /// sum_{j=1..k} (j/k) x[j] y[k-j]: coefficient k of the integral of y x'.
  static constexpr T integrate(const Taylor& y, const Taylor& x, int k) {
    T sum(0);
    for (int j = 1; j <= k; ++j) sum = sum + fraction<T>(j, k) * x.c[j] * y.c[k - j];
    return sum;
  }
};

template <class T, int K>
inline constexpr bool is_plain_kind<Taylor<T, K>> = false;

inline namespace JOUNCE_ISA {

/// f(x(t)) from f, f', ..., f^(K) at x(0): Horner's rule in delta = x - x(0).
template <class T, int K>
constexpr Taylor<T, K> compose(const T (&derivative)[K + 1], Taylor<T, K> x) {
  x.c[0] = T(0);
  Taylor<T, K> sum(derivative[K]);
  for (int n = K; n > 0; --n) sum = sum * x * fraction<T>(1, n) + derivative[n - 1];
  return sum;
}

/// dx/dt, with the (unknown) last coefficient set to zero.
template <class T, int K>
constexpr Taylor<T, K> time_derivative(const Taylor<T, K>& x) {
  Taylor<T, K> y;
  for (int k = 0; k < K; ++k) y.c[k] = fraction<T>(k + 1, 1) * x.c[k + 1];
  return y;
}

template <class T, int K>
constexpr Taylor<T, K> sqrt(const Taylor<T, K>& x) {
  Taylor<T, K> y(sqrt(x.c[0]));  // y y = x
  const T half_inverse = T(0.5) / y.c[0];
  for (int k = 1; k <= K; ++k)
    y.c[k] = (x.c[k] - Taylor<T, K>::convolve(y, y, 1, k - 1, k)) * half_inverse;
  return y;
}
template <class T, int K>
constexpr SinCos<Taylor<T, K>> sincos(const Taylor<T, K>& x) {
  const SinCos<T> at = sincos(x.c[0]);
  SinCos<Taylor<T, K>> y{at.sin, at.cos};
  for (int k = 1; k <= K; ++k) {
    y.sin.c[k] = Taylor<T, K>::integrate(y.cos, x, k);
    y.cos.c[k] = -Taylor<T, K>::integrate(y.sin, x, k);
  }
  return y;
}
template <class T, int K>
constexpr Taylor<T, K> sin(const Taylor<T, K>& x) {
  return sincos(x).sin;
}
template <class T, int K>
constexpr Taylor<T, K> cos(const Taylor<T, K>& x) {
  return sincos(x).cos;
}
template <class T, int K>
constexpr Taylor<T, K> exp(const Taylor<T, K>& x) {
  Taylor<T, K> y(exp(x.c[0]));  // y' = y x'
  for (int k = 1; k <= K; ++k) y.c[k] = Taylor<T, K>::integrate(y, x, k);
  return y;
}
template <class T, int K>
constexpr Taylor<T, K> log(const Taylor<T, K>& x) {
  Taylor<T, K> y(log(x.c[0]));
  const T inverse = T(1) / x.c[0];
  for (int k = 1; k <= K; ++k) {  // x y' = x'
    T sum = x.c[k];
    for (int j = 1; j < k; ++j) sum = sum - fraction<T>(j, k) * y.c[j] * x.c[k - j];
    y.c[k] = sum * inverse;
  }
  return y;
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// Coefficient k of y = tanh x and of s = 1 - y^2, those below it at hand: y' = s x'. All that s
/// adds behind s[0] is as small as s[0] is.
template <class T>
constexpr void extend_tanh(const T* x, int k, T* y, T* s) {
  if (k == 0) {
    y[0] = tanh(x[0]);
    s[0] = sech_squared(x[0]);
    return;
  }
  y[k] = s[k] = T(0);
  for (int j = 1; j <= k; ++j) y[k] = y[k] + fraction<T>(j, k) * x[j] * s[k - j];
  for (int j = 0; j <= k; ++j) s[k] = s[k] - y[j] * y[k - j];
}
template <class T, int K>
constexpr void tanh_series(const Taylor<T, K>& x, Taylor<T, K>& y, Taylor<T, K>& s) {
  for (int k = 0; k <= K; ++k) extend_tanh(x.c, k, y.c, s.c);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

template <class T, int K>
constexpr Taylor<T, K> tanh(const Taylor<T, K>& x) {
  Taylor<T, K> y, s;
  detail::tanh_series(x, y, s);
  return y;
}
template <class T, int K>
constexpr Taylor<T, K> sech_squared(const Taylor<T, K>& x) {
  Taylor<T, K> y, s;
  detail::tanh_series(x, y, s);
  return s;
}
template <class T, int K>
constexpr Taylor<T, K> atan2(const Taylor<T, K>& y, const Taylor<T, K>& x) {
  Taylor<T, K> angle(atan2(y.c[0], x.c[0]));  // angle' = (x y' - y x') / (x^2 + y^2)
  const Taylor<T, K> rate = (x * time_derivative(y) - y * time_derivative(x)) / (x * x + y * y);
  for (int k = 1; k <= K; ++k) angle.c[k] = rate.c[k - 1] * fraction<T>(1, k);
  return angle;
}
template <class T, int K, class Mask>
constexpr Taylor<T, K> select(const Mask& mask, const Taylor<T, K>& x, const Taylor<T, K>& y) {
  Taylor<T, K> z;
  for (int k = 0; k <= K; ++k) z.c[k] = select(mask, x.c[k], y.c[k]);
  return z;
}
template <class T, int K>
constexpr Taylor<T, K> abs(const Taylor<T, K>& x) {
  return select(x.c[0] < T(0), -x, x);
}
template <class T, int K>
constexpr auto value_of(const Taylor<T, K>& x) {
  return value_of(x.c[0]);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

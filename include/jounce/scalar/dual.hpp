// SPDX-License-Identifier: BSD-3-Clause
// Dual numbers: a value together with its gradient along N directions.
//
// Adjoin N symbols e_1..e_N with e_i e_j = 0 to the numbers. Then for x = a + sum d_i e_i
//   (a + d e)(b + f e) = ab + (a f + b d) e            the product rule,
//   f(a + d e) = f(a) + f'(a) d e                      the chain rule, because e^2 = 0 ends the
// Taylor series after one term. Running a program on x therefore carries exact first derivatives
// along with the value. Nesting, Dual<Dual<T, N>, M>, gives second derivatives.
#pragma once

#include <jounce/scalar/number.hpp>

namespace jounce {

template <class T, int N>
struct Dual {
  using Inner = T;

  T a{};     ///< value
  T d[N]{};  ///< derivatives

  constexpr Dual() = default;
  [[gnu::always_inline]] constexpr Dual(const T& value)
      : a(value) {}  // NOLINT: a constant is a number
  template <Arithmetic U>
  requires(!std::is_same_v<U, T>) constexpr explicit(!std::is_convertible_v<U, T> || !Arithmetic<T>)
      Dual(U value)
      : a(static_cast<T>(value)) {}
  /// The independent variable number `direction`: value + e_direction.
  [[gnu::always_inline]] static constexpr Dual variable(const T& value, int direction) {
    Dual x(value);
    x.d[direction] = T(1);
    return x;
  }

  friend constexpr Dual operator+(const Dual& x, const Dual& y) { return brief<&Dual::sum>(x, y); }
  friend constexpr Dual operator-(const Dual& x, const Dual& y) {
    return brief<&Dual::difference>(x, y);
  }
  friend constexpr Dual operator*(const Dual& x, const Dual& y) {
    return brief<&Dual::product>(x, y);
  }
  friend constexpr Dual operator/(const Dual& x, const Dual& y) {
    const T inverse = T(1) / y.a;
    const T ratio = x.a * inverse;
    return zip(ratio, x, y, [&](const T& p, const T& q) { return (p - ratio * q) * inverse; });
  }
  friend constexpr Dual operator-(const Dual& x) { return chain(-x.a, T(-1), x); }

  friend constexpr Dual operator+(Dual x, const T& c) { return x.a = x.a + c, x; }
  friend constexpr Dual operator+(const T& c, Dual x) { return x.a = c + x.a, x; }
  friend constexpr Dual operator-(Dual x, const T& c) { return x.a = x.a - c, x; }
  friend constexpr Dual operator-(const T& c, const Dual& x) { return chain(c - x.a, T(-1), x); }
  friend constexpr Dual operator*(const Dual& x, const T& c) { return chain(x.a * c, c, x); }
  friend constexpr Dual operator*(const T& c, const Dual& x) { return chain(c * x.a, c, x); }
  friend constexpr Dual operator/(const Dual& x, const T& c) { return x * (T(1) / c); }
  friend constexpr Dual operator/(const T& c, const Dual& x) {
    const T ratio = c / x.a;
    return chain(ratio, -ratio / x.a, x);
  }

  // A plain constant with nested numbers, where no implicit conversion reaches T in one step.
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Dual operator+(const Dual& x, U c) {
    return x + T(c);
  }
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Dual operator+(U c, const Dual& x) {
    return x + T(c);
  }
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Dual operator-(const Dual& x, U c) {
    return x - T(c);
  }
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Dual operator-(U c, const Dual& x) {
    return T(c) - x;
  }
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Dual operator*(const Dual& x, U c) {
    Dual y(x.a * c);
    for (int k = 0; k < N; ++k) y.d[k] = x.d[k] * c;
    return y;
  }
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Dual operator*(U c, const Dual& x) {
    return x * c;
  }
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Dual operator/(const Dual& x, U c) {
    return x * (U(1) / c);
  }
  template <Arithmetic U>
  requires(!std::is_convertible_v<U, T>) friend constexpr Dual operator/(U c, const Dual& x) {
    return T(c) / x;
  }

  constexpr Dual& operator+=(const Dual& x) { return *this = *this + x; }
  constexpr Dual& operator-=(const Dual& x) { return *this = *this - x; }
  constexpr Dual& operator*=(const Dual& x) { return *this = *this * x; }

  friend constexpr auto operator<(const Dual& x, const Dual& y) { return x.a < y.a; }
  friend constexpr auto operator>(const Dual& x, const Dual& y) { return x.a > y.a; }
  friend constexpr auto operator<=(const Dual& x, const Dual& y) { return x.a <= y.a; }
  friend constexpr auto operator>=(const Dual& x, const Dual& y) { return x.a >= y.a; }

  /// f(x) from f(a) and f'(a).
  static constexpr Dual chain(const T& f, const T& df, const Dual& x) {
    return brief<&Dual::chain_rule>(f, df, x);
  }

 private:
  /// f(x...): inlined where numbers are plain, a call where they are large themselves.
  template <auto f, class... X>
  static constexpr Dual brief(const X&... x) {
    if constexpr (is_plain_kind<T>) return f(x...);
    else return detail::called<f>(x...);
  }
  static constexpr Dual sum(const Dual& x, const Dual& y) {
    return zip(x.a + y.a, x, y, [](const T& p, const T& q) { return p + q; });
  }
  static constexpr Dual difference(const Dual& x, const Dual& y) {
    return zip(x.a - y.a, x, y, [](const T& p, const T& q) { return p - q; });
  }
  static constexpr Dual product(const Dual& x, const Dual& y) {
    return zip(x.a * y.a, x, y, [&](const T& p, const T& q) { return x.a * q + y.a * p; });
  }
  static constexpr Dual chain_rule(const T& f, const T& df, const Dual& x) {
    Dual y(f);
    for (int k = 0; k < N; ++k) y.d[k] = df * x.d[k];
    return y;
  }
  template <class F>
  static constexpr Dual zip(const T& value, const Dual& x, const Dual& y, F rule) {
    Dual z(value);
    for (int k = 0; k < N; ++k) z.d[k] = rule(x.d[k], y.d[k]);
    return z;
  }
};

template <class T, int N>
inline constexpr bool is_plain_kind<Dual<T, N>> = false;

inline namespace JOUNCE_ISA {

template <class T, int N>
constexpr Dual<T, N> sqrt(const Dual<T, N>& x) {
  const T root = sqrt(x.a);
  return Dual<T, N>::chain(root, T(0.5) / root, x);
}
template <class T, int N>
constexpr SinCos<Dual<T, N>> sincos(const Dual<T, N>& x) {
  const SinCos<T> at = sincos(x.a);
  return {Dual<T, N>::chain(at.sin, at.cos, x), Dual<T, N>::chain(at.cos, -at.sin, x)};
}
template <class T, int N>
constexpr Dual<T, N> sin(const Dual<T, N>& x) {
  return sincos(x).sin;
}
template <class T, int N>
constexpr Dual<T, N> cos(const Dual<T, N>& x) {
  return sincos(x).cos;
}
template <class T, int N>
constexpr Dual<T, N> exp(const Dual<T, N>& x) {
  const T f = exp(x.a);
  return Dual<T, N>::chain(f, f, x);
}
template <class T, int N>
constexpr Dual<T, N> log(const Dual<T, N>& x) {
  return Dual<T, N>::chain(log(x.a), T(1) / x.a, x);
}
template <class T, int N>
constexpr Dual<T, N> tanh(const Dual<T, N>& x) {
  return Dual<T, N>::chain(tanh(x.a), sech_squared(x.a), x);
}
template <class T, int N>
constexpr Dual<T, N> sech_squared(const Dual<T, N>& x) {
  const T f = sech_squared(x.a);
  return Dual<T, N>::chain(f, T(-2) * tanh(x.a) * f, x);
}
template <class T, int N>
constexpr Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  const T scale = T(1) / (x.a * x.a + y.a * y.a);
  Dual<T, N> angle(atan2(y.a, x.a));
  for (int k = 0; k < N; ++k) angle.d[k] = (x.a * y.d[k] - y.a * x.d[k]) * scale;
  return angle;
}
template <class T, int N, class Mask>
constexpr Dual<T, N> select(const Mask& mask, const Dual<T, N>& x, const Dual<T, N>& y) {
  Dual<T, N> z(select(mask, x.a, y.a));
  for (int k = 0; k < N; ++k) z.d[k] = select(mask, x.d[k], y.d[k]);
  return z;
}
template <class T, int N>
constexpr Dual<T, N> abs(const Dual<T, N>& x) {
  return select(x.a < T(0), -x, x);
}
template <class T, int N>
constexpr auto value_of(const Dual<T, N>& x) {
  return value_of(x.a);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

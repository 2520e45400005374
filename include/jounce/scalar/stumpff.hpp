// SPDX-License-Identifier: BSD-3-Clause
// The functions behind exp and log of SO(3) and SE(3), without a singularity at angle zero.
//
// Rodrigues' formula asks for sin(a)/a, (1 - cos a)/a^2, (a - sin a)/a^3, ... of an angle a. All
// are entire functions of z = a^2, the Stumpff functions
//   c_k(z) = 1/k! - z/(k+2)! + z^2/(k+4)! - ...,
//   c_0 = cos a,   c_1 = sin(a)/a,   c_2 = (1 - cos a)/a^2,   c_3 = (a - sin a)/a^3,   ...
// with two rules that the definition shows at once:
//   c_k = 1/k! - z c_{k+2}                (climb down, or up: c_{k+2} = (1/k! - c_k)/z)
//   dc_k/dz = (k c_{k+2} - c_{k+1}) / 2
// Because z = w.w is a polynomial in the rotation vector, no root and no division by a small angle
// is ever differentiated: dual numbers and series get exact derivatives at zero.
//
// For the way back let u = sin^2(a/2). half_angle_ratio(u) = (a/2)/sin(a/2) = asin(sqrt u)/sqrt u
// is analytic at u = 0 too, and obeys 2u f' + f = (1 - u)^(-1/2).
#pragma once

#include <jounce/scalar/dual.hpp>
#include <jounce/scalar/number.hpp>
#include <jounce/scalar/taylor.hpp>

namespace jounce {

template <class Real, int M>
struct Stumpff {
  Real c[M];
};

namespace detail::inline JOUNCE_ISA {

constexpr double inverse_factorial(int n) {
  double f = 1;
  for (int k = 2; k <= n; ++k) f /= k;
  return f;
}

/// z <= series_limit(M) takes c_3, c_4, ... from the series, which the table below is long enough
/// for.
constexpr double series_limit(int m) { return m * m > 8 ? m * m / 2.0 : 4.0; }

/// 1/((k+1)(k+2)), 1/((k+3)(k+4)), ...: the ratios of successive terms of c_k.
template <int K, int M>
struct SeriesRatios {
  static constexpr int terms = [] {
    int j = 0;
    for (double t = 1; t > 1e-18; ++j) t *= series_limit(M) / ((K + 2 * j + 1) * (K + 2 * j + 2));
    return j;
  }();
  double ratio[terms];

  constexpr SeriesRatios() : ratio{} {
    for (int j = 0; j < terms; ++j) ratio[j] = 1.0 / ((K + 2 * j + 1) * (K + 2 * j + 2));
  }
};

/// c_K(z) = 1/K! (1 - z r_0 (1 - z r_1 (1 - ...))).
template <int K, int M, class Real>
Real stumpff_series(const Real& z) {
  static constexpr SeriesRatios<K, M> table;
  Real sum(1);
  for (int j = table.terms - 1; j >= 0; --j)
    sum = Plain<Real>(1) - z * sum * Plain<Real>(table.ratio[j]);
  return sum * Plain<Real>(inverse_factorial(K));
}

/// The chain rule's table: row n holds the n-th derivatives of c_0, c_1, ... with respect to z.
template <class T, int Rows, int M>
struct StumpffTable {
  T d[Rows][M + 2 * (Rows - 1)];

  explicit StumpffTable(const Stumpff<T, M + 2 * (Rows - 1)>& at) {
    for (int k = 0; k < M + 2 * (Rows - 1); ++k) d[0][k] = at.c[k];
    for (int n = 1; n < Rows; ++n)
      for (int k = 0; k < M + 2 * (Rows - 1 - n); ++k)
        d[n][k] = (Plain<T>(k) * d[n - 1][k + 2] - d[n - 1][k + 1]) * Plain<T>(0.5);
  }
};

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// c_0(z), ..., c_{M-1}(z) for z >= 0; double, float and Pack.
///
/// For small z the two highest by their series and then down; for large z, sine and cosine and
/// then up. Each is used where it does not amplify rounding: the way down from z = k^2 on for c_k,
/// and from z = 1 on for c_0..c_2, which trigonometry gives directly.
template <int M, class Real>
Stumpff<Real, M> stumpff(const Real& z) {
  static_assert(M >= 4);
  using T = Plain<Real>;
  const auto small = z < Real(T(detail::series_limit(M))), tiny = z < Real(T(1));
  const Real z_up = select(tiny, Real(1), z), z_down = select(small, z, Real(0));
  const Real angle = sqrt(z_up);
  const auto full = sincos(angle), half = sincos(angle * T(0.5));
  Stumpff<Real, M> up, down;
  up.c[0] = full.cos;
  up.c[1] = full.sin / angle;
  up.c[2] = T(2) * half.sin * half.sin / z_up;
  for (int k = 3; k < M; ++k)
    up.c[k] = (Real(T(detail::inverse_factorial(k - 2))) - up.c[k - 2]) / z_up;
  down.c[M - 1] = detail::stumpff_series<M - 1, M>(z_down);
  down.c[M - 2] = detail::stumpff_series<M - 2, M>(z_down);
  for (int k = M - 3; k >= 0; --k)
    down.c[k] = T(detail::inverse_factorial(k)) - z_down * down.c[k + 2];
  for (int k = 0; k < 3; ++k) up.c[k] = select(tiny, down.c[k], up.c[k]);
  for (int k = 3; k < M; ++k)
    up.c[k] =
        select(k * k < detail::series_limit(M) ? z < Real(T(k * k)) : small, down.c[k], up.c[k]);
  return up;
}

template <int M, class T, int N>
Stumpff<Dual<T, N>, M> stumpff(const Dual<T, N>& z) {
  const detail::StumpffTable<T, 2, M> table(stumpff<M + 2>(z.a));
  Stumpff<Dual<T, N>, M> y;
  for (int k = 0; k < M; ++k) y.c[k] = Dual<T, N>::chain(table.d[0][k], table.d[1][k], z);
  return y;
}

template <int M, class T, int K>
Stumpff<Taylor<T, K>, M> stumpff(const Taylor<T, K>& z) {
  const detail::StumpffTable<T, K + 1, M> table(stumpff<M + 2 * K>(z.c[0]));
  Stumpff<Taylor<T, K>, M> y;
  for (int k = 0; k < M; ++k) {
    T derivative[K + 1];
    for (int n = 0; n <= K; ++n) derivative[n] = table.d[n][k];
    y.c[k] = compose<T, K>(derivative, z);
  }
  return y;
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// Coefficients of asin(sqrt u)/sqrt u, (2j)! / (4^j j!^2 (2j+1)), times j!/(j-Top)! for the
/// derivative of order Top.
template <int Top, int Terms>
struct HalfAngleSeries {
  double term[Terms + 1];

  constexpr HalfAngleSeries() : term{} {
    double central = 1;  // (2j)! / (4^j j!^2)
    for (int j = 0; j <= Terms; ++j) {
      term[j] = central / (2 * j + 1);
      for (int k = 0; k < Top; ++k) term[j] *= j - k;
      central *= (2 * j + 1) / (2.0 * (j + 1));
    }
  }
};

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// f, f', ..., f^(N-1) of f(u) = asin(sqrt u)/sqrt u for 0 <= u <= 1/2; double, float and Pack.
/// The highest by its series, the others down by the n-th derivative of 2u f' + f = (1 - u)^(-1/2).
template <int N, class Real>
void half_angle_derivatives(const Real& u, Real (&f)[N]) {
  using T = Plain<Real>;
  constexpr int top = N - 1, terms = 56 + 4 * top;
  static constexpr detail::HalfAngleSeries<top, terms> series;
  f[top] = Real(0);
  for (int j = terms; j >= top; --j) f[top] = f[top] * u + T(series.term[j]);
  const Real inverse = Real(1) / (Real(1) - u);
  Real g[N];
  g[0] = sqrt(inverse);
  for (int n = 1; n < N; ++n) g[n] = g[n - 1] * inverse * T(n - 0.5);
  for (int n = top - 1; n >= 0; --n) f[n] = (g[n] - T(2) * u * f[n + 1]) * T(1.0 / (2 * n + 1));
}
template <int N, class T, int D>
void half_angle_derivatives(const Dual<T, D>& u, Dual<T, D> (&f)[N]) {
  T inner[N + 1];
  half_angle_derivatives(u.a, inner);
  for (int n = 0; n < N; ++n) f[n] = Dual<T, D>::chain(inner[n], inner[n + 1], u);
}
template <int N, class T, int K>
void half_angle_derivatives(const Taylor<T, K>& u, Taylor<T, K> (&f)[N]) {
  T inner[N + K], derivative[K + 1];
  half_angle_derivatives(u.c[0], inner);
  for (int n = 0; n < N; ++n) {
    for (int k = 0; k <= K; ++k) derivative[k] = inner[n + k];
    f[n] = compose<T, K>(derivative, u);
  }
}

/// (a/2)/sin(a/2) from u = sin^2(a/2) and w = cos(a/2) >= 0.
///
/// Away from zero this is atan2(sqrt u, w)/sqrt u. Kinds that are differentiated take the analytic
/// function of u alone up to a right angle; the plain ones need its series next to zero only.
template <class Real>
Real half_angle_ratio(const Real& u, const Real& w) {
  using T = Plain<Real>;
  constexpr bool plain = is_plain_kind<Real>;
  const auto small = u < Real(T(plain ? 1e-4 : 0.5));
  const Real root = sqrt(select(small, Real(1), u));
  Real near[1];
  const Real inside = select(small, u, Real(0));
  if constexpr (plain) {  // five terms leave 3e-22
    near[0] = T(1) +
              inside * (T(1.0 / 6) +
                        inside * (T(3.0 / 40) + inside * (T(5.0 / 112) + inside * T(35.0 / 1152))));
  } else {
    half_angle_derivatives(inside, near);
  }
  return select(small, near[0], atan2(root, w) / root);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic with 113 bits for oracles: sine, cosine, matrix exponential, and errors in ulp.
//
// Nothing here uses the library under test. Where the compiler has no 128-bit numbers, long double
// takes their place.
#pragma once

#include <cmath>
#include <limits>

namespace jounce::test {

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 Quad;
#else
using Quad = long double;
#endif

inline Quad quad_abs(Quad x) { return x < 0 ? -x : x; }

/// pi/2 as a sum of three doubles: exact to 2^-160.
inline constexpr double half_pi_parts[3] = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54,
                                            -0x1.f1976b7ed8fbcp-110};
inline Quad quad_half_pi() { return Quad(half_pi_parts[0]) + half_pi_parts[1] + half_pi_parts[2]; }

struct QuadSinCos {
  Quad sin, cos;
};

/// Sine and cosine of |x| <= 1e7, to about 110 bits also next to the multiples of pi/2.
inline QuadSinCos quad_sincos(Quad x) {
  const double n = std::nearbyint(double(x) / half_pi_parts[0]);
  Quad r = x;
  for (double part : half_pi_parts) r -= Quad(n) * part;
  Quad s = 0, c = 0, term = 1;  // r^k / k!
  for (int k = 0; k < 36 && quad_abs(term) > 1e-40; k += 2) {
    const int sign = k % 4 == 0 ? 1 : -1;
    c += sign * term;
    term *= r / (k + 1);
    s += sign * term;
    term *= r / (k + 2);
  }
  const int quadrant = (int(std::fmod(n, 4)) + 4) % 4;
  if (quadrant == 0) return {s, c};
  if (quadrant == 1) return {c, -s};
  if (quadrant == 2) return {-s, -c};
  return {-c, s};
}

/// Newton's iteration from the double root.
inline Quad quad_sqrt(Quad x) {
  if (x == 0) return 0;
  Quad y = std::sqrt(double(x));
  for (int k = 0; k < 3; ++k) y = (y + x / y) / 2;
  return y;
}

/// c_k(z) = 1/k! - z/(k+2)! + z^2/(k+4)! - ... straight from its definition.
inline Quad quad_stumpff(int k, Quad z) {
  Quad term = 1;
  for (int j = 2; j <= k; ++j) term /= j;
  const Quad negligible = term * Quad(1e-40);
  Quad sum = term;
  for (int j = k + 2; quad_abs(term) > negligible; j += 2)
    sum += (term *= -z / (Quad(j) * (j - 1)));
  return sum;
}

template <int N>
struct QuadMatrix {
  Quad m[N][N]{};

  static QuadMatrix identity() {
    QuadMatrix one;
    for (int i = 0; i < N; ++i) one.m[i][i] = 1;
    return one;
  }
  friend QuadMatrix operator*(const QuadMatrix& a, const QuadMatrix& b) {
    QuadMatrix c;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        for (int k = 0; k < N; ++k) c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
  }
  friend QuadMatrix operator*(QuadMatrix a, Quad s) {
    for (auto& row : a.m)
      for (Quad& x : row) x *= s;
    return a;
  }
  friend QuadMatrix operator+(QuadMatrix a, const QuadMatrix& b) {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) a.m[i][j] += b.m[i][j];
    return a;
  }
};

/// exp of a matrix: Taylor series of A / 2^s, then s squarings.
template <int N>
QuadMatrix<N> quad_exp(QuadMatrix<N> a) {
  Quad norm = 0;
  for (const auto& row : a.m)
    for (Quad x : row) norm += quad_abs(x);
  int squarings = 0;
  for (; norm > 0.5; norm /= 2) ++squarings;
  a = a * Quad(std::ldexp(1.0, -squarings));
  QuadMatrix<N> term = QuadMatrix<N>::identity(), sum = term;
  for (int k = 1; k < 32; ++k) sum = sum + (term = term * a * (Quad(1) / k));
  for (int k = 0; k < squarings; ++k) sum = sum * sum;
  return sum;
}

/// The distance between two neighbouring numbers of type T at the size of x.
template <class T = double>
T ulp_at(Quad x) {
  const double size = std::abs(double(x));
  if (!(size > std::numeric_limits<T>::min())) return std::numeric_limits<T>::denorm_min();
  return T(std::ldexp(1.0, std::ilogb(size) - (std::numeric_limits<T>::digits - 1)));
}
/// |actual - exact| in units in the last place of the exact value.
template <class T>
double ulp_distance(T actual, Quad exact) {
  return double(quad_abs(Quad(actual) - exact) / Quad(ulp_at<T>(exact)));
}

}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// Sine and cosine of a pack, about one nanosecond per pair, at most 2 ulp for |x| <= 1e6.
//
// Write x = n pi/2 + r with an integer n and |r| <= pi/4 (Cody and Waite 1980). pi/2 is cut into
// pieces whose first two have 33 bits, so that n times a piece is exact for |n| < 2^20; the
// rounding error of the second subtraction is kept and added back, so that r is right to half an
// ulp even when x lies next to a multiple of pi/2. Then sin r and cos r are polynomials in r^2
// (minimax coefficients of Sun's fdlibm for double, of Moshier's Cephes for float), and n mod 4
// says which of the two is the sine and with which sign. Lanes beyond 1e6, infinite or NaN go to
// the C library.
#pragma once

#include <jounce/scalar/pack.hpp>

namespace jounce::detail::inline JOUNCE_ISA {

inline constexpr double sincos_limit = 1e6;

/// Keeps the compiler from simplifying (x + big) - big under -ffast-math.
template <class V>
[[gnu::always_inline]] inline V opaque(V x) {
#if defined(__x86_64__)
  asm("" : "+x"(x));
#elif defined(__aarch64__)
  asm("" : "+w"(x));
#endif
  return x;
}

template <class To, class From>
[[gnu::always_inline]] inline To bits(const From& x) {
  return __builtin_bit_cast(To, x);
}

template <class V>
struct Halves {
  V low, high;
};

/// Whether any bit of an integer vector is set.
template <class Integer, int Lanes, class V>
[[gnu::always_inline]] inline bool any_bit(const V& x) {
  if constexpr (Lanes == 1) {
    return x != 0;
  } else {
    using Half = typename RegisterOf<Integer, Lanes / 2>::type;
    const auto halves = bits<Halves<Half>>(x);
    return any_bit<Integer, Lanes / 2>(Half(halves.low | halves.high));
  }
}

/// x = n pi/2 + r; gives r and the low bits of n, for double vectors and |x| <= 1e6.
template <class V, class IV>
[[gnu::always_inline]] inline V reduce(const V& x, IV& n_bits) {
  constexpr double big = 0x1.8p52;  // x + big has the integer nearest to x in its last bits
  constexpr double pi_2_a = 0x1.921fb544p0, pi_2_b = 0x1.0b4611a6p-34;
  constexpr double pi_2_c = 0x1.3198a2e037073p-69;
  const V shifted = opaque(x * 0x1.45f306dc9c883p-1 + big);
  n_bits = bits<IV>(shifted);
  const V n = shifted - big;
  const V t = x - n * pi_2_a, w = n * pi_2_b;  // both exact
  const V r = t - w;
  return r + (((t - r) - w) - n * pi_2_c);
}

template <class V>
[[gnu::always_inline]] inline V sin_polynomial(const V& r, const V& z, double) {
  V p = 1.58969099521155010221e-10 * z - 2.50507602534068634195e-08;
  p = p * z + 2.75573137070700676789e-06;
  p = p * z - 1.98412698298579493134e-04;
  p = p * z + 8.33333333332248946124e-03;
  p = p * z - 1.66666666666666324348e-01;
  return r + (r * z) * p;
}
template <class V>
[[gnu::always_inline]] inline V cos_polynomial(const V& z, double) {
  V p = -1.13596475577881948265e-11 * z + 2.08757232129817482790e-09;
  p = p * z - 2.75573143513906633035e-07;
  p = p * z + 2.48015872894767294178e-05;
  p = p * z - 1.38888888888741095749e-03;
  p = p * z + 4.16666666666666019037e-02;
  const V half = 0.5 * z, w = 1.0 - half;
  return w + (((1.0 - w) - half) + (z * z) * p);
}
template <class V>
[[gnu::always_inline]] inline V sin_polynomial(const V& r, const V& z, float) {
  V p = -1.9515295891e-4f * z + 8.3321608736e-3f;
  p = p * z - 1.6666654611e-1f;
  return r + (r * z) * p;
}
template <class V>
[[gnu::always_inline]] inline V cos_polynomial(const V& z, float) {
  V p = 2.443315711809948e-5f * z - 1.388731625493765e-3f;
  p = p * z + 4.166664568298827e-2f;
  return (1.0f - 0.5f * z) + (z * z) * p;
}

/// Signs and swaps by the quadrant n mod 4.
template <class V, class IV>
[[gnu::always_inline]] inline SinCos<V> by_quadrant(const V& sine, const V& cosine, const IV& n) {
  constexpr int top = sizeof(n[0]) * 8 - 2;  // moves bit 1 of n to the sign bit
  const auto odd = (n & 1) != 0;
  const IV sin_sign = (n & 2) << top, cos_sign = ((n + 1) & 2) << top;
  const V s = odd ? cosine : sine, c = odd ? sine : cosine;
  return {bits<V>(bits<IV>(s) ^ sin_sign), bits<V>(bits<IV>(c) ^ cos_sign)};
}

/// Reduction in double of a float register, in two halves or in one piece.
template <class V, class IV, int Lanes>
[[gnu::always_inline]] inline V reduce_float(const V& x, IV& n) {
  using Wide = typename RegisterOf<double, Lanes>::type;
  using WideBits = typename RegisterOf<std::int64_t, Lanes>::type;
  WideBits n_wide;
  const Wide r = reduce(__builtin_convertvector(x, Wide), n_wide);
  n = __builtin_convertvector(n_wide, IV);
  return __builtin_convertvector(r, V);
}

template <class T, int Lanes, class V>
[[gnu::always_inline]] inline SinCos<V> sincos_register(const V& x) {
  using IV = typename RegisterOf<SameSizeInteger<T>, Lanes>::type;
  IV n;
  V r;
  if constexpr (sizeof(T) == 8) {
    r = reduce(x, n);
  } else {
    using HalfV = typename RegisterOf<float, Lanes / 2>::type;
    using HalfN = typename RegisterOf<std::int32_t, Lanes / 2>::type;
    const auto in = bits<Halves<HalfV>>(x);
    Halves<HalfV> out;
    Halves<HalfN> quadrant;
    out.low = reduce_float<HalfV, HalfN, Lanes / 2>(in.low, quadrant.low);
    out.high = reduce_float<HalfV, HalfN, Lanes / 2>(in.high, quadrant.high);
    r = bits<V>(out);
    n = bits<IV>(quadrant);
  }
  const V z = r * r;
  return by_quadrant(sin_polynomial(r, z, T()), cos_polynomial(z, T()), n);
}

/// Recomputes the lanes that lie outside the range of the polynomials.
template <Isa I, class T, int Lanes, class V>
[[gnu::noinline, gnu::cold]] inline void sincos_far_lanes(const V& x, V& s, V& c) {
  for (int k = 0; k < Lanes; ++k) {
    if (std::abs(x[k]) <= T(sincos_limit)) continue;
    s[k] = std::sin(x[k]);
    c[k] = std::cos(x[k]);
  }
}

}  // namespace jounce::detail::inline JOUNCE_ISA

namespace jounce::inline JOUNCE_ISA {

template <class T, int W, Isa I>
[[gnu::always_inline]] inline SinCos<Pack<T, W, I>> sincos(const Pack<T, W, I>& x) {
  using P = Pack<T, W, I>;
  SinCos<P> y;
  if constexpr (P::register_lanes * sizeof(T) < 16) {
    y.sin = lanewise(x, [](T a) { return std::sin(a); });
    y.cos = lanewise(x, [](T a) { return std::cos(a); });
  } else {
    for (int k = 0; k < P::registers; ++k) {
      const auto part = detail::sincos_register<T, P::register_lanes>(x.r[k]);
      y.sin.r[k] = part.sin;
      y.cos.r[k] = part.cos;
      using Integer = detail::SameSizeInteger<T>;
      constexpr T limit = T(detail::sincos_limit);
      const auto near = (x.r[k] <= limit) & (x.r[k] >= -limit);
      if (detail::any_bit<Integer, P::register_lanes>(~near)) [[unlikely]]
        detail::sincos_far_lanes<I, T, P::register_lanes>(x.r[k], y.sin.r[k], y.cos.r[k]);
    }
  }
  return y;
}
template <class T, int W, Isa I>
inline Pack<T, W, I> sin(const Pack<T, W, I>& x) {
  return sincos(x).sin;
}
template <class T, int W, Isa I>
inline Pack<T, W, I> cos(const Pack<T, W, I>& x) {
  return sincos(x).cos;
}

}  // namespace jounce::inline JOUNCE_ISA

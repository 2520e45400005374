// SPDX-License-Identifier: BSD-3-Clause
// The 6x6 block that one rigid body adds to a Coriolis matrix, in four factorisations.
//
// The bias wrench of a body is -ad*_V G V = Cb V, and many matrices Cb have this product:
//   plain        -ad*_V G                                          [Ploen] (25), not skew
//   ploen        [ [w]I + I[w], [h][w]; -[w][h], m[w] ]            [Ploen] Proposition 1
//   lie          G ad_V - ad*_V G                                  [Ali] Lemma 1
//   christoffel  (G ad_V - ad*_V G + N(G V)) / 2,  N(p) W = -ad*_W p
// The last three are skew: with them Mdot - 2 C is skew-symmetric. The last is the Levi-Civita
// connection of the left-invariant metric G on SE(3). All but Ploen's are the same in every frame;
// his depends on the point that I is taken about: the origin of the body's frame.
#pragma once

#include <jounce/group/inertia.hpp>

namespace jounce {

/// Which of the matrices C with the same product C v.
enum class Factorization : unsigned char { plain, ploen, lie, christoffel };

/// The skew-symmetric matrix [ [a] B; -B^T [d] ], which maps twists to wrenches.
template <class Real>
struct SkewBlock {
  Vec3<Real> a;
  Mat3<Real> B;
  Vec3<Real> d;
};

inline namespace JOUNCE_ISA {

template <class A, class B>
constexpr Wrench<Product<A, B>> operator*(const SkewBlock<A>& K, const Twist<B>& V) {
  return {cross(K.a, V.w) + K.B * V.v, cross(K.d, V.v) - transpose_times(K.B, V.w)};
}
template <class A, class B>
constexpr auto operator*(const SkewBlock<A>& K, const B& s) {
  return SkewBlock<Product<A, B>>{K.a * s, K.B * s, K.d * s};
}
template <class A>
constexpr SkewBlock<A> operator-(const SkewBlock<A>& K, const SkewBlock<A>& L) {
  return {K.a - L.a, K.B - L.B, K.d - L.d};
}
template <class A>
constexpr SkewBlock<A>& operator+=(SkewBlock<A>& K, const SkewBlock<A>& L) {
  return K = {K.a + L.a, K.B + L.B, K.d + L.d};
}

/// [a][b].
template <class A, class B>
constexpr Mat3<Product<A, B>> hat_times_hat(const Vec3<A>& a, const Vec3<B>& b) {
  const auto xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
  return {{{-(yy + zz), b.x * a.y, b.x * a.z},
           {b.y * a.x, -(xx + zz), b.y * a.z},
           {b.z * a.x, b.z * a.y, -(xx + yy)}}};
}

/// Ploen's block; half_trace is half the trace of I about the origin of the body's own frame.
///
/// [w]I + I[w] = [tr(I) w - I w]; one half of the trace is the same in every frame, the other
/// belongs to the body's.
template <class Real, class A>
constexpr SkewBlock<Real> ploen_block(const Inertia<Real>& G, const Twist<Real>& V,
                                      const A& half_trace) {
  const Real half = Plain<Real>(0.5) * (G.I.xx + G.I.yy + G.I.zz);
  return {V.w * half + V.w * half_trace - G.I * V.w, hat_times_hat(G.h, V.w), V.w * G.mass};
}

/// G ad_V - ad*_V G.
template <class Real>
constexpr SkewBlock<Real> lie_block(const Inertia<Real>& G, const Twist<Real>& V) {
  const Real trace = G.I.xx + G.I.yy + G.I.zz;
  const Mat3<Real> hw = hat_times_hat(G.h, V.w);
  return {V.w * trace - G.I * V.w + cross(G.h, V.v), hw + transpose(hw) + hat(V.v * G.mass),
          V.w * (Plain<Real>(2) * G.mass)};
}

/// N(p): N(p) W = -ad*_W p.
template <class Real>
constexpr SkewBlock<Real> coadjoint_block(const Wrench<Real>& p) {
  return {-p.m, hat(-p.f), {Real(0), Real(0), Real(0)}};
}

/// -(G ad_V + ad*_V G): the rate of an inertia that moves with the twist V, in a frame at rest.
/// Only its moments change.
template <class Real>
constexpr Inertia<Real> inertia_rate(const Inertia<Real>& G, const Twist<Real>& V) {
  const auto& [x, y, z] = V.w;
  const Sym3<Real>& I = G.I;
  const Plain<Real> two(2);
  const Sym3<Real> turn{two * (y * I.xz - z * I.xy),
                        y * I.yz - z * (I.yy - I.xx) - x * I.xz,
                        two * (z * I.xy - x * I.yz),
                        x * I.xy - y * (I.xx - I.zz) - z * I.yz,
                        z * I.xz - x * (I.zz - I.yy) - y * I.xy,
                        two * (x * I.yz - y * I.xz)};
  return {Real(0), V.v * G.mass + cross(V.w, G.h), turn - detail::hat_products(G.h, V.v)};
}

/// Cb + (G ad_V - ad*_V G) / 2 - G ad_V ... = the skew part of Cb - G ad_V, which is
/// inertia_rate / 2 + this for the skew factorisations. Zero for plain, whose Cb - G ad_V is
/// inertia_rate itself.
template <class Real, class A>
constexpr SkewBlock<Real> skew_part(Factorization f, const Inertia<Real>& G, const Twist<Real>& V,
                                    const A& half_trace) {
  const Plain<Real> half(0.5);
  switch (f) {
    case Factorization::ploen:
      return ploen_block(G, V, half_trace) - lie_block(G, V) * half;
    case Factorization::lie:
      return lie_block(G, V) * half;
    case Factorization::christoffel:
      return coadjoint_block((G * V) * half);
    default:
      return {};
  }
}

/// Cb W of a body that moves with V, in the body's own frame.
template <class A, class Real>
constexpr Wrench<Product<A, Real>> coriolis_wrench(Factorization f, const Inertia<A>& G,
                                                   const Twist<Real>& V, const Twist<Real>& W) {
  const Plain<Real> half(0.5);
  switch (f) {
    case Factorization::ploen: {
      const Vec3<Real> wv = cross(V.w, W.v);
      const auto a = V.w * (G.I.xx + G.I.yy + G.I.zz) - G.I * V.w;
      return {cross(a, W.w) + cross(G.h, wv), wv * G.mass - cross(V.w, cross(G.h, W.w))};
    }
    case Factorization::lie:
      return G * ad(V, W) - dual_ad(V, G * W);
    case Factorization::christoffel:
      return (G * ad(V, W) - dual_ad(V, G * W) - dual_ad(W, G * V)) * half;
    default:
      return -dual_ad(V, G * W);
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

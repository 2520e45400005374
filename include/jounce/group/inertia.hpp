// SPDX-License-Identifier: BSD-3-Clause
// The generalised inertia of a rigid body (10 numbers) and the articulated inertia (21 numbers).
//
// In its own frame a body has mass m, first moment h = m c and second moment I about the origin:
//   G = [ I    [h] ]      G V = (I w + h x v, m v - h x w)     momentum          [Kim] (20), (23)
//       [ [h]^T m 1]
// An articulated inertia is any symmetric [A B; B^T M].  [Kim] (43)
// Inertias are quadratic forms on twists, so a change of frame composes them with Ad:
//   pull_back(T, G)    = Ad*_T G Ad_T            frame a -> b, T the pose of b in a   [Kim] (21)
//   push_forward(T, G) = Ad*_{T^-1} G Ad_{T^-1}  frame b -> a                         [Kim] (49)
#pragma once

#include <jounce/group/se3.hpp>

namespace jounce {

/// Mass, first moment and second moment about the frame's origin.
template <class Real>
struct Inertia {
  Real mass{};
  Vec3<Real> h;
  Sym3<Real> I;
};

/// A symmetric 6x6 matrix [A B; B^T M] that maps twists to wrenches.
template <class Real>
struct ArticulatedInertia {
  Sym3<Real> A;
  Mat3<Real> B;
  Sym3<Real> M;

  ArticulatedInertia() = default;
  [[gnu::always_inline]] constexpr ArticulatedInertia(const Sym3<Real>& a, const Mat3<Real>& b,
                                                      const Sym3<Real>& m)
      : A(a), B(b), M(m) {}
  template <class P>
  [[gnu::always_inline]] constexpr explicit ArticulatedInertia(const Inertia<P>& G)
      : A{Real(G.I.xx), Real(G.I.xy), Real(G.I.yy), Real(G.I.xz), Real(G.I.yz), Real(G.I.zz)},
        B(hat(Vec3<Real>{Real(G.h.x), Real(G.h.y), Real(G.h.z)})),
        M{Real(G.mass), Real(0), Real(G.mass), Real(0), Real(0), Real(G.mass)} {}
};

inline namespace JOUNCE_ISA {

/// G V: momentum from velocity, or force from acceleration.  [Kim] (23)
template <class A, class B>
constexpr Wrench<Product<A, B>> operator*(const Inertia<A>& G, const Twist<B>& V) {
  return {G.I * V.w + cross(G.h, V.v), V.v * G.mass - cross(G.h, V.w)};
}
template <class A, class B>
constexpr Wrench<Product<A, B>> operator*(const ArticulatedInertia<A>& G, const Twist<B>& V) {
  return {G.A * V.w + G.B * V.v, transpose_times(G.B, V.w) + G.M * V.v};
}
template <class A, class B>
constexpr auto operator+(const Inertia<A>& G, const Inertia<B>& H) {
  return Inertia<decltype(G.mass + H.mass)>{G.mass + H.mass, G.h + H.h, G.I + H.I};
}
template <class A, class B>
constexpr auto operator-(const Inertia<A>& G, const Inertia<B>& H) {
  return Inertia<decltype(G.mass - H.mass)>{G.mass - H.mass, G.h - H.h, G.I - H.I};
}
template <class A>
constexpr ArticulatedInertia<A>& operator+=(ArticulatedInertia<A>& G,
                                            const ArticulatedInertia<A>& H) {
  return G = {G.A + H.A, G.B + H.B, G.M + H.M};
}
/// G Vdot - ad*_V G V: the wrench that a body's motion takes.  [Kim] Table 2. Multiplied out,
/// because v x m v vanishes but its rounding errors do not.
template <class A, class B>
constexpr Wrench<Product<A, B>> net_wrench(const Inertia<A>& G, const Twist<B>& V,
                                           const Twist<B>& Vdot) {
  const Vec3<B> a = Vdot.v + cross(V.w, V.v);  // of the origin as a point
  return {G.I * Vdot.w + cross(V.w, G.I * V.w) + cross(G.h, a),
          a * G.mass - cross(G.h, Vdot.w) - cross(V.w, cross(G.h, V.w))};
}
/// -ad*_V G V: what its velocity alone takes.
template <class A, class B>
constexpr Wrench<Product<A, B>> bias_wrench(const Inertia<A>& G, const Twist<B>& V) {
  const auto turned = cross(G.h, V.w);
  return {cross(V.w, G.I * V.w + cross(G.h, V.v)) + cross(turned, V.v),
          cross(V.w, V.v * G.mass - turned)};
}
/// <G V, V> / 2.  [Kim] (15)
template <class A, class B>
constexpr Product<A, B> kinetic_energy(const Inertia<A>& G, const Twist<B>& V) {
  return Plain<Product<A, B>>(0.5) * dot(G * V, V);
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// a b^T + b a^T - 2 (a.b) 1, which is [a][b] + [b][a].
template <class A, class B>
constexpr Sym3<Product<A, B>> hat_products(const Vec3<A>& a, const Vec3<B>& b) {
  const auto xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
  const Plain<Product<A, B>> minus_two(-2);
  return {minus_two * (yy + zz), a.x * b.y + a.y * b.x, minus_two * (xx + zz),
          a.x * b.z + a.z * b.x, a.y * b.z + a.z * b.y, minus_two * (xx + yy)};
}

template <class A, class B>
constexpr Mat3<Product<A, B>> congruence(const Mat3<A>& R, const Mat3<B>& M) {
  return (R * M) * transpose(R);
}
/// The rows of m each crossed from the left by p: (p x row_0, p x row_1, p x row_2) = -m [p].
template <class A, class B>
constexpr Mat3<Product<A, B>> minus_times_hat(const Mat3<A>& m, const Vec3<B>& p) {
  return {{cross(p, m.row[0]), cross(p, m.row[1]), cross(p, m.row[2])}};
}
/// Moves the reference point of an articulated inertia by -p, with unchanged axes.
template <class A, class B>
constexpr ArticulatedInertia<Product<A, B>> shift(const Vec3<B>& p,
                                                  const ArticulatedInertia<A>& G) {
  const auto B2 = G.B + transpose(minus_times_hat(to_matrix(G.M), p));  // B + [p] M
  const auto left = transpose(minus_times_hat(G.B, p)), right = minus_times_hat(B2, p);  // [p] B^T
  return {G.A + symmetric(left + right), B2, G.M};
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Ad*_{T^-1} G Ad_{T^-1}: from frame b to frame a, T the pose of b in a.
template <class A, class B>
constexpr Inertia<Product<A, B>> push_forward(const SE3<A>& T, const Inertia<B>& G) {
  const Plain<A> half(0.5);
  const auto h = T.R * G.h;
  const auto mp = T.p * G.mass;
  return {Product<A, B>(G.mass), h + mp,
          congruence(T.R.m, G.I) - detail::hat_products(h + mp * half, T.p)};
}
/// Ad*_T G Ad_T: from frame a to frame b, T the pose of b in a.  [Kim] (21)
template <class A, class B>
constexpr Inertia<Product<A, B>> pull_back(const SE3<A>& T, const Inertia<B>& G) {
  return push_forward(inverse(T), G);
}
template <class A, class B>  // not inlined: its callers would run out of registers
[[gnu::noinline]] constexpr ArticulatedInertia<Product<A, B>> push_forward(
    const SE3<A>& T, const ArticulatedInertia<B>& G) {
  const Mat3<A>& R = T.R.m;
  return detail::shift(
      T.p, ArticulatedInertia<Product<A, B>>{congruence(R, G.A), detail::congruence(R, G.B),
                                             congruence(R, G.M)});
}
template <class A, class B>
constexpr ArticulatedInertia<Product<A, B>> pull_back(const SE3<A>& T,
                                                      const ArticulatedInertia<B>& G) {
  return push_forward(inverse(T), G);
}

/// The inertia of a body of mass m with second moment I_c about its centre of mass, in the frame
/// where the centre-of-mass frame has pose T.  [Kim] (22)
template <class Real>
constexpr Inertia<Real> inertia_from_com(const Real& mass, const SE3<Real>& T,
                                         const Sym3<Real>& I_c) {
  return push_forward(T, Inertia<Real>{mass, {}, I_c});
}

/// The 4x4 pseudo-inertia [Sigma h; h^T m], Sigma = tr(I)/2 1 - I = integral of r r^T dm.
/// A body of positive density has a positive definite one (Wensing, Kim, Slotine 2018).
template <class Real>
constexpr Mat4<Real> pseudo_inertia(const Inertia<Real>& G) {
  const Real half_trace = Plain<Real>(0.5) * (G.I.xx + G.I.yy + G.I.zz);
  Mat4<Real> J;
  J.set_block(0, 0,
              {{{half_trace - G.I.xx, -G.I.xy, -G.I.xz},
                {-G.I.xy, half_trace - G.I.yy, -G.I.yz},
                {-G.I.xz, -G.I.yz, half_trace - G.I.zz}}});
  J(0, 3) = J(3, 0) = G.h.x;
  J(1, 3) = J(3, 1) = G.h.y;
  J(2, 3) = J(3, 2) = G.h.z;
  J(3, 3) = G.mass;
  return J;
}
/// The inertia with a given pseudo-inertia: I = tr(Sigma) 1 - Sigma.
template <class Real>
constexpr Inertia<Real> inertia_from_pseudo(const Mat4<Real>& J) {
  return {J(3, 3),
          {J(0, 3), J(1, 3), J(2, 3)},
          {J(1, 1) + J(2, 2), -J(0, 1), J(0, 0) + J(2, 2), -J(0, 2), -J(1, 2), J(0, 0) + J(1, 1)}};
}

/// The ten inertial parameters in the order m, h_x, h_y, h_z, I_xx, I_xy, I_yy, I_xz, I_yz, I_zz.
template <class Real>
constexpr void to_parameters(const Inertia<Real>& G, Real (&pi)[10]) {
  const Real all[10] = {G.mass, G.h.x,  G.h.y,  G.h.z,  G.I.xx,
                        G.I.xy, G.I.yy, G.I.xz, G.I.yz, G.I.zz};
  for (int k = 0; k < 10; ++k) pi[k] = all[k];
}
template <class Real>
constexpr Inertia<Real> inertia_from_parameters(const Real (&pi)[10]) {
  return {pi[0], {pi[1], pi[2], pi[3]}, {pi[4], pi[5], pi[6], pi[7], pi[8], pi[9]}};
}

/// IA - U U^T / D: what remains of an articulated inertia across a free joint.  [Kim] (49)
template <class Real>
constexpr ArticulatedInertia<Real> minus_outer(const ArticulatedInertia<Real>& IA,
                                               const Wrench<Real>& U, const Real& inverse_D) {
  const Vec3<Real> m = U.m * inverse_D, f = U.f * inverse_D;
  return {IA.A - Sym3<Real>{m.x * U.m.x, m.y * U.m.x, m.y * U.m.y, m.z * U.m.x, m.z * U.m.y,
                            m.z * U.m.z},
          IA.B - Mat3<Real>{{U.f * m.x, U.f * m.y, U.f * m.z}},
          IA.M - Sym3<Real>{f.x * U.f.x, f.y * U.f.x, f.y * U.f.y, f.z * U.f.x, f.z * U.f.y,
                            f.z * U.f.z}};
}

/// The twist V with IA V = F, for positive definite IA, by Cholesky's L D L^T without pivoting.
template <class Real>
constexpr Twist<Real> solve(const ArticulatedInertia<Real>& IA, const Wrench<Real>& F) {
  const auto& [A, B, M] = IA;
  Real L[6][6] = {{A.xx},
                  {A.xy, A.yy},
                  {A.xz, A.yz, A.zz},
                  {B.row[0].x, B.row[1].x, B.row[2].x, M.xx},
                  {B.row[0].y, B.row[1].y, B.row[2].y, M.xy, M.yy},
                  {B.row[0].z, B.row[1].z, B.row[2].z, M.xz, M.yz, M.zz}};
  Real x[6] = {F.m.x, F.m.y, F.m.z, F.f.x, F.f.y, F.f.z};
  Real inverse_d[6];
  for (int j = 0; j < 6; ++j) {
    inverse_d[j] = Real(1) / L[j][j];
    for (int i = j + 1; i < 6; ++i) {
      const Real l = L[i][j] * inverse_d[j];
      for (int k = j + 1; k <= i; ++k) L[i][k] = L[i][k] - l * L[k][j];
      x[i] = x[i] - l * x[j];
    }
    for (int i = j + 1; i < 6; ++i) L[i][j] = L[i][j] * inverse_d[j];
  }
  for (int j = 5; j >= 0; --j) {
    x[j] = x[j] * inverse_d[j];
    for (int i = j + 1; i < 6; ++i) x[j] = x[j] - L[i][j] * x[i];
  }
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

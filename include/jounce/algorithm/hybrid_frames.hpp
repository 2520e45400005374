// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of any order in hybrid frames: the ground's axes at every body's own origin.
//
// The third formulation of the outlook of [Ali], beside his spatial form and body frames. With r
// from the parent's origin to the body's, V = (w, v of the body's origin), all in ground axes:
//   r' = w_p x r + (S v).v       w = w_p + (S v).w,   v = v_p + r'       S' = w x S
//   h' = w x h,   I' = [w] I + ([w] I)^T
//   f = m v' + h'',   moment = (I w)' + h x v'                 about the moving origin
// Positions enter only as differences of neighbours, so nothing depends on where the ground's
// origin is; nothing is turned, so no rotation is differentiated. Gravity is v' = -g of the ground.
#pragma once

#include <jounce/algorithm/world_series.hpp>

namespace jounce::inline JOUNCE_ISA {

/// The words of BodyFrames.
struct HybridFrames {
  template <class Real>
  using Room = WorldWorkspace<Real, HybridFrames>;

  template <class Real, class P>
  static constexpr Twist<Real> ground(const Model<P>& m, int k) {
    return k == 1 ? Twist<Real>{{}, -detail::as<Real>(m.gravity)} : Twist<Real>{};
  }
  template <class Real>
  static constexpr Twist<Real> screw(const SE3<Real>& C, const Twist<Real>& S) {
    return {C.R * S.w, C.R * S.v};
  }
  template <class Real, class P>
  static constexpr Inertia<Real> placed(const SE3<Real>& C, const Inertia<P>& G) {
    return {Real(G.mass), C.R * G.h, congruence(C.R.m, G.I)};
  }
  template <class P, class Real>
  static constexpr Vec3<Real> position(const Model<P>& m, int i, int k, Room<Real>& w) {
    Vec3<Real> p = w.r[i][k];
    for (int b = m.parent[i]; b > 0; b = m.parent[b]) p += w.r[b][k];
    return p;
  }

  template <class P, class Real>
  static constexpr void extend(const Model<P>& m, const Real*, int i, int k, Room<Real>& w) {
    const Twist<Real>*V = w.V[i], *V_p = w.V[m.parent[i]];
    const bool slides = !is_revolute(m, i);
    detail::extend_world_screws(m, i, k, w,
                                [slides](const Twist<Real>& U, const auto&... behind_and_S) {
                                  return hybrid_rate(slides, U, behind_and_S...);
                                });
    detail::extend_turning(V, Vec3<Real>{}, k, w.h[i], w.turned_h[i]);
    Sym3<Real> rate{};
    for (int l = 0; l < k; ++l) rate = rate + detail::turning(V[l].w, w.I[i][k - 1 - l]);
    w.I[i][k] = rate * fraction<Real>(1, k);
    Vec3<Real> slid{};
    for (int j = m.v_at[i]; slides && j < m.v_at[i + 1]; ++j)
      for (int l = 0; l < k; ++l) slid += w.S[j][l].v * w.v[k - 1 - l][j];
    detail::extend_turning(V_p, slid, k, w.r[i], w.turned_r[i]);
  }
  template <class P, class Real>
  static constexpr Twist<Real> lagged_twist(const Model<P>& m, int i, int k, Room<Real>& w) {
    Twist<Real> sum{{}, w.turned_r[i][k]};
    for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j)
      for (int l = 1; l <= k; ++l) {
        sum.w += w.S[j][l].w * w.v[k - l][j];
        if (!is_revolute(m, i)) sum.v += w.S[j][l].v * w.v[k - l][j];
      }
    return sum;
  }
  template <class P, class Real>
  static constexpr Twist<Real> carried(const Model<P>& m, int i, int k, Room<Real>& w) {
    const Twist<Real>& V = w.V[m.parent[i]][k];
    return {V.w, V.v + cross(V.w, w.r[i][0])};
  }
  template <class P, class Real>
  static constexpr const Inertia<Real>& inertia(const Model<P>&, const Room<Real>& w, int i) {
    return w.G[i];
  }
  template <class P, class Real>
  static constexpr Wrench<Real> bias(const Model<P>&, int i, int k, Room<Real>& w) {
    const Plain<Real> up = fraction<Real>(k + 1, 1);
    if (k > 0) w.a[i][k - 1] = w.V[i][k].v * fraction<Real>(k, 1);
    Vec3<Real> turning = w.I[i][k + 1] * w.V[i][0].w, moment{};
    for (int l = 1; l <= k; ++l) {
      turning += w.I[i][l] * w.V[i][k + 1 - l].w;
      moment += cross(w.h[i][l], w.a[i][k - l]);
    }
    return Wrench<Real>{turning * up + moment, w.turned_h[i][k + 1] * up} - w.F_ext[i][k];
  }
  template <class P, class Real>
  static constexpr Real lagged_force(const Model<P>& m, const Room<Real>& w, int i, int j, int k) {
    Real sum(0);
    for (int l = 1; l <= k; ++l) {
      sum = sum + dot(w.F[i][k - l].m, w.S[j][l].w);
      if (!is_revolute(m, i)) sum = sum + dot(w.F[i][k - l].f, w.S[j][l].v);
    }
    return sum;
  }
  template <class Real>
  static constexpr Wrench<Real> lagged_wrench(int i, int k, Room<Real>& w) {
    Vec3<Real> moment{};
    for (int l = 1; l <= k; ++l) moment += cross(w.r[i][l], w.F[i][k - l].f);
    return {moment, {}};
  }
  template <class Real>
  static constexpr Wrench<Real> returned(int i, const Room<Real>& w, const Wrench<Real>& F) {
    return {F.m + cross(w.r[i][0], F.f), F.f};
  }
  template <class Real>
  static constexpr ArticulatedInertia<Real> returned(int i, const Room<Real>& w,
                                                     const ArticulatedInertia<Real>& IA) {
    return detail::shift(w.r[i][0], IA);
  }
  template <class Real>
  static constexpr Wrench<Real> finish_wrench(int i, int k, Room<Real>& w) {
    return returned(i, w, w.F[i][k]);
  }

 private:
  template <class Real>
  static constexpr Twist<Real> hybrid_rate(bool slides, const Twist<Real>& V,
                                           const Twist<Real>& S) {
    return {cross(V.w, S.w), slides ? cross(V.w, S.v) : Vec3<Real>{}};
  }
  /// The origin moves on with what is behind: (V - behind).w x S, and S.w x behind.v.
  template <class Real>
  static constexpr Twist<Real> hybrid_rate(bool, const Twist<Real>& V, const Twist<Real>& behind,
                                           const Twist<Real>& S) {
    const Vec3<Real> turn = V.w - behind.w;
    return {cross(turn, S.w), cross(turn, S.v) + cross(S.w, behind.v)};
  }
};

}  // namespace jounce::inline JOUNCE_ISA

// SPDX-License-Identifier: BSD-3-Clause
// The derivative of inverse and forward dynamics with respect to any one number p, in O(n).
//
// [Kim] 2012, Table 5 with (87), (88): the recursion of rnea, differentiated line by line. What
// does not depend on p is left out, as (92) advises. Table 6 differentiates articulated inertias as
// well (articulated_sensitivity.hpp); here the accelerations follow from
// M da = dtau - (Table 5 with da = 0): the same result for a fraction of the work.
#pragma once

#include <jounce/algorithm/articulated_solve.hpp>
#include <jounce/algorithm/rnea.hpp>
#include <limits>

namespace jounce {

/// The derivatives of all that inverse dynamics reads; what is null does not change.  (92)
///
/// All but F_ext is read for the bodies from `first` to before `last` only, and zero elsewhere.
template <class Real>
struct Change {
  const Real *v = nullptr, *a = nullptr;           ///< [nv]
  const Twist<Real>* h = nullptr;                  ///< [bodies] T^-1 dT of every joint
  const Twist<Real>*S = nullptr, *Sdot = nullptr;  ///< [nv]
  const Inertia<Real>* G = nullptr;                ///< [bodies]
  const Wrench<Real>* F_ext = nullptr;             ///< [bodies]
  const Real* armature = nullptr;                  ///< [nv]
  Twist<Real> V_0{}, Vdot_0{};                     ///< of the ground, minus that of gravity
  int first = 1, last = std::numeric_limits<int>::max();

  /// The array where it is there and may differ from zero for body i.
  template <class X>
  constexpr const X* at(const X* array, int i) const {
    return i >= first && i < last ? array : nullptr;
  }
};

/// Room for rnea_sensitivity, and what it leaves there: derivatives of V, Vdot and F.
template <class Real>
struct SensitivityRoom {
  Twist<Real>*V = nullptr, *Vdot = nullptr;  ///< [bodies]
  Wrench<Real>* F = nullptr;                 ///< [bodies]
};

namespace detail::inline JOUNCE_ISA {

/// dS x + S dx of joint i, with S or Sdot; either change may be absent.
template <class P, class Real>
constexpr Twist<Real> joint_change(const Model<P>& m, const Change<Real>& d, int i,
                                   const Twist<Real>* S, const Real* x, const Twist<Real>* all_dS,
                                   const Real* dx) {
  const Twist<Real>* dS = d.at(all_dS, i);
  Twist<Real> sum{};
  for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
    if (dS != nullptr) sum += dS[k] * x[k];
    if (dx != nullptr) sum += S[k] * dx[k];
  }
  return sum;
}

/// Ad_{T^-1} X of the parent's twist X, which changes by dX.  (87)
template <class Real>
constexpr Twist<Real> carried_change(const Workspace<Real>& w, const Change<Real>& d, int i,
                                     const Twist<Real>& X, const Twist<Real>& dX) {
  const Twist<Real> carried = Ad_inv(w.T[i], dX);
  const Twist<Real>* h = d.at(d.h, i);
  return h == nullptr ? carried : carried - ad(h[i], Ad_inv(w.T[i], X));
}

/// The change of eta = ad_V (S v) + Sdot v, where V changes by dV.
template <class P, class Real>
constexpr Twist<Real> eta_change(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                                 const Change<Real>& d, int i, const Twist<Real>& dV) {
  const Twist<Real> Sv = joint_twist(m, w, i, x.v);
  const Twist<Real> dSv = joint_change(m, d, i, w.S, x.v, d.S, d.v);
  return ad(dV, Sv) + ad(w.V[i], dSv) + joint_change(m, d, i, w.Sdot, x.v, d.Sdot, d.v);
}

/// The change of -ad*_V G V - F_ext.
template <class P, class Real>
constexpr Wrench<Real> bias_change(const Model<P>& m, const Workspace<Real>& w,
                                   const Change<Real>& d, int i, const Twist<Real>& dV) {
  Wrench<Real> momentum = m.G[i] * dV;
  if (d.at(d.G, i) != nullptr) momentum += d.G[i] * w.V[i];
  Wrench<Real> F = -dual_ad(dV, m.G[i] * w.V[i]) - dual_ad(w.V[i], momentum);
  if (d.F_ext != nullptr) F -= d.F_ext[i];
  return F;
}

/// The lines of rnea for the motion of body i and its own wrench, differentiated.
template <class P, class Real>
constexpr void body_change(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                           const Change<Real>& d, int i, SensitivityRoom<Real>& room) {
  const int p = m.parent[i];
  room.V[i] =
      carried_change(w, d, i, w.V[p], room.V[p]) + joint_change(m, d, i, w.S, x.v, d.S, d.v);
  room.Vdot[i] = carried_change(w, d, i, w.Vdot[p], room.Vdot[p]) +
                 joint_change(m, d, i, w.S, x.a, d.S, d.a) + eta_change(m, x, w, d, i, room.V[i]);
  room.F[i] = m.G[i] * room.Vdot[i] + bias_change(m, w, d, i, room.V[i]);
  if (d.at(d.G, i) != nullptr) room.F[i] += d.G[i] * w.Vdot[i];
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// dtau/dp, after rnea at the same state.
template <class P, class Real>
constexpr void rnea_sensitivity(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                                const Change<Real>& d, SensitivityRoom<Real>& room,
                                Real* dtau) noexcept {
  room.V[0] = d.V_0;
  room.Vdot[0] = d.Vdot_0;
  room.F[0] = {};
  for (int i = 1; i < m.bodies; ++i) {
    if (i < d.first) {
      room.V[i] = room.Vdot[i] = {};
      room.F[i] = d.F_ext != nullptr ? -d.F_ext[i] : Wrench<Real>{};
      continue;
    }
    detail::body_change(m, x, w, d, i, room);
  }
  for (int i = m.bodies - 1; i > 0; --i) {
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      dtau[k] = dot(room.F[i], w.S[k]);
      if (d.at(d.S, i) != nullptr) dtau[k] += dot(w.F[i], d.S[k]);
      if (d.at(d.a, i) != nullptr) dtau[k] += m.armature[k] * d.a[k];
      if (d.at(d.armature, i) != nullptr) dtau[k] += d.armature[k] * x.a[k];
    }
    Wrench<Real> F = room.F[i];
    if (d.at(d.h, i) != nullptr) F -= dual_ad(d.h[i], w.F[i]);  // (88)
    room.F[m.parent[i]] += dual_Ad_inv(w.T[i], F);
  }
}

/// da/dp for forces that change by dtau, after rnea at the accelerations that they give and
/// factor_articulated in `factors`; d.a must be null. `da` may not be `dtau`.
template <class P, class Real>
constexpr void forward_sensitivity(const Model<P>& m, const State<Real>& x,
                                   const Workspace<Real>& w, Workspace<Real>& factors,
                                   const Change<Real>& d, const Real* dtau,
                                   SensitivityRoom<Real>& room, Real* da) noexcept {
  rnea_sensitivity(m, x, w, d, room, da);
  for (int k = 0; k < m.nv; ++k) da[k] = dtau[k] - da[k];
  articulated_solve(m, da, factors, da);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

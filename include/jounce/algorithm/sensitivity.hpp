// SPDX-License-Identifier: BSD-3-Clause
// The derivative of inverse and forward dynamics with respect to any one number p, in O(n).
//
// [Kim] 2012, Table 5 with (87), (88): the recursion of rnea, differentiated line by line. What
// does not depend on p is left out, as (92) advises. In place of Table 6, which differentiates
// articulated inertias as well, the accelerations follow from M da = dtau - (Table 5 with da = 0):
// the same result for a fraction of the work.
#pragma once

#include <jounce/algorithm/articulated_solve.hpp>
#include <jounce/algorithm/rnea.hpp>

namespace jounce {

/// The derivatives of all that inverse dynamics reads; what is null does not change.  (92)
template <class Real>
struct Change {
  const Real *v = nullptr, *a = nullptr;           ///< [nv]
  const Twist<Real>* h = nullptr;                  ///< [bodies] T^-1 dT of every joint
  const Twist<Real>*S = nullptr, *Sdot = nullptr;  ///< [nv]
  const Inertia<Real>* G = nullptr;                ///< [bodies]
  const Wrench<Real>* F_ext = nullptr;             ///< [bodies]
  const Real* armature = nullptr;                  ///< [nv]
  Twist<Real> Vdot_0{};                            ///< of the ground, minus that of gravity
  int first = 1;                                   ///< bodies before this one keep their motion
};

/// Room for rnea_sensitivity, and what it leaves there: derivatives of V, Vdot and F.
template <class Real>
struct SensitivityRoom {
  Twist<Real>*V = nullptr, *Vdot = nullptr;  ///< [bodies]
  Wrench<Real>* F = nullptr;                 ///< [bodies]
};

namespace detail {

/// dS x + S dx of joint i; either may be absent.
template <class P, class Real>
constexpr Twist<Real> joint_change(const Model<P>& m, int i, const Twist<Real>* S, const Real* x,
                                   const Twist<Real>* dS, const Real* dx) {
  Twist<Real> sum{};
  for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
    if (dS != nullptr) sum += dS[k] * x[k];
    if (dx != nullptr) sum += S[k] * dx[k];
  }
  return sum;
}

/// The lines of rnea for the motion of body i and its own wrench, differentiated.
template <class P, class Real>
constexpr void body_change(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                           const Change<Real>& d, int i, SensitivityRoom<Real>& room) {
  const int p = m.parent[i];
  const Twist<Real> Sv = joint_twist(m, w, i, x.v);
  const Twist<Real> dSv = joint_change(m, i, w.S, x.v, d.S, d.v);
  room.V[i] = Ad_inv(w.T[i], room.V[p]) + dSv;
  room.Vdot[i] = Ad_inv(w.T[i], room.Vdot[p]) + joint_change(m, i, w.S, x.a, d.S, d.a) +
                 joint_change(m, i, w.Sdot, x.v, d.Sdot, d.v);
  if (d.h != nullptr) {
    room.V[i] -= ad(d.h[i], Ad_inv(w.T[i], w.V[p]));        // (87)
    room.Vdot[i] -= ad(d.h[i], Ad_inv(w.T[i], w.Vdot[p]));  // (87)
  }
  room.Vdot[i] += ad(room.V[i], Sv) + ad(w.V[i], dSv);
  Wrench<Real> momentum = m.G[i] * room.V[i];
  room.F[i] = m.G[i] * room.Vdot[i] - dual_ad(room.V[i], m.G[i] * w.V[i]);
  if (d.G != nullptr) {
    momentum += d.G[i] * w.V[i];
    room.F[i] += d.G[i] * w.Vdot[i];
  }
  room.F[i] -= dual_ad(w.V[i], momentum);
  if (d.F_ext != nullptr) room.F[i] -= d.F_ext[i];
}

}  // namespace detail

/// dtau/dp, after rnea at the same state.
template <class P, class Real>
constexpr void rnea_sensitivity(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                                const Change<Real>& d, SensitivityRoom<Real>& room,
                                Real* dtau) noexcept {
  room.V[0] = {};
  room.Vdot[0] = d.Vdot_0;
  room.F[0] = {};
  for (int i = 1; i < m.bodies; ++i) {
    if (i < d.first) {
      room.V[i] = room.Vdot[i] = {};
      room.F[i] = {};
      continue;
    }
    detail::body_change(m, x, w, d, i, room);
  }
  for (int i = m.bodies - 1; i > 0; --i) {
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      dtau[k] = dot(room.F[i], w.S[k]);
      if (d.S != nullptr) dtau[k] += dot(w.F[i], d.S[k]);
      if (d.a != nullptr) dtau[k] += m.armature[k] * d.a[k];
      if (d.armature != nullptr) dtau[k] += d.armature[k] * x.a[k];
    }
    Wrench<Real> F = room.F[i];
    if (d.h != nullptr) F -= dual_ad(d.h[i], w.F[i]);  // (88)
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

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Inverse dynamics, fast: rnea on classical accelerations, for any kind of vector.
//
// Against the reference (rnea.hpp) it trades three things. Accelerations are classical, that of the
// body's origin as a point: a_i = R^T (a_p + K_p p), K = [alpha] + [w][w], and no linear velocity
// is carried. A chain's motion and force stay in local variables; only branching points are read
// back. T, V and Vdot are not left in the workspace.
//
// A joint moves its body by (w_r, v_r) relative to its parent, with S a + Sdot v = (alpha_r, a_r):
//   w = R^T w_p + w_r,  alpha = R^T alpha_p + w x w_r + alpha_r,
//   a = R^T (a_p + K_p p) + (2 w - w_r) x v_r + a_r.
#pragma once

#include <jounce/algorithm/joint_steps.hpp>

namespace jounce {
namespace detail::inline JOUNCE_ISA {

/// The force F on body i: its joint feels tau of it, and its parent what is returned.
template <class Kind>
constexpr typename Kind::Force through_joint(const Recursion<Kind>& r, int i,
                                             const typename Kind::Force& F) {
  const auto& body = r.body[i];
  const int k = r.m.v_at[i];
  if (body.angle < 0) {
    const auto felt = Kind::numbers(F);
    for (int j = k; j < r.m.v_at[i + 1]; ++j)
      r.w.tau[j] = dot(felt, r.w.S[j]) + r.m.armature[j] * r.x.a[j];  // (27)
    return on_parent(Kind::matrix(r.w.T[i].R.m), Kind::vector(r.w.T[i].p), F);
  }
  r.w.tau[k] = z_of(F.m) + r.m.armature[k] * r.x.a[k];
  return on_parent(body.rotation(r.w.sin[body.angle], r.w.cos[body.angle]), body.position(), F);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As rnea, but leaves only tau and, where `wrenches`, F.
template <bool wrenches = false, class Kind>
[[gnu::flatten]] constexpr void inverse_dynamics(const Recursion<Kind>& r) noexcept {
  detail::sweep_forces<true>(r);
  typename Kind::Force F{};
  for (int i = r.m.bodies - 1; i > 0; --i) {
    F = F + r.room.force[i];
    if constexpr (wrenches) r.w.F[i] = Kind::numbers(F);
    F = detail::through_joint(r, i, F);
    const int p = r.m.parent[i];
    if (p == i - 1) continue;
    r.room.force[p] = r.room.force[p] + F;
    F = {};
  }
  if constexpr (wrenches) r.w.F[0] = Kind::numbers(F + r.room.force[0]);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

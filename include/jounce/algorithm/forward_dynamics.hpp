// SPDX-License-Identifier: BSD-3-Clause
// Forward dynamics, fast: articulated bodies on classical accelerations, for any kind of vector.
//
// Against the reference (aba.hpp) the forces that velocity, gravity and outside wrenches take are
// found first, as inverse dynamics finds them with joints that do not accelerate; articulated
// bodies then start from rest. No bias acceleration is carried, and no inertia is multiplied by
// one. A chain's inertia and force stay in local variables. T, V, Vdot, IA and F are not left in
// the workspace, but for T of joints that are not revolute. [Kim] 2012, Table 3.
#pragma once

#include <jounce/algorithm/aba.hpp>
#include <jounce/algorithm/joint_steps.hpp>

namespace jounce {
namespace detail::inline JOUNCE_ISA {

/// What is felt at a body: articulated inertia, and force that it cannot give way to.
template <class Kind>
struct Felt {
  typename Kind::BlockInertia H;
  typename Kind::Force F;
};

/// What the parent of body i feels, whose own IA and F are in the workspace, behind a joint of any
/// kind that is free to move. Kept are U, the factors of D and D^-1 (tau - S^T F).
template <class Kind, class P, class Real>
[[gnu::noinline]] constexpr Felt<Kind> release_any(const Model<P>& m, const State<Real>& x,
                                                   Workspace<Real>& w, int i) {
  const int first = m.v_at[i], last = m.v_at[i + 1];
  factor_joint(m, w, i);
  Wrench<Real> F = w.F[i];
  for (int k = first; k < last; ++k) w.a[k] = x.tau[k] - dot(F, w.S[k]);
  solve(w.D + 6 * first, last - first, w.a + first);
  if (m.parent[i] == 0) return {};
  for (int k = first; k < last; ++k) F += w.U[k] * w.a[k];
  return {Kind::on_parent(w.T[i], behind_joint(m, w, i)),  // (49)
          Kind::on_parent(w.T[i], F)};                     // (50)
}
/// From what body i feels to what its parent does; of a revolute joint U, 1 / D and u = tau - S.F
/// are kept.
template <class Kind>
constexpr void release(const Recursion<Kind>& r, int i, Felt<Kind>& felt) {
  using Real = typename Kind::Real;
  const auto& body = r.body[i];
  if (body.angle < 0) {
    r.w.IA[i] = Kind::numbers(felt.H);
    r.w.F[i] = Kind::numbers(felt.F);
    felt = release_any<Kind>(r.m, r.x, r.w, i);
    return;
  }
  const int k = r.m.v_at[i];
  const auto R = body.rotation(r.w.sin[body.angle], r.w.cos[body.angle]);
  const auto U = turning_column(felt.H);
  const Real inverse_D = Real(1) / (z_of(U.m) + r.m.armature[k]), u = r.x.tau[k] - z_of(felt.F.m);
  r.room.force[i] = U;
  r.w.D[6 * k] = inverse_D;
  r.w.a[k] = u;
  if (r.m.parent[i] == 0) return;
  felt.F = on_parent(R, body.position(), felt.F + U * (u * inverse_D));     // (50)
  felt.H = carried(R, body.position(), minus_outer(felt.H, U, inverse_D));  // (49)
}

/// The acceleration of body i, and w.a of its joint, given that of its parent.
template <class Kind>
constexpr typename Kind::Screw accelerated(const Recursion<Kind>& r, int i,
                                           const typename Kind::Screw& parent) {
  using Real = typename Kind::Real;
  const auto& body = r.body[i];
  const int first = r.m.v_at[i];
  Real* const a = r.w.a + first;
  if (body.angle < 0) {
    const int n = r.m.v_at[i + 1] - first;
    const Twist<Real> from_parent = Ad_inv(r.w.T[i], Kind::numbers(parent));
    Real moved[6];
    for (int k = 0; k < n; ++k) moved[k] = dot(r.w.U[first + k], from_parent);
    solve(r.w.D + 6 * first, n, moved);
    for (int k = 0; k < n; ++k) a[k] = a[k] - moved[k];                   // (45)
    const Twist<Real> A = from_parent + joint_twist(r.m, r.w, i, r.w.a);  // (41)
    return {Kind::vector(A.w), Kind::vector(A.v)};
  }
  const auto Rt = body.inverse_rotation(r.w.sin[body.angle], r.w.cos[body.angle]);
  const typename Kind::Screw at{Rt * parent.w, Rt * (parent.v + cross(parent.w, body.position()))};
  a[0] = (a[0] - dot(r.room.force[i], at)) * r.w.D[6 * first];  // (45)
  return {plus_z(at.w, a[0]), at.v};                            // (41)
}

/// Inwards: articulated inertias and forces.
template <class Kind>
constexpr void sweep_inertias(const Recursion<Kind>& r) {
  const Room<Kind>& room = r.room;
  Felt<Kind> felt{};
  for (int i = r.m.bodies - 1; i > 0; --i) {
    const int p = r.m.parent[i];
    add(felt.H, r.body[i]);
    felt.F = felt.F + room.force[i];
    if (r.m.branching[i]) {
      felt.H += room.branch[i].articulated;
      room.branch[i].articulated = {};
    }
    release(r, i, felt);
    if (p == i - 1 && p > 0) continue;
    if (p > 0) {
      room.force[p] = room.force[p] + felt.F;
      room.branch[p].articulated += felt.H;
    }
    felt = {};
  }
}
/// Outwards again: accelerations, from rest.
template <class Kind>
constexpr void sweep_accelerations(const Recursion<Kind>& r) {
  typename Kind::Screw at{};
  r.room.branch[0].acceleration = at;
  for (int i = 1; i < r.m.bodies; ++i) {
    if (r.m.parent[i] != i - 1) at = r.room.branch[r.m.parent[i]].acceleration;
    at = accelerated(r, i, at);
    if (r.m.branching[i]) r.room.branch[i].acceleration = at;
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As aba, but leaves only a and the factors D.
template <class Kind>
[[gnu::flatten]] constexpr void forward_dynamics(const Recursion<Kind>& r) noexcept {
  detail::sweep_forces<false>(r);
  detail::sweep_inertias(r);
  detail::sweep_accelerations(r);
}
/// T of revolute joints, which it leaves out, from the sines of their angles.
template <class P, class Real>
constexpr void turn_revolute_joints(const Model<P>& m, Workspace<Real>& w) {
  for (int i = 1; i < m.bodies; ++i)
    if (is_revolute(m, i)) detail::turn(m.part[m.part_at[i]], w, w.T[i]);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Forward and hybrid dynamics, fast: articulated bodies on classical accelerations, for any kind of
// vector.
//
// Against the references (aba.hpp, hybrid.hpp) the forces that velocity, gravity and outside
// wrenches take are found first, as inverse dynamics finds them with joints that do not accelerate,
// or only as prescribed; articulated bodies then start from rest. No bias acceleration is carried,
// and no inertia is multiplied by one. A chain's inertia and force stay in local variables. T, V,
// Vdot, IA and F are not left in the workspace, but for T of joints that are not revolute.
// [Kim] 2012, Tables 3 and 4: a coordinate with a prescribed acceleration is no freedom, and its
// force is read off the joint's wrench at the end.
#pragma once

#include <jounce/algorithm/hybrid.hpp>
#include <jounce/algorithm/joint_steps.hpp>

namespace jounce {
namespace detail::inline JOUNCE_ISA {

/// What is felt at a body: articulated inertia, and force that it cannot give way to.
template <class Kind>
struct Felt {
  typename Kind::BlockInertia H;
  typename Kind::Force F;
};

/// Which accelerations are prescribed: none, or those with a flag.
struct AllFree {
  constexpr bool operator()(int) const { return false; }
};
struct Prescribed {
  const bool* flag;
  constexpr bool operator()(int k) const { return flag[k]; }
};
template <class P, class Real>
constexpr void factor_free(const Model<P>& m, AllFree, Workspace<Real>& w, int i) {
  factor_joint(m, w, i);
}
template <class P, class Real>
constexpr void factor_free(const Model<P>& m, Prescribed fixed, Workspace<Real>& w, int i) {
  factor_free_part(m, fixed.flag, w, i);
}

/// What the parent of body i feels, whose own IA and F are in the workspace, behind a joint of any
/// kind. Kept are U, the factors of D and D^-1 (tau - S^T F) of the free coordinates.
template <class Kind, class P, class Real, class Fixed>
[[gnu::noinline]] constexpr Felt<Kind> release_any(const Model<P>& m, const State<Real>& x,
                                                   Fixed fixed, Workspace<Real>& w, int i) {
  const int first = m.v_at[i], last = m.v_at[i + 1];
  factor_free(m, fixed, w, i);
  Wrench<Real> F = w.F[i];
  for (int k = first; k < last; ++k) w.a[k] = fixed(k) ? Real(0) : x.tau[k] - dot(F, w.S[k]);
  solve(w.D + 6 * first, last - first, w.a + first);
  if (m.parent[i] == 0) return {};
  for (int k = first; k < last; ++k) F += w.U[k] * w.a[k];
  return {Kind::on_parent(w.T[i], behind_joint(m, w, i)),  // (49)
          Kind::on_parent(w.T[i], F)};                     // (50)
}
/// From what body i feels to what its parent does; of a revolute joint U, 1 / D and u = tau - S.F
/// are kept, of a prescribed one U and S.F.
template <class Kind, class Fixed>
constexpr void release(const Recursion<Kind>& r, Fixed fixed, int i, Felt<Kind>& felt) {
  using Real = typename Kind::Real;
  const auto& body = r.body[i];
  if (body.angle < 0) {
    r.w.IA[i] = Kind::numbers(felt.H);
    r.w.F[i] = Kind::numbers(felt.F);
    felt = release_any<Kind>(r.m, r.x, fixed, r.w, i);
    return;
  }
  const int k = r.m.v_at[i];
  const auto R = body.rotation(r.w.sin[body.angle], r.w.cos[body.angle]);
  const auto U = turning_column(felt.H);
  r.room.force[i] = U;
  if (fixed(k)) {
    r.w.D[6 * k] = Real(1);
    r.w.a[k] = z_of(felt.F.m);
    if (r.m.parent[i] == 0) return;
    felt.F = on_parent(R, body.position(), felt.F);  // (52)
    felt.H = carried(R, body.position(), felt.H);    // (52)
    return;
  }
  const Real inverse_D = Real(1) / (z_of(U.m) + r.m.armature[k]), u = r.x.tau[k] - z_of(felt.F.m);
  r.w.D[6 * k] = inverse_D;
  r.w.a[k] = u;
  if (r.m.parent[i] == 0) return;
  felt.F = on_parent(R, body.position(), felt.F + U * (u * inverse_D));     // (50)
  felt.H = carried(R, body.position(), minus_outer(felt.H, U, inverse_D));  // (49)
}

/// The same of what a joint of any kind does, given the acceleration of its parent: that of body i
/// beyond what is prescribed.
template <class P, class Real, class Fixed>
[[gnu::noinline]] constexpr Twist<Real> accelerated_any(const Model<P>& m, const State<Real>& x,
                                                        Fixed fixed, Workspace<Real>& w, int i,
                                                        const Twist<Real>& parent) {
  const int first = m.v_at[i], n = m.v_at[i + 1] - first;
  const Twist<Real> from_parent = Ad_inv(w.T[i], parent);
  Real* const a = w.a + first;
  Real moved[6];
  for (int k = 0; k < n; ++k) moved[k] = dot(w.U[first + k], from_parent);
  solve(w.D + 6 * first, n, moved);
  for (int k = 0; k < n; ++k) a[k] = a[k] - moved[k];             // (45)
  const Twist<Real> A = from_parent + joint_twist(m, w, i, w.a);  // (41)
  if constexpr (!std::is_same_v<Fixed, AllFree>) {
    const Wrench<Real> F = w.F[i] + w.IA[i] * A;  // (43)
    for (int k = first; k < first + n; ++k) {
      w.tau[k] = fixed(k) ? dot(F, w.S[k]) + m.armature[k] * x.a[k] : x.tau[k];
      if (fixed(k)) w.a[k] = x.a[k];
    }
  }
  return A;
}
/// The acceleration of body i, and w.a of its joint, given that of its parent.
template <class Kind, class Fixed>
constexpr typename Kind::Screw accelerated(const Recursion<Kind>& r, Fixed fixed, int i,
                                           const typename Kind::Screw& parent) {
  const auto& body = r.body[i];
  const int k = r.m.v_at[i];
  if (body.angle < 0) {
    const auto A = accelerated_any(r.m, r.x, fixed, r.w, i, Kind::numbers(parent));
    return {Kind::vector(A.w), Kind::vector(A.v)};
  }
  auto& a = r.w.a[k];
  const auto Rt = body.inverse_rotation(r.w.sin[body.angle], r.w.cos[body.angle]);
  typename Kind::Screw at{Rt * parent.w, Rt * (parent.v + cross(parent.w, body.position()))};
  const auto felt = dot(r.room.force[i], at);
  if (fixed(k)) {
    r.w.tau[k] = a + felt + r.m.armature[k] * r.x.a[k];  // (43)
    a = r.x.a[k];
    return at;
  }
  if constexpr (!std::is_same_v<Fixed, AllFree>) r.w.tau[k] = r.x.tau[k];
  a = (a - felt) * r.w.D[6 * k];   // (45)
  return {plus_z(at.w, a), at.v};  // (41)
}

/// Inwards: articulated inertias and forces.
template <class Kind, class Fixed>
constexpr void sweep_inertias(const Recursion<Kind>& r, Fixed fixed) {
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
    release(r, fixed, i, felt);
    if (p == i - 1 && p > 0) continue;
    if (p > 0) {
      room.force[p] = room.force[p] + felt.F;
      room.branch[p].articulated += felt.H;
    }
    felt = {};
  }
}
/// Outwards again: accelerations, from rest.
template <class Kind, class Fixed>
constexpr void sweep_accelerations(const Recursion<Kind>& r, Fixed fixed) {
  typename Kind::Screw at{};
  r.room.branch[0].acceleration = at;
  for (int i = 1; i < r.m.bodies; ++i) {
    if (r.m.parent[i] != i - 1) at = r.room.branch[r.m.parent[i]].acceleration;
    at = accelerated(r, fixed, i, at);
    if (r.m.branching[i]) r.room.branch[i].acceleration = at;
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As aba, but leaves only a and the factors D.
template <class Kind>
[[gnu::flatten]] constexpr void forward_dynamics(const Recursion<Kind>& r) noexcept {
  detail::sweep_forces<false>(r);
  detail::sweep_inertias(r, detail::AllFree{});
  detail::sweep_accelerations(r, detail::AllFree{});
}
/// As hybrid, but leaves only a, tau and the factors D. What is prescribed is known beforehand: the
/// forces it takes are among those found first.
template <class Kind>
[[gnu::flatten]] constexpr void hybrid_dynamics(const Recursion<Kind>& r,
                                                const bool* prescribed) noexcept {
  using Real = typename Kind::Real;
  for (int k = 0; k < r.m.nv; ++k) r.w.a[k] = prescribed[k] ? r.x.a[k] : Real(0);
  State<Real> known = r.x;
  known.a = r.w.a;
  detail::sweep_forces<true>(Recursion<Kind>{r.m, r.body, known, r.w, r.room, r.frame});
  detail::sweep_inertias(r, detail::Prescribed{prescribed});
  detail::sweep_accelerations(r, detail::Prescribed{prescribed});
}
/// T of revolute joints, which it leaves out, from the sines of their angles.
template <class P, class Real>
constexpr void turn_revolute_joints(const Model<P>& m, Workspace<Real>& w) {
  for (int i = 1; i < m.bodies; ++i)
    if (is_revolute(m, i)) detail::turn(m.part[m.part_at[i]], w, w.T[i]);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

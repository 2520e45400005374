// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of a frame's twist and acceleration, fast: from the frame's path alone, seen from the
// frame, for any kind of vector.
//
// The reference (kinematics_derivatives.hpp) sees everything from ground axes and adds ad_{S_k} X
// before the representation takes it away. Seen from the frame, with V, A its motion and V-, A-
// that of what carries a joint,
//   u_k = ad_{V-} S_k        D = V- - V,  E = A- - A
//   twist          along q: u_k (body), ad_D S_k (space)               along v: S_k
//   acceleration   along q: ad_{A-} S_k + ad_D u_k (body), with E for A- (space)
//                  along v: ad_{V- + V+ - V} S_k                       along a: S_k
// and nothing cancels. At the frame's origin in ground axes (hybrid) a change of the axes adds
// S_k.w x X. Custom joints, whose screws change with q otherwise, are left to the reference.
#pragma once

#include <jounce/algorithm/frame_path.hpp>
#include <jounce/algorithm/kinematics_derivatives.hpp>

namespace jounce {
namespace detail::inline JOUNCE_ISA {

/// A screw's twist and acceleration.
template <class Screw>
struct ScrewMotion {
  Screw V, A;
};

/// f(k, S, u, before, V_after) for the coordinates of joint i, which what moves as `at` carries,
/// with the motion before and after the part that they belong to; returns the motion behind the
/// joint.
template <class Kind, class F>
constexpr ScrewMotion<typename Kind::Screw> pass_joint(const Recursion<Kind>& r, int i,
                                                       ScrewMotion<typename Kind::Screw> at, F f) {
  using Screw = typename Kind::Screw;
  for (int part = r.m.part_at[i]; part < r.m.part_at[i + 1]; ++part) {
    const PartRange range = part_range(r.m, i, r.m.part[part]);
    ScrewMotion<Screw> next = at;
    for (int k = range.first; k < range.last; ++k) next.V = next.V + r.room.screw[k] * r.x.v[k];
    for (int k = range.first; k < range.last; ++k) {
      const Screw S = r.room.screw[k], u = ad(at.V, S);
      next.A = next.A + u * r.x.v[k] + S * r.x.a[k];
      f(k, S, u, at, next.V);
    }
    at = next;
  }
  return at;
}
/// The same for a path from the ground on; returns the motion of the frame.
template <class Kind, class F>
constexpr ScrewMotion<typename Kind::Screw> follow_path(const Recursion<Kind>& r, int bodies,
                                                        ScrewMotion<typename Kind::Screw> at, F f) {
  for (int n = bodies - 1; n >= 0; --n) at = pass_joint(r, r.room.path[n], at, f);
  return at;
}

/// Columns of one coordinate.
template <class Screw>
struct FrameColumns {
  Screw dq, dv;
};

/// a x b, both parts of b.
template <class Vector, class Screw>
constexpr Screw turned_along(const Vector& a, const Screw& b) {
  return {cross(a, b.w), cross(a, b.v)};
}

template <FrameQuantity quantity, Representation in, class Screw>
constexpr FrameColumns<Screw> frame_columns(const ScrewMotion<Screw>& frame, const Screw& S,
                                            const Screw& u, const ScrewMotion<Screw>& before,
                                            const Screw& V_after) {
  constexpr bool space = in == Representation::space, hybrid = in == Representation::hybrid;
  const Screw& V = frame.V;
  const Screw D = before.V - V;
  if constexpr (quantity == FrameQuantity::twist) {
    if constexpr (space) return {ad(D, S), S};
    else if constexpr (hybrid) return {{cross(D.w, S.w), cross_sum(before.V.w, S.v, D.v, S.w)}, S};
    else return {u, S};
  } else {
    FrameColumns<Screw> c{ad(space ? before.A - frame.A : before.A, S) + ad(D, u),
                          ad(V_after + D, S)};
    if constexpr (quantity == FrameQuantity::spatial_acceleration) return c;
    c.dq.v = c.dq.v + cross_sum(u.w, V.v, V.w, u.v);
    c.dv.v = c.dv.v + cross_sum(S.w, V.v, V.w, S.v);
    if constexpr (hybrid)
      c.dq = c.dq + turned_along(S.w, Screw{frame.A.w, frame.A.v + cross(V.w, V.v)});
    return c;
  }
}

template <FrameQuantity quantity, Representation in, class Kind>
constexpr void write_frame_derivatives(const Recursion<Kind>& r, int bodies,
                                       const typename Kind::Pose& ground,
                                       const FramePartials<typename Kind::Real>& out) {
  using Screw = typename Kind::Screw;
  const SeenAs<in, Kind> seen(ground);
  const ScrewMotion<Screw> start{Ad(ground, r.w.V[0]), Ad(ground, r.w.Vdot[0])};
  const ScrewMotion<Screw> frame = follow_path(r, bodies, start, [](const auto&...) {});
  follow_path(r, bodies, start,
              [&](int k, const Screw& S, const Screw& u, const ScrewMotion<Screw>& before,
                  const Screw& V_after) {
                const auto c = frame_columns<quantity, in>(frame, S, u, before, V_after);
                Kind::write(seen(c.dq), out.dq + 6 * k);
                Kind::write(seen(c.dv), out.dv + 6 * k);
                if constexpr (quantity != FrameQuantity::twist)
                  Kind::write(seen(S), out.da + 6 * k);
              });
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As frame_derivatives for a frame on the body `on`, from the state itself, for trees without
/// custom joints: of a twist in any representation, of a spatial acceleration as seen in body or
/// space, of a classical one in body or hybrid.
template <class Kind>
[[gnu::flatten]] constexpr void path_derivatives(const Recursion<Kind>& r, int on,
                                                 const SE3<typename Kind::P>& offset,
                                                 FrameQuantity quantity, Representation in,
                                                 const FramePartials<typename Kind::Real>& out) {
  using enum FrameQuantity;
  using enum Representation;
  const int bodies = detail::move_path(r, on);
  const auto ground = detail::sweep_path(r, bodies, offset, true);
  for (auto* matrix : {out.dq, out.dv, out.da})
    for (int k = 0; matrix != nullptr && k < 6 * r.m.nv; ++k) matrix[k] = 0;
  if (quantity == twist && in == space)
    detail::write_frame_derivatives<twist, space>(r, bodies, ground, out);
  else if (quantity == twist && in == hybrid)
    detail::write_frame_derivatives<twist, hybrid>(r, bodies, ground, out);
  else if (quantity == twist) detail::write_frame_derivatives<twist, body>(r, bodies, ground, out);
  else if (quantity == spatial_acceleration && in == space)
    detail::write_frame_derivatives<spatial_acceleration, space>(r, bodies, ground, out);
  else if (quantity == spatial_acceleration)
    detail::write_frame_derivatives<spatial_acceleration, body>(r, bodies, ground, out);
  else if (in == hybrid)
    detail::write_frame_derivatives<classical_acceleration, hybrid>(r, bodies, ground, out);
  else detail::write_frame_derivatives<classical_acceleration, body>(r, bodies, ground, out);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

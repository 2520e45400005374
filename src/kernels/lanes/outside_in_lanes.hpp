// SPDX-License-Identifier: BSD-3-Clause
// Wrenches from outside in the axes of a tree's first body, for recursions that see everything from
// there, and what those that stand in ground axes do along every coordinate.
//
// A wrench (m, f) that stands where its body's point p is (hybrid) or at the ground's origin
// (space) gives the joints that carry the body the forces -tr M, with S = (w, v) the screw of the
// joint, dp = v + w x p and n the moment of the latter about the origin:
//   M = dp f^T + w m^T  (hybrid)            M = v f^T + w n^T  (space)
// Along a coordinate a the screws of what it carries turn, p moves, and no wrench changes:
//   d tau_i/dq_a = -w_a . axis(M_i) - v_a . (w_i x f)     a before i or in its part, v_a only with
//                                                         the forces f of space
//   d tau_i/dq_a = -w_i . (dp_a x f)                      i before a, with those of hybrid
// axis(x y^T) = x x y. The second derivatives, d p/dq_a dq_c = w_a x dp_c where a is before c, are
// in second_in_lanes.hpp.
#pragma once

#include "kernels/lanes/derivative_lanes.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

/// M + a b^T.
[[gnu::always_inline]] inline Columns3 plus_outer(const Columns3& M, const Column& a,
                                                  const Column& b) {
  return {M.x + a * spread<0>(b), M.y + a * spread<1>(b), M.z + a * spread<2>(b)};
}
/// A wrench in a body's frame, in that where it has the pose U.
[[gnu::always_inline]] inline Force moved(const Pose& U, const Force& F) {
  const Columns3 R{U.x, U.y, U.z};
  const Column f = R * F.f;
  return {R * F.m + cross(U.p, f), f};
}

/// One that stands in ground axes, seen in those of the first body, from the origin that serves its
/// own body: p is where it acts if it moves along; if not, m is about that origin.
struct Standing {
  Column m, f, p;
  bool moves;
};

/// From the origins of the anchors or, with no cuts, from that of the first body.
inline Standing standing(const Model<double>& m, const Workspace<double>& w, const Pose* pose,
                         const Cut* cut, const FrameSeat<double>& seat,
                         const OutsideWrench<double>& one) {
  int first = seat.body;
  Column way{};  // from the first body's origin to that which serves
  for (; m.parent[first] > 0; first = m.parent[first])
    if (cut != nullptr && m.is_cut(first)) way += cut[first].d;
  if (cut != nullptr) way += cut[first].d;
  const SE3<double>& T = w.T[first];
  const Columns3 Rt = rows(T.R.m);
  const Column f = Rt * column(one.wrench.f);
  if (one.in == Representation::hybrid) {
    const Pose& U = pose[seat.body];
    return {Rt * column(one.wrench.m), f, U.p + Columns3{U.x, U.y, U.z} * column(seat.offset.p),
            true};
  }
  return {Rt * column(one.wrench.m - cross(T.p, one.wrench.f)) - cross(way, f), f, Column{}, false};
}

/// The wrench of any of them on its body, about the origin that serves it.
inline Force outside_force(const Model<double>& m, const Workspace<double>& w, const Pose* pose,
                           const Cut* cut, const FrameSeat<double>& seat,
                           const OutsideWrench<double>& one) {
  if (one.in == Representation::body)
    return moved(pose[seat.body], load(dual_Ad_inv(seat.offset, one.wrench)));
  const Standing x = standing(m, w, pose, cut, seat, one);
  return {x.m + cross(x.p, x.f), x.f};
}

/// Adds what one that stands does along the coordinates that carry its body; twice: for second
/// derivatives too.
template <bool twice>
void add_standing(const Model<double>& m, const Cut* cut, const Screw* screw, int body, Standing x,
                  StandingLanes* to) {
  for (int i = body; i > 0; i = m.parent[i]) {
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      const auto& [w, v] = screw[k];
      StandingLanes& at = to[k];
      if (x.moves) {
        const Column dp = v + cross(w, x.p), turn = cross(dp, x.f);
        at.force += x.f * dp + x.m * w;
        at.turn += turn;
        at.row.m += turn + cross(w, x.m);
        if (!twice) continue;
        at.H = plus_outer(at.H, dp, x.f);
        at.M = plus_outer(plus_outer(at.M, dp, x.f), w, x.m);
      } else {
        at.force += x.f * v + x.m * w;
        at.row = at.row + Force{cross(v, x.f) + cross(w, x.m), cross(w, x.f)};
        if (!twice) continue;
        at.M = plus_outer(plus_outer(at.M, v, x.f), w, x.m);
        at.Q = plus_outer(at.Q, w, x.f);
      }
    }
    if (cut == nullptr || !m.is_cut(i)) continue;
    x.p += cut[i].d;
    if (!x.moves) x.m += cross(cut[i].d, x.f);
  }
}

/// Takes wrenches that turn with their bodies off the bodies' forces; the others are found along
/// coordinates. Whether there are any of those.
template <bool twice>
[[gnu::noinline]] bool take_outside(const Model<double>& m, const State<double>& x,
                                    const Workspace<double>& w, const Pose* pose, const Cut* cut,
                                    const DerivativeLanes& room) {
  const bool stands = any_in_ground_axes(outside(x));
  for (int k = 0; stands && k < m.nv; ++k) {
    StandingLanes& at = room.standing[k];
    at.force = at.turn = at.row.m = at.row.f = Column{};
    if (twice) at.H = at.M = at.Q = Columns3{};
  }
  for (const OutsideWrench<double>& one : outside(x)) {
    const FrameSeat<double>& seat = room.frame[int(one.frame)];
    if (one.in == Representation::body)
      room.F[seat.body] = room.F[seat.body] - outside_force(m, w, pose, cut, seat, one);
    else
      add_standing<twice>(m, cut, room.screw, seat.body, standing(m, w, pose, cut, seat, one),
                          room.standing);
  }
  return stands;
}

}  // namespace lanes::inline JOUNCE_ISA
}  // namespace jounce

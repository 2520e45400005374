// SPDX-License-Identifier: BSD-3-Clause
// Products of d tau/d(q, v, a) with a vector from either side in lanes, in O(n).
//
// The equations of the reference (derivative_products.hpp) with the motions, forces and sums of
// derivatives_in_lanes.hpp: B^T S has a moment only, and so meets the angular part of u alone. Each
// product is a sum outwards and one inwards, in local variables along a chain.
#pragma once

#include "kernels/lanes/columns_in_lanes.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

/// f(part's first and last coordinate) for the parts of joint i, outwards or inwards.
template <class F>
[[gnu::always_inline]] inline void for_each_part(const Model<double>& m, int i, F f) {
  for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r)
    f(m.part[r].v, m.part[r].v + elementary_nv(m.part[r].kind));
}
template <class F>
[[gnu::always_inline]] inline void for_each_part_inwards(const Model<double>& m, int i, F f) {
  for (int r = m.part_at[i + 1] - 1; r >= m.part_at[i]; --r)
    f(m.part[r].v, m.part[r].v + elementary_nv(m.part[r].kind));
}

[[gnu::always_inline]] inline PathSums operator+(const PathSums& a, const PathSums& b) {
  return {a.W + b.W, a.turn + b.turn, a.u + b.u};
}
[[gnu::always_inline]] inline CarriedSums operator+(const CarriedSums& a, const CarriedSums& b) {
  return {a.Q + b.Q, a.E + b.E, a.R + b.R};
}

/// f(i, sums of what carries body i), outwards; f adds those of its own joint.
template <class F>
[[gnu::always_inline]] inline void sweep_out(const Model<double>& m, const DerivativeLanes& room,
                                             F f) {
  PathSums at{};
  for (int i = 1; i < m.bodies; ++i) {
    const int p = m.parent[i];
    if (p == 0) at = {};
    else if (p != i - 1) at = room.path[p];
    f(i, at);
    if (m.branching[i]) room.path[i] = at;
  }
}
/// f(i, sums over what body i carries), inwards; f adds those of its own joint.
template <class F>
[[gnu::always_inline]] inline void sweep_in(const Model<double>& m, const DerivativeLanes& room,
                                            F f) {
  CarriedSums at{};
  for (int i = m.bodies - 1; i > 0; --i) {
    if (m.branching[i]) {
      at = at + room.carried[i];
      room.carried[i] = {};
    }
    f(i, at);
    const int p = m.parent[i];
    if (p == i - 1 && p > 0) continue;
    if (p > 0) room.carried[p] = room.carried[p] + at;
    at = {};
  }
}

/// What a product needs of all coordinates; whether wrenches stand in ground axes.
inline bool load_products(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                          const LaneBody* body, Pose* pose, const DerivativeLanes& room) {
  return load_from_centre<false>(m, x, w, body, pose, room,
                                 [](int, const CompositeInertia&, const MomentumBlock&) {});
}

}  // namespace lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As rnea_vector_jacobian, from the state itself. Needs joints with parts.
inline void vector_jacobian_in_lanes(const Model<double>& m, const State<double>& x,
                                     Workspace<double>& w, const LaneBody* body, lanes::Pose* pose,
                                     const DerivativeLanes& room, const double* y,
                                     const InversePartials<double>& out) {
  using namespace lanes;
  const bool stands = load_products(m, x, w, body, pose, room);
  sweep_out(m, room, [&](int i, PathSums& at) {
    for_each_part(m, i, [&](int first, int last) {
      const Screw L = at.W;
      for (int k = first; k < last; ++k) {
        CoordinateLanes& c = room.coordinate[k];
        c.u_linear = c.dq_above.m * L.w + c.dq_above.f * L.v;  // the sum waits for its other half
        out.dv[k] = dot(c.dv, L);
        out.da[k] = dot(c.GS, L) + m.armature[k] * y[k];
        at.W = at.W + c.S * y[k];
      }
    });
  });
  sweep_in(m, room, [&](int i, CarriedSums& at) {
    for_each_part_inwards(m, i, [&](int first, int last) {
      for (int k = first; k < last; ++k) {
        const CoordinateLanes& c = room.coordinate[k];
        at.Q = at.Q + c.GS * y[k];
        at.R += c.BtS * y[k];
        if (stands) at.E = at.E + room.standing[k].row * y[k];
      }
      for (int k = first; k < last; ++k) {
        const CoordinateLanes& c = room.coordinate[k];
        out.dq[k] = sum(c.u_linear + at.Q.m * c.w.w + at.Q.f * c.w.v + at.R * c.u);
        out.dv[k] += sum(at.Q.m * c.y.w + at.Q.f * c.y.v + at.R * c.S.w);
        out.da[k] += dot(at.Q, c.S);
        if (stands) out.dq[k] -= dot(at.E, c.S);
      }
    });
  });
}

/// As rnea_jacobian_vector, likewise.
inline void jacobian_vector_in_lanes(const Model<double>& m, const State<double>& x,
                                     Workspace<double>& w, const LaneBody* body, lanes::Pose* pose,
                                     const DerivativeLanes& room,
                                     const InversePartials<const double>& along, double* tau) {
  using namespace lanes;
  const bool stands = load_products(m, x, w, body, pose, room);
  sweep_out(m, room, [&](int i, PathSums& at) {
    for_each_part(m, i, [&](int first, int last) {
      for (int k = first; k < last; ++k) {
        const CoordinateLanes& c = room.coordinate[k];
        const double dq = along.dq[k], dv = along.dv[k], da = along.da[k];
        at.W = at.W + (c.w * dq + c.y * dv + c.S * da);
        at.u += c.u * dq + c.S.w * dv;
        if (stands) at.turn = at.turn + c.S * dq;
      }
      for (int k = first; k < last; ++k) {
        const CoordinateLanes& c = room.coordinate[k];
        tau[k] =
            sum(c.GS.m * at.W.w + c.GS.f * at.W.v + c.BtS * at.u) + m.armature[k] * along.da[k];
        if (stands) tau[k] -= dot(room.standing[k].row, at.turn);
      }
    });
  });
  sweep_in(m, room, [&](int i, CarriedSums& at) {
    for_each_part_inwards(m, i, [&](int first, int last) {
      const Force H = at.Q;
      for (int k = first; k < last; ++k) {
        const CoordinateLanes& c = room.coordinate[k];
        tau[k] += dot(H, c.S);
        at.Q = at.Q + (c.dq_above * along.dq[k] + c.dv * along.dv[k] + c.GS * along.da[k]);
      }
    });
  });
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

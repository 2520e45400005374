// SPDX-License-Identifier: BSD-3-Clause
// inverse_series for one state with the six components of a twist in eight lanes.
//
// The same equations as inverse_series.hpp, which this is tested against; what changes is the
// arrangement (series_lanes.hpp). Measured on five branches of twenty bodies: `jounce bench --only
// series`.
#pragma once

#include "kernels/lanes/series_lanes.hpp"

namespace jounce {
namespace twist_lanes::inline JOUNCE_ISA {

/// T and S at the instant itself of the joints that take the generic way, sines and cosines of all.
inline void start(const Model<double>& m, const double* q, SeriesWorkspace<double>& w,
                  SeriesLanes& t) {
  Workspace<double>& now = *w.now;
  const State<double> x{q, w.v[0]};
  move_angles(m, x, now);
  start_tables(m, q, w, t);
  for (int i = 1; i < m.bodies; ++i) {
    if (t.slot[i] >= 0) continue;
    move_joint(m, x, i, now);
    w.T[i][0] = now.T[i];
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) w.S[k][0] = now.S[k];
  }
}

/// Twists behind a joint of any kind, by the generic recursion.
inline void generic_twists(const Model<double>& m, const double* q, int i, int last,
                           SeriesWorkspace<double>& w, SeriesLanes& t) {
  const int p = m.parent[i];
  if (p > 0)
    for (int k = 0; k <= last; ++k) w.V[p][k] = twist(t.V[p][k]);
  for (int k = 0; k <= last; ++k) {
    if (k > 0) extend_joint(m, q, i, k, w);
    Twist<double> V = detail::lagged_twist(i, p, k, w);
    V += detail::finish_twist(i, p, k, w);
    V += lagged_joint_twist(m, w, i, k) + detail::joint_twist_now(m, w, i, k);
    put(V, t.V[i][k]);
  }
}

inline void generic_forces(const Model<double>& m, int i, int order, SeriesWorkspace<double>& w,
                           SeriesLanes& t) {
  const int p = m.parent[i];
  for (int k = 0; k <= order; ++k) w.F[i][k] = wrench(t.F[i][k]);
  for (int k = 0; k <= order; ++k) {
    for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j)
      w.tau[k][j] = dot(w.F[i][k], w.S[j][0]) + lagged_force(m, w, i, j, k) +
                    w.v[k + 1][j] * (m.armature[j] * (k + 1));
    if (p == 0) continue;
    Wrench<double> F = detail::lagged_wrench(i, k, w);
    F += detail::finish_wrench(i, k, w);
    put(wrench(t.F[p][k]) + F, t.F[p][k]);
  }
}

/// What the compiler knows of an order: the order itself, and then it unrolls; or at least a room
/// on the stack that all coefficients fit into, 0 where there is none.
struct KnownOrder {
  int order, room;
};
constexpr KnownOrder exactly(int order) { return {order, order + 2}; }
constexpr KnownOrder up_to(int order) { return {-1, order + 2}; }
inline constexpr KnownOrder any_order{-1, 0};

/// Twists of body i behind a revolute (turns) or prismatic joint.
template <KnownOrder known, bool turns>
[[gnu::always_inline]] inline void twists(const Model<double>& m, int i, int last,
                                          const SeriesWorkspace<double>& w, SeriesLanes& t) {
  const LaneRow *V_parent = t.V[m.parent[i]], *to_body = placement(t, i);
  LaneRow* V = t.V[i];
  const Lanes axis = load(turns ? about_z : along_z);
  CopiedTable<known.room> motion;
  const JointTable table = motion.copy(t, t.slot[i], last);
  Local<LaneRow, known.room> U(t.U[i]);
#pragma GCC unroll 16
  for (int k = 0; k <= last; ++k) store(Ad_inv_times(to_body, V_parent[k]), U[k]);
  for_each_order<(known.order >= 0), 4>(
      last, [&]<int count>(int k) __attribute__((always_inline)) {
        each_through_joint<count, false>(turns, table, U.x, 0, k, [&](int n, const Lanes& X) {
          store(X + axis * w.v[k + n][m.v_at[i]], V[k + n]);
        });
      });
}

/// The wrench that the motion of body i asks for.
template <KnownOrder known>
[[gnu::always_inline]] inline void inertial_wrenches(double mass, int i, int order,
                                                     SeriesLanes& t) {
  const LaneRow *G = inertia(t, i), *V = t.V[i];
  LaneRow* F = t.F[i];
  Gyroscope<known.room> body(t.turned, order + 2);
  Lanes P = inertia_times(G, mass, V[0]);
  for_each_order<(known.order >= 0), 2>(
      order, [&]<int count>(int k) __attribute__((always_inline)) {
        Lanes rate[count];
        for (int n = 0; n < count; ++n) {
          body.add(k + n, V[k + n], P);
          P = inertia_times(G, mass, V[k + n + 1]);
          rate[n] = P * double(k + n + 1);
        }
        body.template wrenches<count>(k,
                                      [&](int n, const Lanes& X) { store(X + rate[n], F[k + n]); });
      });
}

/// Forces at a revolute (turns) or prismatic joint, and its wrench handed on to the parent.
template <KnownOrder known, bool turns>
[[gnu::always_inline]] inline void forces(const Model<double>& m, int i, int order,
                                          SeriesWorkspace<double>& w, SeriesLanes& t) {
  const int p = m.parent[i], j = m.v_at[i];
  CopiedTable<known.room> motion;
  const JointTable table = motion.copy(t, t.slot[i], order);
#pragma GCC unroll 16
  for (int k = 0; k <= order; ++k)
    w.tau[k][j] = t.F[i][k].x[turns ? 2 : 6] + w.v[k + 1][j] * (m.armature[j] * (k + 1));
  if (p == 0) return;
  const LaneRow *F = t.F[i], *to_parent = placement_dual(t, i);
  LaneRow* F_parent = t.F[p];
  for_each_order<(known.order >= 0), 4>(
      order, [&]<int count>(int k) __attribute__((always_inline)) {
        each_through_joint<count, true>(turns, table, F, 0, k, [&](int n, const Lanes& x) {
          LaneRow turned_back;
          store(x, turned_back);
          store(load(F_parent[k + n]) + dual_Ad_inv_times(to_parent, turned_back), F_parent[k + n]);
        });
      });
}

/// Outwards and inwards.
template <KnownOrder known>
void all_twists(const Model<double>& m, const double* q, int given, SeriesWorkspace<double>& w,
                SeriesLanes& t) {
  const int order = known.order < 0 ? given : known.order;
  set_order(order, t);
  start(m, q, w, t);
  extend_tables(m, 1, order + 1, w, t);
  for (int k = 0; k <= order + 1; ++k) put(w.V[0][k], t.V[0][k]);
  for (int n = 1; n < m.bodies; ++n) {
    const int i = t.by_depth[n];
    if (t.slot[i] < 0) generic_twists(m, q, i, order + 1, w, t);
    else if (is_revolute(m, i)) twists<known, true>(m, i, order + 1, w, t);
    else twists<known, false>(m, i, order + 1, w, t);
    inertial_wrenches<known>(m.G[i].mass, i, order, t);
  }
}
template <KnownOrder known>
void all_forces(const Model<double>& m, int given, SeriesWorkspace<double>& w, SeriesLanes& t) {
  const int order = known.order < 0 ? given : known.order;
  for (int n = m.bodies - 1; n > 0; --n) {
    const int i = t.by_depth[n];
    if (t.slot[i] < 0) generic_forces(m, i, order, w, t);
    else if (is_revolute(m, i)) forces<known, true>(m, i, order, w, t);
    else forces<known, false>(m, i, order, w, t);
  }
}

/// call<what is known of the order>(): the order itself up to 8, room for it up to 16.
template <class Call>
[[gnu::always_inline]] inline void with_order(int order, Call call) {
  switch (order) {
    case 0:
      return call.template operator()<exactly(0)>();
    case 1:
      return call.template operator()<exactly(1)>();
    case 2:
      return call.template operator()<exactly(2)>();
    case 3:
      return call.template operator()<exactly(3)>();
    case 4:
      return call.template operator()<exactly(4)>();
    case 5:
      return call.template operator()<exactly(5)>();
    case 6:
      return call.template operator()<exactly(6)>();
    case 7:
      return call.template operator()<exactly(7)>();
    case 8:
      return call.template operator()<exactly(8)>();
    default:
      if (order <= highest_order) return call.template operator()<up_to(highest_order)>();
      return call.template operator()<any_order>();
  }
}

}  // namespace twist_lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Twists and the wrenches that they ask for, from v[0..order + 1], after start_ground.
inline void inverse_twists_in_lanes(const Model<double>& m, const double* q, int order,
                                    SeriesWorkspace<double>& w, SeriesLanes& t) {
  twist_lanes::with_order(order, [&]<twist_lanes::KnownOrder known>() {
    twist_lanes::all_twists<known>(m, q, order, w, t);
  });
}
/// tau[0..order] after that.
inline void inverse_forces_in_lanes(const Model<double>& m, int order, SeriesWorkspace<double>& w,
                                    SeriesLanes& t) {
  twist_lanes::with_order(order, [&]<twist_lanes::KnownOrder known>() {
    twist_lanes::all_forces<known>(m, order, w, t);
  });
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

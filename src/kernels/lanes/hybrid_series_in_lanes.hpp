// SPDX-License-Identifier: BSD-3-Clause
// hybrid_series for one state with the six components of a twist in eight lanes.
//
// The same equations as hybrid_series.hpp, which this is tested against, in the arrangement of
// series_lanes.hpp.
#pragma once

#include "kernels/lanes/articulated_lanes.hpp"
#include "kernels/lanes/inverse_series_in_lanes.hpp"

namespace jounce {
namespace twist_lanes::inline JOUNCE_ISA {

/// What is known of the acceleration and wrench of body i before a[k] is; joint of any kind.
inline void generic_known_part(const Model<double>& m, const double* q, const bool* prescribed,
                               int i, int k, SeriesWorkspace<double>& w, SeriesLanes& t) {
  const int p = m.parent[i];
  if (p > 0) w.V[p][k] = twist(t.V[p][k]);
  extend_joint(m, q, i, k + 1, w);
  Twist<double> eta = detail::lagged_twist(i, p, k + 1, w);
  eta += lagged_joint_twist(m, w, i, k + 1);
  for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j)
    if (prescribed[j]) eta += w.S[j][0] * w.v[k + 1][j];
  put(eta * double(k + 1), t.eta[i]);
}

inline void known_part(const Model<double>& m, const double* q, const bool* prescribed, int k,
                       bool external, SeriesWorkspace<double>& w, SeriesLanes& t) {
  for (int i = 1; i < m.bodies; ++i) {
    const bool turns = is_revolute(m, i);
    const int j = m.v_at[i];
    if (t.slot[i] < 0) {
      generic_known_part(m, q, prescribed, i, k, w, t);
    } else {
      Lanes eta = through_joint(turns, table(t, t.slot[i]), t.U[i], 1, k + 1);
      if (prescribed[j]) eta += load(turns ? about_z : along_z) * w.v[k + 1][j];
      store(eta * double(k + 1), t.eta[i]);
    }
    store(inertia_times(inertia(t, i), m.G[i].mass, t.V[i][k]), t.P[i][k]);
    store(gyroscopic(t.V[i], t.P[i], k), t.F[i][k]);
    if (external) put(wrench(t.F[i][k]) - w.F_ext[i][k], t.F[i][k]);
  }
}

/// From the leaves, a joint of any kind: e in the place of a, and the parent's bias.
inline void generic_gather(const Model<double>& m, const bool* prescribed, int i, int k,
                           SeriesWorkspace<double>& w, SeriesLanes& t) {
  Workspace<double>& now = *w.now;
  const int first = m.v_at[i], last = m.v_at[i + 1], p = m.parent[i];
  LaneRow row;
  store(load(t.F[i][k]) + times(t.IA + 6 * i, t.eta[i]), row);
  Wrench<double> beta = wrench(row);
  for (int j = first; j < last; ++j)
    now.a[j] = prescribed[j] ? 0 : w.tau[k][j] - lagged_force(m, w, i, j, k) - dot(beta, w.S[j][0]);
  solve(now.D + 6 * first, last - first, now.a + first);
  for (int j = first; j < last; ++j) beta += now.U[j] * now.a[j];
  if (p > 0)
    put(wrench(t.F[p][k]) + detail::lagged_wrench(i, k, w) + dual_Ad_inv(w.T[i][0], beta),
        t.F[p][k]);
}

inline void gather(const Model<double>& m, const bool* prescribed, int k,
                   SeriesWorkspace<double>& w, SeriesLanes& t) {
  Workspace<double>& now = *w.now;
  for (int n = m.bodies - 1; n > 0; --n) {
    const int i = t.by_depth[n], p = m.parent[i], j = m.v_at[i];
    if (t.slot[i] < 0) {
      generic_gather(m, prescribed, i, k, w, t);
      continue;
    }
    const bool turns = is_revolute(m, i);
    LaneRow beta, F;
    Lanes b = load(t.F[i][k]) + times(t.IA + 6 * i, t.eta[i]);
    store(b, beta);
    now.a[j] = 0;
    if (!prescribed[j]) {
      now.a[j] = (w.tau[k][j] - beta.x[turns ? 2 : 6]) * now.D[6 * j];
      b += load(t.IA[6 * i + (turns ? 2 : 5)]) * now.a[j];
      store(b, beta);
    }
    if (p == 0) continue;
    const Lanes lagged = back_through_joint(turns, table(t, t.slot[i]), t.F[i], 1, k);
    store(back_through_joint(turns, table(t, t.slot[i]), &beta, 0, 0) + lagged, F);
    store(load(t.F[p][k]) + dual_Ad_inv_times(placement_dual(t, i), F), t.F[p][k]);
  }
}

/// From the ground, a joint of any kind: accelerations, the wrench, and prescribed forces.
inline void generic_spread(const Model<double>& m, const bool* prescribed, int i, int k,
                           SeriesWorkspace<double>& w, SeriesLanes& t) {
  Workspace<double>& now = *w.now;
  const int first = m.v_at[i], n = m.v_at[i + 1] - first, p = m.parent[i];
  if (p > 0) w.V[p][k + 1] = twist(t.V[p][k + 1]);
  const Twist<double> from_parent = detail::finish_twist(i, p, k + 1, w) * double(k + 1);
  Twist<double> A = from_parent + twist(t.eta[i]);
  double moved[6];
  for (int j = 0; j < n; ++j) moved[j] = dot(now.U[first + j], from_parent);
  solve(now.D + 6 * first, n, moved);
  for (int j = first; j < first + n; ++j) {
    if (prescribed[j]) continue;
    const double a = now.a[j] - moved[j - first];
    A += w.S[j][0] * a;
    w.v[k + 1][j] = a / (k + 1);
  }
  put(A * (1.0 / (k + 1)), t.V[i][k + 1]);
  w.F[i][k] = wrench(t.F[i][k]) + now.IA[i] * A;
  put(w.F[i][k], t.F[i][k]);
  if (p > 0) detail::finish_wrench(i, k, w);
  for (int j = first; j < first + n; ++j)
    if (prescribed[j])
      w.tau[k][j] = dot(w.F[i][k], w.S[j][0]) + lagged_force(m, w, i, j, k) +
                    w.v[k + 1][j] * (m.armature[j] * (k + 1));
}

inline void spread(const Model<double>& m, const bool* prescribed, int k,
                   SeriesWorkspace<double>& w, SeriesLanes& t) {
  const Workspace<double>& now = *w.now;
  const double up = k + 1, down = 1.0 / (k + 1);
  for (int n = 1; n < m.bodies; ++n) {
    const int i = t.by_depth[n], j = m.v_at[i];
    if (t.slot[i] < 0) {
      generic_spread(m, prescribed, i, k, w, t);
      continue;
    }
    const bool turns = is_revolute(m, i);
    const LaneRow* IA = t.IA + 6 * i;
    LaneRow* U = t.U[i] + k + 1;
    store(Ad_inv_times(placement(t, i), t.V[m.parent[i]][k + 1]), *U);
    const Lanes from_parent = through_joint(turns, table(t, t.slot[i]), U, 0, 0) * up;
    Lanes A = from_parent + load(t.eta[i]);
    if (!prescribed[j]) {
      const double a = now.a[j] - dot(load(IA[turns ? 2 : 5]), from_parent) * now.D[6 * j];
      A += load(turns ? about_z : along_z) * a;
      w.v[k + 1][j] = a * down;
    }
    store(A * down, t.V[i][k + 1]);
    store(load(t.F[i][k]) + times(IA, t.V[i][k + 1]) * up, t.F[i][k]);
    if (prescribed[j])
      w.tau[k][j] = t.F[i][k].x[turns ? 2 : 6] + w.v[k + 1][j] * (m.armature[j] * up);
  }
}

}  // namespace twist_lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Poses, twists at the instant itself and articulated inertias, after start_ground.
inline void start_hybrid_series_in_lanes(const Model<double>& m, const double* q,
                                         const bool* prescribed, int order,
                                         SeriesWorkspace<double>& w, SeriesLanes& t) {
  using namespace twist_lanes;
  set_order(order, t);
  start(m, q, w, t);
  for (int k = 0; k <= order + 1; ++k) put(w.V[0][k], t.V[0][k]);
  for (int i = 1; i < m.bodies; ++i) {
    if (t.slot[i] < 0) {
      generic_twists(m, q, i, 0, w, t);
      continue;
    }
    const bool turns = is_revolute(m, i);
    store(Ad_inv_times(placement(t, i), t.V[m.parent[i]][0]), t.U[i][0]);
    store(through_joint(turns, table(t, t.slot[i]), t.U[i], 0, 0) +
              load(turns ? about_z : along_z) * w.v[0][m.v_at[i]],
          t.V[i][0]);
  }
  factor_inertias(m, prescribed, w, t);
}

/// As hybrid_series_step. F_ext is read where external is true.
inline void hybrid_series_step_in_lanes(const Model<double>& m, const double* q,
                                        const bool* prescribed, int k, bool external,
                                        SeriesWorkspace<double>& w, SeriesLanes& t) {
  twist_lanes::extend_tables(m, k + 1, k + 1, w, t);
  twist_lanes::known_part(m, q, prescribed, k, external, w, t);
  twist_lanes::gather(m, prescribed, k, w, t);
  twist_lanes::spread(m, prescribed, k, w, t);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

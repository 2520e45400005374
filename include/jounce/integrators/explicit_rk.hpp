// SPDX-License-Identifier: BSD-3-Clause
// Explicit Runge-Kutta methods on the configuration manifold, any table, any kind of number.
//
// An Equations offers nq(), nv(), factors() and acceleration(t, q, v, a). Coordinates whose motion
// is given may be put there by acceleration: it writes q and v of the stage.
#pragma once

#include <jounce/integrators/manifold_steps.hpp>
#include <jounce/integrators/tables.hpp>

namespace jounce {

/// Where the stages of a step stand.
template <class Real>
struct StageRoom {
  Real* q = nullptr;   ///< [nq] of the last stage that was evaluated
  Real* u = nullptr;   ///< [nv] likewise
  Real* v = nullptr;   ///< [nv] likewise
  Real* du = nullptr;  ///< [stages][nv] rates of u
  Real* dv = nullptr;  ///< [stages][nv] accelerations
};

inline namespace JOUNCE_ISA {

/// u = h sum w_i du_i, v = v_0 + h sum w_i dv_i over the first stages.
template <class Real>
void combine_stages(int n, const double* weights, int stages, double h, const Real* v_0,
                    const StageRoom<Real>& room) {
  Real *u = room.u, *v = room.v;
  bool first = true;
  for (int j = 0; j < stages; ++j) {
    if (weights[j] == 0) continue;  // of the table, not of the motion
    const Plain<Real> w(h * weights[j]);
    const Real *du = room.du + n * j, *dv = room.dv + n * j;
    if (first) {
      for (int k = 0; k < n; ++k) u[k] = du[k] * w, v[k] = v_0[k] + dv[k] * w;
      first = false;
    } else {
      for (int k = 0; k < n; ++k) u[k] = u[k] + du[k] * w, v[k] = v[k] + dv[k] * w;
    }
  }
}

/// Stage i >= 1 of a step from q, v at time t; those before it are known.
template <class Equations, class Real>
void evaluate_stage(const ExplicitTable& table, int i, Equations& f, double t, double h,
                    const Real* q, const Real* v, const StageRoom<Real>& room) {
  const int n = f.nv();
  combine_stages(n, table.row(i), i, h, v, room);
  move_along(f.factors(), q, room.u, room.q);
  f.acceleration(t + table.c[i] * h, room.q, room.v, room.dv + n * i);
  tangent_rate(f.factors(), room.u, room.v, room.du + n * i);
}

/// All stages of a step. The acceleration at its start is in the room where `start_known`. After it
/// q, u and v of the room are the step's end.
template <class Equations, class Real>
void explicit_step(const ExplicitTable& table, Equations& f, double t, double h, const Real* q,
                   const Real* v, bool start_known, const StageRoom<Real>& room) {
  const int n = f.nv();
  for (int k = 0; k < n; ++k) room.v[k] = v[k];
  if (!start_known) {
    for (int k = 0, nq = f.nq(); k < nq; ++k) room.q[k] = q[k];
    f.acceleration(t, room.q, room.v, room.dv);
  }
  for (int k = 0; k < n; ++k) room.du[k] = room.v[k];
  for (int i = 1; i < table.stages; ++i) evaluate_stage(table, i, f, t, h, q, v, room);
  if (table.last_at_end) return;  // the last stage is the answer
  combine_stages(n, table.b, table.stages, h, v, room);
  move_along(f.factors(), q, room.u, room.q);
}

}  // namespace JOUNCE_ISA
}  // namespace jounce

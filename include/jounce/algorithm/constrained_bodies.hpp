// SPDX-License-Identifier: BSD-3-Clause
// The equations of constrained motion with the factors of articulated bodies: O(n) for each row,
// where the mass matrix and its factors would cost more.
//
// [Kim] (67)-(69) runs both halves of a simplified pass for every row of B. As with sparse factors
// (constrained_solve.hpp) the first half is enough: what it leaves at the joints is Y, because
// articulated bodies factor M = L^T D L with D the joints' own. All rows pass together, as lanes
// of one wrench.
#pragma once

#include <jounce/algorithm/articulated_solve.hpp>
#include <jounce/algorithm/constrained_solve.hpp>

namespace jounce {

/// With T, S, U and the factors D of articulated bodies, which stay in the workspace.
struct ConstrainedBodies {
  const ConstraintRange* range = nullptr;  ///< [nv]
  int rows = 0, width = 0;                 ///< of B; rounded up to whole registers
  double* Y = nullptr;                     ///< [nv][width] B^T before, zero behind the last row
  double* S = nullptr;                     ///< [rows][width] its factors
  double* K = nullptr;                     ///< [bodies][6][width] room, zero between calls
  double* Z = nullptr;                     ///< [6][width] room
};

namespace detail::inline JOUNCE_ISA {

using RowLanes = Pack<double, constraint_register>;

/// The wrenches of the rows from `at` on, on a body: its numbers lie `width` apart.
[[gnu::always_inline]] inline Wrench<RowLanes> load_rows(const double* K, int width) {
  const auto row = [&](int c) { return RowLanes::load(K + width * c); };
  return {{row(0), row(1), row(2)}, {row(3), row(4), row(5)}};
}
[[gnu::always_inline]] inline void store_rows(const Wrench<RowLanes>& F, double* K, int width) {
  const RowLanes row[] = {F.m.x, F.m.y, F.m.z, F.f.x, F.f.y, F.f.z};
  for (int c = 0; c < 6; ++c) row[c].store(K + width * c);
}

/// Y of the joint of body i, which has up to `most` velocities, and what its parent feels of the
/// rows.
template <int registers, int most>
void pass_rows(const Model<double>& m, const Workspace<double>& w, const ConstrainedBodies& f,
               int i) {
  const int first = m.v_at[i], n = most == 1 ? 1 : m.v_at[i + 1] - first;
  const int width = registers > 0 ? registers * constraint_register : f.width;
  const bool about_z = is_revolute(m, i);
  for (int at = 0; at < width; at += constraint_register) {
    double* felt = f.K + 6 * width * i + at;
    Wrench<RowLanes> F = load_rows(felt, width);
    store_rows({}, felt, width);
    RowLanes y[most];
    for (int k = 0; k < n; ++k) {
      double* Y = f.Y + width * (first + k) + at;
      y[k] = RowLanes::load(Y) - (about_z ? F.m.z : dot(F, w.S[first + k]));
      y[k].store(Y);
    }
    solve(w.D + 6 * first, n, y);
    for (int k = 0; k < n; ++k) {
      F += w.U[first + k] * y[k];
      y[k].store(f.Z + width * k + at);
    }
    if (m.parent[i] == 0) continue;
    double* parent = f.K + 6 * width * m.parent[i] + at;
    store_rows(load_rows(parent, width) + dual_Ad_inv(w.T[i], F), parent, width);
  }
  for (int k = 0; k < n; ++k)
    for (int row = f.range[first].first; row < f.range[first].last; ++row)
      add_row<registers>(width, f.Y[width * (first + k) + row], f.Z + width * k, f.S + width * row);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Y becomes what is left of B^T at the joints, S the factors of Y^T D^-1 Y = B M^-1 B^T.
inline PivotRange<double> constrained_bodies_factor(const Model<double>& m,
                                                    const Workspace<double>& w,
                                                    const ConstrainedBodies& f) {
  for (int i = 0; i < f.rows * f.width; ++i) f.S[i] = 0.0;
  return detail::on_width(f.width, [&]<int registers>() {
    for (int i = m.bodies - 1; i > 0; --i) {
      if (f.range[m.v_at[i]].first >= f.range[m.v_at[i]].last) continue;
      if (m.v_at[i + 1] - m.v_at[i] == 1) detail::pass_rows<registers, 1>(m, w, f, i);
      else detail::pass_rows<registers, 6>(m, w, f, i);
    }
    return symmetric_factor<registers>(f.rows, f.width, f.S);
  });
}

/// x: M^-1 f before, how all would move without constraints; nu: g - B x before, in `width`
/// numbers. Overwrites Vdot and a.
inline void constrained_bodies_solve(const Model<double>& m, Workspace<double>& w,
                                     const ConstrainedBodies& f, double* x, double* nu) {
  symmetric_solve(f.rows, f.width, f.S, nu);
  w.Vdot[0] = {};
  detail::on_width(f.width, [&]<int registers>() {
    for (int k = 0; k < m.nv; ++k)
      w.a[k] = detail::dot_row<registers>(f.width, f.Y + f.width * k, nu);
  });
  Twist<double> Vdot{};
  for (int i = 1; i < m.bodies; ++i) {
    const int first = m.v_at[i], last = m.v_at[i + 1];
    if (m.parent[i] != i - 1) Vdot = w.Vdot[m.parent[i]];
    for (int k = first; k < last; ++k)  // U . Ad_inv(T, Vdot), but need not wait for the latter
      w.a[k] -= dot(dual_Ad_inv(w.T[i], w.U[k]), Vdot);
    solve(w.D + 6 * first, last - first, w.a + first);
    Vdot = Ad_inv(w.T[i], Vdot) + joint_twist(m, w, i, w.a);
    if (m.branching[i]) w.Vdot[i] = Vdot;
    for (int k = first; k < last; ++k) x[k] += w.a[k];
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// M^-1 from articulated bodies, in O(n^2): eight columns at a time in the lanes of a pack.
//
// The mass matrix of a long chain is ill-conditioned, its articulated bodies are not: factors of M
// (ltdl.hpp) lose what articulated_solve keeps, and take O(n d^2). Columns are solutions for unit
// forces. A force moves nothing that comes after the bodies which carry it, inwards, and M^-1 is
// symmetric: neither pass needs more than the bodies up to the last one of the columns.
#pragma once

#include <jounce/algorithm/articulated_solve.hpp>

#include "kernels/lanes/twist_lanes.hpp"

namespace jounce {

namespace twist_lanes::inline JOUNCE_ISA {

/// Six lane rows in memory as three-vectors of packs.
inline Vec3<Lanes> load_vector(const LaneRow* row) {
  return {load(row[0]), load(row[1]), load(row[2])};
}
inline void store_vector(const Vec3<Lanes>& x, LaneRow* row) {
  store(x.x, row[0]), store(x.y, row[1]), store(x.z, row[2]);
}

}  // namespace twist_lanes::inline JOUNCE_ISA

/// Room for articulated_inverse: wrenches, accelerations and coordinates of eight columns.
struct InverseRoom {
  LaneRow *F = nullptr, *A = nullptr;  ///< [6 bodies]
  LaneRow* a = nullptr;                ///< [nv]
};

namespace detail::inline JOUNCE_ISA {

/// The rows of eight columns from `first` on, for the bodies up to `last`, in room.a.
inline void solve_unit_forces(const Model<double>& m, const Workspace<double>& w, int first,
                              int last, const InverseRoom& room) {
  using namespace twist_lanes;
  for (int k = 0; k < 6 * (last + 1); ++k) room.F[k] = {};
  for (int k = 0; k < 6; ++k) room.A[k] = {};
  for (int i = last; i > 0; --i) {
    const int k = m.v_at[i], n = m.v_at[i + 1] - k;
    Wrench<Lanes> F{load_vector(room.F + 6 * i), load_vector(room.F + 6 * i + 3)};
    Lanes a[6];
    for (int j = 0; j < n; ++j) {
      const int unit = k + j - first;
      a[j] =
          Lanes::generate([&](int lane) { return lane == unit ? 1.0 : 0.0; }) - dot(F, w.S[k + j]);
    }
    solve(w.D + 6 * k, n, a);
    for (int j = 0; j < n; ++j) F += w.U[k + j] * a[j], store(a[j], room.a[k + j]);
    LaneRow* parent = room.F + 6 * m.parent[i];
    const Wrench<Lanes> on_parent = dual_Ad_inv(w.T[i], F);  // (50)
    store_vector(load_vector(parent) + on_parent.m, parent);
    store_vector(load_vector(parent + 3) + on_parent.f, parent + 3);
  }
  for (int i = 1; i <= last; ++i) {
    const int k = m.v_at[i], n = m.v_at[i + 1] - k;
    const LaneRow* parent = room.A + 6 * m.parent[i];
    Twist<Lanes> A = Ad_inv(w.T[i], Twist<Lanes>{load_vector(parent), load_vector(parent + 3)});
    Lanes moved[6];
    for (int j = 0; j < n; ++j) moved[j] = dot(w.U[k + j], A);
    solve(w.D + 6 * k, n, moved);
    for (int j = 0; j < n; ++j) {
      const Lanes a = load(room.a[k + j]) - moved[j];  // (45)
      store(a, room.a[k + j]);
      A += w.S[k + j] * a;  // (41)
    }
    store_vector(A.w, room.A + 6 * i);
    store_vector(A.v, room.A + 6 * i + 3);
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// M^-1 in rows of `stride` numbers, a multiple of eight, after factor_articulated.
inline void articulated_inverse(const Model<double>& m, const Workspace<double>& w,
                                const InverseRoom& room, int stride, double* inverse) {
  for (int first = 0, last = 1; first < m.nv; first += 8) {
    while (last + 1 < m.bodies && m.v_at[last + 1] < first + 8) ++last;
    detail::solve_unit_forces(m, w, first, last, room);
    for (int j = 0; j < m.v_at[last + 1]; ++j)
      twist_lanes::store(twist_lanes::load(room.a[j]),
                         inverse + std::ptrdiff_t(stride) * j + first);
  }
  for (std::ptrdiff_t k = 0; k < m.nv; ++k)
    for (std::ptrdiff_t j = 0; j < k; ++j) inverse[stride * k + j] = inverse[stride * j + k];
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

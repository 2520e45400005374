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

/// Six lane rows in memory as a wrench or a twist of packs.
template <class Six>
[[gnu::always_inline]] inline Six load_six(const LaneRow* row) {
  return {{load(row[0]), load(row[1]), load(row[2])}, {load(row[3]), load(row[4]), load(row[5])}};
}
[[gnu::always_inline]] inline void store_six(const Vec3<Lanes>& x, const Vec3<Lanes>& y,
                                             LaneRow* row) {
  store(x.x, row[0]), store(x.y, row[1]), store(x.z, row[2]);
  store(y.x, row[3]), store(y.y, row[4]), store(y.z, row[5]);
}

}  // namespace twist_lanes::inline JOUNCE_ISA

/// Room for articulated_inverse: wrenches and accelerations where a tree branches, and coordinates,
/// of eight columns.
struct InverseRoom {
  LaneRow *F = nullptr, *A = nullptr;  ///< [6 bodies]
  LaneRow* a = nullptr;                ///< [nv]
};

namespace detail::inline JOUNCE_ISA {

/// The forces on coordinate k in the columns from `first` on: 1 in its own.
[[gnu::always_inline]] inline Lanes unit_force(int k, int first) {
  static constexpr LaneRow none{}, unit[8] = {{{1}},
                                              {{0, 1}},
                                              {{0, 0, 1}},
                                              {{0, 0, 0, 1}},
                                              {{0, 0, 0, 0, 1}},
                                              {{0, 0, 0, 0, 0, 1}},
                                              {{0, 0, 0, 0, 0, 0, 1}},
                                              {{0, 0, 0, 0, 0, 0, 0, 1}}};
  return twist_lanes::load(k >= first && k < first + 8 ? unit[k - first] : none);
}

/// Inwards: what the joint of body i, of one or up to `most` coordinates, adds to the wrench F.
template <int most>
[[gnu::always_inline]] inline void resist(const Model<double>& m, const Workspace<double>& w, int i,
                                          int first, LaneRow* row, Wrench<Lanes>& F) {
  const int k = m.v_at[i], n = most == 1 ? 1 : m.v_at[i + 1] - k;
  Lanes a[most];
  for (int j = 0; j < n; ++j) a[j] = unit_force(k + j, first) - dot(F, w.S[k + j]);
  solve(w.D + 6 * k, n, a);
  for (int j = 0; j < n; ++j) F += w.U[k + j] * a[j], twist_lanes::store(a[j], row[k + j]);
}
/// Outwards: what it adds to the acceleration A.
template <int most>
[[gnu::always_inline]] inline void follow(const Model<double>& m, const Workspace<double>& w, int i,
                                          LaneRow* row, Twist<Lanes>& A) {
  const int k = m.v_at[i], n = most == 1 ? 1 : m.v_at[i + 1] - k;
  Lanes moved[most];
  for (int j = 0; j < n; ++j) moved[j] = dot(w.U[k + j], A);
  solve(w.D + 6 * k, n, moved);
  for (int j = 0; j < n; ++j) {
    const Lanes a = twist_lanes::load(row[k + j]) - moved[j];  // (45)
    twist_lanes::store(a, row[k + j]);
    A += w.S[k + j] * a;  // (41)
  }
}

/// The rows of eight columns from `first` on, for the bodies up to `last`, in room.a. Along a chain
/// F and A stay in registers.
[[gnu::flatten]] inline void solve_unit_forces(const Model<double>& m, const Workspace<double>& w,
                                               int first, int last, const InverseRoom& room) {
  using namespace twist_lanes;
  const auto single = [&](int i) { return m.v_at[i + 1] - m.v_at[i] == 1; };
  for (int i = 1; i <= last; ++i)
    if (m.branching[i]) store_six({}, {}, room.F + 6 * i);
  Wrench<Lanes> F;  // of the next body on this one
  for (int i = last; i > 0; --i) {
    if (m.branching[i]) F += load_six<Wrench<Lanes>>(room.F + 6 * i);
    if (single(i)) resist<1>(m, w, i, first, room.a, F);
    else resist<6>(m, w, i, first, room.a, F);
    const int p = m.parent[i];
    if (p > 0) F = dual_Ad_inv(w.T[i], F);  // (50)
    if (p == i - 1) continue;
    if (p > 0) {
      F += load_six<Wrench<Lanes>>(room.F + 6 * p);
      store_six(F.m, F.f, room.F + 6 * p);
    }
    F = {};
  }
  Twist<Lanes> A;  // of the body before this one
  for (int i = 1; i <= last; ++i) {
    const int p = m.parent[i];
    if (p == 0) A = {};
    else if (p != i - 1) A = load_six<Twist<Lanes>>(room.A + 6 * p);
    if (p > 0) A = Ad_inv(w.T[i], A);
    if (single(i)) follow<1>(m, w, i, room.a, A);
    else follow<6>(m, w, i, room.a, A);
    if (m.branching[i]) store_six(A.w, A.v, room.A + 6 * i);
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

// SPDX-License-Identifier: BSD-3-Clause
// M^-1 times many columns with the factors of articulated bodies, side by side in the lanes of
// packs: O(n) a column, O(n^2) for M^-1 itself.
//
// The mass matrix of a long chain is ill-conditioned, its articulated bodies are not: factors of M
// (ltdl.hpp) lose what articulated_solve keeps, and take O(n d^2). Wrenches and accelerations are
// those of articulated_solve in the axes of the ground, about each body's own origin: crossing a
// joint takes no rotation and loses nothing. With y = tau - S.F, s the step from the parent's
// origin to the body's and V = D^-1 U about the parent's origin
//   F_p += F + (s x f, 0) + V y        a = D^-1 y - V.A_p        A = A_p + (0, w_p x s) + S a
// for a joint of one coordinate. Columns of M^-1 are solutions for unit forces. A force moves
// nothing that comes after the bodies which carry it, inwards, and M^-1 is symmetric: neither pass
// needs more than the bodies up to the last one of the columns.
#pragma once

#include <jounce/algorithm/articulated_solve.hpp>
#include <vector>

#include "kernels/lanes/constrained_columns.hpp"
#include "kernels/lanes/twist_lanes.hpp"

namespace jounce {

/// A coordinate's joint in ground axes, about the body's origin or the parent's.
struct JointColumn {
  Twist<double> S;   ///< about the body's
  Wrench<double> U;  ///< of one coordinate: V, about the parent's
};
/// So many columns in memory.
struct ColumnBlock {
  const double* x = nullptr;
  int stride = 0, count = 0;
};
/// Room for articulated columns.
struct ArticulatedColumns {
  JointColumn* joint = nullptr;  ///< [nv]
  SO3<double>* R = nullptr;      ///< [bodies] in the ground
  Vec3<double>* step = nullptr;  ///< [bodies] from the parent's origin
  double* branch = nullptr;  ///< [12 bodies][most] wrenches and accelerations of branching bodies
  double* beside = nullptr;  ///< [nv][most] right-hand sides, then solutions
  static constexpr int most = 16;  ///< columns at a time
};

/// Owns it.
struct ArticulatedColumnsStorage {
  explicit ArticulatedColumnsStorage(const Model<double>& m)
      : joint(size_t(m.nv)),
        R(size_t(m.bodies)),
        step(size_t(m.bodies)),
        branch(size_t(12 * ArticulatedColumns::most / 8) * size_t(m.bodies)),
        beside(size_t(ArticulatedColumns::most / 8) * size_t(m.nv)),
        view{joint.data(), R.data(), step.data(), branch.data()->x, beside.data()->x} {}
  ArticulatedColumnsStorage(const ArticulatedColumnsStorage&) = delete;
  ArticulatedColumnsStorage& operator=(const ArticulatedColumnsStorage&) = delete;

  std::vector<JointColumn> joint;
  std::vector<SO3<double>> R;
  std::vector<Vec3<double>> step;
  std::vector<LaneRow> branch, beside;
  ArticulatedColumns view;
};

namespace detail::inline JOUNCE_ISA {

/// As many as keep two registers busy.
using BesideLanes = Pack<double, (register_bytes(native_isa) >= 64 ? 16 : 8)>;

template <class L>
[[gnu::always_inline]] inline L load_lanes(const double* x) {
  return L::of_registers([&](int k) __attribute__((always_inline)) {
    typename L::Register r;
    __builtin_memcpy(&r, x + k * L::register_lanes, sizeof(r));
    return r;
  });
}
template <class L>
[[gnu::always_inline]] inline void store_lanes(const L& a, double* x) {
  for (int k = 0; k < L::registers; ++k)
    __builtin_memcpy(x + k * L::register_lanes, &a.r[k], sizeof(a.r[k]));
}
template <class L>
[[gnu::always_inline]] inline Vec3<L> load_three(const double* x) {
  return {load_lanes<L>(x), load_lanes<L>(x + L::lanes), load_lanes<L>(x + 2 * L::lanes)};
}
template <class L>
[[gnu::always_inline]] inline void store_three(const Vec3<L>& a, double* x) {
  store_lanes(a.x, x), store_lanes(a.y, x + L::lanes), store_lanes(a.z, x + 2 * L::lanes);
}

/// Right-hand sides side by side: rows of `stride` numbers.
struct BesideRows {
  double* x;
  std::ptrdiff_t stride;
  double sign;  ///< of the right-hand sides

  double* at(int k) const { return x + stride * k; }
};

/// Inwards: what joint i of one coordinate, or of up to six, adds to the wrench F.
template <class L>
[[gnu::always_inline]] inline void resist_one(const Model<double>& m, const Workspace<double>& w,
                                              const ArticulatedColumns& c, const BesideRows& b,
                                              int i, Wrench<L>& F) {
  const int k = m.v_at[i];
  const JointColumn& joint = c.joint[k];
  L y = load_lanes<L>(b.at(k)) * b.sign - dot(F.m, joint.S.w);
  if (!is_revolute(m, i)) y = y - dot(F.f, joint.S.v);
  F.m += cross(c.step[i], F.f) + joint.U.m * y;
  F.f += joint.U.f * y;
  store_lanes(y * w.D[6 * k], b.at(k));
}
template <class L>
[[gnu::noinline]] void resist_many(const Model<double>& m, const Workspace<double>& w,
                                   const ArticulatedColumns& c, const BesideRows& b, int i,
                                   Wrench<L>& F) {
  const int k = m.v_at[i], n = m.v_at[i + 1] - k;
  L a[6];
  for (int j = 0; j < n; ++j) a[j] = load_lanes<L>(b.at(k + j)) * b.sign - dot(F, c.joint[k + j].S);
  solve(w.D + 6 * k, n, a);
  for (int j = 0; j < n; ++j) F += c.joint[k + j].U * a[j], store_lanes(a[j], b.at(k + j));
  F.m += cross(c.step[i], F.f);
}
/// Outwards: what it adds to the acceleration A of the parent.
template <class L>
[[gnu::always_inline]] inline void follow_one(const Model<double>& m, const ArticulatedColumns& c,
                                              const BesideRows& b, int i, Twist<L>& A) {
  const int k = m.v_at[i];
  const JointColumn& joint = c.joint[k];
  const L a = load_lanes<L>(b.at(k)) - (dot(A.w, joint.U.m) + dot(A.v, joint.U.f));  // (45)
  store_lanes(a, b.at(k));
  A.v += cross(A.w, c.step[i]);
  A.w += joint.S.w * a;  // (41)
  if (!is_revolute(m, i)) A.v += joint.S.v * a;
}
template <class L>
[[gnu::noinline]] void follow_many(const Model<double>& m, const Workspace<double>& w,
                                   const ArticulatedColumns& c, const BesideRows& b, int i,
                                   Twist<L>& A) {
  const int k = m.v_at[i], n = m.v_at[i + 1] - k;
  L moved[6];
  A.v += cross(A.w, c.step[i]);
  for (int j = 0; j < n; ++j) moved[j] = dot(c.joint[k + j].U, A);
  solve(w.D + 6 * k, n, moved);
  for (int j = 0; j < n; ++j) {
    const L a = load_lanes<L>(b.at(k + j)) - moved[j];
    store_lanes(a, b.at(k + j));
    A += c.joint[k + j].S * a;
  }
}

template <class L>
[[gnu::always_inline]] inline double* wrench_at(const ArticulatedColumns& c, int i) {
  return c.branch + std::ptrdiff_t(12 * L::lanes) * i;
}
template <class L>
[[gnu::always_inline]] inline double* acceleration_at(const ArticulatedColumns& c, int i) {
  return wrench_at<L>(c, i) + 6 * L::lanes;
}
[[gnu::always_inline]] inline bool is_single(const Model<double>& m, int i) {
  return m.v_at[i + 1] - m.v_at[i] == 1;
}

template <class L>
inline void sweep_wrenches(const Model<double>& m, const Workspace<double>& w,
                           const ArticulatedColumns& c, const BesideRows& b, int last) {
  for (int i = 1; i <= last; ++i)
    if (m.branching[i]) std::fill_n(wrench_at<L>(c, i), 6 * L::lanes, 0.0);
  Wrench<L> F;  // of the next body on this one
  for (int i = last; i > 0; --i) {
    double* branch = wrench_at<L>(c, i);
    if (m.branching[i]) F.m += load_three<L>(branch), F.f += load_three<L>(branch + 3 * L::lanes);
    if (is_single(m, i)) resist_one(m, w, c, b, i, F);
    else resist_many(m, w, c, b, i, F);
    const int p = m.parent[i];
    if (p == i - 1) continue;
    branch = wrench_at<L>(c, p);
    if (p > 0) {
      store_three(F.m + load_three<L>(branch), branch);
      store_three(F.f + load_three<L>(branch + 3 * L::lanes), branch + 3 * L::lanes);
    }
    F = {};
  }
}
template <class L>
inline void sweep_accelerations(const Model<double>& m, const Workspace<double>& w,
                                const ArticulatedColumns& c, const BesideRows& b, int last) {
  Twist<L> A;  // of the body before this one
  for (int i = 1; i <= last; ++i) {
    const int p = m.parent[i];
    if (p == 0) {
      A = {};
    } else if (p != i - 1) {
      const double* branch = acceleration_at<L>(c, p);
      A = {load_three<L>(branch), load_three<L>(branch + 3 * L::lanes)};
    }
    if (is_single(m, i)) follow_one(m, c, b, i, A);
    else follow_many(m, w, c, b, i, A);
    if (!m.branching[i]) continue;
    store_three(A.w, acceleration_at<L>(c, i));
    store_three(A.v, acceleration_at<L>(c, i) + 3 * L::lanes);
  }
}
/// x := M^-1 sign x, for rows of the bodies up to `last`; those after them are zero and stay away.
template <class L>
inline void solve_beside(const Model<double>& m, const Workspace<double>& w,
                         const ArticulatedColumns& c, const BesideRows& b, int last) {
  sweep_wrenches<L>(m, w, c, b, last);
  sweep_accelerations<L>(m, w, c, b, last);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// The joints in ground axes, after factor_articulated.
inline void turn_joints(const Model<double>& m, const Workspace<double>& w,
                        const ArticulatedColumns& c) {
  for (int i = 1; i < m.bodies; ++i) {
    const int p = m.parent[i];
    c.R[i] = p > 0 ? c.R[p] * w.T[i].R : w.T[i].R;
    c.step[i] = p > 0 ? c.R[p] * w.T[i].p : Vec3<double>{};
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      JointColumn& joint = c.joint[k];
      joint.S = {c.R[i] * w.S[k].w, c.R[i] * w.S[k].v};
      joint.U = {c.R[i] * w.U[k].m, c.R[i] * w.U[k].f};
      if (!detail::is_single(m, i)) continue;
      joint.U = Wrench<double>{joint.U.m + cross(c.step[i], joint.U.f), joint.U.f} * w.D[6 * k];
    }
  }
}

/// x := M^-1 x for eight right-hand sides side by side, [nv][8], after turn_joints.
inline void articulated_beside(const Model<double>& m, const Workspace<double>& w,
                               const ArticulatedColumns& c, double* x) {
  detail::solve_beside<Pack<double, 8>>(m, w, c, {x, 8, 1}, m.bodies - 1);
}
/// to = sign M^-1 x, column by column, after turn_joints; to may be x.
inline void articulated_times(const Model<double>& m, const Workspace<double>& w,
                              const ArticulatedColumns& c, double sign, const ColumnBlock& x,
                              double* to, int to_stride) {
  const auto solve = [&]<class L>(L, int first) {
    const int count = std::min(L::lanes, x.count - first);
    if (count < L::lanes) std::fill_n(c.beside, std::ptrdiff_t(L::lanes) * m.nv, 0.0);
    turn_over_any(count, m.nv, x.x + std::ptrdiff_t(x.stride) * first, x.stride, c.beside,
                  L::lanes);
    detail::solve_beside<L>(m, w, c, {c.beside, L::lanes, sign}, m.bodies - 1);
    turn_over_any(m.nv, count, c.beside, L::lanes, to + std::ptrdiff_t(to_stride) * first,
                  to_stride);
    return first + L::lanes;
  };
  for (int first = 0; first < x.count;)
    first =  // NOLINTNEXTLINE(bugprone-branch-clone): both are of eight where registers are short
        x.count - first > 8 ? solve(detail::BesideLanes(), first) : solve(Pack<double, 8>(), first);
}

/// M^-1 in rows of `stride` numbers, a multiple of eight, after factor_articulated.
inline void articulated_inverse(const Model<double>& m, const Workspace<double>& w,
                                const ArticulatedColumns& c, int stride, double* inverse) {
  using Wide = detail::BesideLanes;
  turn_joints(m, w, c);
  for (int first = 0, last = 1, count = 0; first < m.nv; first += count) {
    count = first + Wide::lanes <= stride ? Wide::lanes : 8;
    while (last + 1 < m.bodies && m.v_at[last + 1] < first + count) ++last;
    const detail::BesideRows b{inverse + first, stride, 1};
    for (int k = 0; k < m.v_at[last + 1]; ++k) {
      std::fill_n(b.at(k), count, 0.0);
      if (k >= first && k < first + count) b.at(k)[k - first] = 1;
    }
    if (count == 8) detail::solve_beside<Pack<double, 8>>(m, w, c, b, last);
    else detail::solve_beside<Wide>(m, w, c, b, last);
    const int whole = first + count <= m.nv ? count : 0;  // rows that can be written as a block
    turn_over(first, whole, inverse + first, stride, inverse + std::ptrdiff_t(stride) * first,
              stride);
    for (std::ptrdiff_t k = first; k < std::min(first + count, m.nv); ++k)
      for (std::ptrdiff_t j = whole > 0 ? first : 0; j < k; ++j)
        inverse[stride * k + j] = inverse[stride * j + k];
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// What the geometry of the kinetic-energy metric keeps of every coordinate, and the 3 x 3 matrix of
// every pair of coordinates that all of it is made of.
//
// A point r of the robot moves along coordinate k with u_k(r) = w_k x r + v_k, (w_k, v_k) the
// coordinate's screw in ground axes, and along two coordinates, one after the other, with
//   X_i X_j r = w_a x u_b(r)        a the earlier, b the later of i and j; a = i, b = j in one part
// because a screw that X_i carries changes by [S_i, S_j], and one that it does not carry stays as
// it is. With sums over all points that both coordinates move, b before d,
//   U_db = sum m u_d u_b^T = D_d [w_b]^T + f_d v_b^T
//   D_d = sum m u_d r^T = [w_d] Sigma + v_d h^T,     f_d = sum m u_d = w_d x h + m v_d
// where m, h and Sigma = sum m r r^T = tr(I)/2 1 - I are those of the subtree on d.
// "Before": on the way to the ground, or in an earlier part of the joint.
#pragma once

#include <jounce/algorithm/jacobian.hpp>

namespace jounce {

/// Which coordinates carry which: path(k) is every coordinate before k, ascending, then those of
/// its own part.
struct PathLists {
  int n = 0;
  const int* part = nullptr;       ///< [n] the first coordinate of its part
  const int* at = nullptr;         ///< [n + 1]
  const int* middle = nullptr;     ///< [n] where in `path` its own part starts
  const int* path = nullptr;       ///< [at[n]]
  const bool* straight = nullptr;  ///< [n] whether its path is a run of successive numbers
  const bool* before = nullptr;    ///< [n n] at n a + b: whether a is in the path of b
};

template <class Real>
struct PairRoom {
  Twist<Real>* S = nullptr;    ///< [n] screws in ground axes, about the model's centre
  Mat3<Real>* D = nullptr;     ///< [n]
  Vec3<Real>* f = nullptr;     ///< [n]
  Inertia<Real>* G = nullptr;  ///< [bodies] of the body, then of all it carries
  Twist<Real>* E = nullptr;    ///< [6 n] of custom joints (custom_pairs.hpp)
  Real* along = nullptr;       ///< [8 (n + 8)] numbers of a path side by side
  int stride = 0;              ///< between them
};

namespace detail::inline JOUNCE_ISA {

/// Sigma = sum m r r^T.
template <class Real>
constexpr Mat3<Real> second_moments(const Inertia<Real>& G) {
  const Real half = (G.I.xx + G.I.yy + G.I.zz) * Plain<Real>(0.5);
  return {{{half - G.I.xx, -G.I.xy, -G.I.xz},
           {-G.I.xy, half - G.I.yy, -G.I.yz},
           {-G.I.xz, -G.I.yz, half - G.I.zz}}};
}
/// sum m u r^T and sum m u of the points of G, for the field u of a screw.
template <class Real>
struct PairField {
  Mat3<Real> D;
  Vec3<Real> f;
};
template <class Real>
constexpr PairField<Real> field_of(const Inertia<Real>& G, const Mat3<Real>& Sigma,
                                   const Twist<Real>& S) {
  const auto& [c, v] = S;
  const auto& row = Sigma.row;
  return {{{row[2] * c.y - row[1] * c.z + G.h * v.x, row[0] * c.z - row[2] * c.x + G.h * v.y,
            row[1] * c.x - row[0] * c.y + G.h * v.z}},
          cross(c, G.h) + v * G.mass};
}

/// U = sum m u s^T, of a field and the screw of another one, s.
template <class Real>
constexpr Mat3<Real> field_matrix(const Mat3<Real>& D, const Vec3<Real>& f, const Twist<Real>& S) {
  const auto& [c, v] = S;
  return {
      {cross(c, D.row[0]) + v * f.x, cross(c, D.row[1]) + v * f.y, cross(c, D.row[2]) + v * f.z}};
}
/// sum m u x s = (tr D 1 - D^T) w + f x v.
template <class Real>
constexpr Vec3<Real> field_vector(const Mat3<Real>& D, const Vec3<Real>& f, const Twist<Real>& S) {
  return S.w * trace(D) - transpose_times(D, S.w) + cross(f, S.v);
}

/// U_db, b before d.
template <class Real>
constexpr Mat3<Real> pair_matrix(const PairRoom<Real>& room, int d, int b) {
  return field_matrix(room.D[d], room.f[d], room.S[b]);
}
/// p_dy = sum m u_d x u_y, y before d.
template <class Real>
constexpr Vec3<Real> pair_vector(const PairRoom<Real>& room, int d, int y) {
  return field_vector(room.D[d], room.f[d], room.S[y]);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Screws, subtree sums and their products, after forward_poses; O(n).
template <class P, class Real>
constexpr void load_pairs(const Model<P>& m, const Workspace<Real>& w,
                          PairRoom<Real>& room) noexcept {
  for (int i = 1; i < m.bodies; ++i)
    room.G[i] = push_forward(SE3<Real>{w.pose[i].R, w.central[i]}, m.G[i]);
  for (int i = m.bodies - 1; i > 0; --i) {
    const Inertia<Real>& G = room.G[i];
    const Mat3<Real> Sigma = detail::second_moments(G);
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      room.S[k] = detail::screw_from(m, w, i, k, w.central[i]);
      const auto [D, f] = detail::field_of(G, Sigma, room.S[k]);
      room.D[k] = D, room.f[k] = f;
    }
    if (m.parent[i] > 0) room.G[m.parent[i]] = room.G[m.parent[i]] + G;
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// The equations of one cluster of bodies in lines of numbers (loop_clusters.hpp), and their
// elimination. Gauss and Jordan: a line is cleared in all others, so that those of the cluster's
// own coordinates give them at once, without one waiting for the next.
#pragma once

#include <jounce/algorithm/origins.hpp>
#include <jounce/algorithm/shortest_multipliers.hpp>
#include <jounce/algorithm/three_numbers.hpp>

namespace jounce {

/// [ M  A^T  F^T  C^T | f ], [ A  0  0  0 | g ], [ F  0  H  K^T | -k ], [ C  0  K  S | s ]:
/// `inside` lines of the first two, six of the next where something carries the cluster, and one
/// for every row that all clusters carry on. Of a matrix that is symmetric the half behind the
/// diagonal is read.
struct ClusterLines {
  int n = 0, inside = 0;      ///< lines of M, of M and A
  int outer = 0, lines = 0;   ///< those, and what carries the cluster; all
  int width = 0;              ///< of a line, whole registers
  double* Z = nullptr;        ///< [lines][width]
  double* inverse = nullptr;  ///< [inside] of pivots
  double* kept = nullptr;     ///< [n][width] lines of coordinates that are held, as they were

  [[gnu::always_inline]] double* line(int i) const { return Z + width * i; }
};

/// What its pivots say of a solution.
struct ClusterPivots {
  bool regular = true;            ///< none of M was lost
  double margin = 1, defect = 0;  ///< as ConstraintReport
};

namespace detail::inline JOUNCE_ISA {

inline constexpr double lost_pivot = 1e-12;  ///< of what stood there

inline void clear_lines(const ClusterLines& c) {
  using Register = Pack<double, constraint_register>;
  for (int i = 0; i < c.lines * c.width; i += constraint_register) Register().store(c.Z + i);
}
/// Clears column p in all lines but its own.
template <int registers>
[[gnu::always_inline]] inline double clear(const ClusterLines& c, int p) {
  const double* row = c.line(p);
  const double pivot = row[p], inverse = 1 / pivot;
  for (int i = 0; i < p; ++i) add_row<registers>(c.width, -c.line(i)[p] * inverse, row, c.line(i));
  for (int i = p + 1; i < c.lines; ++i)
    add_row<registers>(c.width, -row[i] * inverse, row, c.line(i));
  c.inverse[p] = inverse;
  return pivot;
}

/// Elimination of the lines inside; the margin is that of pivots themselves, squares.
inline void eliminate(const ClusterLines& c, ClusterPivots& found) {
  double largest = 0, smallest = 0;
  on_width(c.width, [&]<int registers>() {
    double diagonal[32];
    for (int p = 0; p < c.n; ++p) diagonal[p] = c.line(p)[p];
    for (int p = 0; p < c.n; ++p)
      found.regular = clear<registers>(c, p) > lost_pivot * diagonal[p] && found.regular;
    for (int p = c.n; p < c.inside; ++p) {
      const double pivot = -clear<registers>(c, p);
      largest = p == c.n || pivot > largest ? pivot : largest;
      smallest = p == c.n || pivot < smallest ? pivot : smallest;
    }
  });
  if (c.n == c.inside) return;
  const double share = largest > 0 && smallest > 0 ? smallest / largest : 0;
  found.margin = share < found.margin ? share : found.margin;
}

/// y of all lines inside, where what carries the cluster moves by V, numbers of a twist, and rows
/// that are carried on have the multipliers mu.
inline void solve_inside(const ClusterLines& c, const double* V, const double* mu, double* y) {
  const int right = c.lines;
  if (c.outer == c.inside) {
    for (int p = 0; p < c.inside; ++p) y[p] = c.line(p)[right] * c.inverse[p];
  } else {
    for (int p = 0; p < c.inside; ++p) {
      const double* F = c.line(p) + c.inside;
      const double felt =
          (F[0] * V[0] + F[1] * V[1] + F[2] * V[2]) + (F[3] * V[3] + F[4] * V[4] + F[5] * V[5]);
      y[p] = (c.line(p)[right] - felt) * c.inverse[p];
    }
  }
  for (int j = c.outer; j < c.lines; ++j)
    for (int p = 0; p < c.inside; ++p) y[p] += c.line(p)[j] * mu[j - c.outer] * c.inverse[p];
}

inline void put(const Vec3<double>& x, double* to) { to[0] = x.x, to[1] = x.y, to[2] = x.z; }
inline Vec3<double> vector_at(const double* from) { return {from[0], from[1], from[2]}; }

}  // namespace detail::inline JOUNCE_ISA

// What the kinds of vector (three_numbers.hpp) need beside their own: as numbers.
inline namespace JOUNCE_ISA {

[[gnu::always_inline]] inline void put(const Wrench<double>& F, double* to) {
  detail::put(F.m, to), detail::put(F.f, to + 3);
}
[[gnu::always_inline]] inline void put(const Twist<double>& V, double* to) {
  detail::put(V.w, to), detail::put(V.v, to + 3);
}
/// An inertia as six lines, `width` apart, and back.
inline void put(const ArticulatedInertia<double>& H, int width, double* to) {
  const Mat3<double> A = to_matrix(H.A), C = transpose(H.B), M = to_matrix(H.M);
  for (int i = 0; i < 3; ++i) {
    detail::put(A.row[i], to + width * i), detail::put(H.B.row[i], to + width * i + 3);
    detail::put(C.row[i], to + width * (3 + i)), detail::put(M.row[i], to + width * (3 + i) + 3);
  }
}
inline void get(int width, const double* from, ArticulatedInertia<double>& H) {
  const auto row = [&](int i, int j) { return detail::vector_at(from + width * i + j); };
  const auto half = [&](int i) {
    const Vec3<double> a = row(i, i), b = row(i + 1, i), c = row(i + 2, i);
    return Sym3<double>{a.x, a.y, b.y, a.z, b.z, c.z};
  };
  H = {half(0), {{row(0, 3), row(1, 3), row(2, 3)}}, half(3)};
}
inline void get(const double* from, Wrench<double>& F) {
  F = {detail::vector_at(from), detail::vector_at(from + 3)};
}
inline ArticulatedInertia<double> blocks(const Inertia<double>& G) {
  return ArticulatedInertia<double>(G);
}
inline ArticulatedInertia<double> moved_from(const Vec3<double>& d,
                                             const ArticulatedInertia<double>& H) {
  return detail::shift(d, H);
}
inline const Mat3<double>& axes(const SE3<double>& U) { return U.R.m; }
inline SE3<double> behind(const SE3<double>& U, const SE3<double>& T) { return U * T; }

}  // namespace JOUNCE_ISA

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Entries of matrices of long chains: rows of products, eight at a time.
//
// An entry is a product of what one coordinate has, a screw, with what another has that it carries,
// a force. Where bodies hang on one another in long runs, both stand in rows by component, and a
// row of the matrix is a sum of such rows: those of screws up to its own coordinate, those of
// forces from there on. Both halves of a symmetric matrix are written so, along its rows, with the
// same products in the same order. A run ends where the origin changes (origins.hpp).
#pragma once

#include <jounce/scalar/pack.hpp>

#include "kernels/lanes/in_registers.hpp"

namespace jounce::lanes::inline JOUNCE_ISA {

/// Whether rows pay: the robot has many coordinates in few runs.
inline bool has_long_runs(const Model<double>& m, const int* run) {
  constexpr int long_run = 12;
  if (m.nv < 24) return false;
  int runs = 0;
  for (int i = 1; i < m.bodies; ++i) runs += run[i] == i || m.is_anchor(i) ? 1 : 0;
  return runs * long_run <= m.nv;
}
/// The first body of the run that body i is in.
inline int first_of_run(const Model<double>& m, const int* run, int i) {
  return run[i] > m.anchor[i] ? run[i] : m.anchor[i];
}

/// Six numbers of every coordinate, a screw or a force, by component.
struct SixRows {
  double* x;
  std::ptrdiff_t stride;

  [[gnu::always_inline]] double& at(int c, int k) const { return x[stride * c + k]; }
  [[gnu::always_inline]] void put(int k, const Vec3<double>& a, const Vec3<double>& b) const {
    at(0, k) = a.x, at(1, k) = a.y, at(2, k) = a.z;
    at(3, k) = b.x, at(4, k) = b.y, at(5, k) = b.z;
  }
  /// The forces of the coordinates [begin, end), taken about the point d, about the origin.
  void move_from(const Vec3<double>& d, int begin, int end) const {
    double *mx = x, *my = mx + stride, *mz = my + stride;
    const double *fx = mz + stride, *fy = fx + stride, *fz = fy + stride;
    for (int k = begin; k < end; ++k) {
      mx[k] += d.y * fz[k] - d.z * fy[k];
      my[k] += d.z * fx[k] - d.x * fz[k];
      mz[k] += d.x * fy[k] - d.y * fx[k];
    }
  }
};
/// The product of one coordinate's six numbers with those of others.
struct RowProduct {
  SixRows rows;
  double factor[6];

  RowProduct(const SixRows& rows_, const double (&f)[6])
      : rows(rows_), factor{f[0], f[1], f[2], f[3], f[4], f[5]} {}
  RowProduct(const SixRows& rows_, const SixRows& a, int k)
      : rows(rows_), factor{a.at(0, k), a.at(1, k), a.at(2, k),
                            a.at(3, k), a.at(4, k), a.at(5, k)} {}

  /// With as many as a piece holds, or with one.
  template <class Piece>
  [[gnu::always_inline]] Piece at(int j) const {
    const auto term = [&](int c) {
      if constexpr (std::is_same_v<Piece, double>) return rows.at(c, j) * factor[c];
      else return Piece::load(&rows.at(c, j)) * factor[c];
    };
    const Piece zero(0.0);  // every product is added to a sum: no choice of which is fused
    return (((zero + term(0)) + term(1)) + term(2)) + (((zero + term(3)) + term(4)) + term(5));
  }
};
/// write<Piece>(at) for pieces of the coordinates [begin, end). The last one may overlap the one
/// before it.
template <class Write>
[[gnu::always_inline]] inline void for_each_piece(int begin, int end, Write write) {
  const auto run = [&]<class Piece>(Piece) {
    for (int j = begin; j < end; j += Piece::lanes)
      write.template operator()<Piece>(j + Piece::lanes <= end ? j : end - Piece::lanes);
  };
  if (end - begin >= 8) return run(Pack<double, 8>());
  if (end - begin >= 4) return run(Pack<double, 4>());
  for (int j = begin; j < end; ++j) write.template operator()<double>(j);
}
[[gnu::always_inline]] inline void put(double x, double* to) { *to = x; }
template <int width>
[[gnu::always_inline]] inline void put(const Pack<double, width>& x, double* to) {
  x.store(to);
}
/// to[begin] ... to[end - 1] = the products with those coordinates.
[[gnu::always_inline]] inline void write_products(int begin, int end, double* to,
                                                  const RowProduct& product) {
  for_each_piece(begin, end, [&]<class Piece>(int at) { put(product.at<Piece>(at), to + at); });
}

/// lower(k, begin, end) and upper(j, begin, end): entries of row k for coordinates that carry it,
/// and of row j for those it carries. cross(i, begin, end) before the forces of the coordinates
/// [begin, end) of a run are seen from the origin of what carries body i.
template <class Lower, class Upper, class Cross>
inline void for_each_row(const Model<double>& m, const int* run, Lower lower, Upper upper,
                         Cross cross) {
  for (int i = 1, last = 1; i < m.bodies; i = last) {
    while (last < m.bodies && first_of_run(m, run, last) == i) ++last;
    const int begin = m.v_at[i], end = m.v_at[last];
    for (int k = begin; k < end; ++k) {
      lower(k, begin, k + 1);
      upper(k, k + 1, end);
    }
    for (int b = i; m.parent[b] > 0;) {
      if (m.is_cut(b)) cross(b, begin, end);
      const int p = m.parent[b];
      b = first_of_run(m, run, p);
      for (int k = begin; k < end; ++k) lower(k, m.v_at[b], m.v_at[p + 1]);
      for (int j = m.v_at[b]; j < m.v_at[p + 1]; ++j) upper(j, begin, end);
    }
  }
}

}  // namespace jounce::lanes::inline JOUNCE_ISA

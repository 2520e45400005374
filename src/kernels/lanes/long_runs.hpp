// SPDX-License-Identifier: BSD-3-Clause
// Entries of matrices of long chains: rows of products, several at a time.
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

/// Six numbers, a screw or a force: those of one coordinate, or of as many as a piece holds.
template <class Piece>
struct Six {
  Piece of[6];
};
/// The scalar product.
template <class Piece>
[[gnu::always_inline]] inline Piece product(const Six<Piece>& a, const Six<double>& b) {
  const auto term = [&](int c) { return a.of[c] * b.of[c]; };
  const Piece zero(0.0);  // every product is added to a sum: no choice of which is fused
  return (((zero + term(0)) + term(1)) + term(2)) + (((zero + term(3)) + term(4)) + term(5));
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
  /// Those of coordinate k and, in a piece, of those after it.
  template <class Piece = double>
  [[gnu::always_inline]] Six<Piece> six(int k) const {
    Six<Piece> found;
    for (int c = 0; c < 6; ++c) {
      if constexpr (std::is_same_v<Piece, double>) found.of[c] = at(c, k);
      else found.of[c] = Piece::load(&at(c, k));
    }
    return found;
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

/// Coordinates side by side.
struct Run {
  int begin, end;
};
/// write<Piece>(at) for pieces of a run, of `widest` numbers or, in short runs, four. The last one
/// may overlap the one before it.
template <int widest, class Write>
[[gnu::always_inline]] inline void for_each_piece(const Run& of, Write write) {
  const auto run = [&]<class Piece>(Piece) __attribute__((always_inline)) {
    for (int j = of.begin; j < of.end; j += Piece::lanes)
      write.template operator()<Piece>(j + Piece::lanes <= of.end ? j : of.end - Piece::lanes);
  };
  if (of.end - of.begin >= widest) return run(Pack<double, widest>());
  if (of.end - of.begin >= 4) return run(Pack<double, 4>());
  for (int j = of.begin; j < of.end; ++j) write.template operator()<double>(j);
}
/// write<rows>(k) for the rows of a run, so many at a time: they share what a piece loads.
template <int most, class Write>
[[gnu::always_inline]] inline void for_each_rows(const Run& of, Write write) {
  int k = of.begin;
  for (; k + most <= of.end; k += most) write.template operator()<most>(k);
  for (; k < of.end; ++k) write.template operator()<1>(k);
}
[[gnu::always_inline]] inline void put(double x, double* to) { *to = x; }
template <int width>
[[gnu::always_inline]] inline void put(const Pack<double, width>& x, double* to) {
  x.store(to);
}
/// to(r)[begin] ... to(r)[end - 1] = the products of set r with the coordinates of a run.
template <int rows, class To>
[[gnu::always_inline]] inline void write_products(const Run& run, const SixRows& with,
                                                  const Six<double> (&set)[rows], To to) {
  for_each_piece<register_bytes(native_isa) >= 64 ? 8 : 4>(run, [&]<class Piece>(int at) {
    const Six<Piece> six = with.six<Piece>(at);  // once: what is written might be them
    Piece found[rows];
    for (int r = 0; r < rows; ++r) found[r] = product(six, set[r]);
    for (int r = 0; r < rows; ++r) put(found[r], to(r) + at);
  });
}
/// The coordinates of a run that are carried by coordinate k, and a few before them: pieces start
/// at whole registers.
inline Run carried_by(int k, const Run& run) {
  const int whole = (k + 1) / 8 * 8;
  return {whole > run.begin ? whole : run.begin, run.end};
}

/// Blocks of a matrix: square(own), those of a run of coordinates among themselves;
/// below(own, other), rows of the run for coordinates that carry it; above(other, own), rows of
/// those for the run. cross(i, own) before the forces of the run are seen from the origin of what
/// carries body i.
template <class Square, class Below, class Above, class Cross>
inline void for_each_block(const Model<double>& m, const int* run, Square square, Below below,
                           Above above, Cross cross) {
  for (int i = 1, last = 1; i < m.bodies; i = last) {
    while (last < m.bodies && first_of_run(m, run, last) == i) ++last;
    const Run own{m.v_at[i], m.v_at[last]};
    square(own);
    for (int b = i; m.parent[b] > 0;) {
      if (m.is_cut(b)) cross(b, own);
      const int p = m.parent[b];
      b = first_of_run(m, run, p);
      const Run other{m.v_at[b], m.v_at[p + 1]};
      below(own, other);
      above(other, own);
    }
  }
}

}  // namespace jounce::lanes::inline JOUNCE_ISA

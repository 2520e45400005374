// SPDX-License-Identifier: BSD-3-Clause
// The Coriolis matrix and the rate of the mass matrix of long chains, by rows.
//
// With the forces of coriolis.hpp and sum = column + row, less `rate` for the plain factorisation,
//   C_jk = column_k . S_j     C_kj = row_k . S_j + momentum_k . Psi_j
//   Mdot_jk = (sum_k, momentum_k) . (S_j, Psi_j)
#pragma once

#include <jounce/algorithm/coriolis.hpp>
#include <jounce/algorithm/coriolis_matrix.hpp>

#include "kernels/lanes/long_runs.hpp"

namespace jounce::lanes::inline JOUNCE_ISA {

/// Screws, their rates and the forces of all coordinates, by component.
struct CoriolisRows {
  SixRows S, Psi, sum, momentum, row, column;

  explicit CoriolisRows(const ComponentRows& all)
      : S(rows(all, 0)),
        Psi(rows(all, 1)),
        sum(rows(all, 2)),
        momentum(rows(all, 3)),
        row(rows(all, 4)),
        column(rows(all, 5)) {}

  /// Those of coordinate k for the coordinates of a run that carry it.
  void write_carrying(int k, const Run& run, double* C, double* Mdot) const {
    const Six<double> of_column = column.six(k), of_sum = sum.six(k), of_momentum = momentum.six(k);
    for_each_piece<8>(
        run, [&]<class Piece>(int at) __attribute__((always_inline)) {
          const Six<Piece> screw = S.six<Piece>(at);
          const Piece own = product(screw, of_column);
          const Piece both = product(screw, of_sum) + product(Psi.six<Piece>(at), of_momentum);
          put(own, C + at);
          put(both, Mdot + at);
        });
  }
  /// Those of coordinate j for the coordinates of a run that it carries.
  void write_carried(int j, const Run& run, double* C, double* Mdot) const {
    const Six<double> screw = S.six(j), turning = Psi.six(j);
    for_each_piece<8>(
        run, [&]<class Piece>(int at) __attribute__((always_inline)) {
          const Piece turned = product(momentum.six<Piece>(at), turning);
          const Piece own = product(row.six<Piece>(at), screw) + turned;
          const Piece both = product(sum.six<Piece>(at), screw) + turned;
          put(own, C + at);
          put(both, Mdot + at);
        });
  }
  /// C and Mdot. cut(i): where the anchor of body i lies.
  template <class Cut>
  void write(const Model<double>& m, const int* run, double* C, double* Mdot, Cut cut) const {
    const std::ptrdiff_t n = m.nv;
    const auto carrying = [&](int k, const Run& of) {
      write_carrying(k, of, C + n * k, Mdot + n * k);
    };
    const auto carried = [&](int j, const Run& of) {
      write_carried(j, of, C + n * j, Mdot + n * j);
    };
    for_each_block(
        m, run,
        [&](const Run& own) {
          for (int k = own.begin; k < own.end; ++k) {
            carried(k, carried_by(k, own));
            carrying(k, {own.begin, k + 1});
          }
        },
        [&](const Run& own, const Run& other) {
          for (int k = own.begin; k < own.end; ++k) carrying(k, other);
        },
        [&](const Run& other, const Run& own) {
          for (int j = other.begin; j < other.end; ++j) carried(j, own);
        },
        [&](int i, const Run& own) {
          for (const SixRows& force : {sum, momentum, row, column})
            force.move_from(cut(i), own.begin, own.end);
        });
  }

 private:
  static SixRows rows(const ComponentRows& all, int which) {
    return {all.x + std::ptrdiff_t(6 * which) * all.stride, all.stride};
  }
};

inline void coriolis_by_rows(const Model<double>& m, const State<double>& x,
                             const Workspace<double>& w, Factorization f,
                             SubtreeRoom<double>& subtrees, const KernelRoom& room, double* C,
                             double* Mdot) {
  const CoriolisRows rows(room.rows);
  detail::coriolis_columns<Origins::anchors>(
      m, x, w, f, subtrees, [&](int, int k, const CoriolisForces<double>& force) {
        Wrench<double> both = force.column + force.row;
        if (f == Factorization::plain) both -= force.rate;
        rows.S.put(k, subtrees.S[k].w, subtrees.S[k].v);
        rows.Psi.put(k, subtrees.Psi[k].w, subtrees.Psi[k].v);
        rows.sum.put(k, both.m, both.f);
        rows.momentum.put(k, force.momentum.m, force.momentum.f);
        rows.row.put(k, force.row.m, force.row.f);
        rows.column.put(k, force.column.m, force.column.f);
      });
  rows.write(m, room.run, C, Mdot, [&](int i) { return w.near[i]; });
}
/// The same of Christoffel's factorisation, from the state itself.
inline void christoffel_by_rows(const Recursion<InRegisters>& r, const KernelRoom& room, double* C,
                                double* Mdot) {
  const CoriolisRows rows(room.rows);
  const auto put = [](const SixRows& to, int k, const Column& a, const Column& b) {
    to.put(k, vector(a), vector(b));
  };
  detail::christoffel_columns<Origins::anchors>(
      r, [&](int, int k, const ChristoffelForces<Force>& at) {
        const Screw &S = r.room.screw[k], &Psi = r.room.screw_rate[k];
        const Force both = at.column + at.row;
        put(rows.S, k, S.w, S.v);
        put(rows.Psi, k, Psi.w, Psi.v);
        put(rows.sum, k, both.m, both.f);
        put(rows.momentum, k, at.momentum.m, at.momentum.f);
        put(rows.row, k, at.row.m, at.row.f);
        put(rows.column, k, at.column.m, at.column.f);
      });
  rows.write(r.m, room.run, C, Mdot, [&](int i) { return vector(r.room.cut[i].d); });
}

}  // namespace jounce::lanes::inline JOUNCE_ISA

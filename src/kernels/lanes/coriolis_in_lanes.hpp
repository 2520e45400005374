// SPDX-License-Identifier: BSD-3-Clause
// The Coriolis matrix and the rate of the mass matrix of long chains, by rows.
//
// With the forces of coriolis.hpp and sum = column + row, less `rate` for the plain factorisation,
//   C_jk = column_k . S_j     C_kj = row_k . S_j + momentum_k . Psi_j
//   Mdot_jk = (sum_k, momentum_k) . (S_j, Psi_j)
#pragma once

#include <jounce/algorithm/coriolis.hpp>

#include "kernels/lanes/long_runs.hpp"

namespace jounce::lanes::inline JOUNCE_ISA {

inline void coriolis_by_rows(const Model<double>& m, const State<double>& x,
                             const Workspace<double>& w, Factorization f,
                             SubtreeRoom<double>& subtrees, const KernelRoom& room, double* C,
                             double* Mdot) {
  const std::ptrdiff_t n = m.nv;
  const auto rows = [&](int which) {
    return SixRows{room.rows.x + std::ptrdiff_t(6 * which) * room.rows.stride, room.rows.stride};
  };
  const SixRows S = rows(0), Psi = rows(1), sum = rows(2), momentum = rows(3), row = rows(4),
                column = rows(5);
  detail::coriolis_columns<Origins::anchors>(m, x, w, f, subtrees,
                                             [&](int, int k, const CoriolisForces<double>& force) {
                                               Wrench<double> both = force.column + force.row;
                                               if (f == Factorization::plain) both -= force.rate;
                                               S.put(k, subtrees.S[k].w, subtrees.S[k].v);
                                               Psi.put(k, subtrees.Psi[k].w, subtrees.Psi[k].v);
                                               sum.put(k, both.m, both.f);
                                               momentum.put(k, force.momentum.m, force.momentum.f);
                                               row.put(k, force.row.m, force.row.f);
                                               column.put(k, force.column.m, force.column.f);
                                             });
  for_each_row(
      m, room.run,
      [&](int k, int begin, int end) {
        const RowProduct own(S, column, k), both(S, sum, k), rates(Psi, momentum, k);
        double *to = C + n * k, *rate = Mdot + n * k;
        for_each_piece(begin, end, [&]<class Piece>(int at) {
          put(own.at<Piece>(at), to + at);
          put(both.at<Piece>(at) + rates.at<Piece>(at), rate + at);
        });
      },
      [&](int j, int begin, int end) {
        const RowProduct own(row, S, j), both(sum, S, j), rates(momentum, Psi, j);
        double *to = C + n * j, *rate = Mdot + n * j;
        for_each_piece(begin, end, [&]<class Piece>(int at) {
          const Piece turned = rates.at<Piece>(at);
          put(own.at<Piece>(at) + turned, to + at);
          put(both.at<Piece>(at) + turned, rate + at);
        });
      },
      [&](int i, int begin, int end) {
        for (const SixRows& force : {sum, momentum, row, column})
          force.move_from(w.near[i], begin, end);
      });
}

}  // namespace jounce::lanes::inline JOUNCE_ISA

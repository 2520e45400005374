// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix of long chains: M_kj = F_k . S_j by rows.
#pragma once

#include <jounce/algorithm/mass_matrix.hpp>

#include "kernels/lanes/long_runs.hpp"

namespace jounce::lanes::inline JOUNCE_ISA {

[[gnu::flatten]] inline void mass_by_rows(const Recursion<InRegisters>& r, const KernelRoom& room,
                                          double* M) {
  const std::ptrdiff_t n = r.m.nv, stride = room.rows.stride;
  const SixRows S{room.rows.x, stride}, F{room.rows.x + 6 * stride, stride};
  detail::mass_columns<Origins::anchors>(r, [&](int, int k, const Force& force) {
    S.put(k, vector(r.room.screw[k].w), vector(r.room.screw[k].v));
    F.put(k, vector(force.m), vector(force.f));
  });
  for_each_row(
      r.m, room.run,
      [&](int k, int begin, int end) {
        write_products(begin, end, M + n * k, RowProduct(S, F, k));
      },
      [&](int j, int begin, int end) {
        write_products(begin, end, M + n * j, RowProduct(F, S, j));
      },
      [&](int i, int begin, int end) { F.move_from(vector(r.room.cut[i].d), begin, end); });
  for (std::ptrdiff_t k = 0; k < n; ++k) M[(n + 1) * k] += r.m.armature[k];
}

}  // namespace jounce::lanes::inline JOUNCE_ISA

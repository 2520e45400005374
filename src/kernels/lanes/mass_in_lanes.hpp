// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix of long chains: M_kj = F_k . S_j by rows.
#pragma once

#include <jounce/algorithm/mass_matrix.hpp>

#include "kernels/lanes/long_runs.hpp"

namespace jounce::lanes::inline JOUNCE_ISA {

/// write(k, begin, end, product): entries of row k for the coordinates [begin, end), those that
/// carry it and, where `both`, those it carries.
template <bool both, class Write>
[[gnu::always_inline]] inline void mass_by_rows(const Recursion<InRegisters>& r,
                                                const KernelRoom& room, Write write) {
  const std::ptrdiff_t stride = room.rows.stride;
  const SixRows S{room.rows.x, stride}, F{room.rows.x + 6 * stride, stride};
  detail::mass_columns<Origins::anchors>(r, [&](int, int k, const Force& force) {
    S.put(k, vector(r.room.screw[k].w), vector(r.room.screw[k].v));
    F.put(k, vector(force.m), vector(force.f));
  });
  for_each_row(
      r.m, room.run, [&](int k, int begin, int end) { write(k, begin, end, RowProduct(S, F, k)); },
      [&](int j, int begin, int end) {
        if constexpr (both) write(j, begin, end, RowProduct(F, S, j));
      },
      [&](int i, int begin, int end) { F.move_from(vector(r.room.cut[i].d), begin, end); });
}
[[gnu::flatten]] inline void mass_by_rows(const Recursion<InRegisters>& r, const KernelRoom& room,
                                          double* M) {
  const std::ptrdiff_t n = r.m.nv;
  mass_by_rows<true>(r, room, [&](int k, int begin, int end, const RowProduct& product) {
    write_products(begin, end, M + n * k, product);
  });
  for (std::ptrdiff_t k = 0; k < n; ++k) M[(n + 1) * k] += r.m.armature[k];
}
/// The lower triangle in the pattern's rows, where the entries of a run stand side by side.
[[gnu::flatten]] inline void mass_rows_of_runs(const Recursion<InRegisters>& r,
                                               const KernelRoom& room, const MassPattern& s,
                                               double* M) {
  mass_by_rows<false>(r, room, [&](int k, int begin, int end, const RowProduct& product) {
    write_products(begin, end, M + s.row[k] + s.length(begin) - begin, product);
  });
  for (int k = 0; k < s.n; ++k) M[s.diagonal[k]] += r.m.armature[k];
}

}  // namespace jounce::lanes::inline JOUNCE_ISA

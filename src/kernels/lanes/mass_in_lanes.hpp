// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix of long chains: M_kj = F_k . S_j by rows.
#pragma once

#include <jounce/algorithm/mass_matrix.hpp>

#include "kernels/lanes/long_runs.hpp"

namespace jounce::lanes::inline JOUNCE_ISA {

/// How many rows share their loads: their factors fill the registers.
inline constexpr int mass_rows_at_a_time = register_bytes(native_isa) >= 64 ? 4 : 2;

/// Rows [k, k + rows) for the coordinates of a run: products of a's numbers with those of b.
template <int rows, class To>
[[gnu::always_inline]] inline void write_rows(const Run& run, const SixRows& b, const SixRows& a,
                                              int k, To to) {
  Six<double> set[rows];
  for (int r = 0; r < rows; ++r) set[r] = a.six(k + r);
  write_products(run, b, set, [&](int r) { return to(k + r); });
}
/// Rows [k, k + rows) of a run's own square: those that carry k, and one by one those that carry
/// some of these rows, but not k.
template <int rows, class To>
[[gnu::always_inline]] inline void write_carrying(const SixRows& S, const SixRows& F, int k,
                                                  const Run& run, To to) {
  write_rows<rows>({run.begin, k + 1}, S, F, k, to);
  for (int r = 1; r < rows; ++r) {
    const Six<double> force = F.six(k + r);
    for (int j = k + 1; j <= k + r; ++j) to(k + r)[j] = product(S.six(j), force);
  }
}
/// to(k, begin): where row k would begin with the first coordinate, by where a run that begins
/// there stands in it. Without `above`, entries of coordinates that carry k alone.
template <bool above, class To>
[[gnu::always_inline]] inline void mass_by_rows(const Recursion<InRegisters>& r,
                                                const KernelRoom& room, To to) {
  constexpr int most = mass_rows_at_a_time;
  const std::ptrdiff_t stride = room.rows.stride;
  const SixRows S{room.rows.x, stride}, F{room.rows.x + 6 * stride, stride};
  detail::mass_columns<Origins::anchors>(r, [&](int, int k, const Force& force) {
    S.put(k, vector(r.room.screw[k].w), vector(r.room.screw[k].v));
    F.put(k, vector(force.m), vector(force.f));
  });
  for_each_block(
      r.m, room.run,
      [&](const Run& own) {
        const auto row = [&](int k) { return to(k, own.begin); };
        for_each_rows<most>(own, [&]<int rows>(int k) {
          if constexpr (above) write_rows<rows>(carried_by(k, own), F, S, k, row);
          write_carrying<rows>(S, F, k, own, row);
        });
      },
      [&](const Run& own, const Run& other) {
        const auto row = [&](int k) { return to(k, other.begin); };
        for_each_rows<most>(own, [&]<int rows>(int k) { write_rows<rows>(other, S, F, k, row); });
      },
      [&](const Run& other, const Run& own) {
        if constexpr (!above) return;
        const auto row = [&](int k) { return to(k, own.begin); };
        for_each_rows<most>(other, [&]<int rows>(int k) { write_rows<rows>(own, F, S, k, row); });
      },
      [&](int i, const Run& own) { F.move_from(vector(r.room.cut[i].d), own.begin, own.end); });
}
[[gnu::flatten]] inline void mass_by_rows(const Recursion<InRegisters>& r, const KernelRoom& room,
                                          double* M) {
  const std::ptrdiff_t n = r.m.nv;
  mass_by_rows<true>(r, room, [&](int k, int) { return M + n * k; });
  for (std::ptrdiff_t k = 0; k < n; ++k) M[(n + 1) * k] += r.m.armature[k];
}
/// The lower triangle in the pattern's rows, where the entries of a run stand side by side.
[[gnu::flatten]] inline void mass_rows_of_runs(const Recursion<InRegisters>& r,
                                               const KernelRoom& room, const MassPattern& s,
                                               double* M) {
  mass_by_rows<false>(r, room,
                      [&](int k, int begin) { return M + s.row[k] + s.length(begin) - begin; });
  for (int k = 0; k < s.n; ++k) M[s.diagonal[k]] += r.m.armature[k];
}

}  // namespace jounce::lanes::inline JOUNCE_ISA

// SPDX-License-Identifier: BSD-3-Clause
// The Coriolis matrix and the regressor for one instruction set; compiled once for each.
#include "kernels/lanes/coriolis_in_lanes.hpp"
#include "kernels/lanes/regressor_in_lanes.hpp"
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

[[gnu::flatten]] void coriolis_of(const Model<double>& m, const State<double>& x,
                                  const Workspace<double>& w, Factorization f,
                                  SubtreeRoom<double>& subtrees, const KernelRoom& room, double* C,
                                  double* Mdot) {
  if (lanes::has_long_runs(m, room.run))
    return lanes::coriolis_by_rows(m, x, w, f, subtrees, room, C, Mdot);
  if (m.anchors > 1) coriolis<Origins::anchors>(m, x, w, f, subtrees, C, Mdot);
  else coriolis<Origins::centre>(m, x, w, f, subtrees, C, Mdot);
}

}  // namespace

void add_coriolis_kernels(Kernels& k) {
  k.coriolis = coriolis_of;
  k.regressor = regressor_in_lanes;
}

}  // namespace jounce::inline JOUNCE_ISA

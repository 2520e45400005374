// SPDX-License-Identifier: BSD-3-Clause
// The Coriolis matrix and the regressor for one instruction set; compiled once for each.
#include <jounce/algorithm/coriolis.hpp>

#include "kernels/lanes/regressor_in_lanes.hpp"
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

void coriolis_of(const Model<double>& m, const State<double>& x, const Workspace<double>& w,
                 Factorization f, SubtreeRoom<double>& room, double* C, double* Mdot) {
  if (m.anchors > 1) coriolis<Origins::anchors>(m, x, w, f, room, C, Mdot);
  else coriolis<Origins::centre>(m, x, w, f, room, C, Mdot);
}

}  // namespace

void add_coriolis_kernels(Kernels& k) {
  k.coriolis = coriolis_of;
  k.regressor = regressor_in_lanes;
}

}  // namespace jounce::inline JOUNCE_ISA

// SPDX-License-Identifier: BSD-3-Clause
// The Coriolis matrix and the regressor for one instruction set; compiled once for each, in a
// namespace of its own.
#include <jounce/algorithm/coriolis.hpp>

#include "kernels/kernels.hpp"
#include "kernels/lanes/regressor_in_lanes.hpp"

namespace jounce {
namespace {

void coriolis_of(const void* model, const void* state, const void* workspace, int factorization,
                 void* room, double* C, double* Mdot) {
  const auto& m = *static_cast<const Model<double>*>(model);
  const auto& x = *static_cast<const State<double>*>(state);
  const auto& w = *static_cast<const Workspace<double>*>(workspace);
  auto& kept = *static_cast<SubtreeRoom<double>*>(room);
  const Factorization f = Factorization(factorization);
  if (m.anchors > 1) coriolis<Origins::anchors>(m, x, w, f, kept, C, Mdot);
  else coriolis<Origins::centre>(m, x, w, f, kept, C, Mdot);
}

void regressor_of(const void* model, const void* state, const double* v_r, int factorization,
                  const void* link, int links, void* workspace, void* V_r, void* S, double* Y) {
  regressor_in_lanes(*static_cast<const Model<double>*>(model),
                     *static_cast<const State<double>*>(state), v_r, Factorization(factorization),
                     static_cast<const LinkUnits*>(link), links,
                     *static_cast<Workspace<double>*>(workspace), static_cast<Twist<double>*>(V_r),
                     static_cast<Twist<double>*>(S), Y);
}

}  // namespace

void fill_coriolis_kernel(kernel_interface::Kernels& k) {
  k.coriolis = coriolis_of;
  k.regressor = regressor_of;
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// The Coriolis matrix for one instruction set; compiled once for each, in a namespace of its own.
#include <jounce/algorithm/coriolis.hpp>

#include "kernels/kernels.hpp"

namespace jounce {
namespace {

void coriolis_of(const void* model, const void* state, const void* workspace, int factorization,
                 void* room, double* C, double* Mdot) {
  coriolis(*static_cast<const Model<double>*>(model), *static_cast<const State<double>*>(state),
           *static_cast<const Workspace<double>*>(workspace), Factorization(factorization),
           *static_cast<SubtreeRoom<double>*>(room), C, Mdot);
}

}  // namespace

void fill_coriolis_kernel(kernel_interface::Kernels& k) { k.coriolis = coriolis_of; }

}  // namespace jounce

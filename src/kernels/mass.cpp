// SPDX-License-Identifier: BSD-3-Clause
// Factors and inverses of the mass matrix for one instruction set; compiled once for each, in a
// namespace of its own.
#include <jounce/algorithm/ltdl.hpp>

#include "kernels/kernels.hpp"
#include "kernels/lanes/articulated_inverse.hpp"

namespace jounce {
namespace {

template <class T>
const T& as(const void* x) {
  return *static_cast<const T*>(x);
}
template <class T>
T& as(void* x) {
  return *static_cast<T*>(x);
}

void ltdl_factor_of(const void* pattern, double* M) { ltdl_factor(as<MassPattern>(pattern), M); }
void ltdl_inverse_of(const void* pattern, const double* LD, double* X, double* Y, double* inverse) {
  ltdl_inverse(as<MassPattern>(pattern), LD, X, Y, inverse);
}
void factor_articulated_of(const void* model, const void* state, void* workspace) {
  factor_articulated(as<Model<double>>(model), as<State<double>>(state),
                     as<Workspace<double>>(workspace));
}
void articulated_solve_of(const void* model, const double* tau, void* workspace, double* a) {
  articulated_solve(as<Model<double>>(model), tau, as<Workspace<double>>(workspace), a);
}
void articulated_inverse_of(const void* model, const void* workspace, const void* room, int stride,
                            double* inverse) {
  articulated_inverse(as<Model<double>>(model), as<Workspace<double>>(workspace),
                      as<InverseRoom>(room), stride, inverse);
}
}  // namespace

void fill_mass_kernels(kernel_interface::Kernels& k) {
  k.ltdl_factor = ltdl_factor_of;
  k.ltdl_inverse = ltdl_inverse_of;
  k.factor_articulated = factor_articulated_of;
  k.articulated_solve = articulated_solve_of;
  k.articulated_inverse = articulated_inverse_of;
}

}  // namespace jounce

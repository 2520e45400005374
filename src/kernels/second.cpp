// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives for one instruction set; compiled once for each, in a namespace of its own.
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/algorithm/second_products.hpp>

#include "kernels/kernels.hpp"
#include "kernels/lanes/tensors_in_lanes.hpp"

namespace jounce {
namespace {

void second_derivatives_of(const void* model, const void* state, void* workspace, const void* body,
                           void* pose, const void* lanes, void* room, void* second,
                           const void* out) {
  const auto& m = *static_cast<const Model<double>*>(model);
  const auto& x = *static_cast<const State<double>*>(state);
  auto& w = *static_cast<Workspace<double>*>(workspace);
  const auto& found = *static_cast<const SecondDerivatives<double>*>(out);
  if constexpr (register_bytes(native_isa) >= 32)
    return second_derivatives_in_lanes(m, x, w, static_cast<const LaneBody*>(body),
                                       static_cast<WidePose*>(pose),
                                       *static_cast<const SecondLanes*>(lanes), found);
  forward_poses(m, x, w);
  rnea_second_derivatives(m, x, w, *static_cast<DerivativeRoom<double>*>(room),
                          *static_cast<SecondRoom<double>*>(second), found);
}
void second_products_of(const void* model, const void* state, void* workspace, const double* y,
                        void* room, void* sums, void* second, const void* out) {
  const auto& m = *static_cast<const Model<double>*>(model);
  const auto& x = *static_cast<const State<double>*>(state);
  auto& w = *static_cast<Workspace<double>*>(workspace);
  forward_poses(m, x, w);
  rnea_second_products(m, x, w, y, *static_cast<DerivativeRoom<double>*>(room),
                       *static_cast<ProductRoom<double>*>(sums),
                       *static_cast<SecondRoom<double>*>(second),
                       *static_cast<const SecondDerivatives<double>*>(out));
}

}  // namespace

void fill_second_kernels(kernel_interface::Kernels& k) {
  k.second_derivatives = second_derivatives_of;
  k.second_products = second_products_of;
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Partial derivatives for one instruction set; compiled once for each, in a namespace of its own.
#include <jounce/algorithm/derivative_products.hpp>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/algorithm/rnea_derivatives.hpp>

#include "kernels/kernels.hpp"
#include "kernels/lanes/columns_in_lanes.hpp"
#include "kernels/lanes/forward_derivatives.hpp"

namespace jounce {
namespace {

void inverse_derivatives_of(const void* model, const void* state, void* workspace, const void* body,
                            void* pose, const void* lanes, bool simple, void* room,
                            const void* out) {
  const auto& m = *static_cast<const Model<double>*>(model);
  const auto& x = *static_cast<const State<double>*>(state);
  auto& w = *static_cast<Workspace<double>*>(workspace);
  const auto& found = *static_cast<const InverseDerivatives<double>*>(out);
  if constexpr (register_bytes(native_isa) >= 32)
    if (simple)
      return derivatives_in_lanes(m, x, w, static_cast<const LaneBody*>(body),
                                  static_cast<WidePose*>(pose),
                                  *static_cast<const DerivativeLanes*>(lanes), found);
  forward_poses(m, x, w);
  auto& kept = *static_cast<DerivativeRoom<double>*>(room);
  if (m.anchors > 1) rnea_derivatives<Origins::anchors>(m, x, w, kept, found);
  else rnea_derivatives<Origins::centre>(m, x, w, kept, found);
}
void vector_jacobian_of(const void* model, const void* state, void* workspace, const double* y,
                        void* room, void* sums, const void* out) {
  const auto& m = *static_cast<const Model<double>*>(model);
  const auto& x = *static_cast<const State<double>*>(state);
  auto& w = *static_cast<Workspace<double>*>(workspace);
  forward_poses(m, x, w);
  rnea_vector_jacobian(m, x, w, y, *static_cast<DerivativeRoom<double>*>(room),
                       *static_cast<ProductRoom<double>*>(sums),
                       *static_cast<const InverseDerivatives<double>*>(out));
}
void jacobian_vector_of(const void* model, const void* state, void* workspace, const void* along,
                        void* room, void* sums, double* tau) {
  const auto& m = *static_cast<const Model<double>*>(model);
  const auto& x = *static_cast<const State<double>*>(state);
  auto& w = *static_cast<Workspace<double>*>(workspace);
  forward_poses(m, x, w);
  rnea_jacobian_vector(m, x, w, *static_cast<const InverseDerivatives<const double>*>(along),
                       *static_cast<DerivativeRoom<double>*>(room),
                       *static_cast<ProductRoom<double>*>(sums), tau);
}
void minus_inverse_times_of(const void* related, const double* inverse, int stride,
                            const double* dq, const double* dv, double* a_dq, double* a_dv) {
  constexpr int columns = register_bytes(native_isa) >= 64 ? 4 : 2;  // as many as registers hold
  minus_inverse_times<columns>(*static_cast<const RelatedCoordinates*>(related), inverse, stride,
                               dq, dv, a_dq, a_dv);
}

}  // namespace

void fill_derivative_kernels(kernel_interface::Kernels& k) {
  k.inverse_derivatives = inverse_derivatives_of;
  k.vector_jacobian = vector_jacobian_of;
  k.jacobian_vector = jacobian_vector_of;
  k.minus_inverse_times = minus_inverse_times_of;
}

}  // namespace jounce

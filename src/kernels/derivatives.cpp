// SPDX-License-Identifier: BSD-3-Clause
// Partial derivatives for one instruction set; compiled once for each.
#include <jounce/algorithm/derivative_products.hpp>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/algorithm/rnea_derivatives.hpp>

#include "kernels/lanes/forward_derivatives.hpp"
#include "kernels/lanes/products_in_lanes.hpp"
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

void inverse_derivatives(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                         const LaneBody* body, lanes::Pose* pose, const DerivativeLanes& lanes,
                         bool simple, DerivativeRoom<double>& room,
                         const InversePartials<double>& out) {
  if constexpr (register_bytes(native_isa) >= 32)
    if (simple) return derivatives_in_lanes(m, x, w, body, pose, lanes, out);
  forward_poses(m, x, w);
  if (m.anchors > 1) rnea_derivatives<Origins::anchors>(m, x, w, room, out);
  else rnea_derivatives<Origins::centre>(m, x, w, room, out);
}
void vector_jacobian(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                     const LaneBody* body, lanes::Pose* pose, const DerivativeLanes& lanes,
                     bool simple, const double* y, DerivativeRoom<double>& room,
                     ProductRoom<double>& sums, const InversePartials<double>& out) {
  if constexpr (register_bytes(native_isa) >= 32)
    if (simple) return vector_jacobian_in_lanes(m, x, w, body, pose, lanes, y, out);
  forward_poses(m, x, w);
  rnea_vector_jacobian(m, x, w, y, room, sums, out);
}
void jacobian_vector(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                     const LaneBody* body, lanes::Pose* pose, const DerivativeLanes& lanes,
                     bool simple, const InversePartials<const double>& along,
                     DerivativeRoom<double>& room, ProductRoom<double>& sums, double* tau) {
  if constexpr (register_bytes(native_isa) >= 32)
    if (simple) return jacobian_vector_in_lanes(m, x, w, body, pose, lanes, along, tau);
  forward_poses(m, x, w);
  rnea_jacobian_vector(m, x, w, along, room, sums, tau);
}

}  // namespace

void add_derivative_kernels(Kernels& k) {
  constexpr int columns = register_bytes(native_isa) >= 64 ? 4 : 3;  // as many as registers hold
  k.inverse_derivatives = inverse_derivatives;
  k.vector_jacobian = vector_jacobian;
  k.jacobian_vector = jacobian_vector;
  k.columns_together = columns;
  k.minus_inverse_times = minus_inverse_times<columns>;
}

}  // namespace jounce::inline JOUNCE_ISA

// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives for one instruction set; compiled once for each.
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/algorithm/second_products.hpp>

#include "kernels/lanes/tensors_in_lanes.hpp"
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

void second_derivatives(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                        const LaneBody* body, lanes::Pose* pose, const SecondLanes& lanes,
                        DerivativeRoom<double>& room, SecondRoom<double>& second,
                        const SecondPartials<double>& out) {
  if constexpr (register_bytes(native_isa) >= 32)
    return second_derivatives_in_lanes(m, x, w, body, pose, lanes, out);
  forward_poses(m, x, w);
  rnea_second_derivatives(m, x, w, room, second, out);
}
void second_products(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                     const double* y, DerivativeRoom<double>& room, ProductRoom<double>& sums,
                     SecondRoom<double>& second, const SecondPartials<double>& out) {
  forward_poses(m, x, w);
  rnea_second_products(m, x, w, y, room, sums, second, out);
}

}  // namespace

void add_second_kernels(Kernels& k) {
  k.second_derivatives = second_derivatives;
  k.second_products = second_products;
}

}  // namespace jounce::inline JOUNCE_ISA

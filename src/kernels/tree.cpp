// SPDX-License-Identifier: BSD-3-Clause
// Kinematics for one instruction set; compiled once for each.
#include <jounce/algorithm/forward_motion.hpp>
#include <jounce/algorithm/jacobian.hpp>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/algorithm/momentum_derivatives.hpp>
#include <jounce/algorithm/path_derivatives.hpp>

#include "kernels/lanes/brackets.hpp"
#include "kernels/lanes/poses_in_lanes.hpp"
#include "kernels/on_vectors.hpp"
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

void poses(const Model<double>& m, const State<double>& x, Workspace<double>& w,
           lanes::Pose* wide) {
  if constexpr (register_bytes(native_isa) >= 32) forward_poses_in_lanes(m, x, w, wide);
  else forward_poses(m, x, w);
}
void twists(const Model<double>& m, const State<double>& x, Workspace<double>& w,
            const KernelRoom& room) {
  on_vectors(m, x, w, room, [](const auto& r) { forward_motion<false>(r); });
}
void motions(const Model<double>& m, const State<double>& x, Workspace<double>& w,
             const KernelRoom& room) {
  on_vectors(m, x, w, room, [](const auto& r) { forward_motion<true>(r); });
}

void frame_jacobian(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                    const KernelRoom& room, int body, const SE3<double>& offset, Representation in,
                    double* J) {
  on_vectors(m, x, w, room, [&](const auto& r) { path_jacobian(r, body, offset, in, J); });
}
void frame_derivatives(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                       const KernelRoom& room, int body, const SE3<double>& offset,
                       FrameQuantity quantity, Representation in,
                       const FramePartials<double>& out) {
  on_vectors(m, x, w, room,
             [&](const auto& r) { path_derivatives(r, body, offset, quantity, in, out); });
}
void derivatives_of_momentum(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                             const KernelRoom& room, const MomentumPartials<double>& out) {
  on_vectors(m, x, w, room, [&](const auto& r) { momentum_derivatives(r, out); });
}
void gradients_of_energy(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                         const KernelRoom& room, const EnergyGradients<double>& out) {
  on_vectors(m, x, w, room, [&](const auto& r) { energy_gradients(r, out); });
}

}  // namespace

void add_tree_kernels(Kernels& k) {
  k.poses = poses;
  k.twists = twists;
  k.motions = motions;
  k.jacobian = jacobian<double, double, double>;
  k.jacobian_rate = jacobian_rate<double, double, double>;
  k.path_jacobian = frame_jacobian;
  k.path_derivatives = frame_derivatives;
  k.momentum_derivatives = derivatives_of_momentum;
  k.energy_gradients = gradients_of_energy;
}

}  // namespace jounce::inline JOUNCE_ISA

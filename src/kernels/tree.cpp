// SPDX-License-Identifier: BSD-3-Clause
// Kinematics for one instruction set; compiled once for each.
#include <jounce/algorithm/jacobian.hpp>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/algorithm/path_jacobian.hpp>

#include "kernels/lanes/poses_in_lanes.hpp"
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

void poses(const Model<double>& m, const State<double>& x, Workspace<double>& w,
           lanes::Pose* wide) {
  if constexpr (register_bytes(native_isa) >= 32) forward_poses_in_lanes(m, x, w, wide);
  else forward_poses(m, x, w);
}
/// Not the template itself: GCC vectorises it better where it is inlined.
void twists(const Model<double>& m, const State<double>& x, Workspace<double>& w) {
  forward_twists(m, x, w);
}

}  // namespace

void add_tree_kernels(Kernels& k) {
  k.poses = poses;
  k.twists = twists;
  k.accelerations = forward_accelerations<double, double>;
  k.jacobian = jacobian<double, double, double>;
  k.path_jacobian = path_jacobian<double, double>;
}

}  // namespace jounce::inline JOUNCE_ISA

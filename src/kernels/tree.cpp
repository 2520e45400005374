// SPDX-License-Identifier: BSD-3-Clause
// The hot algorithms for one instruction set; compiled once for each.
#include <jounce/algorithm/crba.hpp>
#include <jounce/algorithm/hybrid.hpp>
#include <jounce/algorithm/jacobian.hpp>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/algorithm/path_jacobian.hpp>

#include "kernels/lanes/aba_in_lanes.hpp"
#include "kernels/lanes/crba_in_lanes.hpp"
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

void poses(const Model<double>& m, const State<double>& x, Workspace<double>& w, WidePose* wide) {
  if constexpr (register_bytes(native_isa) >= 32) forward_poses_in_lanes(m, x, w, wide);
  else forward_poses(m, x, w);
}
/// Not the template itself: GCC vectorises it better where it is inlined.
void twists(const Model<double>& m, const State<double>& x, Workspace<double>& w) {
  forward_twists(m, x, w);
}
void rnea_of(const Model<double>& m, const State<double>& x, Workspace<double>& w,
             const LaneBody* body, const LaneRoom& room) {
  if constexpr (register_bytes(native_isa) >= 32) rnea_in_lanes(m, x, w, body, room);
  else rnea(m, x, w);
}
void aba_of(const Model<double>& m, const State<double>& x, Workspace<double>& w,
            const LaneBody* body, const LaneRoom& room) {
  if constexpr (register_bytes(native_isa) >= 32) aba_in_lanes(m, x, w, body, room);
  else aba(m, x, w);
}
void crba_of(const Model<double>& m, const State<double>& x, Workspace<double>& w,
             const LaneBody* body, const LaneRoom& room, WidePose* pose, Inertia<double>* composite,
             double* M) {
  if constexpr (register_bytes(native_isa) >= 32) {
    crba_in_lanes(m, x, w, body, room, pose, M);
  } else {
    move_angles(m, x, w);
    for (int i = 1; i < m.bodies; ++i) move_joint(m, x, i, w);
    crba(m, w, composite, M);
  }
}

}  // namespace

void add_tree_kernels(Kernels& k) {
  k.poses = poses;
  k.twists = twists;
  k.accelerations = forward_accelerations<double, double>;
  k.jacobian = jacobian<double, double, double>;
  k.rnea = rnea_of;
  k.aba = aba_of;
  k.hybrid = hybrid<double, double>;
  k.crba = crba_of;
  k.path_jacobian = path_jacobian<double, double>;
}

}  // namespace jounce::inline JOUNCE_ISA

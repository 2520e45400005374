// SPDX-License-Identifier: BSD-3-Clause
// The recursions of higher order for one instruction set; compiled once for each.
#include "kernels/lanes/body_pose_in_lanes.hpp"
#include "kernels/lanes/hybrid_series_in_lanes.hpp"
#include "kernels/lanes/kinematic_series_in_lanes.hpp"
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

void start(const Model<double>& m, const double* q, const Twist<double>* V_0, int order,
           SeriesWorkspace<double>& w) {
  start_series(m, q, w);
  start_ground(m, V_0, order, w);
}

}  // namespace

void add_series_kernels(SeriesKernels& k) {
  k.start = start;
  k.twists = forward_twist_series<double, double>;
  k.forces = inverse_force_series<double, SeriesWorkspace<double>>;
  k.hybrid_start = start_hybrid_series<double, double>;
  k.hybrid_step = hybrid_series_step<double, double>;
  k.start_ground = start_ground<double, double>;
  if constexpr (register_bytes(native_isa) >= 32) {
    k.kinematics_in_lanes = kinematic_series_in_lanes;
    k.body_pose_in_lanes = body_pose_in_lanes;
    k.inverse_twists_in_lanes = inverse_twists_in_lanes;
    k.inverse_forces_in_lanes = inverse_forces_in_lanes;
    k.hybrid_start_in_lanes = start_hybrid_series_in_lanes;
    k.hybrid_step_in_lanes = hybrid_series_step_in_lanes;
  }
}

}  // namespace jounce::inline JOUNCE_ISA

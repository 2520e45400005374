// SPDX-License-Identifier: BSD-3-Clause
// Twists and poses of all bodies as power series, for one state: twists in eight lanes as
// inverse_series_in_lanes.hpp has them, poses as columns.
//
// The reference multiplies the series of a body's pose in its parent by that of the parent's. Here
// a body's pose follows from its own twist alone, T' = T [V] (series_joint.hpp says so of joints):
//   k R[k] = sum_{l<k} R[k-1-l] [w[l]],      k p[k] = sum_{l<k} R[k-1-l] v[l]
// nine multiply-adds of columns for each l instead of 63 numbers, and no series of joint poses.
#pragma once

#include <jounce/algorithm/kinematics.hpp>

#include "kernels/lanes/inverse_series_in_lanes.hpp"
#include "kernels/lanes/poses_in_lanes.hpp"

namespace jounce {
namespace twist_lanes::inline JOUNCE_ISA {

/// Coefficients 1..last of a pose from coefficient 0 and those of its body twist.
inline void extend_pose(const LaneRow* V, int last, lanes::Pose* T) {
  using lanes::Column, lanes::spread;
  for (int k = 1; k <= last; ++k) {
    Column yz{}, zy{}, zx{}, xz{}, xy{}, yx{}, a{}, b{}, c{};
    for (int l = 0; l < k; ++l) {
      const lanes::Pose& R = T[k - 1 - l];
      const double* V_l = V[l].x;
      const Column x = spread(V_l[0]), y = spread(V_l[1]), z = spread(V_l[2]);
      yz += R.y * z, zy += R.z * y;
      zx += R.z * x, xz += R.x * z;
      xy += R.x * y, yx += R.y * x;
      a += R.x * spread(V_l[4]), b += R.y * spread(V_l[5]), c += R.z * spread(V_l[6]);
    }
    const double scale = 1.0 / k;
    T[k] = {(yz - zy) * scale, (zx - xz) * scale, (xy - yx) * scale, (a + b + c) * scale};
  }
}

/// Twists of all bodies in V, coefficients 0..last, after start_tables; w.V[0] is the ground's.
template <KnownOrder known>
inline void kinematic_twists(const Model<double>& m, const double* q, int last,
                             SeriesWorkspace<double>& w, SeriesLanes& t) {
  for (int k = 0; k <= last; ++k) put(w.V[0][k], t.V[0][k]);
  for (int n = 1; n < m.bodies; ++n) {
    const int i = t.by_depth[n];
    if (t.slot[i] < 0) generic_twists(m, q, i, last, w, t);
    else if (is_revolute(m, i)) twists<known, true>(m, i, last, w, t);
    else twists<known, false>(m, i, last, w, t);
  }
}

/// Poses and screws of all bodies after that.
template <KnownOrder known>
inline void kinematic_poses(const Model<double>& m, const double* q, int order,
                            SeriesWorkspace<double>& w, SeriesLanes& t) {
  Local<lanes::Pose, known.room> T(t.pose);
  for (int i = 0; i < m.bodies; ++i) {
    T[0] = lanes::Pose{} * w.now->pose[i];
    extend_pose(t.V[i], order + 1, T.x);
    for (int k = 0; k <= order + 1; ++k) lanes::store(T[k], w.pose[i][k]);
    for (int k = 0; k <= order && i > 0; ++k) w.V[i][k] = twist(t.V[i][k]);
    if (i > 0 && t.slot[i] < 0) extend_joint(m, q, i, order + 1, w);
  }
}

}  // namespace twist_lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// V[0..order], and pose and S[0..order + 1] of moving screws, with the ground's twist in V[0].
inline void kinematic_series_in_lanes(const Model<double>& m, const double* q, int order,
                                      SeriesWorkspace<double>& w, SeriesLanes& t) {
  using namespace twist_lanes;
  set_order(order, t);
  forward_poses(m, State<double>{q, w.v[0]}, *w.now);
  start_tables(m, q, w, t);
  for (int i = 1; i < m.bodies; ++i) w.T[i][0] = w.now->T[i];
  for (int j = 0; j < m.nv; ++j) w.S[j][0] = w.now->S[j];
  extend_tables(m, 1, order, w, t);
  const auto run = [&]<KnownOrder known>() {
    kinematic_twists<known>(m, q, order, w, t);
    kinematic_poses<known>(m, q, order, w, t);
  };
  if (order <= highest_order) run.template operator()<up_to(highest_order)>();
  else run.template operator()<any_order>();
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

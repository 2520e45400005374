// SPDX-License-Identifier: BSD-3-Clause
// Where one body is, at the instant itself: the product of the poses of the joints that carry it.
//
// From the body to the ground a pose is multiplied from the left, so that it is held by rows, with
// the position in the lane that is left: a motion about or along z mixes two of them, a placement
// takes nine multiply-adds. The sines and cosines are those that the twists have.
#pragma once

#include "kernels/lanes/series_lanes.hpp"

namespace jounce {
namespace twist_lanes::inline JOUNCE_ISA {

/// The first three rows of a homogeneous matrix.
struct PoseRows {
  lanes::Column x{1, 0, 0, 0}, y{0, 1, 0, 0}, z{0, 0, 1, 0};
};
inline constexpr LaneRow fourth{{0, 0, 0, 1, 0, 0, 0, 0}};

[[gnu::always_inline]] inline PoseRows operator*(const SE3<double>& T, const PoseRows& U) {
  const lanes::Column last = lanes::load(fourth.x);
  const auto row = [&](const Vec3<double>& R, double p) {
    return U.x * R.x + U.y * R.y + (U.z * R.z + last * p);
  };
  const auto& [a, b, c] = T.R.m.row;
  return {row(a, T.p.x), row(b, T.p.y), row(c, T.p.z)};
}
[[gnu::always_inline]] inline PoseRows turned_about_z(double cos, double sin, const PoseRows& U) {
  return {U.x * cos - U.y * sin, U.x * sin + U.y * cos, U.z};
}
[[gnu::always_inline]] inline PoseRows shifted_along_z(double by, const PoseRows& U) {
  return {U.x, U.y, U.z + lanes::load(fourth.x) * by};
}
inline SE3<double> pose(const PoseRows& U) {
  const auto row = [](const lanes::Column& x) { return lanes::vector(x); };
  return {{{{row(U.x), row(U.y), row(U.z)}}}, {U.x[3], U.y[3], U.z[3]}};
}

}  // namespace twist_lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// After the start of inverse_twists_in_lanes or hybrid_start_in_lanes. Bodies with a flag have
/// their pose in w.
inline SE3<double> body_pose_in_lanes(const Model<double>& m, int body, const int* placed,
                                      const SeriesWorkspace<double>& w, const SeriesLanes& t) {
  using namespace twist_lanes;
  PoseRows U;
  for (int i = body; i > 0; i = m.parent[i]) {
    if (placed[i] > 0) {
      U = w.pose[i][0] * U;
      break;
    }
    if (const int slot = t.slot[i]; slot < 0) {
      U = w.T[i][0] * U;
    } else {
      U = is_revolute(m, i) ? turned_about_z(t.cos[0][slot], t.sin[0][slot], U)
                            : shifted_along_z(t.cos[0][slot], U);
      U = m.part[m.part_at[i]].placement * U;
    }
  }
  return pose(U);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

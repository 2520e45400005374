// SPDX-License-Identifier: BSD-3-Clause
// forward_poses for one state on a processor with 32-byte registers: a pose is four columns.
//
// The reference (kinematics.hpp) multiplies poses number by number: 63 operations a joint. Here a
// pose is four registers x, y, z, p of three numbers (and one spare), and pose_parent T takes
// twelve multiply-adds. A chain's last pose stays in registers, so that a joint costs the latency
// of three multiply-adds. Poses of branching points are read back from a padded copy, because a
// load that spans two earlier stores would stall.
#pragma once

#include <jounce/algorithm/origins.hpp>

#include "kernels/lanes/lanes.hpp"

namespace jounce {

/// Four columns of a pose, each padded to a register.
struct WidePose {
  double column[4][4];
};

namespace lanes::inline JOUNCE_ISA {

struct Columns {
  Column x, y, z, p;
};

[[gnu::always_inline]] inline Columns load(const WidePose& pose) {
  return {load(pose.column[0]), load(pose.column[1]), load(pose.column[2]), load(pose.column[3])};
}

/// A vector in the axes of U.
[[gnu::always_inline]] inline Column turned_by(const Columns& U, const Vec3<double>& p) {
  return U.x * spread(p.x) + U.y * spread(p.y) + U.z * spread(p.z);
}
/// The product of two poses, the position given.
[[gnu::always_inline]] inline Columns times(const Columns& U, const SO3<double>& R,
                                            const Column& p) {
  const auto& [a, b, c] = R.m.row;
  return {U.x * spread(a.x) + U.y * spread(b.x) + U.z * spread(c.x),
          U.x * spread(a.y) + U.y * spread(b.y) + U.z * spread(c.y),
          U.x * spread(a.z) + U.y * spread(b.z) + U.z * spread(c.z), p};
}
/// The product of two poses.
[[gnu::always_inline]] inline Columns times(const Columns& U, const SE3<double>& T) {
  return times(U, T.R, U.x * spread(T.p.x) + U.y * spread(T.p.y) + (U.z * spread(T.p.z) + U.p));
}

[[gnu::always_inline]] inline void store(const Columns& T, WidePose& wide) {
  store(T.x, wide.column[0]);
  store(T.y, wide.column[1]);
  store(T.z, wide.column[2]);
  store(T.p, wide.column[3]);
}

/// Writes a pose by rows: a transposition in registers.
[[gnu::always_inline]] inline void store(const Columns& T, SE3<double>& pose) {
  const Column a = __builtin_shufflevector(T.x, T.y, 0, 4, 2, 6);  // x0 y0 x2 y2
  const Column b = __builtin_shufflevector(T.x, T.y, 1, 5, 3, 7);  // x1 y1 x3 y3
  const Column c = __builtin_shufflevector(T.z, T.p, 0, 4, 2, 6);
  const Column d = __builtin_shufflevector(T.z, T.p, 1, 5, 3, 7);
  double* out = &pose.R.m.row[0].x;
  store(__builtin_shufflevector(a, c, 0, 1, 4, 5), out);      // each row is followed by a number
  store(__builtin_shufflevector(b, d, 0, 1, 4, 5), out + 3);  // of the next, which is written
  store(__builtin_shufflevector(a, c, 2, 3, 6, 7), out + 6);  // right after
  pose.p = vector(T.p);
}

}  // namespace lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As forward_poses; wide has one entry per body.
inline void forward_poses_in_lanes(const Model<double>& m, const State<double>& x,
                                   Workspace<double>& w, WidePose* wide) {
  move_angles(m, x, w);
  for (int i = 1; i < m.bodies; ++i) move_joint(m, x, i, w);
  lanes::Columns U{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}};
  lanes::store(U, wide[0]);
  if (m.bodies > 1) w.near[0] = -w.T[1].p;
  lanes::Column near = lanes::column(w.near[0]);
  for (int i = 1; i < m.bodies; ++i) {
    const int p = m.parent[i];
    if (p != i - 1) U = lanes::load(wide[p]), near = lanes::column(w.near[p]);
    const lanes::Column step = lanes::turned_by(U, w.T[i].p);
    near += step;
    U = lanes::times(U, w.T[i].R, U.p + step);
    if (m.branching[i]) lanes::store(U, wide[i]);
    lanes::store(U, w.pose[i]);
    w.near[i] = lanes::vector(near);
  }
  if (m.anchors > 1) place_from_anchors(m, w);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

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

namespace lanes {

/// A pose by columns.
struct Pose {
  Column x{1, 0, 0, 0}, y{0, 1, 0, 0}, z{0, 0, 1, 0}, p{0, 0, 0, 0};
};

inline namespace JOUNCE_ISA {

/// A vector in the axes of U.
[[gnu::always_inline]] inline Column turned_by(const Pose& U, const Vec3<double>& p) {
  return U.x * spread(p.x) + U.y * spread(p.y) + U.z * spread(p.z);
}
/// The product of two poses, the position given.
[[gnu::always_inline]] inline Pose times(const Pose& U, const SO3<double>& R, const Column& p) {
  const auto& [a, b, c] = R.m.row;
  return {U.x * spread(a.x) + U.y * spread(b.x) + U.z * spread(c.x),
          U.x * spread(a.y) + U.y * spread(b.y) + U.z * spread(c.y),
          U.x * spread(a.z) + U.y * spread(b.z) + U.z * spread(c.z), p};
}
/// The product of two poses.
[[gnu::always_inline]] inline Pose operator*(const Pose& U, const SE3<double>& T) {
  return times(U, T.R, U.x * spread(T.p.x) + U.y * spread(T.p.y) + (U.z * spread(T.p.z) + U.p));
}

/// U T^-1.
[[gnu::always_inline]] inline Pose times_inverse(const Pose& U, const SE3<double>& T) {
  const auto& [a, b, c] = T.R.m.row;
  const Column x = turned_by(U, a), y = turned_by(U, b), z = turned_by(U, c);
  return {x, y, z, U.p - (x * spread(T.p.x) + y * spread(T.p.y) + z * spread(T.p.z))};
}

/// Writes a pose by rows: a transposition in registers.
[[gnu::always_inline]] inline void store(const Pose& T, SE3<double>& pose) {
  const Column a = shuffled<0, 4, 2, 6>(T.x, T.y);  // x0 y0 x2 y2
  const Column b = shuffled<1, 5, 3, 7>(T.x, T.y);  // x1 y1 x3 y3
  const Column c = shuffled<0, 4, 2, 6>(T.z, T.p);
  const Column d = shuffled<1, 5, 3, 7>(T.z, T.p);
  double* out = &pose.R.m.row[0].x;
  store(shuffled<0, 1, 4, 5>(a, c), out);      // each row is followed by a number
  store(shuffled<0, 1, 4, 5>(b, d), out + 3);  // of the next, which is written
  store(shuffled<2, 3, 6, 7>(a, c), out + 6);  // right after
  pose.p = vector(T.p);
}

}  // namespace JOUNCE_ISA
}  // namespace lanes

inline namespace JOUNCE_ISA {

/// As forward_poses; wide has one entry per body.
inline void forward_poses_in_lanes(const Model<double>& m, const State<double>& x,
                                   Workspace<double>& w, lanes::Pose* wide) {
  move_angles(m, x, w);
  for (int i = 1; i < m.bodies; ++i) move_joint(m, x, i, w);
  lanes::Pose U;
  wide[0] = U;
  if (m.bodies > 1) w.near[0] = -w.T[1].p;
  lanes::Column near = lanes::column(w.near[0]);
  for (int i = 1; i < m.bodies; ++i) {
    const int p = m.parent[i];
    if (p != i - 1) U = wide[p], near = lanes::column(w.near[p]);
    const lanes::Column step = lanes::turned_by(U, w.T[i].p);
    near += step;
    U = lanes::times(U, w.T[i].R, U.p + step);
    if (m.branching[i]) wide[i] = U;
    lanes::store(U, w.pose[i]);
    w.near[i] = lanes::vector(near);
  }
  if (m.anchors > 1) place_from_anchors(m, w);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

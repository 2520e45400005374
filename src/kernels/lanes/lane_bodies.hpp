// SPDX-License-Identifier: BSD-3-Clause
// A model's constants with three-vectors padded to registers, and inertias in registers.
#pragma once

#include <jounce/model/joint.hpp>
#include <vector>

#include "kernels/lanes/lanes.hpp"

namespace jounce {
namespace lanes {

/// Second and first moment about the origin, and the mass in every lane.
struct CompositeInertia {
  Columns3 I;
  Column h, mass;
};
/// [A B; C M] with C = B^T: wrench (A alpha + B a, C alpha + M a).
struct BlockInertia {
  Columns3 A, B, C, M;
};

}  // namespace lanes

/// Constants of one body and of the joint it hangs on.
struct alignas(32) LaneBody {
  double row[3][4] = {},
         turned_row[3][4] = {};  ///< of the joint's placement: (x, y, z), (y, -x, 0)
  double column[3][4] = {};
  double p[4] = {};         ///< its position
  double h[4] = {};         ///< mass times centre of mass
  double hat_h[3][4] = {};  ///< columns of [h]
  double I[3][4] = {};
  double mass = 0;
  int angle = -1;  ///< of a revolute joint: its place in the table of sines; else -1

  /// R of a revolute joint, and R^T.
  [[gnu::always_inline]] lanes::Columns3 rotation(double sin, double cos) const {
    const lanes::Column c = lanes::spread(cos), s = lanes::spread(sin), x = lanes::load(column[0]),
                        y = lanes::load(column[1]);
    return {x * c + y * s, y * c - x * s, lanes::load(column[2])};
  }
  [[gnu::always_inline]] lanes::Columns3 inverse_rotation(double sin, double cos) const {
    const lanes::Column c(cos, cos, 1, 0), s = lanes::spread(sin);
    return {lanes::load(row[0]) * c + lanes::load(turned_row[0]) * s,
            lanes::load(row[1]) * c + lanes::load(turned_row[1]) * s,
            lanes::load(row[2]) * c + lanes::load(turned_row[2]) * s};
  }
  [[gnu::always_inline]] lanes::Column position() const { return lanes::load(p); }
  [[gnu::always_inline]] lanes::CompositeInertia inertia() const {
    return {lanes::load(I), lanes::load(h), lanes::spread(mass)};
  }
};

inline namespace JOUNCE_ISA {

inline std::vector<LaneBody> lane_bodies(const Model<double>& m) {
  std::vector<LaneBody> bodies(static_cast<size_t>(m.bodies));
  const auto put = [](const Vec3<double>& a, double* x) { lanes::store(lanes::column(a), x); };
  for (int i = 1; i < m.bodies; ++i) {
    LaneBody& body = bodies[static_cast<size_t>(i)];
    const Part<double>& part = m.part[m.part_at[i]];
    const Mat3<double> R = part.placement.R.m, I = to_matrix(m.G[i].I);
    for (int k = 0; k < 3; ++k) {
      put(R.row[k], body.row[k]);
      put({R.row[k].y, -R.row[k].x, 0}, body.turned_row[k]);
      put(transpose(R).row[k], body.column[k]);
      put(I.row[k], body.I[k]);
      put(transpose(hat(m.G[i].h)).row[k], body.hat_h[k]);
    }
    put(part.placement.p, body.p);
    put(m.G[i].h, body.h);
    body.mass = m.G[i].mass;
    if (is_revolute(m, i)) body.angle = part.angle;
  }
  return bodies;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// What the kernels in lanes read and keep: a model's constants with three-vectors padded to
// registers, and memory.
#pragma once

#include <jounce/model/joint.hpp>
#include <vector>

#include "kernels/lanes/lanes.hpp"

namespace jounce {

/// Constants of one body and of the joint it hangs on.
struct LaneBody {
  double row[3][4] = {},
         turned_row[3][4] = {};  ///< of the joint's placement: (x, y, z), (y, -x, 0)
  double column[3][4] = {};
  double p[2][4] = {};      ///< its position, and that turned
  double h[2][4] = {};      ///< mass times centre of mass, and that turned
  double hat_h[3][4] = {};  ///< columns of [h]
  double I[3][4] = {};
  double mass = 0;
  int angle = -1;  ///< of a revolute joint: its place in the table of sines; else -1
};

namespace lanes {

/// [A B; C M] with C = B^T: wrench (A alpha + B a, C alpha + M a).
struct alignas(32) BlockInertia {
  Columns3 A, B, C, M;
};

/// What aba_in_lanes keeps of a body from pass to pass.
struct alignas(32) ArticulatedBody {
  double R[3][4];  ///< rows of the joint's rotation
  Column eta[2];   ///< acceleration known before that of the joint
  Force bias;      ///< wrench that the velocity takes
  Force U;         ///< H S of a revolute joint
  double inverse_D, u;
};

/// A rigid inertia: second moment and first moment about the origin, and the mass in every lane.
struct alignas(32) CompositeInertia {
  Columns3 I;
  Column h, mass;
};
/// Angular part first, as everywhere.
struct alignas(32) Screw {
  Column w, v;
};
/// How an anchor lies and moves, seen from the anchor of what carries it (origins.hpp).
struct alignas(32) Cut {
  Column d, drift;
  Column fall;       ///< acceleration, as seen from there
  Column all_falls;  ///< of all anchors on the way from the ground
};

}  // namespace lanes

/// Where the kernels in lanes keep what they compute: one entry per body, or velocity, in each.
struct LaneRoom {
  lanes::Motion* motion;
  lanes::Force* force;
  lanes::ArticulatedBody* joint;
  lanes::BlockInertia* inertia;
  lanes::CompositeInertia* composite;
  lanes::Screw* screw;  ///< [nv]
  lanes::Cut* cut;
};

/// Owns a LaneRoom; make one per thread.
class LaneMemory {
 public:
  explicit LaneMemory(const Model<double>& m)
      : motion_(size_t(m.bodies)),
        force_(size_t(m.bodies)),
        joint_(size_t(m.bodies)),
        inertia_(size_t(m.bodies)),
        composite_(size_t(m.bodies)),
        screw_(size_t(m.nv)),
        cut_(size_t(m.bodies)) {}
  LaneRoom view() {
    return {motion_.data(),    force_.data(), joint_.data(), inertia_.data(),
            composite_.data(), screw_.data(), cut_.data()};
  }

 private:
  std::vector<lanes::Motion> motion_;
  std::vector<lanes::Force> force_;
  std::vector<lanes::ArticulatedBody> joint_;
  std::vector<lanes::BlockInertia> inertia_;
  std::vector<lanes::CompositeInertia> composite_;
  std::vector<lanes::Screw> screw_;
  std::vector<lanes::Cut> cut_;
};

inline namespace JOUNCE_ISA {

inline std::vector<LaneBody> lane_bodies(const Model<double>& m) {
  std::vector<LaneBody> bodies(static_cast<size_t>(m.bodies));
  const auto put = [](const Vec3<double>& a, double* x) { lanes::store(lanes::column(a), x); };
  for (int i = 1; i < m.bodies; ++i) {
    LaneBody& body = bodies[static_cast<size_t>(i)];
    const Part<double>& part = m.part[m.part_at[i]];
    const Vec3<double>&p = part.placement.p, &h = m.G[i].h;
    const Mat3<double> R = part.placement.R.m, I = to_matrix(m.G[i].I);
    for (int k = 0; k < 3; ++k) {
      put(R.row[k], body.row[k]);
      put({R.row[k].y, -R.row[k].x, 0}, body.turned_row[k]);
      put(transpose(R).row[k], body.column[k]);
      put(I.row[k], body.I[k]);
      put(transpose(hat(h)).row[k], body.hat_h[k]);
    }
    put(p, body.p[0]);
    put({p.y, p.z, p.x}, body.p[1]);
    put(h, body.h[0]);
    put({h.y, h.z, h.x}, body.h[1]);
    body.mass = m.G[i].mass;
    if (is_revolute(m, i)) body.angle = part.angle;
  }
  return bodies;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

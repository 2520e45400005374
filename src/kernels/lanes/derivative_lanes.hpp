// SPDX-License-Identifier: BSD-3-Clause
// What the derivatives in lanes keep of bodies, coordinates and columns.
#pragma once

#include <jounce/algorithm/derivative_room.hpp>
#include <jounce/algorithm/outside_wrench.hpp>

#include "kernels/lanes/in_registers.hpp"

namespace jounce {
namespace lanes {

/// K and p of a body or subtree.
struct MomentumBlock {
  Columns3 K;
  Column p;
};

/// Four bodies that are looked at together; the last one stands for those that are missing.
struct FourBodies {
  int body[4];

  [[gnu::always_inline]] FourBodies(int first, int bodies)
      : body{first, first + 1 < bodies ? first + 1 : bodies - 1,
             first + 2 < bodies ? first + 2 : bodies - 1,
             first + 3 < bodies ? first + 3 : bodies - 1} {}
};
/// Their own inertias, number by number.
struct alignas(32) FourInertias {
  double mass[4], h[3][4], I[6][4];
};

/// What the rows of a coordinate's column need, as (angular, linear): its motion for those that it
/// carries, its forces for those that carry it.
struct MotionLanes {
  Screw S, w, y;
  Column u;  ///< angular part
};
struct ForceLanes {
  Force GS, dq_above, dv;
};
/// What is kept of a coordinate: first its motion, later its forces.
struct CoordinateLanes : MotionLanes, ForceLanes {
  Column u_linear;  ///< for second derivatives; room of products
  Column BtS;       ///< moment; there is no force
};

/// What wrenches in ground axes do along a coordinate (outside_in_lanes.hpp): sums over those that
/// act on what it carries.
struct StandingLanes {
  Column force;  ///< f . dp + m . w by lanes: what they add to the motion along it
  Column turn;   ///< dp x f of those that move along
  Force row;     ///< meets the screws of coordinates before it
  // For second derivatives only.
  Columns3 H;  ///< dp f^T of those that move along
  Columns3 M;
  Columns3 Q;  ///< w f^T of those at the ground's origin
};

/// Sums of products with a vector (products_in_lanes.hpp): on the way to a body, and over what it
/// carries.
struct PathSums {
  Screw W, turn;
  Column u;
};
struct CarriedSums {
  Force Q, E;
  Column R;
};

}  // namespace lanes

/// Room for derivatives_in_lanes.
struct DerivativeLanes {
  lanes::Screw* screw = nullptr;                 ///< [nv]
  lanes::CoordinateLanes* coordinate = nullptr;  ///< [nv + 3]
  const lanes::FourInertias* inertia = nullptr;  ///< [bodies / 4 + 1] of bodies 1 to 4, 5 to 8, ...
  lanes::CompositeInertia* G = nullptr;          ///< [bodies]
  lanes::MomentumBlock* B = nullptr;             ///< [bodies]
  lanes::Force* F = nullptr;                     ///< [bodies]
  lanes::Screw* V = nullptr;                     ///< [2 bodies] twist and acceleration
  lanes::Cut* cut = nullptr;                     ///< [bodies]
  lanes::StandingLanes* standing = nullptr;      ///< [nv + 3]
  lanes::PathSums* path = nullptr;               ///< [bodies]
  lanes::CarriedSums* carried = nullptr;         ///< [bodies] zero between calls
  const int* ground_body = nullptr;              ///< [bodies] the one on the ground that carries it
  const FrameSeat<double>* frame = nullptr;      ///< by FrameId
  static constexpr int short_stride = 72;        ///< where nv + 3 is no more
  double* rows = nullptr;  ///< [21 stride] S, G S, B^T S, rows of standing by component
  int stride = 0;          ///< at least nv + 3
  double* tau = nullptr;   ///< [nv] where the forces of the motion go, or null
  ColumnRanges ranges;
  bool placed = false;  ///< whether poses, screws and G of each body stand there already
};

}  // namespace jounce

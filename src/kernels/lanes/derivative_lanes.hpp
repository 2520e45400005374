// SPDX-License-Identifier: BSD-3-Clause
// What the derivatives in lanes keep of bodies, coordinates and columns.
#pragma once

#include <jounce/algorithm/derivative_room.hpp>

#include "kernels/lanes/in_registers.hpp"

namespace jounce {
namespace lanes {

/// K and p of a body or subtree.
struct MomentumBlock {
  Columns3 K;
  Column p;
};

/// What is kept of a coordinate: first its motion, later its columns, all as (angular, linear).
struct CoordinateLanes {
  Screw S, w, y;
  Column u;         ///< angular part
  Column u_linear;  ///< for second derivatives only
  Force GS, dq_above, dv;
  Column BtS;  ///< moment; there is no force
};

}  // namespace lanes

/// Room for derivatives_in_lanes.
struct DerivativeLanes {
  lanes::Screw* screw = nullptr;                 ///< [nv]
  lanes::CoordinateLanes* coordinate = nullptr;  ///< [nv + 3]
  lanes::CompositeInertia* G = nullptr;          ///< [bodies]
  lanes::MomentumBlock* B = nullptr;             ///< [bodies]
  lanes::Force* F = nullptr;                     ///< [bodies]
  lanes::Screw* V = nullptr;                     ///< [2 bodies] twist and acceleration
  lanes::Cut* cut = nullptr;                     ///< [bodies]
  double* rows = nullptr;                        ///< [15 stride] S, G S, B^T S by component
  int stride = 0;                                ///< at least nv + 3
  ColumnRanges ranges;
  bool placed = false;  ///< whether poses, screws and G of each body stand there already
};

}  // namespace jounce

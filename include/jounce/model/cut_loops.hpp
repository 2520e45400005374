// SPDX-License-Identifier: BSD-3-Clause
// Graphs of links and joints as trees with loops.
#pragma once

#include <jounce/model/description.hpp>

namespace jounce {

/// A joint that became a loop of its name.
struct CutJoint {
  std::string joint;
  LoopKind kind = LoopKind::fixed;
  std::string lost;  ///< what of it no loop has: "damping, limits"; empty for nothing
};

struct CutGraph {
  RobotDescription robot;
  std::vector<CutJoint> cuts;  ///< in the order of the graph's joints
};

/// A robot whose joints may close cycles: of the joints that have one link as child, one stays in
/// the tree, and the others become loops of their kind, from parent to child. One with a motor, a
/// mimic joint and one of a kind that no loop has stays before others, else the first. Where every
/// link is a child, the first link is the root. Where nothing closes a cycle nothing is changed.
/// InputError where a joint must be cut and cannot be. ConstrainedDynamics::loop_wrenches tells
/// what each cut joint transmits.
CutGraph cut_loops(RobotDescription graph);

}  // namespace jounce

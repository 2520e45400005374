// SPDX-License-Identifier: BSD-3-Clause
// Robots by name: those of the command line's --robots.
#pragma once

#include <jounce/constrained_dynamics.hpp>

namespace jounce::bench {

struct NamedRobot {
  std::string name;  ///< in the tables
  Robot robot;
};

/// "arm7" and other bundled ones; "chain-30" and "binary-tree-63", generated; a file, or
/// "floating:FILE" on a free base, named as the file without its folder and ending.
NamedRobot benchmark_robot(const std::string& name);

/// A robot whose loops are closed, or that the ground holds.
struct HeldRobot {
  std::string name;  ///< in the tables
  Robot robot;
  std::vector<Contact> contacts{};
};

/// Bundled mechanisms; "arm7" and "chain-30" with the tip welded to the ground, "quadruped" on four
/// points, "humanoid" on both feet; "four-bars-16" in series.
HeldRobot held_robot(const std::string& name);

/// The last link on the last body.
FrameId tip_of(const Robot& robot);

/// The same bodies without rotors and without friction, springs and bushings.
Robot bare(const Robot& robot);

}  // namespace jounce::bench

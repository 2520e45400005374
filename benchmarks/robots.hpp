// SPDX-License-Identifier: BSD-3-Clause
// Robots by name: those of the command line's --robots.
#pragma once

#include <jounce/model/robot.hpp>

namespace jounce::bench {

struct NamedRobot {
  std::string name;  ///< in the tables
  Robot robot;
};

/// "arm7" and other bundled ones; "chain-30" and "binary-tree-63", generated; a file, or
/// "floating:FILE" on a free base, named as the file without its folder and ending.
NamedRobot benchmark_robot(const std::string& name);

/// The same bodies without rotors and without friction, springs and bushings.
Robot bare(const Robot& robot);

}  // namespace jounce::bench

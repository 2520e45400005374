// SPDX-License-Identifier: BSD-3-Clause
// Random robots of any size, shape and mix of joints, for tests and benchmarks.
//
// The same options give the same robot, to the last bit, with every compiler and processor: every
// number is a quotient of whole numbers. Rotations come from quaternions of whole numbers (the
// entries of n R are then whole, n the squared length) and second moments of mass from whole
// triangular factors, so neither a mathematical library nor a fused multiply-add has a say.
#pragma once

#include <cstdint>
#include <jounce/model/description.hpp>
#include <string>
#include <vector>

namespace jounce {

/// How links hang together. The base is link 0, the others are numbered from 1.
enum class TreeShape : unsigned char {
  chain,        ///< link i hangs on link i - 1
  branches,     ///< chains of equal length side by side on the base
  binary_tree,  ///< link i hangs on link i / 2
  random_tree   ///< link i hangs on any link before it
};

struct GeneratorOptions {
  std::string name;  ///< "random_" and the seed when empty
  TreeShape shape = TreeShape::chain;
  int bodies = 6;    ///< links besides the base, each on a joint of one of the kinds below
  int branches = 1;  ///< branches: how many share the bodies
  std::vector<JointKind> kinds{JointKind::revolute};
  std::vector<int> weights;       ///< how often each kind occurs; equally often when empty
  bool free_base = false;         ///< the base floats, else it is part of the ground
  bool mimic = false;             ///< one in four joints with one coordinate follows another
  bool fixed_links = false;       ///< one in four links carries a bracket on a fixed joint
  bool child_placements = false;  ///< one in two links has its frame away from its joint
  bool passive = false;           ///< armature, damping, friction and springs
  double link_length = 0.5;       ///< metres: scale of placements, com and inertia
  std::uint64_t seed = 1;
};

/// Links "base", "link_1", ...; joints "base_joint" (a free base), "joint_1", ...; brackets
/// "bracket_i" on "bracket_joint_i"; frame "tool" on the last link. InputError for bad options.
RobotDescription generate(const GeneratorOptions& options);

/// All kinds of joint, with or without fixed and custom ones; without circle, which moves as
/// revolute does.
std::vector<JointKind> all_joint_kinds(bool with_fixed = true, bool with_custom = true);

/// A chain of n revolute joints on the ground.
RobotDescription generate_chain(int n);
/// A floating base with five branches of twenty revolute joints.
RobotDescription generate_benchmark_tree();
/// Four-bar linkages, each on the coupler of the one `branches` before it, the first ones on the
/// ground; links "crank_i", "coupler_i", "rocker_i", loops "pin_i", motors at the cranks.
RobotDescription generate_four_bars(int n, int branches = 1);

}  // namespace jounce

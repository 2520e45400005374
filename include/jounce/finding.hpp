// SPDX-License-Identifier: BSD-3-Clause
// What was noticed about a robot or about the file that describes it: like things together, with
// how often and where.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace jounce {

enum class Level : unsigned char {
  note,     ///< not used, and nothing is lost by it
  warning,  ///< read in the one natural way, or not applied
  fault     ///< leaves the tree or a number undefined: refused
};

/// What a finding is about. Each kind has a word (`name`), a level, and advice (`remedy`).
enum class FindingKind : unsigned char {
  fault,        ///< whatever is refused
  not_applied,  ///< would change the dynamics, and does not here
  inertia,      ///< no rigid body has it
  incomplete,   ///< <inertial> without <mass> or <inertia>
  repeated,     ///< an element that may stand once stands twice
  limits,       ///< the wrong way round
  world,        ///< the root link is not defined
  robot_name,   ///< missing or empty
  joint_name,   ///< the base's own was taken
  mimic,        ///< its leader is not there
  xacro,        ///< left over in a complete file
  massless,     ///< a joint moves no mass
  same_motion,  ///< two joints move the same bodies
  com,          ///< outside the collision shapes of its link
  shape,        ///< a shape that is none
  axis,         ///< not of unit length
  mimic_chain,  ///< follows a joint that follows another
  cut_loop,     ///< a joint that closes a loop was made one
  mesh,         ///< a file that is not there
  unknown,      ///< skipped, and perhaps misspelt
  unused        ///< known, and of no use to dynamics
};

const char* name(Level level);
const char* name(FindingKind kind);
/// How grave it is; strict inertias are faults.
Level level(FindingKind kind);
/// How to mend it, in one sentence.
const char* remedy(FindingKind kind);

/// Where something stands in a file.
struct Place {
  int line = 0, column = 0;  ///< counted from 1, columns in bytes
};

/// One thing noticed at one place.
struct Remark {
  int line = 0, column = 0;  ///< counted from 1, columns in bytes; 0 where there is no file
  std::string name;          ///< of the link or joint it is about, or empty
  std::string what;          ///< for example: link "b": inertia is not positive definite (...)
};

/// Like remarks of one file or robot.
struct Finding {
  FindingKind kind = FindingKind::fault;
  Level level = Level::fault;
  std::string subject;         ///< what they have in common, "<gazebo>"; empty: their kind
  std::size_t count = 0;       ///< how many there are
  std::vector<Remark> places;  ///< the first of them, in the order of the file
};

/// Whether it is told without being asked for, and refused by strict reading: not of notes, but of
/// what is unknown.
bool is_told(const Finding& finding);

/// The finding in one line, without its file, place and level: what stands first, how many more
/// there are and in which lines.
std::string text(const Finding& finding);

/// Findings of at least a level, a line each: "panda.urdf:118:12: warning: ...". What was skipped
/// stands in one line for each kind: "ignored: 71 <gazebo>, 30 <transmission> (lines 12, 40, ...)".
std::vector<std::string> lines(std::span<const Finding> findings, const std::string& origin,
                               Level least = Level::note);

}  // namespace jounce

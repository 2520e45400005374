// SPDX-License-Identifier: BSD-3-Clause
// Reading and writing robots: URDF, Jounce's own JSON, and the bundled ones.
//
// What makes the tree or a number undefined is refused: a FileError holds all such faults, each
// with file, line, column (in bytes), what was found and what is needed:
//   panda.urdf:118:12: joint "j4": axis (0,0,0) has no direction
// What has one natural reading is read so with a warning, what is not used is noted; `findings`
// holds both, like ones together. docs/formats.md lists what is read, used and ignored.
#pragma once

#include <jounce/error.hpp>
#include <jounce/finding.hpp>
#include <jounce/model/cut_loops.hpp>
#include <jounce/model/description.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jounce {

class Robot;

/// A text that is refused: what() has the first twenty faults, a line each; `findings` everything.
struct FileError : InputError {
  FileError(const std::string& message, std::vector<Finding> findings_)
      : InputError(message), findings(std::move(findings_)) {}
  std::vector<Finding> findings;
};

/// A robot and what was noticed on the way: warnings, what matters most first, then notes.
struct Loaded {
  RobotDescription robot;
  std::vector<Finding> findings;
  std::vector<Place> link_places, joint_places;  ///< where each stands in the file
  std::vector<CutJoint> cuts;                    ///< joints of JSON that closed loops (cut_loops)
};

/// What becomes of inertias that no rigid body has.
enum class InertiaPolicy : unsigned char {
  warn,    ///< kept, with a warning
  strict,  ///< refused
  repair   ///< replaced by the nearest that a rigid body has, with a warning
};

struct ReadOptions {
  bool couple_mimic = true;                  ///< false makes mimic joints independent
  std::vector<std::string> package_folders;  ///< for package://, before other places
  bool strict = false;  ///< true refuses warnings, and what is unknown and would be ignored
  InertiaPolicy inertia = InertiaPolicy::warn;  ///< strict implies strict
  bool run_xacro = false;   ///< runs `xacro FILE` where a file is xacro: the file names code
  std::size_t places = 20;  ///< kept of each finding, at most
  bool fragment = false;    ///< true reads what is no robot yet: the whole is not checked
};

/// From text; `origin` names it in messages ("panda.urdf") and resolves relative mesh paths.
Loaded read_urdf(std::string_view text, const std::string& origin, const ReadOptions& options = {});
Loaded read_json(std::string_view text, const std::string& origin, const ReadOptions& options = {});

/// From a file, by its content: XML is URDF, { is JSON. "builtin:NAME" is a bundled robot.
Loaded read_robot(const std::string& path_or_name, const ReadOptions& options = {});

/// As load(path_or_name) of model/robot.hpp, with options: {.strict = true} refuses a file that
/// gives a warning or has what nobody knows, a misspelt "dampnig" for example.
Robot load(const std::string& path_or_name, const ReadOptions& options);

/// The names of the bundled robots.
std::span<const std::string_view> builtin_robots();

/// URDF says less than we can: what it cannot (multi-dof joints other than floating and planar,
/// joints and loops to the world, where loops are closed, child placements, springs, armature,
/// frames, gravity) is an InputError that names it. `lossy` leaves it out and fixes joints that
/// URDF does not have.
std::string write_urdf(const RobotDescription& robot, bool lossy = false);
/// Reads back to the same bits. InputError names a custom joint or a number that is not finite.
std::string write_json(const RobotDescription& robot);

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Reading and writing robots: URDF, Jounce's own JSON, and the bundled ones.
//
// Errors are InputError with file, line, column (in bytes), what was found and what is needed:
//   panda.urdf:118:12: joint "j4": axis (0,0,0) has no direction
// Whatever a reader does not understand and skips is reported in `ignored`, in the order of the
// file, never silently; what stands inside a skipped element goes with it.
#pragma once

#include <jounce/model/description.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jounce {

class Robot;

/// Something a reader skipped: a tag or an attribute it has no use for.
struct Ignored {
  int line = 0, column = 0;
  std::string what;  ///< for example: attribute "quat" of <origin> of joint "j4"
};

/// A robot and what was skipped on the way.
struct Loaded {
  RobotDescription robot;
  std::vector<Ignored> ignored;
};

struct ReadOptions {
  bool couple_mimic = true;                  ///< false makes mimic joints independent
  std::vector<std::string> package_folders;  ///< for package://, before ROS_PACKAGE_PATH
  bool strict = false;  ///< true refuses a text in which anything would be ignored
};

/// From text; `origin` names it in messages ("panda.urdf") and resolves relative mesh paths.
Loaded read_urdf(std::string_view text, const std::string& origin, const ReadOptions& options = {});
Loaded read_json(std::string_view text, const std::string& origin, const ReadOptions& options = {});

/// From a file, by its content: XML is URDF, { is JSON. "builtin:NAME" is a bundled robot.
Loaded read_robot(const std::string& path_or_name, const ReadOptions& options = {});

/// As load(path_or_name) of model/robot.hpp, with options: {.strict = true} refuses a file in which
/// anything would be ignored, a misspelt "dampnig" for example.
Robot load(const std::string& path_or_name, const ReadOptions& options);

/// The names of the bundled robots.
std::span<const std::string_view> builtin_robots();

/// URDF says less than we can: what it cannot (multi-dof joints other than floating and planar,
/// joints to the world, child placements, springs, armature, frames, loops, gravity) is an
/// InputError that names it. `lossy` leaves it out and fixes joints that URDF does not have.
std::string write_urdf(const RobotDescription& robot, bool lossy = false);
/// Reads back to the same bits. InputError names a custom joint or a number that is not finite.
std::string write_json(const RobotDescription& robot);

}  // namespace jounce

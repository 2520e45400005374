// SPDX-License-Identifier: BSD-3-Clause
// Where the mesh files that a robot names lie on this machine.
#pragma once

#include <jounce/io.hpp>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/diagnostics.hpp"

namespace jounce::io {

/// Looks for meshes by name; none is opened. A robot names many files of few folders: each folder
/// is asked for once, and none behind the one that has the file.
///
///   package://P/F, model://P/F
///       in the options' package folders: folder/P/F, or folder/F where the folder itself is called
///       P; in the folders from the robot's own upwards, the same way; in ROS_PACKAGE_PATH; in
///       AMENT_PREFIX_PATH: folder/share/P/F; at last in the robot's folders upwards, whatever they
///       are called: folder/F
///   file://F
///       F
///   F
///       relative to the folder of the robot, then to those above
class MeshFinder {
 public:
  MeshFinder(Diagnostics& diagnostics, const ReadOptions& options)
      : diagnostics_(diagnostics), options_(options) {}

  /// The absolute path of a mesh, where it exists; else the text as written, with a note.
  std::string find(const std::string& written, std::size_t offset);

 private:
  /// Absolute, each without a slash at its end: "" is that of all files.
  using Folders = std::vector<std::string>;
  /// What of a list of folders has been asked for, in order, and which of them it is.
  struct Known {
    std::size_t asked = 0;
    Folders folders;
  };

  std::optional<std::string> look_for(std::string_view written);
  std::optional<std::string> in_package(std::string_view path);
  std::optional<std::string> in_folder_above(std::string_view file);
  std::optional<std::string> in_folder(const std::string& folder, std::string_view file);
  const Folders& folders_above();
  const Folders& folders_of_packages();

  Diagnostics& diagnostics_;
  const ReadOptions& options_;
  Folders above_;                                       ///< the robot's own and those above it
  Folders around_;                                      ///< where packages are looked for
  std::map<std::string, Known, std::less<>> packages_;  ///< those that are a package
  std::map<std::string, Known, std::less<>> parents_;   ///< those above that have a folder
  std::unordered_map<std::string, bool> inner_;         ///< whether folders in these exist
  std::unordered_map<std::string, std::optional<std::string>> found_, above_has_;
};

}  // namespace jounce::io

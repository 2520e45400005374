// SPDX-License-Identifier: BSD-3-Clause
// Where the mesh files that a robot names lie on this machine.
#pragma once

#include <filesystem>
#include <jounce/io.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/diagnostics.hpp"

namespace jounce::io {

/// Looks for meshes by name; none is opened. A robot names many files of few folders: which of
/// these exist is asked once.
///   package://P/F  in the options' package folders: folder/P/F, or folder/F where the folder
///   itself model://P/F    is called P; in the folders from the robot's own upwards, the same way;
///   in
///                  ROS_PACKAGE_PATH; in AMENT_PREFIX_PATH: folder/share/P/F; at last in the
///                  robot's folders upwards whatever they are called: folder/F
///   file://F       F
///   F              relative to the folder of the robot, then to those above
class MeshFinder {
 public:
  MeshFinder(Diagnostics& diagnostics, const ReadOptions& options)
      : diagnostics_(diagnostics), options_(options) {}

  /// The absolute path of a mesh, where it exists; else the text as written, with a note.
  std::string find(const std::string& written, std::size_t offset);

 private:
  using Folders = std::vector<std::filesystem::path>;

  std::optional<std::string> look_for(const std::string& written);
  std::optional<std::string> in_folders(const Folders& folders, std::string_view file);
  std::optional<std::string> in_package(std::string_view path);
  std::optional<std::string> in_folder_above(std::string_view file);
  const Folders& folders_above();
  const Folders& folders_of_package(const std::string& package);

  Diagnostics& diagnostics_;
  const ReadOptions& options_;
  Folders above_;  ///< the robot's own folder and those above it, once asked for
  std::map<std::string, Folders, std::less<>> packages_;  ///< folders that are a package
  std::map<std::string, Folders, std::less<>> parents_;   ///< folders above that have a folder
  std::map<std::string, bool, std::less<>> inner_;        ///< whether folders in these exist
  std::map<std::string, std::optional<std::string>, std::less<>> found_;
};

}  // namespace jounce::io

// SPDX-License-Identifier: BSD-3-Clause
// Where the mesh files that a robot names lie on this machine.
#pragma once

#include <jounce/io.hpp>
#include <optional>
#include <string>

#include "io/diagnostics.hpp"

namespace jounce::io {

/// The absolute path of a mesh, where it exists. Files are looked for by name and not opened.
///   package://P/F  in options.package_folders: folder/P/F, or folder/F where the folder itself is
///   model://P/F    called P; in the folders from the robot's own upwards, the same way; in
///                  ROS_PACKAGE_PATH; in AMENT_PREFIX_PATH: folder/share/P/F; at last in the
///                  robot's folders upwards whatever they are called: folder/F
///   file://F       F
///   F              relative to the folder of the robot, then to those above
std::optional<std::string> find_mesh(const std::string& written, const std::string& origin,
                                     const ReadOptions& options);

/// Notes that a mesh is not there.
void note_missing_mesh(const std::string& written, std::size_t offset, Diagnostics& diagnostics);

}  // namespace jounce::io

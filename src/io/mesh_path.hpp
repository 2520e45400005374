// SPDX-License-Identifier: BSD-3-Clause
// Where the mesh files that a robot names lie on this machine.
#pragma once

#include <jounce/io.hpp>
#include <string>

namespace jounce::io {

/// The absolute path of a mesh, where it exists; else the text as written.
///   package://P/F  in options.package_folders, then in ROS_PACKAGE_PATH: folder/P/F, or folder/F
///                  where the folder itself is called P
///   file://F       F
///   F              relative to the folder of `origin`
std::string find_mesh(const std::string& written, const std::string& origin,
                      const ReadOptions& options);

}  // namespace jounce::io

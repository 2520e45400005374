// SPDX-License-Identifier: BSD-3-Clause
// The triangles of COLLADA files.
#pragma once

#include "pictures/mesh_file.hpp"

namespace jounce::pictures {

/// In m, placed as the file's scene places them. As RViz, Gazebo and Drake have it, up_axis turns
/// nothing: robots' files count on that.
Triangles collada(std::string_view text);

}  // namespace jounce::pictures

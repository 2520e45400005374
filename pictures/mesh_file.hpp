// SPDX-License-Identifier: BSD-3-Clause
// The triangles of mesh files: STL, binary or text, Wavefront OBJ and COLLADA.
#pragma once

#include <array>
#include <jounce/group/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace jounce::pictures {

struct Triangles {
  std::vector<Vec3<double>> corners = {};
  std::vector<std::array<int, 3>> faces = {};  ///< three corners each
  std::string fault = {};                      ///< why there are none
};

/// By content; none where it is neither, or is cut short.
Triangles read_triangles(std::string_view bytes);
/// None also where the file cannot be read, or is larger than 64 MiB.
Triangles load_triangles(const std::string& path);

/// At most so many faces: corners that share a cell of a grid become one, the grid being as fine as
/// that allows. What is left out is as small as a cell.
Triangles simplified(Triangles mesh, int most);

}  // namespace jounce::pictures

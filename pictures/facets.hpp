// SPDX-License-Identifier: BSD-3-Clause
// The surfaces of shapes as flat convex facets.
#pragma once

#include <jounce/model/description.hpp>
#include <string>
#include <vector>

namespace jounce::pictures {

struct Facet {
  std::vector<Vec3<double>> corners;
  Vec3<double> normal;      ///< outwards
  bool both_sides = false;  ///< of a mesh, whose outside is not known
};

/// Faces of a mesh that are drawn at most; of more, small ones become one.
inline constexpr int most_faces = 2000;

/// Of a shape at its placement; of a mesh the triangles of its file. Where there are none, `fault`
/// says why: `arm.dae: has no triangles`.
std::vector<Facet> facets_of(const Shape& shape, std::string& fault);

}  // namespace jounce::pictures

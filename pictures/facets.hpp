// SPDX-License-Identifier: BSD-3-Clause
// The surfaces of shapes as flat convex facets.
#pragma once

#include <jounce/model/description.hpp>
#include <vector>

namespace jounce::pictures {

struct Facet {
  std::vector<Vec3<double>> corners;
  Vec3<double> normal;  ///< outwards
};

/// Of a shape at its placement; none of a mesh.
std::vector<Facet> facets_of(const Shape& shape);

}  // namespace jounce::pictures

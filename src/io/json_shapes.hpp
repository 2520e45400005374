// SPDX-License-Identifier: BSD-3-Clause
// Shapes in the JSON format: {"name", "placement", "box" | "cylinder" | ..., "colour"}.
#pragma once

#include <string>

#include "io/json_object.hpp"
#include "io/mesh_path.hpp"

namespace jounce::io {

Shape read_shape(JsonContext& context, const JsonValue& value, const std::string& who,
                 MeshFinder& meshes);

}  // namespace jounce::io

// SPDX-License-Identifier: BSD-3-Clause
// Platforms, poses and limits as `jounce stewart` reads them.
#pragma once

#include <jounce/stewart/workspace.hpp>

#include "apps/jounce/json_input.hpp"
#include "apps/jounce/json_output.hpp"

namespace jounce::app {

/// {"base": [[x,y,z] x 6], "platform": [...]}.
Stewart platform_of(JsonObject& input);
SixNumbers lengths_of(JsonObject& input);

/// The object under a key, which may have `keys` and no others.
JsonObject part_of(JsonObject& input, const char* key, std::vector<std::string> keys);

/// {"position": [x,y,z], "quaternion": [x,y,z,w]}; no quaternion: no rotation.
SE3<double> pose_of(JsonObject& input, const char* key);
SE3<double> pose_of(JsonObject pose);
Json pose_to_json(const SE3<double>& T);

/// "near", or the platform level above the base at about these lengths.
SE3<double> start_of(JsonObject& input, const Stewart& platform, const SixNumbers& lengths);

/// "limits": {"shortest", "longest" (a number or six), "base_tilt", "platform_tilt", "home",
/// "least_determinant", "determinant_sign"}, each optional.
StewartLimits limits_of(JsonObject& input, const Stewart& platform);

/// Three numbers under a key.
Vec3<double> vec3_of(JsonObject& object, const char* key);

/// "grid", "sample", "path" and "slice", whichever are there.
Json workspace(JsonObject& input);

}  // namespace jounce::app

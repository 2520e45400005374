// SPDX-License-Identifier: BSD-3-Clause
// Platforms, poses and limits as `jounce stewart` reads them.
#pragma once

#include <jounce/stewart/workspace.hpp>

#include "apps/jounce/json_input.hpp"

namespace jounce::app {

/// {"base": [[x,y,z] x 6], "platform": [...]}.
Stewart platform_of(const Json& input);
SixNumbers lengths_of(const Json& input);

/// {"position": [x,y,z], "quaternion": [x,y,z,w]}; no quaternion: no rotation.
SE3<double> pose_of(const Json& value);
Json pose_to_json(const SE3<double>& T);

/// "near", or the platform level above the base at about these lengths.
SE3<double> start_of(const Json& input, const Stewart& platform, const SixNumbers& lengths);

/// "limits": {"shortest", "longest" (a number or six), "base_tilt", "platform_tilt", "home",
/// "least_determinant", "determinant_sign"}, each optional.
StewartLimits limits_of(const Json& input, const Stewart& platform);

/// Three numbers under a key.
Vec3<double> vec3_of(const Json& value, const char* key);

}  // namespace jounce::app

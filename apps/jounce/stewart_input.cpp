// SPDX-License-Identifier: BSD-3-Clause
// Platforms, poses and limits as `jounce stewart` reads them.
#include "apps/jounce/stewart_input.hpp"

#include <cmath>
#include <jounce/error.hpp>

namespace jounce::app {
namespace {

std::string quoted(const char* key) { return "\"" + std::string(key) + "\""; }

std::vector<double> exactly(const Json& value, const char* key, size_t count) {
  std::vector<double> x = numbers(value, key);
  if (x.size() != count)
    throw InputError(quoted(key) + " has " + std::to_string(x.size()) + " elements, needs " +
                     std::to_string(count));
  return x;
}

SixPoints points_of(const Json& input, const char* key) {
  const auto found = input.find(key);
  if (found == input.end()) throw InputError(quoted(key) + " is missing");
  bool good = found->is_array() && found->size() == 6;
  for (size_t i = 0; good && i < 6; ++i) {
    good = (*found)[i].is_array() && (*found)[i].size() == 3;
    for (size_t k = 0; good && k < 3; ++k) good = (*found)[i][k].is_number();
  }
  if (!good) throw InputError(quoted(key) + " must be a list of six points [x, y, z]");
  SixPoints points;
  for (size_t i = 0; i < 6; ++i) {
    const Json& x = (*found)[i];
    points[i] = {x[0].get<double>(), x[1].get<double>(), x[2].get<double>()};
  }
  return points;
}

/// One number for all legs, or six.
void set_lengths(const Json& limits, const char* key, SixNumbers& to) {
  const auto found = limits.find(key);
  if (found == limits.end()) return;
  if (found->is_number()) {
    to.fill(found->get<double>());
    return;
  }
  const std::vector<double> x = exactly(limits, key, 6);
  std::copy(x.begin(), x.end(), to.begin());
}

void set_number(const Json& value, const char* key, double& to) {
  const auto found = value.find(key);
  if (found == value.end()) return;
  if (!found->is_number()) throw InputError(quoted(key) + " must be a number");
  to = found->get<double>();
}

}  // namespace

Stewart platform_of(const Json& input) {
  if (!input.is_object()) throw InputError("the input must be a JSON object");
  return {points_of(input, "base"), points_of(input, "platform")};
}

SixNumbers lengths_of(const Json& input) {
  const std::vector<double> x = exactly(input, "lengths", 6);
  SixNumbers L;
  std::copy(x.begin(), x.end(), L.begin());
  return L;
}

Vec3<double> vec3_of(const Json& value, const char* key) {
  const std::vector<double> x = exactly(value, key, 3);
  return {x[0], x[1], x[2]};
}

SE3<double> pose_of(const Json& value) {
  if (!value.is_object())
    throw InputError("a pose must be an object {\"position\", \"quaternion\"}");
  SE3<double> T;
  T.p = vec3_of(value, "position");
  if (!value.contains("quaternion")) return T;
  const std::vector<double> r = exactly(value, "quaternion", 4);
  const Quaternion<double> q{r[0], r[1], r[2], r[3]};
  const double length = std::sqrt(squared_norm(q));
  if (!(std::abs(length - 1) <= 1e-6))
    throw InputError("\"quaternion\" has length " + std::to_string(length) + ", needs 1");
  T.R = to_rotation(normalize(q));
  return T;
}

Json pose_to_json(const SE3<double>& T) {
  const Quaternion<double> q = to_quaternion(T.R);
  return {{"position", {T.p.x, T.p.y, T.p.z}}, {"quaternion", {q.x, q.y, q.z, q.w}}};
}

SE3<double> start_of(const Json& input, const Stewart& platform, const SixNumbers& lengths) {
  if (input.contains("near")) return pose_of(input["near"]);
  Vec3<double> centre;
  double mean = 0, apart = 0;
  for (size_t i = 0; i < 6; ++i) {
    const Vec3<double> d = platform.platform()[i] - platform.platform_centre() - platform.base()[i];
    centre += platform.base()[i] * (1.0 / 6);
    mean += lengths[i] * lengths[i] / 6;
    apart += (d.x * d.x + d.y * d.y) / 6;
  }
  const double height = std::sqrt(std::max(mean - apart, 0.25 * mean));
  return {{}, centre - platform.platform_centre() + Vec3<double>{0, 0, height}};
}

StewartLimits limits_of(const Json& input, const Stewart& platform) {
  StewartLimits limits;
  if (!input.contains("limits")) return limits;
  const Json& value = input["limits"];
  if (!value.is_object()) throw InputError("\"limits\" must be an object");
  set_lengths(value, "shortest", limits.shortest);
  set_lengths(value, "longest", limits.longest);
  set_number(value, "base_tilt", limits.base_tilt);
  set_number(value, "platform_tilt", limits.platform_tilt);
  set_number(value, "least_determinant", limits.least_determinant);
  double sign = 0;
  set_number(value, "determinant_sign", sign);
  limits.determinant_sign = static_cast<int>(std::clamp(sign, -2.0, 2.0));
  if (value.contains("home")) limits.mounts = platform.mounts_at(pose_of(value["home"]));
  else if (std::isfinite(limits.base_tilt) || std::isfinite(limits.platform_tilt))
    throw InputError("\"limits\": tilts are measured from a \"home\" pose, which is missing");
  return limits;
}

}  // namespace jounce::app

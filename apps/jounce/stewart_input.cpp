// SPDX-License-Identifier: BSD-3-Clause
// Platforms, poses and limits as `jounce stewart` reads them.
#include "apps/jounce/stewart_input.hpp"

#include <cmath>
#include <jounce/error.hpp>

namespace jounce::app {
namespace {

SixPoints points_of(JsonObject& input, const char* key) {
  const JsonValue& list = input.need(key);
  if (list.kind != JsonValue::Kind::array || list.items().size() != 6)
    input.fail(list.offset, io::in_quotes(key) + " must be a list of six points [x, y, z]");
  SixPoints points;
  for (size_t i = 0; i < 6; ++i) {
    const std::vector<double> x = input.numbers_of(list.items()[i], key, 3);
    points[i] = {x[0], x[1], x[2]};
  }
  return points;
}

/// One number for all legs, or six.
void set_lengths(JsonObject& limits, const char* key, SixNumbers& to) {
  const JsonValue* const found = limits.find(key);
  if (found == nullptr) return;
  if (found->kind == JsonValue::Kind::number) {
    to.fill(found->number);
    return;
  }
  const std::vector<double> x = limits.numbers(key, 6);
  std::copy(x.begin(), x.end(), to.begin());
}

}  // namespace

Stewart platform_of(JsonObject& input) {
  const SixPoints base = points_of(input, "base");
  return {base, points_of(input, "platform")};
}

SixNumbers lengths_of(JsonObject& input) {
  const std::vector<double> x = input.numbers("lengths", 6);
  SixNumbers L;
  std::copy(x.begin(), x.end(), L.begin());
  return L;
}

JsonObject part_of(JsonObject& input, const char* key, std::vector<std::string> keys) {
  JsonObject part(input.context(), input.need(key), input.who() + ": " + io::in_quotes(key));
  part.allow_only(keys, io::in_quotes(key));
  return part;
}

Vec3<double> vec3_of(JsonObject& object, const char* key) {
  const std::vector<double> x = object.numbers(key, 3);
  return {x[0], x[1], x[2]};
}

SE3<double> pose_of(JsonObject& input, const char* key) {
  return pose_of({input.context(), input.need(key), input.who() + ": " + io::in_quotes(key)});
}

SE3<double> pose_of(JsonObject pose) {
  const std::string keys[] = {"position", "quaternion"};
  pose.allow_only(keys, "a pose");
  SE3<double> T;
  T.p = position_of(pose);
  if (pose.find("quaternion") != nullptr) T.R = rotation_of(pose);
  return T;
}

Json pose_to_json(const SE3<double>& T) {
  const Quaternion<double> q = to_quaternion(T.R);
  return {{"position", {T.p.x, T.p.y, T.p.z}}, {"quaternion", {q.x, q.y, q.z, q.w}}};
}

SE3<double> start_of(JsonObject& input, const Stewart& platform, const SixNumbers& lengths) {
  if (input.find("near") != nullptr) return pose_of(input, "near");
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

StewartLimits limits_of(JsonObject& input, const Stewart& platform) {
  StewartLimits limits;
  if (input.find("limits") == nullptr) return limits;
  JsonObject given = part_of(input, "limits",
                             {"shortest", "longest", "base_tilt", "platform_tilt", "home",
                              "least_determinant", "determinant_sign"});
  set_lengths(given, "shortest", limits.shortest);
  set_lengths(given, "longest", limits.longest);
  limits.base_tilt = given.number_or("base_tilt", limits.base_tilt);
  limits.platform_tilt = given.number_or("platform_tilt", limits.platform_tilt);
  limits.least_determinant = given.number_or("least_determinant", limits.least_determinant);
  if (given.find("determinant_sign") != nullptr)
    limits.determinant_sign = given.whole_number("determinant_sign", -1, 1);
  if (given.find("home") != nullptr) limits.mounts = platform.mounts_at(pose_of(given, "home"));
  else if (std::isfinite(limits.base_tilt) || std::isfinite(limits.platform_tilt))
    given.fail(given.offset(), "tilts are measured from a \"home\" pose, which is missing");
  return limits;
}

}  // namespace jounce::app

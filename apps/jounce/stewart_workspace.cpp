// SPDX-License-Identifier: BSD-3-Clause
// jounce stewart workspace: grids, samples, paths and slices.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "apps/jounce/stewart_input.hpp"

namespace jounce::app {
namespace {

constexpr long most_grid_points = 10000000;  // each has a verdict and a determinant in the output

int count_of(JsonObject& object, const char* key, int otherwise, int most = 1000000000) {
  return object.find(key) == nullptr ? otherwise : object.whole_number(key, 1, most);
}

/// "points": three whole numbers.
void set_points(JsonObject& object, WorkspaceGrid& grid) {
  const std::vector<double> n = object.numbers("points", 3);
  const size_t place = object.need("points").offset;
  for (const double x : n)
    if (!(x >= 1 && x <= 100000 && x == std::floor(x)))
      object.fail(place, "\"points\" must be three whole numbers from 1 to 100000");
  if (const double count = n[0] * n[1] * n[2]; count > most_grid_points)
    object.fail(place, "\"points\" are " + std::to_string(static_cast<long long>(count)) +
                           " in all, at most " + std::to_string(most_grid_points) +
                           " are scanned; \"sample\" has no such limit");
  grid.nx = int(n[0]), grid.ny = int(n[1]), grid.nz = int(n[2]);
}

Json grid(JsonObject& input, const Stewart& platform, const StewartLimits& limits) {
  JsonObject given = part_of(input, "grid", {"lower", "upper", "points", "quaternion"});
  WorkspaceGrid grid;
  grid.lower = vec3_of(given, "lower");
  grid.upper = vec3_of(given, "upper");
  set_points(given, grid);
  if (given.find("quaternion") != nullptr) grid.R = rotation_of(given);
  const WorkspaceMap map = scan_grid(platform, limits, grid);
  return {{"points", map.verdicts.size()},
          {"reachable", map.reachable},
          {"verdicts", map.verdicts},
          {"determinants", map.determinants}};
}

Json sample(JsonObject& input, const Stewart& platform, const StewartLimits& limits) {
  JsonObject given =
      part_of(input, "sample", {"lower", "upper", "angle_lower", "angle_upper", "poses", "seed"});
  WorkspaceBox box;
  box.lower = vec3_of(given, "lower");
  box.upper = vec3_of(given, "upper");
  box.angle_lower = given.vec3_or("angle_lower", box.angle_lower);
  box.angle_upper = given.vec3_or("angle_upper", box.angle_upper);
  const int poses = count_of(given, "poses", 1000000);
  const WorkspaceSample found = sample_workspace(
      platform, limits, box, poses, static_cast<std::uint64_t>(count_of(given, "seed", 1)));
  return {{"points", found.poses},
          {"reachable", found.reachable},
          {"leg_too_short", found.by_reason[0]},
          {"leg_too_long", found.by_reason[1]},
          {"base_joint", found.by_reason[2]},
          {"platform_joint", found.by_reason[3]},
          {"singular", found.by_reason[4]},
          {"lower", {found.lower.x, found.lower.y, found.lower.z}},
          {"upper", {found.upper.x, found.upper.y, found.upper.z}}};
}

Json path(JsonObject& input, const Stewart& platform, const StewartLimits& limits) {
  JsonObject given = part_of(input, "path", {"from", "to"});
  const SE3<double> from = pose_of(given, "from"), to = pose_of(given, "to");
  const PathCheck found = check_path(platform, limits, from, to);
  return {{"passed", found.passed},
          {"at", found.at},
          {"reason", found.reason},
          {"least_determinant", found.least_determinant},
          {"evaluations", found.evaluations}};
}

/// Six numbers under a key, not all zero: a screw of a slice.
Twist<double> screw_of(JsonObject& object, const char* key) {
  const std::vector<double> x = object.numbers(key, 6);
  if (std::all_of(x.begin(), x.end(), [](double number) { return number == 0; }))
    object.fail(object.need(key).offset, io::in_quotes(key) + " is zero, needs a direction");
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

/// Singularity curves of a plane of poses; limits do not matter.
Json slice(JsonObject& input, const Stewart& platform, const StewartLimits&) {
  JsonObject given = part_of(input, "slice", {"origin", "u", "v", "range", "cells"});
  const SE3<double> origin = pose_of(given, "origin");
  const Twist<double> u = screw_of(given, "u"), v = screw_of(given, "v");
  const std::vector<double> range = given.numbers("range", 4);
  const PoseSlice plane{origin, u, v, range[0], range[1], range[2], range[3]};
  const auto points = singularity_curves(platform, plane, count_of(given, "cells", 100, 10000));
  Json segments = Json::array();
  for (size_t k = 0; k + 1 < points.size(); k += 2)
    segments.push_back({{points[k].s, points[k].t}, {points[k + 1].s, points[k + 1].t}});
  return {{"segments", std::move(segments)}};
}

}  // namespace

Json workspace(JsonObject& input) {
  const Stewart platform = platform_of(input);
  const StewartLimits limits = limits_of(input, platform);
  const auto start = std::chrono::steady_clock::now();
  Json out = Json::object();
  using Part = Json (*)(JsonObject&, const Stewart&, const StewartLimits&);
  const std::pair<const char*, Part> parts[] = {
      {"grid", grid}, {"sample", sample}, {"path", path}, {"slice", slice}};
  for (const auto& [key, part] : parts)
    if (input.find(key) != nullptr) out[key] = part(input, platform, limits);
  if (out.empty())
    input.fail(input.offset(), "one of \"grid\", \"sample\", \"path\" and \"slice\" is needed");
  out["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace jounce::app

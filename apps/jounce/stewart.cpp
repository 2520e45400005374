// SPDX-License-Identifier: BSD-3-Clause
// jounce stewart fk | all | ik | workspace | tables: Gough-Stewart platforms, JSON in and JSON out.
#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <jounce/error.hpp>
#include <jounce/stewart/pose_solver.hpp>

#include "apps/jounce/commands.hpp"
#include "apps/jounce/stewart_all.hpp"
#include "apps/jounce/stewart_input.hpp"
#include "apps/jounce/stewart_report.hpp"

namespace jounce::app {
namespace {

struct StewartOptions {
  std::string in = "-", out = "-", html;
  int draws = 20, starts = 100;
};

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Json fk(const Json& input) {
  const Stewart platform = platform_of(input);
  const SixNumbers lengths = lengths_of(input);
  const SE3<double> start = start_of(input, platform, lengths);
  const Stopwatch time;
  PoseSolver solver(platform, start);
  const PoseSolution& found = solver.solve(lengths);
  const double seconds = time.seconds();
  Json pose = pose_to_json(found.pose);
  pose["residual"] = found.residual;
  pose["certified"] = false;  // that is what `all` does
  return {{"poses", Json::array({std::move(pose)})},
          {"complex_count", nullptr},
          {"seconds", seconds},
          {"converged", found.converged},
          {"iterations", found.iterations},
          {"determinant", found.determinant},
          {"singularity_distance", solver.singularity_distance()},
          {"branch_flip", found.branch_flip}};
}

Json all(const Json& input) {
  const Stewart platform = platform_of(input);
  AllPosesOptions options;
  if (input.contains("near")) options.near = pose_of(input["near"]);
  return all_poses_json(all_poses(platform, lengths_of(input), options));
}

Json lengths_at(const Stewart& platform, const SE3<double>& T) {
  return {{"lengths", platform.lengths(T)},
          {"determinant", platform.normalised_determinant(T)},
          {"singularity_distance", platform.singularity_distance(T)},
          {"self_motion", has_self_motion(platform, T)}};
}

/// One "pose" (or "near"), or a list of "poses".
Json ik(const Json& input) {
  const Stewart platform = platform_of(input);
  const Stopwatch time;
  Json out = Json::object();
  if (input.contains("poses")) {
    if (!input["poses"].is_array()) throw InputError("\"poses\" must be a list");
    out["results"] = Json::array();
    for (const Json& pose : input["poses"])
      out["results"].push_back(lengths_at(platform, pose_of(pose)));
  } else {
    const char* key = input.contains("pose") ? "pose" : "near";
    if (!input.contains(key)) throw InputError("\"pose\" is missing");
    out = lengths_at(platform, pose_of(input[key]));
  }
  out["seconds"] = time.seconds();
  return out;
}

int count_of(const Json& value, const char* key, int otherwise) {
  if (!value.contains(key)) return otherwise;
  if (!value[key].is_number_integer() || value[key] < 1 || value[key] > 1000000000)
    throw InputError("\"" + std::string(key) + "\" must be a whole number from 1 to 1e9");
  return value[key].get<int>();
}

Json grid(const Json& input, const Stewart& platform, const StewartLimits& limits) {
  WorkspaceGrid grid;
  grid.lower = vec3_of(input, "lower");
  grid.upper = vec3_of(input, "upper");
  const Vec3<double> points = vec3_of(input, "points");
  for (const double n : {points.x, points.y, points.z})
    if (!(n >= 1 && n <= 100000 && n == std::floor(n)))
      throw InputError("\"points\" must be three whole numbers from 1 to 100000");
  grid.nx = int(points.x), grid.ny = int(points.y), grid.nz = int(points.z);
  grid.R = pose_of({{"position", {0, 0, 0}},
                    {"quaternion", input.value("quaternion", Json({0, 0, 0, 1}))}})
               .R;
  const WorkspaceMap map = scan_grid(platform, limits, grid);
  return {{"points", map.verdicts.size()},
          {"reachable", map.reachable},
          {"verdicts", map.verdicts},
          {"determinants", map.determinants}};
}

Json sample(const Json& input, const Stewart& platform, const StewartLimits& limits) {
  WorkspaceBox box;
  box.lower = vec3_of(input, "lower");
  box.upper = vec3_of(input, "upper");
  if (input.contains("angle_lower")) box.angle_lower = vec3_of(input, "angle_lower");
  if (input.contains("angle_upper")) box.angle_upper = vec3_of(input, "angle_upper");
  const WorkspaceSample found =
      sample_workspace(platform, limits, box, count_of(input, "poses", 1000000),
                       static_cast<std::uint64_t>(count_of(input, "seed", 1)));
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

Json path(const Json& input, const Stewart& platform, const StewartLimits& limits) {
  if (!input.contains("from") || !input.contains("to"))
    throw InputError("\"path\" needs the poses \"from\" and \"to\"");
  const PathCheck found =
      check_path(platform, limits, pose_of(input["from"]), pose_of(input["to"]));
  return {{"passed", found.passed},
          {"at", found.at},
          {"reason", found.reason},
          {"least_determinant", found.least_determinant},
          {"evaluations", found.evaluations}};
}

/// Six numbers under a key: a screw of a slice.
Twist<double> screw_of(const Json& value, const char* key) {
  const std::vector<double> x = numbers(value, key);
  if (x.size() != 6)
    throw InputError("\"" + std::string(key) + "\" has " + std::to_string(x.size()) +
                     " elements, needs 6");
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

/// Singularity curves of a plane of poses; limits do not matter.
Json slice(const Json& input, const Stewart& platform, const StewartLimits&) {
  const std::vector<double> range = numbers(input, "range");
  if (range.size() != 4) throw InputError("\"range\" must be [s_min, s_max, t_min, t_max]");
  if (!input.contains("origin")) throw InputError("\"slice\" needs the pose \"origin\"");
  const PoseSlice plane{pose_of(input["origin"]),
                        screw_of(input, "u"),
                        screw_of(input, "v"),
                        range[0],
                        range[1],
                        range[2],
                        range[3]};
  const auto points = singularity_curves(platform, plane, count_of(input, "cells", 100));
  Json segments = Json::array();
  for (size_t k = 0; k + 1 < points.size(); k += 2)
    segments.push_back({{points[k].s, points[k].t}, {points[k + 1].s, points[k + 1].t}});
  return {{"segments", std::move(segments)}};
}

/// "grid", "sample", "path" and "slice", whichever are there.
Json workspace(const Json& input) {
  const Stewart platform = platform_of(input);
  const StewartLimits limits = limits_of(input, platform);
  const Stopwatch time;
  Json out = Json::object();
  using Part = Json (*)(const Json&, const Stewart&, const StewartLimits&);
  const std::pair<const char*, Part> parts[] = {
      {"grid", grid}, {"sample", sample}, {"path", path}, {"slice", slice}};
  for (const auto& [key, part] : parts)
    if (input.contains(key)) {
      if (!input[key].is_object())
        throw InputError("\"" + std::string(key) + "\" must be an object");
      out[key] = part(input[key], platform, limits);
    }
  if (out.empty())
    throw InputError("one of \"grid\", \"sample\", \"path\" and \"slice\" is needed");
  out["seconds"] = time.seconds();
  return out;
}

void tables(const StewartOptions& options) {
  report::Page page{.title = "Forward kinematics of a Gough-Stewart platform",
                    .summary =
                        "Xie, Dai, Liu 2021, section 5, recomputed; and a sweep over 200 "
                        "geometries.",
                    .chapters = {}};
  const XieExperiment x = xie_experiment();
  report::Chapter paper{"The paper's experiments", "", {}}, sweep{"Geometry and method", "", {}};
  for (report::Block& block : xie_blocks(x, options.draws))
    paper.blocks.push_back(std::move(block));
  for (report::Block& block : survey_blocks(options.starts))
    sweep.blocks.push_back(std::move(block));
  page.chapters = {std::move(paper), std::move(sweep)};
  std::cout << page.to_text(colours_wanted());
  if (options.html.empty()) return;
  page.write(options.html);
  std::cout << "With figures: " << options.html << '\n';
}

void add_json_command(CLI::App& parent, const std::shared_ptr<StewartOptions>& options,
                      const char* name, const char* about, Json (*compute)(const Json&)) {
  CLI::App* command = parent.add_subcommand(name, about);
  command->add_option("--in", options->in, "JSON file, - for standard input");
  command->add_option("--out", options->out, "File for the result, - for standard output");
  command->callback([options, compute, name] {
    try {
      write_json(options->out, compute(read_json(options->in)));
    } catch (const InputError& error) {
      const std::string what = error.what();  // the library's own begin with its name
      throw InputError(what.starts_with("stewart ") ? what
                                                    : "stewart " + std::string(name) + ": " + what);
    }
  });
}

}  // namespace

void add_stewart(CLI::App& app) {
  auto options = std::make_shared<StewartOptions>();
  CLI::App* command = app.add_subcommand("stewart", "Gough-Stewart platforms");
  command->require_subcommand(1);
  add_json_command(*command, options, "fk", "The pose with these lengths nearest to a start", fk);
  add_json_command(*command, options, "all", "All poses with these lengths, certified", all);
  add_json_command(*command, options, "ik", "The lengths of a pose", ik);
  add_json_command(*command, options, "workspace", "What the platform can reach", workspace);
  CLI::App* study = command->add_subcommand("tables", "The experiments of Xie, Dai, Liu 2021");
  study->add_option("--html", options->html, "Also write the page with its figures to FILE")
      ->type_name("FILE");
  study->add_option("--draws", options->draws, "Sets of rounded lengths per cell")
      ->check(CLI::Range(1, 1000));
  study->add_option("--starts", options->starts, "Starts per geometry of the sweep")
      ->check(CLI::Range(1, 10000));
  study->callback([options] { tables(*options); });
  add_stewart_sweep(*command);
  command->footer(
      "Example: echo '{\"base\":[[x,y,z]x6],\"platform\":[...],\"lengths\":[6 numbers],"
      "\"near\":{\"position\":[x,y,z],\"quaternion\":[x,y,z,w]}}' | jounce stewart fk");
}

}  // namespace jounce::app

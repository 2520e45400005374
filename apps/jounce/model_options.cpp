// SPDX-License-Identifier: BSD-3-Clause
// Loading the robot that a subcommand works on.
#include "apps/jounce/model_options.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <jounce/model/operations.hpp>

namespace jounce::app {
namespace {

Vec3<double> parse_gravity(const std::string& text) {
  double g[3];
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (int k = 0; k < 3; ++k) {
    if (k > 0 && (at == end || *at++ != ',')) at = end + 1;
    if (at > end) break;
    const auto [next, error] = std::from_chars(at, end, g[k]);
    at = error == std::errc() && std::isfinite(g[k]) ? next : end + 1;
  }
  if (at != end) throw InputError("--gravity: found \"" + text + "\", needs three numbers X,Y,Z");
  return {g[0], g[1], g[2]};
}

}  // namespace

void add_model_options(CLI::App& command, ModelOptions& options) {
  std::string bundled;
  for (const std::string_view robot : builtin_robots())
    bundled.append(bundled.empty() ? "" : ", ").append(robot);
  command
      .add_option("MODEL", options.model,
                  "URDF or JSON file, or builtin:NAME with one of " + bundled)
      ->required();
  command
      .add_option("--base", options.base, "How the root link is held (default: as the model says)")
      ->check(CLI::IsMember({"fixed", "floating"}));
  command.add_option("--gravity", options.gravity, "In m/s^2 (default: 0,0,-9.81, or the file's)")
      ->type_name("X,Y,Z");
  command
      .add_option("--mimic", options.mimic,
                  "Mimic joints follow their leaders (default), or move freely")
      ->check(CLI::IsMember({"couple", "free"}));
  command.add_option("--package", options.packages, "Where package:// is looked up")
      ->type_name("FOLDER");
  command.add_flag("--strict", options.strict, "Refuse a file of which anything would be ignored");
}

ModelAndReport load_model(const ModelOptions& options) {
  ReadOptions read;
  read.couple_mimic = options.mimic == "couple";
  read.package_folders.assign(options.packages.begin(), options.packages.end());
  read.strict = options.strict;
  Loaded loaded = read_robot(options.model, read);
  if (!options.gravity.empty()) loaded.robot.gravity = parse_gravity(options.gravity);
  Robot robot(std::move(loaded.robot));
  if (options.base == "fixed") robot = with_base(robot, JointKind::fixed);
  if (options.base == "floating") robot = with_base(robot, JointKind::free);
  return {std::move(robot), std::move(loaded.ignored)};
}

void tell_what_is_left_out(const std::string& model, const ModelAndReport& loaded) {
  const size_t ignored = loaded.ignored.size();
  const size_t loops = loaded.robot.description().loops.size();
  if (ignored > 0)
    std::fprintf(stderr, "jounce: %s: %zu %s ignored; see jounce info %s\n", model.c_str(), ignored,
                 ignored == 1 ? "entry" : "entries", model.c_str());
  if (loops > 0)
    std::fprintf(stderr, "jounce: %s: has %zu %s, left open: these are results of its tree\n",
                 model.c_str(), loops, loops == 1 ? "loop" : "loops");
}

Json joint_list(const Robot& robot) {
  Json list = Json::array();
  for (const JointInfo& joint : robot.joints())
    if (!joint.mimic)
      list.push_back(
          {{"name", joint.name}, {"q", {joint.q, joint.nq}}, {"v", {joint.v, joint.nv}}});
  return list;
}

}  // namespace jounce::app

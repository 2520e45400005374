// SPDX-License-Identifier: BSD-3-Clause
// Loading the robot that a subcommand works on.
#include "apps/jounce/model_options.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
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
  command.add_option("MODEL", options.model, "URDF or JSON file, or builtin:NAME")->required();
  command
      .add_option("--base", options.base, "How the root link is held (default: as the model says)")
      ->check(CLI::IsMember({"fixed", "floating"}));
  command.add_option("--gravity", options.gravity, "Gravity as X,Y,Z in m/s^2");
  command.add_option("--mimic", options.mimic, "Mimic joints follow their leaders, or move freely")
      ->check(CLI::IsMember({"couple", "free"}));
  command.add_option("--package", options.packages, "Folder in which package:// is looked up");
}

ModelAndReport load_model(const ModelOptions& options) {
  ReadOptions read;
  read.couple_mimic = options.mimic == "couple";
  read.package_folders.assign(options.packages.begin(), options.packages.end());
  Loaded loaded = read_robot(options.model, read);
  if (!options.gravity.empty()) loaded.robot.gravity = parse_gravity(options.gravity);
  Robot robot(std::move(loaded.robot));
  if (options.base == "fixed") robot = with_base(robot, JointKind::fixed);
  if (options.base == "floating") robot = with_base(robot, JointKind::free);
  return {std::move(robot), std::move(loaded.ignored)};
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

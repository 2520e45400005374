// SPDX-License-Identifier: BSD-3-Clause
// Loading the robot that a subcommand works on.
#include "apps/jounce/model_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <jounce/model/operations.hpp>

#include "io/number_text.hpp"

namespace jounce::app {
namespace {

Vec3<double> parse_gravity(const std::string& text) {
  const std::vector<double> g = parse_numbers("--gravity", text, 3, "three numbers X,Y,Z");
  return {g[0], g[1], g[2]};
}

}  // namespace

std::vector<double> parse_numbers(const std::string& option, const std::string& text, int count,
                                  const std::string& needed) {
  std::vector<double> numbers;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const io::NumberText number = io::parse_number(std::string_view(text).substr(at, end - at));
    if (number.fault != io::NumberFault::none) break;
    numbers.push_back(number.value);
    at = end + 1;
    if (at > text.size() && int(numbers.size()) == count) return numbers;
  }
  throw InputError(option + ": found \"" + text + "\", needs " + needed);
}

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
  command
      .add_option("--inertia", options.inertia,
                  "Inertias that no rigid body has: kept with a warning (default), refused, or "
                  "replaced by the nearest one that a body has")
      ->check(CLI::IsMember({"warn", "strict", "repair"}));
  command.add_flag("--xacro", options.xacro,
                   "Run a xacro file through the program xacro (the file names code that is run)");
  command.add_flag("--strict", options.strict,
                   "Refuse a file that gives a warning or has unknown entries");
  command.add_flag("--quiet", options.quiet,
                   "Do not tell warnings and what was left out, on standard error");
}

ReadOptions read_options(const ModelOptions& options) {
  ReadOptions read;
  read.couple_mimic = options.mimic == "couple";
  read.package_folders.assign(options.packages.begin(), options.packages.end());
  read.strict = options.strict;
  if (options.inertia == "strict") read.inertia = InertiaPolicy::strict;
  if (options.inertia == "repair") read.inertia = InertiaPolicy::repair;
  if (options.strict && options.inertia == "repair")
    throw InputError("--strict refuses what --inertia repair changes: needs one of both");
  read.run_xacro = options.xacro;
  read.places = options.places;
  return read;
}

namespace {

/// The name of the base, where "base" was taken.
void note_base_name(const Robot& robot, const Loaded& loaded, std::vector<Finding>& findings) {
  const auto& joints = robot.description().joints;
  const auto base = std::find_if(joints.begin(), joints.end(), [](const JointDescription& joint) {
    return joint.parent.empty() && joint.name.starts_with("base_free");
  });
  const auto taken = std::find_if(
      loaded.robot.joints.begin(), loaded.robot.joints.end(),
      [](const JointDescription& joint) { return joint.name == "base" && !joint.parent.empty(); });
  if (base == joints.end() || taken == loaded.robot.joints.end()) return;
  const auto place = static_cast<size_t>(taken - loaded.robot.joints.begin());
  const Place at = place < loaded.joint_places.size() ? loaded.joint_places[place] : Place{};
  findings.insert(
      findings.begin(),
      {FindingKind::joint_name,
       level(FindingKind::joint_name),
       "",
       1,
       {{at.line, at.column, "base",
         "the file has a joint \"base\": the free joint is called \"" + base->name + "\""}}});
}

}  // namespace

ModelAndReport load_model(const ModelOptions& options) {
  return make_model(options, read_robot(options.model, read_options(options)));
}

ModelAndReport make_model(const ModelOptions& options, Loaded loaded) {
  if (!options.gravity.empty()) loaded.robot.gravity = parse_gravity(options.gravity);
  Robot robot(loaded.robot);
  std::vector<Finding> findings = std::move(loaded.findings);
  if (options.base == "fixed") robot = with_base(robot, JointKind::fixed);
  if (options.base == "floating") {
    robot = with_base(robot, JointKind::free);
    note_base_name(robot, loaded, findings);
  }
  return {std::move(robot), std::move(findings)};
}

void tell_findings(const ModelOptions& options, const ModelAndReport& loaded, bool open) {
  if (options.quiet) return;
  std::vector<Finding> told = loaded.findings;
  std::erase_if(told, [](const Finding& finding) { return !is_told(finding); });
  for (const std::string& line : lines(told, options.model))
    std::fprintf(stderr, "jounce: %s\n", line.c_str());
  const size_t loops = loaded.robot.description().loops.size();
  if (open && loops > 0)
    std::fprintf(stderr, "jounce: %s: has %zu %s, left open: these are results of its tree\n",
                 options.model.c_str(), loops, loops == 1 ? "loop" : "loops");
}

Json findings_json(std::span<const Finding> findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) {
    Json places = Json::array();
    for (const Remark& remark : finding.places)
      places.push_back({{"line", remark.line}, {"column", remark.column}, {"what", remark.what}});
    list.push_back({{"level", name(finding.level)},
                    {"kind", name(finding.kind)},
                    {"what", finding.subject},
                    {"count", finding.count},
                    {"places", std::move(places)}});
  }
  return list;
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

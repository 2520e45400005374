// SPDX-License-Identifier: BSD-3-Clause
// jounce stewart all, sweep: what all_poses finds, as JSON, and how reliable it is, as a table.
#include "apps/jounce/stewart_all.hpp"

#include <CLI/CLI.hpp>
#include <jounce/cpu.hpp>

#include "apps/jounce/pages.hpp"
#include "benchmarks/bench.hpp"
#include "benchmarks/stewart_all_poses.hpp"
#include "report/progress.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

Json mode_json(const AssemblyMode& mode) {
  const Quaternion<double> q = to_quaternion(mode.pose.R);
  const Vec3<double>& p = mode.pose.p;
  Json out{{"position", {p.x, p.y, p.z}},
           {"quaternion", {q.x, q.y, q.z, q.w}},
           {"residual", mode.residual},
           {"certified", mode.certified}};
  if (!mode.certified) out["reason"] = mode.reason;
  return out;
}

struct SweepOptions {
  int general = 5000, planar = 2000, semi_regular = 2000, paired = 2000;
  PageOptions page;
};

std::string milliseconds(double seconds) { return report::fixed(1e3 * seconds, 2); }

std::vector<std::string> row_of(const char* name, const bench::AllPosesSweep& s) {
  return {name,
          std::to_string(s.platforms),
          std::to_string(s.expected),
          std::to_string(s.right),
          std::to_string(s.known_found),
          std::to_string(s.poses),
          std::to_string(s.certified),
          report::significant(s.residual, 2),
          milliseconds(s.median),
          milliseconds(s.p99)};
}

void sweep(const SweepOptions& options) {
  report::Table table{std::string("All poses of random platforms, ") + bench::machine_name() +
                          ", " + name(best_isa()),
                      {"platforms", "number", "poses each", "found", "known one", "real",
                       "certified", "residual", "ms", "p99 ms"},
                      {}};
  report::Progress progress("sweep", 4);
  const auto run = [&](const char* name, bench::RandomPlatforms kind, int count) {
    if (count > 0) table.rows.push_back(row_of(name, bench::sweep_all_poses(kind, count)));
    progress.advance();
  };
  run("general", bench::RandomPlatforms::general, options.general);
  run("planar", bench::RandomPlatforms::planar, options.planar);
  run("semi-regular", bench::RandomPlatforms::semi_regular, options.semi_regular);
  run("6-3", bench::RandomPlatforms::paired, options.paired);
  show({.title = "jounce stewart sweep",
        .summary = "found: platforms with as many complex poses as almost every one of their kind "
                   "has; known one: the pose that the lengths were made from is among them; ms: "
                   "processor time, median.",
        .chapters = {{.title = "Results", .id = "", .blocks = {table}}}},
       options.page, "stewart sweep");
}

}  // namespace

Json all_poses_json(const AllPoses& all) {
  Json poses = Json::array();
  for (const AssemblyMode& mode : all.poses) poses.push_back(mode_json(mode));
  return {{"poses", std::move(poses)},      {"complex_count", all.complex_count},
          {"at_infinity", all.at_infinity}, {"family", all.family},
          {"converged", all.converged},     {"seconds", all.seconds}};
}

void add_stewart_sweep(CLI::App& stewart) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App* command = stewart.add_subcommand("sweep", "Find all poses of many random platforms");
  command->add_option("--general", options->general, "Number of general platforms");
  command->add_option("--planar", options->planar, "Number of planar ones");
  command->add_option("--semi-regular", options->semi_regular, "Number of semi-regular ones");
  command->add_option("--paired", options->paired, "Number of 6-3 ones");
  for (CLI::Option* option : command->get_options())
    if (option->get_name() != "--help") option->check(CLI::Range(0, 1000000));
  add_page_options(*command, options->page);
  command->footer("Example: jounce stewart sweep --general 5000 --semi-regular 2000");
  command->callback([options] { sweep(*options); });
}

}  // namespace jounce::app

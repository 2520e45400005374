// SPDX-License-Identifier: BSD-3-Clause
// jounce-bench, which `jounce bench` runs: how fast everything is on this machine.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <jounce/cpu.hpp>
#include <jounce/error.hpp>

#include "apps/jounce/command_line.hpp"
#include "apps/jounce/commands.hpp"
#include "apps/jounce/json_output.hpp"
#include "benchmarks/bench.hpp"
#include "benchmarks/series_tables.hpp"
#include "report/page.hpp"
#include "report/progress.hpp"

namespace jounce::app {
namespace {

struct BenchOptions {
  std::string json;
  std::string only;
};

struct Suite {
  const char* name;
  std::vector<bench::Row> (*run)();
};

constexpr Suite suites[] = {
    {"numbers", bench::numbers},         {"groups", bench::groups},
    {"kinematics", bench::kinematics},   {"dynamics", bench::dynamics},
    {"matrices", bench::matrices},       {"derivatives", bench::derivatives},
    {"constraints", bench::constraints}, {"constrained-passes", bench::constrained_passes},
    {"geometry", bench::geometry},       {"series", bench::series},
    {"simulation", bench::simulation},   {"peers", bench::peers},
    {"stewart", bench::stewart},         {"compile-cost", bench::compile_cost}};

std::vector<bench::Row> run(const std::string& only) {
  std::vector<bench::Row> rows;
  report::Progress progress("bench", std::size(suites));
  bool known = only.empty();
  for (const Suite& suite : suites) {
    if (only.empty() || only == suite.name) {
      known = true;
      for (bench::Row& row : suite.run()) rows.push_back(std::move(row));
    }
    progress.advance();
  }
  if (!known) throw InputError("--only: no suite is called \"" + only + "\"");
  if (only == "peers" && rows.empty())
    throw InputError(
        "--only peers: this build has none, configure it with -DJOUNCE_BENCH_PEERS=ON");
  return rows;
}

Json to_json(const std::vector<bench::Row>& rows) {
  Json out{{"machine", bench::machine_name()},
           {"isa", name(best_isa())},
           {"peak_gflops", bench::peak_gflops_double()},
           {"results", Json::array()}};
  for (const bench::LinearFit& fit : bench::chain_fits(rows))
    out["fits"].push_back({{"algorithm", fit.algorithm},
                           {"intercept", fit.intercept},
                           {"slope", fit.slope},
                           {"r_squared", fit.r_squared}});
  for (const bench::Row& row : rows) {
    out["results"].push_back({{"robot", row.robot},
                              {"algorithm", row.algorithm},
                              {"library", row.library},
                              {"mode", row.mode},
                              {"lanes", row.lanes},
                              {"threads", row.threads},
                              {"ns", row.ns},
                              {"flops", row.flops},
                              {"peak_fraction", row.peak_fraction}});
    if (row.ratio > 0) out["results"].back()["ratio"] = row.ratio;
    if (row.difference >= 0) out["results"].back()["difference"] = row.difference;
  }
  return out;
}

std::string fixed(double x, int digits) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", digits, x);
  return text;
}

std::string power_of_ten(double x) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.0e", x);
  return text;
}

/// Columns of ratios and of differences where any row has one.
report::Table table_of(const std::vector<bench::Row>& rows) {
  const bool ratios =
      std::any_of(rows.begin(), rows.end(), [](auto& row) { return row.ratio > 0; });
  const bool differences =
      std::any_of(rows.begin(), rows.end(), [](auto& row) { return row.difference >= 0; });
  report::Table table{
      .caption = bench::machine_name() + ", " + name(best_isa()) + ", peak " +
                 fixed(bench::peak_gflops_double(), 1) + " GFLOP/s",
      .header = {"robot", "algorithm", "library", "mode", "lanes", "ns", "flops", "of peak"},
      .rows = {}};
  if (ratios) table.header.push_back("to jounce");
  if (differences) table.header.push_back("difference");
  for (const bench::Row& row : rows) {
    table.rows.push_back({row.robot, row.algorithm, row.library, row.mode,
                          std::to_string(row.lanes), fixed(row.ns, 2),
                          row.flops > 0 ? fixed(row.flops, 0) : "",
                          row.flops > 0 ? fixed(100 * row.peak_fraction, 1) + " %" : ""});
    if (ratios) table.rows.back().push_back(row.ratio > 0 ? "x" + fixed(row.ratio, 2) : "");
    if (differences)
      table.rows.back().push_back(row.difference >= 0 ? power_of_ten(row.difference) : "");
  }
  return table;
}

report::Table table_of(const std::vector<bench::LinearFit>& fits) {
  report::Table table{"Chains of 10 to 1000 revolute joints: ns = intercept + slope n",
                      {"algorithm", "intercept", "slope", "R^2"},
                      {}};
  for (const bench::LinearFit& fit : fits)
    table.rows.push_back(
        {fit.algorithm, fixed(fit.intercept, 1), fixed(fit.slope, 2), fixed(fit.r_squared, 5)});
  return table;
}

std::string to_text(const std::vector<bench::Row>& rows) {
  report::Chapter chapter{.title = "Results", .id = "", .blocks = {table_of(rows)}};
  const std::vector<bench::LinearFit> fits = bench::chain_fits(rows);
  if (!fits.empty()) {
    chapter.blocks.push_back(table_of(fits));
    chapter.blocks.push_back(bench::newton_euler_flops());
    chapter.blocks.push_back(report::Paragraph{
        "flops: the generic reference form on numbers that count, products with constants that "
        "happen to be 0 or 1 included. The kernels that are timed do less."});
  }
  return report::Page{.title = "jounce bench",
                      .summary = "ns per state, the fastest of many batches.",
                      .chapters = {chapter}}
      .to_text(colours_wanted());
}

/// Time against order and size with fits, and other ways to the same numbers.
std::string series_tables() {
  report::Chapter chapter{.title = "Any order", .id = "", .blocks = {}};
  chapter.blocks.push_back(report::Paragraph{bench::series_sources});
  for (const report::Table& table : bench::series_figures().tables) chapter.blocks.push_back(table);
  return report::Page{.title = "Dynamics of higher order", .summary = "", .chapters = {chapter}}
      .to_text(colours_wanted());
}

void add_options(CLI::App& app, BenchOptions& options) {
  app.add_option("--json", options.json, "Write the results as JSON to FILE, or - for stdout")
      ->type_name("FILE");
  app.add_option(
      "--only", options.only,
      "Run one suite: numbers, groups, kinematics, dynamics, matrices, derivatives, constraints, "
      "constrained-passes, geometry, series, simulation, stewart, peers, compile-cost");
  app.footer("Example: jounce bench --only groups --json -");
  app.callback([&options] {
    const std::vector<bench::Row> rows = run(options.only);
    if (!options.json.empty()) return write_json(options.json, to_json(rows), "bench");
    write_text("-", to_text(rows));
    if (options.only == "series") write_text("-", series_tables());
  });
}

int run_bench(int argc, char** argv) {
  CLI::App app("Measure speed on this machine", "jounce bench");
  app.set_version_flag("--version", std::string("jounce ") + version());
  BenchOptions options;
  prepare(app);
  add_options(app, options);
  return run_command_line(app, argc, argv);
}

}  // namespace
}  // namespace jounce::app

int main(int argc, char** argv) {
  return jounce::app::tell_errors(jounce::app::run_bench, argc, argv);
}

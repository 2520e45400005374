// SPDX-License-Identifier: BSD-3-Clause
// jounce-bench, which `jounce bench` runs: how fast everything is on this machine.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <iostream>
#include <jounce/build.hpp>
#include <jounce/cpu.hpp>
#include <jounce/error.hpp>

#include "apps/jounce/command_line.hpp"
#include "apps/jounce/commands.hpp"
#include "apps/jounce/json_output.hpp"
#include "benchmarks/bench.hpp"
#include "benchmarks/series_tables.hpp"
#include "benchmarks/sets.hpp"
#include "report/page.hpp"
#include "report/progress.hpp"

namespace jounce::app {
namespace {

struct BenchOptions {
  std::string command;  ///< as it was given
  std::string json;
  std::string only;
  std::string isa;
  bool set = false;
  bench::Selection selection;
  bool quick() const { return selection.quick; }
  bool everything() const { return only.empty() && selection.robots.empty() && !quick(); }
};

struct Suite {
  const char* name;
  std::function<std::vector<bench::Row>(const bench::Selection&)> run;

  Suite(const char* name_, std::vector<bench::Row> (*all)())
      : name(name_), run([all](const bench::Selection&) { return all(); }) {}
  Suite(const char* name_, std::vector<bench::Row> (*selected)(const bench::Selection&))
      : name(name_), run(selected) {}
};

const Suite suites[] = {{"words", bench::words},
                        {"numbers", bench::numbers},
                        {"groups", bench::groups},
                        {"kinematics", bench::kinematics},
                        {"dynamics", bench::dynamics},
                        {"matrices", bench::matrices},
                        {"derivatives", bench::derivatives},
                        {"constraints", bench::constraints},
                        {"constrained-passes", bench::constrained_passes},
                        {"geometry", bench::geometry},
                        {"series", bench::series},
                        {"simulation", bench::simulation},
                        {"peers", bench::peers},
                        {"held-peers", bench::held_peers},
                        {"stewart", bench::stewart},
                        {"compile-cost", bench::compile_cost}};

/// On the set that this process has chosen.
std::vector<bench::Row> run_here(const std::string& only, const bench::Selection& selection) {
  std::vector<bench::Row> rows;
  report::Progress progress("bench", std::size(suites));
  bool known = only.empty();
  for (const Suite& suite : suites) {
    if (only.empty() || only == suite.name) {
      known = true;
      for (bench::Row& row : suite.run(selection)) rows.push_back(std::move(row));
    }
    progress.advance();
  }
  if (!known) throw InputError("--only: no suite is called \"" + only + "\"");
  if (only.ends_with("peers") && rows.empty())
    throw InputError("--only " + only +
                     ": this build has none, configure it with -DJOUNCE_BENCH_PEERS=ON");
  return rows;
}

/// The arguments of the same measurement by another process.
std::vector<std::string> arguments_of(const BenchOptions& options) {
  std::vector<std::string> all{"--json", "-", "--rounds", std::to_string(options.selection.rounds)};
  if (options.quick()) all.emplace_back("--quick");
  else all.insert(all.end(), {"--only", options.only.empty() ? "words" : options.only});
  for (const std::string& robot : options.selection.robots)
    all.insert(all.end(), {"--robots", robot});
  return all;
}

std::vector<bench::Row> run(const BenchOptions& options) {
  const bool words_only = options.quick() || !options.selection.robots.empty();
  std::vector<bench::Row> rows =
      run_here(options.only.empty() && words_only ? "words" : options.only, options.selection);
  const bool all = options.isa == "all" || (options.isa.empty() && options.everything());
  if (all)
    for (const std::string& isa : bench::other_sets())
      for (bench::Row& row : bench::rows_on(isa, arguments_of(options)))
        rows.push_back(std::move(row));
  return rows;
}

Json to_json(const std::vector<bench::Row>& rows, const std::string& command) {
  Json out{{"command", command},       {"machine", bench::machine_name()},
           {"isa", name(best_isa())},  {"compiler", JOUNCE_BUILT_BY},
           {"optimised", optimised()}, {"peak_gflops", bench::peak_gflops_double()},
           {"results", Json::array()}};
  for (const auto& [library, built] : bench::peers_built()) out["peers"][library] = built;
  for (const bench::LinearFit& fit : bench::chain_fits(rows))
    out["fits"].push_back({{"algorithm", fit.algorithm},
                           {"intercept", fit.intercept},
                           {"slope", fit.slope},
                           {"r_squared", fit.r_squared}});
  for (const bench::Growth& growth : bench::growths(rows))
    out["growth"].push_back(
        {{"algorithm", growth.algorithm}, {"shape", growth.shape}, {"exponent", growth.exponent}});
  for (const bench::Row& row : rows) {
    out["results"].push_back({{"robot", row.robot},
                              {"algorithm", row.algorithm},
                              {"library", row.library},
                              {"isa", row.isa.empty() ? name(best_isa()) : row.isa},
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
      .header = {"robot", "algorithm", "library", "set", "mode", "lanes", "ns", "flops", "of peak"},
      .rows = {}};
  if (ratios) table.header.push_back("to jounce");
  if (differences) table.header.push_back("difference");
  for (const bench::Row& row : rows) {
    table.rows.push_back({row.robot, row.algorithm, row.library,
                          row.isa.empty() ? name(best_isa()) : row.isa, row.mode,
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

report::Table table_of(const std::vector<bench::Growth>& growths) {
  report::Table table{
      "Growth: ns as size^exponent up to the largest", {"algorithm", "shape", "exponent"}, {}};
  for (const bench::Growth& growth : growths)
    table.rows.push_back({growth.algorithm, growth.shape, fixed(growth.exponent, 2)});
  return table;
}

std::string to_text(const std::vector<bench::Row>& rows) {
  report::Chapter chapter{.title = "Results", .id = "", .blocks = {table_of(rows)}};
  const std::vector<bench::Growth> growths = bench::growths(rows);
  if (!growths.empty()) chapter.blocks.push_back(table_of(growths));
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

std::string page_of(const std::string& title, const report::Chapter& chapter) {
  return report::Page{.title = title, .summary = "", .chapters = {chapter}}.to_text(
      colours_wanted());
}
/// Time against order and size with fits, and other ways to the same numbers.
std::string series_tables() {
  report::Chapter chapter{.title = "Any order", .id = "", .blocks = {}};
  chapter.blocks.push_back(report::Paragraph{bench::series_sources});
  for (const report::Table& table : bench::series_figures().tables) chapter.blocks.push_back(table);
  return page_of("Dynamics of higher order", chapter);
}
/// How many passes, and how their times grow.
std::string pass_tables() {
  return page_of("Closed loops by passes",
                 {.title = "Passes", .id = "", .blocks = {bench::pass_growth()}});
}

void warn_where_slow() {
  if (!optimised()) std::cerr << "bench: " << unoptimised_warning << "\n";
}

void add_options(CLI::App& app, BenchOptions& options) {
  app.add_option("--json", options.json, "Write the results as JSON to FILE, or - for stdout")
      ->type_name("FILE");
  app.add_option(
      "--only", options.only,
      "Run one suite: words, numbers, groups, kinematics, dynamics, matrices, derivatives, "
      "constraints, constrained-passes, geometry, series, simulation, stewart, peers, "
      "held-peers, compile-cost");
  app.add_option("--robots", options.selection.robots,
                 "For words and peers: arm7 and other bundled robots, chain-30, binary-tree-63, "
                 "FILE, floating:FILE; for held-peers four-bars-16 too")
      ->delimiter(',');
  app.add_flag("--quick", options.selection.quick,
               "Hot calls alone, on arm7, quadruped and humanoid, within a minute");
  app.add_option("--rounds", options.selection.rounds,
                 "For peers: rounds, of which the fastest counts")
      ->check(CLI::PositiveNumber);
  app.add_option("--isa", options.isa,
                 "Instruction sets: best, or all that this processor has (default: all for words "
                 "in a full run, else best; JOUNCE_ISA asks for a lower one)")
      ->check(CLI::IsMember({"best", "all"}));
  app.add_flag("--set", options.set, "Print the instruction set that is measured, nothing else");
  app.footer("Example: jounce bench --only groups --json -");
  app.callback([&options] {
    if (options.set) return write_text("-", std::string(name(best_isa())) + "\n");
    warn_where_slow();
    const std::vector<bench::Row> rows = run(options);
    if (!options.json.empty())
      return write_json(options.json, to_json(rows, options.command), "bench");
    write_text("-", to_text(rows));
    if (options.only == "series") write_text("-", series_tables());
    if (options.only == "constrained-passes") write_text("-", pass_tables());
  });
}

int run_bench(int argc, char** argv) {
  CLI::App app("Measure speed on this machine", "jounce bench");
  app.set_version_flag("--version", version_line());
  BenchOptions options{.command = "jounce bench"};
  for (int k = 1; k < argc; ++k) options.command += std::string(" ") + argv[k];
  prepare(app);
  add_options(app, options);
  return run_command_line(app, argc, argv);
}

}  // namespace
}  // namespace jounce::app

int main(int argc, char** argv) {
  return jounce::app::tell_errors(jounce::app::run_bench, argc, argv);
}

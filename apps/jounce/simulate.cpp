// SPDX-License-Identifier: BSD-3-Clause
// jounce simulate: the motion of a robot in time.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <jounce/record_io.hpp>

#include "apps/jounce/command_line.hpp"
#include "apps/jounce/commands.hpp"
#include "apps/jounce/interrupt.hpp"
#include "apps/jounce/model_options.hpp"
#include "apps/jounce/simulate_report.hpp"
#include "apps/jounce/simulate_start.hpp"
#include "io/input_text.hpp"
#include "io/number_text.hpp"
#include "report/file.hpp"
#include "report/progress.hpp"

namespace jounce::app {
namespace {

struct SimulateOptions {
  ModelOptions model;
  StartOptions start;
  double time = 0, step = 0, tol = 0;
  int rows = 0, order = 0;
  std::string integrator = "auto", passive = "on", forces, out, checkpoint;
  bool json = false, stops = false;
};

/// Options that contradict each other, and files that have no folder to stand in.
void check_options(const SimulateOptions& options, const CLI::App& command) {
  if (!(options.time > 0) || !std::isfinite(options.time))
    throw InputError("simulate: --time is " + io::number_text(options.time) +
                     ", needs a time in s after 0");
  if (command.count("--step") > 0 && command.count("--tol") > 0)
    throw InputError("simulate: --step and --tol exclude each other: needs one of both");
  if (command.count("--step") > 0 && !(options.step > 0))
    throw InputError("simulate: --step is " + io::number_text(options.step) +
                     ", needs a length in s");
  if (command.count("--tol") > 0 && !(options.tol > 0))
    throw InputError("simulate: --tol is " + io::number_text(options.tol) +
                     ", needs 1e-14 to 0.001");
  if (command.count("--record") > 0 && options.rows < 1)
    throw InputError("simulate: --record is " + std::to_string(options.rows) +
                     ", needs a number of rows");
  if (command.count("--record") > 0 && options.out.empty())
    throw InputError("simulate: --record says how many rows --out has, and --out is missing");
  if (options.json && options.out == "-")
    throw InputError("simulate: --json and --out - both write to standard output");
  for (const std::string& path : {options.out, options.checkpoint}) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::error_code error;
    if (!folder.empty() && !std::filesystem::is_directory(folder, error))
      throw InputError("simulate: " + path + " cannot be written: there is no folder " +
                       folder.string());
  }
}

/// Progress and ctrl-C, looked at after every step.
class Lookout {
 public:
  Lookout(double from, double until) : from_(from), until_(until), progress_("simulate", parts) {}

  bool go_on(const SimulationState& x) {
    const auto done = std::size_t(parts * std::clamp((x.t - from_) / (until_ - from_), 0.0, 1.0));
    if (done > shown_) progress_.advance(done - shown_), shown_ = done;
    return interrupt_.signal() == 0;
  }
  const Interrupt& interrupt() const { return interrupt_; }
  void finish() { progress_.finish(); }

 private:
  static constexpr std::size_t parts = 1000;

  double from_, until_;
  std::size_t shown_ = 0;
  report::Progress progress_;
  Interrupt interrupt_;
};

/// Record and checkpoint as far as the run came; both are tried, and the first error told.
void keep(const SimulateOptions& options, const Robot& robot, const Record& record,
          const SimulationState& state) {
  std::exception_ptr first;
  const auto attempt = [&](const std::string& path, const auto& text) {
    if (path.empty()) return;
    try {
      write_text(path, text());
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  };
  attempt(options.out, [&] { return write_record(record, record_format(options.out)); });
  attempt(options.checkpoint, [&] { return write_checkpoint(robot, state); });
  if (first) std::rethrow_exception(first);
}

void tell(const SimulateOptions& options, const RunSummary& summary) {
  if (!summary.stiff_joint.empty() && !options.model.quiet)
    std::fprintf(stderr, "jounce: %s: stiff from t = %s s on, by joint \"%s\": %s\n",
                 options.model.model.c_str(), io::number_text(summary.report.stiff_time).c_str(),
                 summary.stiff_joint.c_str(),
                 summary.options.integrator == Integrator::automatic
                     ? "rodas4 took over"
                     : "rodas4, or auto, is made for that");
  if (options.json) return write_json("-", summary_json(summary), "simulate");
  const std::string text = summary_text(summary);
  if (options.out == "-") std::fputs(text.c_str(), stderr);
  else report::write_standard_output(text);
}

Simulation make_simulation(const SimulateOptions& options, const Robot& robot) {
  Simulation sim(robot, {.integrator = integrator_named(options.integrator),
                         .tol = options.tol,
                         .step = options.step,
                         .order = options.order,
                         .passive = options.passive == "on"});
  if (options.stops) sim.stops();
  if (options.forces.empty()) return sim;
  const ForceTable forces = read_forces(robot, io::file_text(options.forces), options.forces);
  for (const ForceTable::Column& one : forces.columns)
    sim.command(one.joint, Command::force(one.law));
  return sim;
}

/// Runs; an error keeps what was computed and goes on its way.
RunReport run_and_keep(const SimulateOptions& options, Simulation& sim, SimulationState& x,
                       Lookout& lookout) {
  Record record(sim.robot());
  const RunOptions how{.every = options.rows > 0 ? options.time / options.rows : 0,
                       .watch = [&](const SimulationState& at) { return lookout.go_on(at); }};
  RunReport report;
  try {
    report =
        options.out.empty() ? sim.run(x, options.time, how) : sim.run(x, options.time, record, how);
  } catch (const std::exception& error) {
    lookout.finish();
    try {
      keep(options, sim.robot(), record, x);
    } catch (const std::exception& another) {
      throw Failed(std::string(error.what()) + "\n" + another.what());
    }
    throw;
  }
  lookout.finish();
  keep(options, sim.robot(), record, x);
  return report;
}

void simulate(const SimulateOptions& options) {
  const ModelAndReport loaded = load_model(options.model);
  tell_findings(options.model, loaded, false);
  const Robot& robot = loaded.robot;
  Simulation sim = make_simulation(options, robot);
  SimulationState x = start_state(options.start, sim);
  if (!options.model.quiet) tell_start(options.model.model, sim, options.start, x);
  RunSummary summary{
      .model = options.model.model, .options = sim.options(), .start = x.t, .report = {}};
  Lookout lookout(x.t, options.time);
  summary.report = run_and_keep(options, sim, x, lookout);
  summary.interrupted = summary.report.end == RunReport::End::watch;
  if (summary.report.stiff_coordinate >= 0)
    summary.stiff_joint = joint_of(robot, summary.report.stiff_coordinate);
  for (const LimitReport& one : summary.report.limits)
    summary.limits.push_back(joint_of(robot, one.coordinate));
  summary.state = std::move(x);
  tell(options, summary);
  if (summary.interrupted) throw ExitStatus{lookout.interrupt().exit_status()};
}

std::vector<std::string> integrator_list() {
  std::vector<std::string> names;
  for (int k = 0; k <= int(Integrator::taylor); ++k) names.emplace_back(name(Integrator(k)));
  return names;
}

/// Where a run begins and what drives it.
void add_cause_options(CLI::App& command, SimulateOptions& options) {
  command
      .add_option("--q0", options.start.q0, "Coordinates at the start (default: the file's own)")
      ->type_name("Q,Q,..");
  command
      .add_option("--v0", options.start.v0,
                  "Velocities at the start (default: 1 rad/s or 0.1 m/s where there are motors)")
      ->type_name("V,V,..");
  command.add_option("--resume", options.start.resume, "Go on from a checkpoint, to the same bits")
      ->type_name("FILE");
  command
      .add_option(
          "--tau", options.forces,
          "Forces of motors: CSV with columns t and joints' names, linear between its times")
      ->type_name("FILE");
  command
      .add_option("--passive", options.passive,
                  "Damping, friction and springs act (default), or not")
      ->check(CLI::IsMember({"on", "off"}));
  command.add_flag("--stops", options.stops,
                   "Joints cannot go beyond their limits: they come to rest there, inelastically");
}

void add_method_options(CLI::App& command, SimulateOptions& options) {
  command
      .add_option("--time", options.time,
                  "Until when, in s; the run begins at 0, or where --resume says")
      ->type_name("T")
      ->required();
  command.add_option("--step", options.step, "Steps of this length in s, by rk4 unless named")
      ->type_name("H");
  command
      .add_option(
          "--tol", options.tol,
          "Error of a step, rad, m and relative for velocities (default: 1e-8, rodas4 1e-6)")
      ->type_name("E");
  command
      .add_option("--integrator", options.integrator,
                  "Default: auto, which is dop853, and rodas4 where the motion is stiff")
      ->check(CLI::IsMember(integrator_list()));
}

void add_order_option(CLI::App& command, SimulateOptions& options) {
  command
      .add_option("--order", options.order,
                  "Of taylor, 2 to 17 (default: from --tol), or variational, 2 or 4 (default)")
      ->type_name("K");
}

void add_result_options(CLI::App& command, SimulateOptions& options) {
  add_out(command, options.out, "The motion: .json, .npz, CSV otherwise; -: standard output");
  command
      .add_option("--record", options.rows,
                  "Rows of --out, evenly in T, after the first (default: every step)")
      ->type_name("N");
  command
      .add_option("--checkpoint", options.checkpoint,
                  "What --resume goes on from, written at the end")
      ->type_name("FILE");
  command.add_flag("--json", options.json, "The summary as JSON");
}

const char* const simulate_example =
    "jounce simulate builtin:five_bar --time 1 --record 100 --out five_bar.csv";

}  // namespace

void add_simulate(CLI::App& app) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand("simulate", "Move a robot in time");
  add_model_options(*command, options->model);
  add_method_options(*command, *options);
  add_order_option(*command, *options);
  add_cause_options(*command, *options);
  add_result_options(*command, *options);
  command->footer("With --json:\n" + described(summary_keys()) + "\nExample: " + simulate_example);
  command->callback([options, command] {
    check_options(*options, *command);
    simulate(*options);
  });
}

std::string simulate_reference() {
  std::string text = "## simulate\n| key out (`--json`) | |\n|---|---|\n";
  for (const Key& key : summary_keys())
    text += "| `" + key.name + "`" + (key.needed ? "" : " (optional)") + " | " +
            markdown_cell(key.about) + " |\n";
  return text + "\n    " + simulate_example + "\n\n";
}

}  // namespace jounce::app

// SPDX-License-Identifier: BSD-3-Clause
// jounce stewart fk | all | ik | workspace | ... : Gough-Stewart platforms, JSON in and JSON out;
// tables | survey | branches: experiments.
#include <CLI/CLI.hpp>
#include <chrono>
#include <jounce/error.hpp>
#include <jounce/stewart/pose_solver.hpp>

#include "apps/jounce/command_line.hpp"
#include "apps/jounce/commands.hpp"
#include "apps/jounce/help.hpp"
#include "apps/jounce/pages.hpp"
#include "apps/jounce/stewart_all.hpp"
#include "apps/jounce/stewart_commands.hpp"
#include "apps/jounce/stewart_input.hpp"
#include "apps/jounce/stewart_report.hpp"
#include "report/progress.hpp"
#include "stewart/words.hpp"

namespace jounce::app {
namespace {

struct StewartOptions {
  std::string in = "-", out = "-";
  PageOptions page;
  int draws = 20, samples = 0;
  bool as_printed = false;
};

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Why there is no pose; where the search cannot tell, all poses do.
std::string reason_of(const Stewart& platform, const SixNumbers& lengths,
                      const PoseSolution& found) {
  if (found.failure != PoseFailure::singular_minimum && found.failure != PoseFailure::max_descent)
    return explain_failure(platform, lengths, found);
  const AllPoses all = all_poses(platform, lengths, {.certify = false});
  if (all.poses.empty() && all.converged) return "no pose has these lengths";
  return explain_failure(platform, lengths, found) + ": " + std::to_string(all.poses.size()) +
         " have them";
}

Json fk(JsonObject& input) {
  const Stewart platform = platform_of(input);
  const SixNumbers lengths = lengths_of(input);
  const SE3<double> start = start_of(input, platform, lengths);
  PoseSolverOptions options;
  if (input.find("limits") != nullptr) options.domain = limits_of(input, platform);
  if (input.find("restarts") != nullptr) options.restarts = input.whole_number("restarts", 0, 12);
  const Stopwatch time;
  PoseSolver solver(platform, start, options);
  const PoseSolution& found = solver.solve(lengths);
  const double seconds = time.seconds();
  Json pose = pose_to_json(found.pose);
  pose["residual"] = found.residual;
  pose["certified"] = false;  // that is what `all` does
  Json out{{"poses", Json::array({std::move(pose)})},
           {"complex_count", nullptr},
           {"seconds", seconds},
           {"converged", found.converged},
           {"iterations", found.iterations},
           {"determinant", found.determinant},
           {"singularity_distance", solver.singularity_distance()},
           {"branch_flip", found.branch_flip},
           {"failure", stewart_words::word_of(found.failure, stewart_words::failure_words)}};
  if (!found.converged) out["reason"] = reason_of(platform, lengths, found);
  return out;
}

Json all(JsonObject& input) {
  const Stewart platform = platform_of(input);
  const SixNumbers lengths = lengths_of(input);
  AllPosesOptions options;
  if (input.find("near") != nullptr) options.near = pose_of(input, "near");
  return all_poses_json(all_poses(platform, lengths, options));
}

Json lengths_at(const Stewart& platform, const SE3<double>& T) {
  return {{"lengths", platform.lengths(T)},
          {"determinant", platform.normalised_determinant(T)},
          {"singularity_distance", platform.singularity_distance(T)},
          {"self_motion", has_self_motion(platform, T)}};
}

/// One "pose" (or "near"), or a list of "poses".
Json ik(JsonObject& input) {
  const Stewart platform = platform_of(input);
  const char* key = nullptr;
  for (const char* candidate : {"pose", "poses", "near"}) {
    if (input.find(candidate) == nullptr) continue;
    if (key != nullptr)
      input.fail(input.need(candidate).offset,
                 io::in_quotes(key) + " and " + io::in_quotes(candidate) + " are both given");
    key = candidate;
  }
  if (key == nullptr) input.fail(input.offset(), "\"pose\" is missing");
  const Stopwatch time;
  Json out = Json::object();
  if (std::string_view(key) != "poses") out = lengths_at(platform, pose_of(input, key));
  else {
    out["results"] = Json::array();
    for (const JsonValue* pose : input.objects(key)) {
      const std::string who =
          input.who() + ": \"poses\"[" + std::to_string(out["results"].size()) + "]";
      out["results"].push_back(lengths_at(platform, pose_of({input.context(), *pose, who})));
    }
  }
  out["seconds"] = time.seconds();
  return out;
}

/// A page of chapters, printed and where asked for written with its figures.
void print_page(const StewartOptions& options, const char* title, const char* summary,
                std::vector<report::Chapter> chapters) {
  show({.title = title, .summary = summary, .chapters = std::move(chapters)}, options.page,
       "stewart");
}

int samples_or(const StewartOptions& options, int otherwise) {
  return options.samples > 0 ? options.samples : otherwise;
}

/// Long experiments, with a bar on a terminal.
std::vector<report::Block> branches_shown(int samples) {
  report::Progress progress("branches", branch_settings);
  return branch_blocks(samples, [&] { progress.advance(); });
}
std::vector<report::Block> survey_shown(int samples) {
  report::Progress progress("survey", 2 * size_t(samples));
  return survey_blocks(samples, [&] { progress.advance(); });
}

void tables(const StewartOptions& options) {
  const XieExperiment x = xie_experiment();
  print_page(
      options, "Forward kinematics of a Gough-Stewart platform",
      "Xie, Dai, Liu 2021, recomputed claim by claim; percentages in claims are the paper's. "
      "Samples are drawn with seed 1; --samples draws more.",
      {{"The paper's claims", "", claim_blocks(x, options.draws)},
       {"The headline claim", "", branches_shown(samples_or(options, 100))},
       {"Geometry and method", "", survey_shown(samples_or(options, 1000))},
       {"Extra sensors", "", sensor_blocks(samples_or(options, 100))},
       {"Figures", "", figure_blocks(x)}});
}

void survey(const StewartOptions& options) {
  print_page(options, "Six methods on random geometries",
             "What section 6 of Xie, Dai, Liu 2021 leaves open.",
             {{"Geometry and method", "", survey_shown(samples_or(options, 4000))}});
}

void branches(const StewartOptions& options) {
  print_page(options, "Six methods near other poses",
             "What section 5 of Xie, Dai, Liu 2021 concludes, as an experiment.",
             {{"The headline claim", "", branches_shown(samples_or(options, 400))}});
}

// What the commands read and write: for their help, their checks and docs/command_line.md.

Key seconds() { return {"seconds", "time taken"}; }
Key converged() { return {"converged", "whether the search came to a good end"}; }
Key found_poses() { return {"poses", "[{position, quaternion, residual, certified}]"}; }

/// What is read into the limits of a pose.
Key limits_key() {
  return {"limits",
          "{shortest, longest (one number or six), base_tilt, platform_tilt (rad, from the pose "
          "home), least_determinant, determinant_sign (-1, 0 or 1)}",
          false};
}

std::vector<Key> platform_and_lengths() {
  return platform_and(
      {{"lengths", "six lengths of the legs"},
       {"near", "a pose {\"position\": [x, y, z], \"quaternion\": [x, y, z, w]} to begin at",
        false}});
}

StewartCommand fk_command() {
  std::vector<Key> in = platform_and_lengths();
  in.push_back(limits_key());
  in.push_back(
      {"restarts", "0 to 12: starts turned away that are tried where the first fails", false});
  return {
      {"fk",
       "The pose with these lengths nearest to a start",
       std::move(in),
       {found_poses(),
        {"complex_count", "null: all counts them"},
        seconds(),
        converged(),
        {"iterations", "steps taken"},
        {"determinant", "normalised determinant of the Jacobian"},
        {"singularity_distance", "0 at a singular pose"},
        {"branch_flip",
         "whether a singular pose lies between: the sign of the determinant changed"},
        {"failure", "none, impossible_lengths, singular_minimum, max_descent or outside_domain"},
        {"reason", "where it did not converge: why", false}},
       {},
       "Without near the search begins level above the base. A pose out of the limits is no "
       "answer.",
       "",
       on_example_platform(R"("lengths":[1.6,1.6,1.6,1.6,1.6,1.65]})")},
      fk};
}

StewartCommand all_command() {
  return {
      {"all",
       "All poses with these lengths, certified",
       platform_and_lengths(),
       {found_poses(),
        {"complex_count", "number of complex poses"},
        {"at_infinity", "paths that went to infinity"},
        {"family", "general, semi-regular or paired: where the search started"},
        converged(),
        seconds()},
       {},
       "A pose that is not certified has a reason. Poses are sorted by their distance from near.",
       "",
       on_example_platform(R"("lengths":[1.6,1.6,1.6,1.6,1.6,1.65]})")},
      all};
}

StewartCommand ik_command() {
  return {{"ik",
           "The lengths of a pose",
           platform_and({{"pose", "{position, quaternion}; no quaternion: no rotation", false},
                         {"poses", "a list of them", false},
                         {"near", "the same as pose", false}}),
           {{"lengths", "six lengths", false},
            {"determinant", "normalised determinant", false},
            {"singularity_distance", "0 at a singular pose", false},
            {"self_motion", "whether it moves with its legs locked", false},
            {"results", "of poses: a list of such objects", false},
            seconds()},
           {},
           "One of pose, poses and near is needed.",
           "",
           on_example_platform(R"("pose":{"position":[0,0,1.5]}})")},
          ik};
}

std::vector<Key> workspace_keys() {
  return platform_and(
      {limits_key(),
       {"grid", "{lower, upper, points: [nx, ny, nz], quaternion}", false},
       {"sample", "{lower, upper, angle_lower, angle_upper, poses, seed}", false},
       {"path", "{from, to}: two poses", false},
       {"slice",
        "{origin, u, v, range: [s_min, s_max, t_min, t_max], cells}: singularity curves of the "
        "poses that the screws u and v (six numbers, angular part first) span",
        false}});
}

StewartCommand workspace_command() {
  return {{"workspace",
           "What the platform can reach",
           workspace_keys(),
           {{"grid", "{points, reachable, verdicts, determinants}", false},
            {"sample",
             "{points, reachable, leg_too_short, leg_too_long, base_joint, platform_joint, "
             "singular, lower, upper}",
             false},
            {"path", "{passed, at, reason, least_determinant, evaluations}", false},
            {"slice", "{segments: [[[s, t], [s, t]], ...]}", false},
            seconds()},
           {},
           "One of grid, sample, path and slice is needed. A verdict is the sum of 1 (a leg too "
           "short), 2 (too long), 4 (base joint), 8 (platform joint) and 16 (singular); 0 is "
           "reachable.",
           "",
           on_example_platform(
               R"("limits":{"shortest":1.2,"longest":1.9},
    "grid":{"lower":[-0.1,-0.1,1.4],"upper":[0.1,0.1,1.6],"points":[2,2,2]}})")},
          workspace};
}

std::vector<StewartCommand> stewart_commands() {
  std::vector<StewartCommand> all{fk_command(), all_command(), ik_command(), workspace_command()};
  for (StewartCommand& command : formula_commands()) all.push_back(std::move(command));
  return all;
}

/// Refuses keys that the command does not read, and names the first that is missing.
void check_keys(const StewartCommand& command, JsonObject& input) {
  input.allow_only(names_of(command.in), "stewart " + command.name);
  for (const Key& key : command.in)
    if (key.needed) input.need(key.name);
}

void add_json_command(CLI::App& parent, const std::shared_ptr<StewartOptions>& options,
                      const StewartCommand& stewart) {
  CLI::App* command = parent.add_subcommand(stewart.name, stewart.about);
  command->formatter(std::make_shared<ReferenceFormatter>("stewart", stewart));
  add_in(*command, options->in, "What it reads (default: -, standard input)");
  add_out(*command, options->out, "What it writes (default: -, standard output)");
  command->callback([options, stewart] {
    const std::string who = "stewart " + stewart.name;
    JsonInput input(options->in);
    JsonObject object = input.object(who);
    check_keys(stewart, object);
    write_json(options->out, stewart.compute(object), who);
  });
}

CLI::App& add_page(CLI::App& parent, const std::shared_ptr<StewartOptions>& options,
                   const char* name, const char* about, void (*print)(const StewartOptions&)) {
  CLI::App* page = parent.add_subcommand(name, about);
  add_page_options(*page, options->page);
  page->add_option("--samples", options->samples, "Samples of every experiment")
      ->check(CLI::Range(2, 1000000));
  page->footer(std::string("Example: jounce stewart ") + name + " --html " + name + ".html");
  page->callback([options, print] { print(*options); });
  return *page;
}

void add_experiment(CLI::App& parent, const std::shared_ptr<StewartOptions>& options) {
  CLI::App* command =
      parent.add_subcommand("experiment", "Platform, poses and starts of Xie, Dai, Liu 2021");
  command->add_flag("--as-printed", options->as_printed,
                    "With leg 6 and the last angle of start 2 as printed");
  add_out(*command, options->out, "What it writes (default: -, standard output)");
  command->footer("Example: jounce stewart experiment --as-printed");
  command->callback([options] {
    write_json(options->out, experiment_json(options->as_printed), "stewart experiment");
  });
}

}  // namespace

std::string stewart_reference() {
  const std::vector<StewartCommand> commands = stewart_commands();
  return markdown_of("stewart", {commands.begin(), commands.end()});
}

void add_stewart(CLI::App& app) {
  auto options = std::make_shared<StewartOptions>();
  CLI::App* command = app.add_subcommand("stewart", "Gough-Stewart platforms");
  command->require_subcommand(1);
  for (const StewartCommand& stewart : stewart_commands())
    add_json_command(*command, options, stewart);
  add_page(*command, options, "tables", "The claims of Xie, Dai, Liu 2021, each computed", tables)
      .add_option("--draws", options->draws, "Sets of rounded lengths per cell")
      ->check(CLI::Range(1, 1000));
  add_page(*command, options, "survey", "All variants of six methods on random geometries", survey);
  add_page(*command, options, "branches", "Which methods are caught by other poses", branches);
  add_experiment(*command, options);
  add_stewart_sweep(*command);
  command->footer("Example: jounce stewart fk --help");
}

}  // namespace jounce::app

// SPDX-License-Identifier: BSD-3-Clause
// jounce stewart fk | all | ik | workspace | tables: Gough-Stewart platforms, JSON in and JSON out.
#include <CLI/CLI.hpp>
#include <chrono>
#include <jounce/error.hpp>
#include <jounce/stewart/pose_solver.hpp>

#include "apps/jounce/commands.hpp"
#include "apps/jounce/help.hpp"
#include "apps/jounce/stewart_all.hpp"
#include "apps/jounce/stewart_input.hpp"
#include "apps/jounce/stewart_report.hpp"
#include "report/file.hpp"

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

Json fk(JsonObject& input) {
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
  report::write_standard_output(page.to_text(colours_wanted()));
  if (options.html.empty()) return;
  page.write(options.html);
  report::write_standard_output("With figures: " + options.html + "\n");
}

struct StewartCommand : Reference {
  Json (*compute)(JsonObject& input);
};

constexpr std::string_view example_platform =
    R"({"base":[[0.97,0.26,0],[-0.26,0.97,0],[-0.71,0.71,0],
            [-0.71,-0.71,0],[-0.26,-0.97,0],[0.97,-0.26,0]],
    "platform":[[0.47,0.47,0],[0.17,0.64,0],[-0.64,0.17,0],
                [-0.64,-0.17,0],[0.17,-0.64,0],[0.47,-0.47,0]],
    )";

std::string on_example_platform(const char* rest) { return std::string(example_platform) + rest; }

// What the commands read and write: for their help, their checks and docs/command_line.md.

Key seconds() { return {"seconds", "time taken"}; }
Key converged() { return {"converged", "whether the search came to a good end"}; }
Key found_poses() { return {"poses", "[{position, quaternion, residual, certified}]"}; }

std::vector<Key> platform_and(std::initializer_list<Key> others) {
  std::vector<Key> keys = {{"base", "six points [x, y, z] of the base"},
                           {"platform", "six points of the platform, in its own frame"}};
  keys.insert(keys.end(), others);
  return keys;
}

std::vector<Key> platform_and_lengths() {
  return platform_and(
      {{"lengths", "six lengths of the legs"},
       {"near", "a pose {\"position\": [x, y, z], \"quaternion\": [x, y, z, w]} to begin at",
        false}});
}

StewartCommand fk_command() {
  return {{"fk",
           "The pose with these lengths nearest to a start",
           platform_and_lengths(),
           {found_poses(),
            {"complex_count", "null: all counts them"},
            seconds(),
            converged(),
            {"iterations", "steps taken"},
            {"determinant", "normalised determinant of the Jacobian"},
            {"singularity_distance", "0 at a singular pose"},
            {"branch_flip",
             "whether a singular pose lies between: the sign of the determinant changed"}},
           {},
           "Without near the search begins level above the base.",
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
      {{"limits",
        "{shortest, longest (one number or six), base_tilt, platform_tilt (rad, from the pose "
        "home), least_determinant, determinant_sign (-1, 0 or 1)}",
        false},
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
  return {fk_command(), all_command(), ik_command(), workspace_command()};
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
  command->add_option("--in", options->in, "What it reads (default: -, standard input)")
      ->type_name("FILE");
  command->add_option("--out", options->out, "What it writes (default: -, standard output)")
      ->type_name("FILE");
  command->callback([options, stewart] {
    const std::string who = "stewart " + stewart.name;
    JsonInput input(options->in);
    JsonObject object = input.object(who);
    check_keys(stewart, object);
    write_json(options->out, stewart.compute(object), who);
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
  CLI::App* study = command->add_subcommand("tables", "The experiments of Xie, Dai, Liu 2021");
  study->add_option("--html", options->html, "Also write the page with its figures to FILE")
      ->type_name("FILE");
  study->add_option("--draws", options->draws, "Sets of rounded lengths per cell")
      ->check(CLI::Range(1, 1000));
  study->add_option("--starts", options->starts, "Starts per geometry of the sweep")
      ->check(CLI::Range(1, 10000));
  study->footer("Example: jounce stewart tables --html tables.html");
  study->callback([options] { tables(*options); });
  add_stewart_sweep(*command);
  command->footer("Example: jounce stewart fk --help");
}

}  // namespace jounce::app

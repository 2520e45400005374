// SPDX-License-Identifier: BSD-3-Clause
// jounce plot and jounce draw: pictures of an own robot.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <jounce/move.hpp>

#include "apps/jounce/command_line.hpp"
#include "apps/jounce/commands.hpp"
#include "apps/jounce/model_options.hpp"
#include "pictures/first_move.hpp"
#include "pictures/motion_page.hpp"
#include "pictures/picture_file.hpp"
#include "pictures/robot_drawing.hpp"
#include "report/file.hpp"
#include "report/page.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

struct PlotOptions {
  ModelOptions model;
  std::string motion, from, to, out = "plot.svg";
  std::optional<double> duration;
  int points = 201;
  bool json = false;
};

std::vector<double> coordinates_of(const char* option, const std::string& text,
                                   const Robot& robot) {
  return parse_numbers(option, text, robot.nq(),
                       std::to_string(robot.nq()) + " numbers with commas between them");
}

Along run_of(const PlotOptions& options, const Robot& robot) {
  const AlongOptions points{.points = options.points};
  if (!options.motion.empty()) {
    if (!options.from.empty() || !options.to.empty())
      throw InputError("plot: --motion has its own ends: --from and --to do not apply");
    return along(robot, load_motion(robot, options.motion), points);
  }
  pictures::FirstMove move{.duration = options.duration};
  if (!options.from.empty()) move.from = coordinates_of("--from", options.from, robot);
  if (!options.to.empty()) move.to = coordinates_of("--to", options.to, robot);
  if (!move.to && !options.model.quiet)
    std::fprintf(stderr, "jounce: neither --to nor --motion is given: to a configuration %s\n",
                 robot.loops().empty() ? "drawn at random" : "with every motor 0.1 rad or m on");
  Along run = pictures::first_run(robot, move, points);
  if (!move.duration && run.t.back() > pictures::usual_duration && !options.model.quiet)
    std::fprintf(stderr, "jounce: --duration is not given: %s s, so that velocity limits hold\n",
                 report::trimmed(run.t.back(), 6).c_str());
  return run;
}

std::string plot_content(const PlotOptions& options, const std::string& ending, const Along& run) {
  if (ending == ".csv") return write_csv(run);
  if (ending == ".npz") return write_npz(run);
  return pictures::motion_picture(options.out, run, options.model.model);
}

/// {"model", "out", "joints": [{"name", "v", "tau", "tau_rate", "effort"}], "leading": [names],
/// "exceeded": [...]}.
Json summary(const PlotOptions& options, const Along& run) {
  const std::vector<std::string> names = velocity_names(run.robot);
  Json joints = Json::array(), exceeded = Json::array();
  for (int k = 0; k < run.robot.nv(); ++k) {
    const double limit = run.robot.limits().effort[size_t(k)];
    joints.push_back({{"name", names[size_t(k)]},
                      {"v", pictures::largest(run.v, k)},
                      {"tau", pictures::largest(run.tau, k)},
                      {"tau_rate", pictures::largest(run.tau_rate, k)},
                      {"effort", std::isfinite(limit) ? Json(limit) : Json()}});
  }
  Json leading = Json::array();
  for (const int k : run.leading) leading.push_back(names[size_t(k)]);
  for (const Exceeded& one : run.exceeded())
    exceeded.push_back({{"joint", names[size_t(one.v)]},
                        {"kind", name(one.kind)},
                        {"t", one.t},
                        {"value", one.value},
                        {"limit", one.limit}});
  return {{"model", options.model.model},
          {"out", options.out},
          {"joints", std::move(joints)},
          {"leading", std::move(leading)},
          {"exceeded", std::move(exceeded)}};
}

void plot(const PlotOptions& options) {
  static constexpr std::string_view endings[] = {".svg", ".html", ".csv", ".npz"};
  const std::string ending = pictures::ending(options.out, endings);
  if (options.duration && !(*options.duration > 0))
    throw InputError("plot: --duration is " + report::shortest(*options.duration) +
                     ", needs to be positive");
  if (options.points < 2)
    throw InputError("plot: --points is " + std::to_string(options.points) + ", needs at least 2");
  const ModelAndReport loaded = load_model(options.model);
  if (loaded.robot.nv() == 0) throw InputError("plot: no joint of this robot moves");
  const Along run = run_of(options, loaded.robot);
  tell_findings(options.model, loaded, false);
  const std::string content = plot_content(options, ending, run);
  if (options.out == "-") return report::write_standard_output(content);
  write_text(options.out, content);
  if (options.json) return write_json("-", summary(options, run), "plot");
  report::Page page{
      options.out, pictures::summary(run), {{"The move", "", {pictures::largest_table(run)}}}};
  report::write_standard_output(page.to_text(colours_wanted()));
}

struct DrawOptions {
  ModelOptions model;
  std::string q, view, out = "draw.svg";
  bool json = false;
};

void tell_drawing(const DrawOptions& options, const pictures::Drawing& drawing) {
  if (options.model.quiet) return;
  if (const std::string told = pictures::not_drawn_text(drawing); !told.empty())
    std::fprintf(stderr, "jounce: %s: %s\n", options.model.model.c_str(), told.c_str());
  if (drawing.closed_loops > 1e-6)
    std::fprintf(stderr, "jounce: %s: to close its loops coordinates moved by up to %.3g\n",
                 options.model.model.c_str(), drawing.closed_loops);
}

/// {"model", "out", "not_drawn": meshes with the reason, "closed_by": the largest step that closed
/// the loops}.
void summarise(const DrawOptions& options, const pictures::Drawing& drawing) {
  if (!options.json || options.out == "-") return;
  write_json("-",
             {{"model", options.model.model},
              {"out", options.out},
              {"not_drawn", drawing.not_drawn},
              {"closed_by", drawing.closed_loops}},
             "draw");
}

void draw(const DrawOptions& options) {
  pictures::ending(options.out);
  const ModelAndReport loaded = load_model(options.model);
  const Robot& robot = loaded.robot;
  std::optional<pictures::View> view;
  if (!options.view.empty()) {
    const std::vector<double> angles =
        parse_numbers("--view", options.view, 2, "azimuth and elevation in degrees");
    view = {angles[0], angles[1]};
  }
  const pictures::Drawing drawing = pictures::draw(
      robot, options.q.empty() ? robot.closed() : coordinates_of("--q", options.q, robot), view);
  tell_findings(options.model, loaded, false);
  tell_drawing(options, drawing);
  std::string about = "Robot " + report::in_quotes(robot.name()) + ".";
  if (const std::string told = pictures::not_drawn_text(drawing); !told.empty())
    about += " " + told + ".";
  write_text(options.out,
             pictures::picture_text(options.out, drawing.svg, options.model.model, about));
  summarise(options, drawing);
  if (!options.json && options.out != "-") report::write_standard_output(options.out + "\n");
}

}  // namespace

void add_plot(CLI::App& app) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* command = app.add_subcommand(
      "plot", "Draw torque, torque rate, energy and limits along a move of a robot");
  add_model_options(*command, options->model);
  command
      ->add_option("--motion", options->motion,
                   "A table of the motion, CSV or NPZ: t and q.JOINT, or also v., a., jerk.")
      ->type_name("FILE");
  command
      ->add_option(
          "--from", options->from,
          "Where the move starts (default: the file's closed configuration, or 0 within limits)")
      ->type_name("Q");
  command
      ->add_option("--to", options->to,
                   "Where it ends, at rest (default: drawn at random; with loops motors 0.1 on)")
      ->type_name("Q");
  command
      ->add_option("--duration", options->duration,
                   "Seconds of the move (default: 2, or more where velocity limits need it)")
      ->type_name("T");
  command->add_option("--points", options->points, "Times that are computed (default: 201)")
      ->type_name("N");
  add_out(*command, options->out,
          "The picture, .svg or .html, or its numbers, .csv or .npz (default: plot.svg)");
  command->add_flag("--json", options->json, "Largest values and exceeded limits as JSON");
  command->footer("Example: jounce plot builtin:arm7 --duration 1.5 --out torque.html");
  command->callback([options] { plot(*options); });
}

void add_draw(CLI::App& app) {
  auto options = std::make_shared<DrawOptions>();
  CLI::App* command = app.add_subcommand("draw", "Draw a robot, its loops closed");
  add_model_options(*command, options->model);
  command->add_option("--q", options->q, "The configuration (default: the file's closed one, or 0)")
      ->type_name("Q");
  command->add_option("--view", options->view, "From where, azimuth and elevation in degrees")
      ->type_name("AZ,EL");
  add_out(*command, options->out, "The picture, .svg or .html (default: draw.svg)");
  command->add_flag("--json", options->json, "What was not drawn, as JSON");
  command->footer("Example: jounce draw builtin:humanoid --out humanoid.svg");
  command->callback([options] { draw(*options); });
}

}  // namespace jounce::app

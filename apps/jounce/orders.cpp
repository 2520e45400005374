// SPDX-License-Identifier: BSD-3-Clause
// jounce orders evaluation | frames: dynamics of any order, the paper's evaluation and the
// comparison of frames that it asks for.
#include <CLI/CLI.hpp>
#include <jounce/model/generate.hpp>

#include "apps/jounce/commands.hpp"
#include "apps/jounce/orders_figures.hpp"
#include "apps/jounce/pages.hpp"

namespace jounce::app {
namespace {

report::Page evaluation_page() {
  const Robot aerial = load("builtin:aerial_manipulator");
  const Robot tree(
      generate({.shape = TreeShape::branches, .bodies = 15, .branches = 3, .free_base = true}));
  report::Chapter robot{"The robot",
                        "robot",
                        {graph_figure(tree, "Figure 1: a floating tree"),
                         graph_figure(aerial, "Figure 2 (b): the aerial manipulator"),
                         parents_figure(aerial), articulated_inertia_table(3)}};
  const AerialSteps steps = fly_experiment(200);
  report::Chapter flight{"The experiment", "experiment", {returned_checks(steps)}};
  for (int k = 0; k <= AerialExperiment::order + 1; ++k) {
    flight.blocks.push_back(base_motion_figure(steps, k));
    flight.blocks.push_back(joint_motion_figure(steps, k));
  }
  for (int k = 0; k <= AerialExperiment::order; ++k) {
    flight.blocks.push_back(wrench_figure(steps, k));
    flight.blocks.push_back(torque_figure(steps, k));
  }
  report::Chapter passive{"Passive joints", "passive", passive_arms_blocks(10)};
  report::Chapter cost{"Cost", "cost", evaluation_blocks(bench::evaluate_series(false), true)};
  return {.title = "Dynamics of any order: the evaluation",
          .summary =
              "Sections 6 and 7 of Ali, Gabellieri, Franchi 2026, computed by this run; "
              "values of the paper's Table 3 are not in the text at hand and were chosen.",
          .chapters = {robot, flight, passive, cost}};
}

report::Page frames_page() {
  report::Chapter chapter{"Body, spatial and hybrid frames", "frames",
                          frames_blocks(bench::compare_frames(false))};
  return {.title = "Dynamics of any order in three kinds of frames",
          .summary =
              "Operations counted, processor time, and errors at 1 m to 100 km from the "
              "origin. All three run the same sweeps without lanes; Series, the library's "
              "own, runs body frames in lanes.",
          .chapters = {chapter}};
}

void add_orders_page(CLI::App& parent, const char* name, const char* about,
                     report::Page (*make)()) {
  auto options = std::make_shared<PageOptions>();
  CLI::App* command = parent.add_subcommand(name, about);
  add_page_options(*command, *options);
  command->footer(std::string("Example: jounce orders ") + name + " --html " + name + ".html");
  command->callback([options, make] { show(make(), *options, "orders"); });
}

}  // namespace

void add_orders(CLI::App& app) {
  CLI::App* command = app.add_subcommand("orders", "Dynamics of any order: experiments, costs");
  command->require_subcommand(1);
  add_orders_page(*command, "evaluation", "The evaluation of Ali, Gabellieri, Franchi 2026",
                  evaluation_page);
  add_orders_page(*command, "frames", "Body, spatial and hybrid frames compared", frames_page);
  command->footer("Example: jounce orders frames --json");
}

}  // namespace jounce::app

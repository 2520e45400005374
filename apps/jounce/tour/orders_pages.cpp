// SPDX-License-Identifier: BSD-3-Clause
// jounce orders evaluation | frames: dynamics of any order, the paper's evaluation and the
// comparison of frames that it asks for.
#include <jounce/model/generate.hpp>

#include "apps/jounce/tour/orders_figures.hpp"
#include "apps/jounce/tour/pages.hpp"
#include "report/progress.hpp"

namespace jounce::app {

report::Page orders_evaluation_page() {
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
  report::Progress progress("evaluation", bench::evaluation_steps);
  const bench::SeriesEvaluation found = bench::evaluate_series(false, [&] { progress.advance(); });
  report::Chapter cost{"Cost", "cost", evaluation_blocks(found, true)};
  return {.title = "Dynamics of any order: the evaluation",
          .summary =
              "Sections 6 and 7 of Ali, Gabellieri, Franchi 2026, computed by this run; "
              "values of the paper's Table 3 are not in the text at hand and were chosen.",
          .chapters = {robot, flight, passive, cost}};
}

report::Page orders_frames_page() {
  report::Progress progress("frames", bench::frames_steps);
  const bench::FramesComparison found = bench::compare_frames(false, [&] { progress.advance(); });
  report::Chapter chapter{"Body, spatial and hybrid frames", "frames", frames_blocks(found)};
  return {.title = "Dynamics of any order in three kinds of frames",
          .summary =
              "Operations counted, processor time, and errors at 1 m to 100 km from the "
              "origin. All three run the same sweeps without lanes; Series, the library's "
              "own, runs body frames in lanes.",
          .chapters = {chapter}};
}

}  // namespace jounce::app

// SPDX-License-Identifier: BSD-3-Clause
// Figures and tables on dynamics of any order, for `jounce orders` and for the tour: what
// [Ali] section 7 shows, and the comparison of frames that its outlook asks for.
#pragma once

#include "apps/jounce/tour/passive_arms.hpp"
#include "benchmarks/series_evaluation.hpp"
#include "benchmarks/series_frames.hpp"

namespace jounce::app {

using AerialSteps = std::vector<AerialExperiment::Step>;
/// The experiment at so many instants and one.
AerialSteps fly_experiment(int count);

/// Figure 3 (a): reference and returned motion, derivative k of the velocities of base and joints;
/// figure 3 (b): derivative k of wrench and torques.
report::Figure base_motion_figure(const AerialSteps& steps, int k);
report::Figure joint_motion_figure(const AerialSteps& steps, int k);
report::Figure wrench_figure(const AerialSteps& steps, int k);
report::Figure torque_figure(const AerialSteps& steps, int k);
/// Largest difference of the returned motion at every order, over the largest of it.
report::Checks returned_checks(const AerialSteps& steps);

/// Figures 1 and 2 (b): the bodies of a robot and what carries them.
report::Figure graph_figure(const Robot& robot, const std::string& title);
/// (31): where the parents' matrix PP of a robot has unit blocks.
report::Figure parents_figure(const Robot& robot);
/// Lemma 2: the base's articulated inertia as the answer of forward dynamics of two orders.
report::Table articulated_inertia_table(int order);

/// Section 6: joints that swing while the base tracks, and the wrench that this takes.
std::vector<report::Block> passive_arms_blocks(double duration);

/// Figure 4 (a)-(c), ratios per order, claims.
std::vector<report::Block> evaluation_blocks(const bench::SeriesEvaluation& found, bool fits);

/// Costs and errors of the three kinds of frames, and which is least.
std::vector<report::Block> frames_blocks(const bench::FramesComparison& found);

}  // namespace jounce::app

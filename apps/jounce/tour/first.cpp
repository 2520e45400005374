// SPDX-License-Identifier: BSD-3-Clause
// Tour, first screen: an arm, the torque and torque rate of one move, and the lines that made it.
#include <cmath>
#include <jounce/io.hpp>
#include <jounce/move.hpp>

#include "apps/jounce/tour/chapters.hpp"
#include "pictures/motion_plots.hpp"
#include "pictures/robot_drawing.hpp"

namespace jounce::app {
namespace {

constexpr const char* lines = R"(import jounce

arm = jounce.load("builtin:arm7")                                # or "my.urdf"
move = jounce.septic(arm.neutral(), arm.random(3), duration=2)   # from rest to rest
run = jounce.along(arm, move, points=121)
run.plot("torque.svg")
arm.draw(arm.random(3), "arm.svg")
)";

/// The largest difference between torque rates and central differences of torques, of the largest.
double rate_error(const Along& run) {
  const double h = run.t[1] - run.t[0];
  double worst = 0, largest = 0;
  for (int i = 1; i + 1 < run.tau.columns; ++i)
    for (int k = 0; k < run.tau.rows; ++k) {
      const double difference = (run.tau(k, i + 1) - run.tau(k, i - 1)) / (2 * h);
      worst = std::max(worst, std::abs(difference - run.tau_rate(k, i)));
      largest = std::max(largest, std::abs(run.tau_rate(k, i)));
    }
  return worst / largest;
}

/// How far energy at the end is from that at the start and the work of the torques (trapezes).
double work_error(const Along& run) {
  double work = 0, largest = 0;
  for (int i = 0; i + 1 < run.tau.columns; ++i)
    for (int k = 0; k < run.tau.rows; ++k)
      work += (run.tau(k, i) * run.v(k, i) + run.tau(k, i + 1) * run.v(k, i + 1)) / 2 *
              (run.t[1] - run.t[0]);
  for (size_t i = 0; i < run.t.size(); ++i)
    largest = std::max(largest, std::abs(run.kinetic[i] + run.potential[i]));
  const double change =
      run.kinetic.back() + run.potential.back() - run.kinetic.front() - run.potential.front();
  return std::abs(change - work) / largest;
}

}  // namespace

report::Chapter tour_first() {
  const Robot arm = load("builtin:arm7");
  const Move move = septic(arm.neutral(), arm.random(3), 2.0);
  const Along run = along(arm, move, {.points = 121});
  const Along fine = along(arm, move, {.points = 20001, .passive = false});
  const std::vector<report::Plot> plots = pictures::motion_plots(run);
  const report::Checks checks{
      {report::at_most("torque rates by differences of torques, of the largest", rate_error(fine),
                       1e-6),
       report::at_most("energy gained less the work of the torques, of the largest",
                       work_error(fine), 1e-6)}};
  return {
      "An arm, its torque and its torque rate",
      "first",
      {report::Figure{pictures::draw(arm, arm.random(3)).svg, "builtin:arm7 where a move ends."},
       report::Figure{report::both_widths(plots[1]), "What the motors give along the move, exact."},
       report::Figure{report::both_widths(plots[2]),
                      "How fast that changes, exact: no differences."},
       report::Paragraph{"These lines of Python made the pictures; jounce plot and jounce draw "
                         "make the same of your own URDF."},
       report::Code{lines}, checks}};
}

}  // namespace jounce::app

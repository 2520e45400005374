// SPDX-License-Identifier: BSD-3-Clause
// The experiment of [Ali] section 7 drawn: figures 1 to 3, (31), Lemma 2, and the use of section 6.
#include "apps/jounce/tour/orders_figures.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <jounce/model/generate.hpp>
#include <jounce/world_series.hpp>

#include "report/plot.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

/// Twelve rows of numbers over time, some of them drawn.
using Pick = Eigen::VectorXd (*)(const AerialExperiment::Step&, int k);

Eigen::VectorXd reference_of(const AerialExperiment::Step& s, int k) {
  return s.reference.motion.col(k);
}
Eigen::VectorXd returned_of(const AerialExperiment::Step& s, int k) { return s.reproduced.col(k); }
Eigen::VectorXd forces_of(const AerialExperiment::Step& s, int k) { return s.taus.col(k); }

const std::vector<std::string> base_names{"w_x", "w_y", "w_z", "v_x", "v_y", "v_z"},
    wrench_names{"m_x", "m_y", "m_z", "f_x", "f_y", "f_z"},
    joint_names{"left 1", "left 2", "left 3", "right 1", "right 2", "right 3"};

void add_curves(report::Plot& plot, const AerialSteps& steps, int first, int k, Pick pick,
                const std::vector<std::string>& names, bool returned) {
  for (int j = 0; j < 6; ++j) {
    report::Series one{.name = returned ? (j == 0 ? "returned" : "") : names[size_t(j)],
                       .colour = returned ? 7 : j,
                       .width = returned ? 1.2 : 2,
                       .dashed = returned};
    for (const AerialExperiment::Step& step : steps) {
      one.x.push_back(step.time);
      one.y.push_back(pick(step, k)[first + j]);
    }
    plot.series.push_back(one);
  }
}

std::string order_name(const std::string& of, int k) {
  return k == 0 ? of : "derivative " + std::to_string(k) + " of " + of;
}

report::Figure motion_figure_of(const AerialSteps& steps, int first, int k, const char* what,
                                const std::vector<std::string>& names) {
  report::Plot plot{.title = order_name(what, k),
                    .x = {.label = "time", .unit = "s"},
                    .y = {.label = "SI units"}};
  add_curves(plot, steps, first, k, reference_of, names, false);
  add_curves(plot, steps, first, k, returned_of, names, true);
  return {report::both_widths(plot),
          "Figure 3 (a): the reference, and dashed what forward dynamics of "
          "the forces returns."};
}

report::Figure force_figure_of(const AerialSteps& steps, int first, int k, const char* what,
                               const std::vector<std::string>& names) {
  report::Plot plot{.title = order_name(what, k),
                    .x = {.label = "time", .unit = "s"},
                    .y = {.label = "SI units"}};
  add_curves(plot, steps, first, k, forces_of, names, false);
  return {report::both_widths(plot), "Figure 3 (b): by inverse dynamics."};
}

}  // namespace

AerialSteps fly_experiment(int count) {
  AerialExperiment experiment;
  AerialSteps steps;
  for (int k = 0; k <= count; ++k)
    steps.push_back(experiment.step(AerialExperiment::duration * k / count));
  return steps;
}

report::Figure base_motion_figure(const AerialSteps& steps, int k) {
  return motion_figure_of(steps, 0, k, "the base's twist", base_names);
}
report::Figure joint_motion_figure(const AerialSteps& steps, int k) {
  return motion_figure_of(steps, 6, k, "joint velocities", joint_names);
}
report::Figure wrench_figure(const AerialSteps& steps, int k) {
  return force_figure_of(steps, 0, k, "the wrench on the base", wrench_names);
}
report::Figure torque_figure(const AerialSteps& steps, int k) {
  return force_figure_of(steps, 6, k, "joint torques", joint_names);
}

report::Checks returned_checks(const AerialSteps& steps) {
  report::Checks checks;
  for (int k = 1; k <= AerialExperiment::order + 1; ++k) {
    double size = 0, worst = 0;
    for (const AerialExperiment::Step& step : steps)
      size = std::max(size, reference_of(step, k).cwiseAbs().maxCoeff());
    for (const AerialExperiment::Step& step : steps)
      worst = std::max(worst, (returned_of(step, k) - reference_of(step, k))
                                      .cwiseAbs()
                                      .maxCoeff<Eigen::PropagateNaN>() /
                                  size);
    checks.rows.push_back(report::at_most(
        "returned V^(" + std::to_string(k) + ") and q^(" + std::to_string(k + 1) + "), relative",
        worst, 1e-13 * std::pow(10, k)));
  }
  return checks;
}

report::Figure graph_figure(const Robot& robot, const std::string& title) {
  const Model<double>& m = robot.model();
  std::vector<double> x(size_t(m.bodies)), y(size_t(m.bodies));
  double leaf = 0;  // leaves one beside the other, others over the middle of what they carry
  double deepest = 0;
  for (int i = m.bodies - 1; i > 0; --i) {
    int carried = 0;
    for (int c = i + 1; c < m.bodies; ++c)
      if (m.parent[c] == i) x[size_t(i)] += x[size_t(c)], ++carried;
    x[size_t(i)] = carried > 0 ? x[size_t(i)] / carried : --leaf;
    for (int b = m.parent[i]; b > 0; b = m.parent[b]) ++y[size_t(i)];
    deepest = std::max(deepest, y[size_t(i)]);
  }
  report::Series joints{.name = "joints", .mark = report::Mark::segments},
      bodies{.name = "bodies", .mark = report::Mark::scatter};
  for (double& place : x) place -= leaf - 1;
  report::Plot plot{
      .title = title,
      .x = {.label = "branch", .range = report::Range{0.5, 0.5 - leaf}},
      .y = {.label = "depth", .range = report::Range{-0.5, deepest + 0.5}, .reversed = true}};
  for (int i = 1; i < m.bodies; ++i) {
    bodies.x.push_back(x[size_t(i)]), bodies.y.push_back(y[size_t(i)]);
    plot.notes.push_back({x[size_t(i)], y[size_t(i)], std::to_string(i)});
    if (m.parent[i] == 0) continue;
    for (const int end : {i, m.parent[i]})
      joints.x.push_back(x[size_t(end)]), joints.y.push_back(y[size_t(end)]);
  }
  plot.series = {joints, bodies};
  return {report::both_widths(plot),
          "Body 1 is the base; joint j joins body j to what carries it."};
}

report::Figure parents_figure(const Robot& robot) {
  const Model<double>& m = robot.model();
  const auto n = size_t(m.bodies - 1);
  report::HeatMap map{.rows = n,
                      .columns = n,
                      .values = std::vector<double>(n * n),
                      .colour = {.label = "1: a unit block of 6 x 6"}};
  for (int i = 1; i < m.bodies; ++i)
    for (int b = i; b > 0; b = m.parent[b]) map.values[size_t(i - 1) * n + size_t(b - 1)] = 1;
  report::Plot plot{.title = "(31): the parents' matrix",
                    .x = {.label = "carrying body"},
                    .y = {.label = "body", .reversed = true}};
  for (size_t i = 1; i <= n; ++i) {
    plot.x.categories.push_back(std::to_string(i));
    plot.y.categories.push_back(std::to_string(i));
  }
  plot.heat_map = map;
  return {report::both_widths(plot), "Its transpose is the children's matrix."};
}

report::Table articulated_inertia_table(int order) {
  const AerialExperiment::Reference at = AerialExperiment::reference(1.3);
  const Robot robot = load("builtin:aerial_manipulator");
  WorldSeries series(robot, order, WorldFrames::spatial, BaseFrame::own);
  const Eigen::MatrixXd taus = Eigen::MatrixXd::Zero(robot.nv(), order + 1);
  const Eigen::VectorXd v = at.motion.col(0);
  const auto answer = [&](int r) -> Eigen::MatrixXd {  // of V^(r+1) to the wrench of order r
    Eigen::MatrixXd found(6, 6);
    const Eigen::MatrixXd before = series.forward(at.q, v, taus.leftCols(r + 1));
    for (int k = 0; k < 6; ++k) {
      Eigen::MatrixXd more = taus.leftCols(r + 1);
      more(k, r) += 1e6;
      const Eigen::MatrixXd after = series.forward(at.q, v, more);
      found.col(k) = (after.col(r + 1) - before.col(r + 1)).head(6) / 1e6;
    }
    return found.inverse();
  };
  const Eigen::MatrixXd low = answer(0), high = answer(order);
  report::Table table{
      "Lemma 2: the base's articulated inertia from forward dynamics of orders 0 "
      "and " +
          std::to_string(order),
      {"row", "order 0", "order " + std::to_string(order), "apart"},
      {}};
  const auto row = [&](const Eigen::MatrixXd& M, int i) {
    std::string text;
    for (int j = 0; j < 6; ++j) text += (j > 0 ? "  " : "") + report::significant(M(i, j), 4);
    return text;
  };
  for (int i = 0; i < 6; ++i)
    table.rows.push_back({std::to_string(i + 1), row(low, i), row(high, i),
                          report::significant((high - low).row(i).cwiseAbs().maxCoeff(), 2)});
  return table;
}

std::vector<report::Block> passive_arms_blocks(double duration) {
  PassiveArms arms;
  PassiveArms::Step x = arms.start();
  report::Plot angles{.title = "Passive joints while the base tracks its reference",
                      .x = {.label = "time", .unit = "s"},
                      .y = {.label = "angle", .unit = "rad"}},
      wrench{.title = "The wrench that the propellers must give",
             .x = {.label = "time", .unit = "s"},
             .y = {.label = "SI units, in the base's frame"}};
  for (int j = 0; j < 6; ++j) {
    angles.series.push_back({.name = joint_names[size_t(j)]});
    wrench.series.push_back({.name = wrench_names[size_t(j)]});
  }
  Series series(load("builtin:aerial_manipulator"), 0);
  double off = 0;
  for (constexpr double h = 0.02; x.time <= duration; x = arms.next(x, h)) {
    const Eigen::MatrixXd needed = series.inverse(x.q, x.motion.leftCols(2));
    off = std::max(off, (needed - x.taus.col(0)).cwiseAbs().maxCoeff<Eigen::PropagateNaN>());
    for (int j = 0; j < 6; ++j) {
      angles.series[size_t(j)].x.push_back(x.time);
      angles.series[size_t(j)].y.push_back(x.q[7 + j]);
      wrench.series[size_t(j)].x.push_back(x.time);
      wrench.series[size_t(j)].y.push_back(x.taus(j, 0));
    }
  }
  const std::string how =
      "Hybrid dynamics to order " + std::to_string(AerialExperiment::order) +
      ": the base's motion is prescribed, the arms' joints have damping alone; Taylor steps.";
  return {report::Checks{
              {report::at_most("inverse dynamics of the motion found, N and N m", off, 1e-9)}},
          report::Figure{report::both_widths(angles), how},
          report::Figure{report::both_widths(wrench), how}};
}

}  // namespace jounce::app

// SPDX-License-Identifier: BSD-3-Clause
// Figures 1 to 9 of [Xie], drawn from computed poses and runs.
#include <cmath>
#include <jounce/stewart/pose_chart.hpp>

#include "apps/jounce/stewart_report.hpp"

namespace jounce::app {
namespace {

/// Points in space, seen from the front left and above.
struct Seen {
  double x, y;
};
Seen seen(const Vec3<double>& p) { return {0.94 * p.y - 0.34 * p.x, p.z - 0.25 * p.x - 0.1 * p.y}; }

void add_point(report::Series& to, const Vec3<double>& p) {
  const Seen at = seen(p);
  to.x.push_back(at.x);
  to.y.push_back(at.y);
}

void add_line(report::Series& to, const Vec3<double>& from, const Vec3<double>& end) {
  add_point(to, from);
  add_point(to, end);
}

report::Note note_at(const Vec3<double>& p, const std::string& text) {
  const Seen at = seen(p);
  return {at.x, at.y, text};
}

std::vector<report::Series> platform_lines(const Stewart& s,
                                           const std::vector<SE3<double>>& poses) {
  report::Series base{.name = "base", .mark = report::Mark::segments, .width = 2};
  report::Series top{.name = "platform", .mark = report::Mark::segments, .width = 2.5};
  report::Series legs{.name = "legs", .mark = report::Mark::segments, .width = 1};
  for (size_t i = 0; i < 6; ++i) {
    add_line(base, s.base()[i], s.base()[(i + 1) % 6]);
    for (const SE3<double>& T : poses) {
      add_line(top, T * s.platform()[i], T * s.platform()[(i + 1) % 6]);
      add_line(legs, s.base()[i], T * s.platform()[i]);
    }
  }
  return {base, top, legs};
}

/// The axes of a frame with their names.
void add_frame(report::Plot& plot, report::Series& axes, const SE3<double>& T, double length,
               const std::string& frame) {
  const Vec3<double> directions[3] = {{length, 0, 0}, {0, length, 0}, {0, 0, length}};
  const char* names[3] = {"X", "Y", "Z"};
  for (int k = 0; k < 3; ++k) {
    add_line(axes, T.p, T * directions[k]);
    plot.notes.push_back(note_at(T * (directions[k] * 1.12), names[k] + frame));
  }
  plot.notes.push_back(note_at(T * Vec3<double>{0, 0, -0.16 * length}, "O" + frame));
}

/// Figure 1: the structure with the names of joints, frames and the pose T.
report::Figure structure(const XieExperiment& x) {
  const SE3<double> T{exp(Vec3<double>{0.25, -0.3, -0.3}), {0, 0, 45}};
  report::Plot plot{.title = "Figure 1: structure of a Gough-Stewart platform",
                    .x = {.label = "", .unit = "cm"},
                    .y = {.label = "", .unit = "cm"},
                    .series = platform_lines(x.platform, {T}),
                    .equal_aspect = true,
                    .width = 640,
                    .height = 560};
  report::Series axes{.name = "frames {N} and {B}", .mark = report::Mark::segments, .width = 1.5};
  add_frame(plot, axes, {}, 16, "_N");
  add_frame(plot, axes, T, 12, "_B");
  plot.series.push_back(axes);
  report::Series pose{.name = "T", .mark = report::Mark::line, .width = 1.5, .dashed = true};
  add_line(pose, {}, T.p);
  plot.series.push_back(pose);
  for (size_t i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i + 1);
    plot.notes.push_back(note_at(x.platform.base()[i] * 1.12, "A" + number));
    plot.notes.push_back(note_at(T * (x.platform.platform()[i] * 1.2), "B" + number));
  }
  return {
      report::both_widths(plot),
      "Figure 1. Leg i joins A_i of the base, a_i in {N}, to B_i of the platform, b_i in {B}; T "
      "is the pose of {B} in {N}. Drawn at a pose near home."};
}

/// The unit sphere seen from a direction: the directions that the platform's axis can have, a part
/// of SE(3) one can see.
class SphereView {
 public:
  explicit SphereView(const Vec3<double>& from) : front_(from * (1 / norm(from))) {
    const Vec3<double> side = cross(Vec3<double>{0, 0, 1}, front_);
    right_ = norm(side) > 1e-6 ? side * (1 / norm(side)) : Vec3<double>{1, 0, 0};
    up_ = cross(front_, right_);
  }
  bool visible(const Vec3<double>& p) const { return dot(front_, p) > 0; }
  void add(report::Series& to, const Vec3<double>& from, const Vec3<double>& end) const {
    for (const Vec3<double>& p : {from, end}) add(to, p);
  }
  void add(report::Series& to, const Vec3<double>& p) const {
    to.x.push_back(dot(right_, p));
    to.y.push_back(dot(up_, p));
  }
  report::Note note(const Vec3<double>& p, const std::string& text) const {
    return {dot(right_, p), dot(up_, p), text};
  }
  /// Parallels and meridians of the near side, every 15 degrees.
  report::Series net() const;

 private:
  Vec3<double> front_, right_, up_;
};

report::Series SphereView::net() const {
  report::Series net{.name = "", .mark = report::Mark::segments, .colour = 7, .width = 0.5};
  const auto at = [](double polar, double azimuth) {
    return Vec3<double>{std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth),
                        std::cos(polar)};
  };
  const auto line = [&](const Vec3<double>& from, const Vec3<double>& end) {
    if (visible(from) && visible(end)) add(net, from, end);
  };
  const double step = M_PI / 18, wide = M_PI / 12;
  for (int i = 0; i < 36; ++i)
    for (int k = 1; k < 12; ++k) line(at(k * wide, i * step), at(k * wide, (i + 1) * step));
  for (int i = 0; i < 18; ++i)
    for (int k = 0; k < 24; ++k) line(at(i * step, k * wide), at((i + 1) * step, k * wide));
  return net;
}

Vec3<double> axis_of(const SE3<double>& T) { return T.R * Vec3<double>{0, 0, 1}; }

report::Plot sphere_plot(const std::string& title, const SphereView& view) {
  return {
      .title = title, .series = {view.net()}, .equal_aspect = true, .width = 520, .height = 480};
}

/// Figure 2: a net of the chart mu_T about the true pose, on the manifold.
report::Figure chart_on_manifold(const XieExperiment& x) {
  const SphereView view(axis_of(x.true_pose) + Vec3<double>{0.5, 0.3, 0});
  report::Plot plot = sphere_plot("Figure 2: the chart about T on the manifold", view);
  const PoseChart chart(StewartChart::se3, x.true_pose);
  report::Series net{.name = "mu_T of a net of R^6", .mark = report::Mark::segments, .width = 1.5};
  const auto at = [&](double u, double v) {
    return axis_of(chart.pose(std::vector<double>{u, v, 0, 0, 0, 0}));
  };
  constexpr double wide = 0.1;
  for (int i = -8; i <= 8; i += 2)
    for (int k = -8; k < 8; ++k) {
      view.add(net, at(wide * i, wide * k), at(wide * i, wide * (k + 1)));
      view.add(net, at(wide * k, wide * i), at(wide * (k + 1), wide * i));
    }
  report::Series centre{.name = "T", .mark = report::Mark::scatter};
  view.add(centre, axis_of(x.true_pose));
  plot.series.push_back(net);
  plot.series.push_back(centre);
  return {
      report::both_widths(plot),
      "Figure 2, left. The direction of the platform's axis stands for the manifold; the net is "
      "the image of -0.8 to 0.8 rad in two unknowns of the chart T exp(x)."};
}

/// Figure 2: phi o mu_T over the same two unknowns.
report::Figure objective_in_chart(const XieExperiment& x) {
  const PoseChart chart(StewartChart::se3, x.true_pose);
  constexpr std::size_t cells = 40;
  report::HeatMap map{.rows = cells, .columns = cells};
  map.x = report::Range{-0.8, 0.8};
  map.y = report::Range{-0.8, 0.8};
  map.colour = {.label = "log10 of phi, cm^4"};
  for (std::size_t row = 0; row < cells; ++row)
    for (std::size_t column = 0; column < cells; ++column) {
      const double u = -0.8 + 1.6 * (double(column) + 0.5) / cells;
      const double v = -0.8 + 1.6 * (double(row) + 0.5) / cells;
      const ChartValue value =
          chart.evaluate(x.platform, x.lengths, std::vector<double>{u, v, 0, 0, 0, 0});
      map.values.push_back(std::log10(value.objective));
    }
  const report::Plot plot{.title = "Figure 2: the objective in the chart",
                          .x = {.label = "x1", .unit = "rad"},
                          .y = {.label = "x2", .unit = "rad"},
                          .heat_map = map,
                          .width = 520,
                          .height = 420};
  return {report::both_widths(plot),
          "Figure 2, right. phi o mu_T of (19) over the same two unknowns; its zero in the middle "
          "is the true pose."};
}

/// Figure 3: the poses of Gauss-Newton on SE(3) from start 5, joined by exp(t s).
report::Figure update_on_manifold(const XieExperiment& x) {
  constexpr double alpha = 0.7;
  std::vector<StewartIteration> trace;
  solve_pose(x.platform, x.lengths, x.starts[4],
             {.method = StewartMethod::gauss_newton, .step_factor = alpha}, &trace);
  const SphereView view(axis_of(x.starts[4]) + axis_of(x.true_pose));
  report::Plot plot = sphere_plot("Figure 3: Gauss-Newton on SE(3), from start 5", view);
  report::Series tangent{.name = "step in the tangent space",
                         .mark = report::Mark::segments,
                         .width = 1.5,
                         .dashed = true};
  report::Series curve{.name = "its exponential", .mark = report::Mark::segments, .width = 2};
  report::Series poses{.name = "T_k", .mark = report::Mark::scatter};
  for (size_t k = 0; k + 1 < trace.size(); ++k) {
    const SE3<double>& T = trace[k].pose;
    const Twist<double> s = log(trace[k + 1].pose * inverse(T));
    const Vec3<double> axis = axis_of(T);
    view.add(poses, axis);
    view.add(tangent, axis, axis + cross(s.w, axis));
    constexpr int parts = 20;
    for (int i = 0; i < parts; ++i)
      view.add(curve, axis_of(exp(s * (double(i) / parts)) * T),
               axis_of(exp(s * (double(i + 1) / parts)) * T));
    if (k < 3) plot.notes.push_back(view.note(axis, "T" + std::to_string(k)));
  }
  plot.series.insert(plot.series.end(), {curve, tangent, poses});
  return {report::both_widths(plot), "Figure 3. The platform's axis after each of " +
                                         std::to_string(trace.size()) +
                                         " steps with alpha = 0.7 at most: the step s lies in the "
                                         "tangent space, exp(alpha s) T on the manifold, (28)."};
}

/// Iterations against alpha or tau; upward to the true pose, downward to another one.
report::Figure iterations_figure(const std::vector<XieCell>& cells, size_t start, int figure) {
  const bool newton = cells[0].method == StewartMethod::gauss_newton;
  report::Plot plot{
      .title = "Figure " + std::to_string(figure) + ": start " + std::to_string(start + 1),
      .x = {.label = newton ? "step factor alpha" : "log10 of the damping tau"},
      .y = {.label = "iterations"},
      .width = 560,
      .height = 300};
  for (size_t c = 0; c < 3; ++c) {
    const XieCell& cell = cells[3 * start + c];
    report::Series series{.name = cell.name(), .mark = report::Mark::scatter};
    for (const XieRun& run : cell.runs) {
      if (run.outcome == XieOutcome::nowhere) continue;
      series.x.push_back(newton ? run.factor : std::log10(run.factor));
      series.y.push_back(run.outcome == XieOutcome::true_pose ? run.iterations : -run.iterations);
    }
    plot.series.push_back(std::move(series));
  }
  return {report::both_widths(plot),
          "Iterations to the true pose (up) or to another one (down); no mark: did not converge."};
}

}  // namespace

report::Figure platform_picture(const Stewart& platform, const std::vector<SE3<double>>& poses,
                                const std::string& title, const std::string& unit) {
  const report::Plot plot{.title = title,
                          .x = {.label = "", .unit = unit},
                          .y = {.label = "", .unit = unit},
                          .series = platform_lines(platform, poses),
                          .equal_aspect = true,
                          .width = 420,
                          .height = 340};
  return {report::both_widths(plot), title + "."};
}

std::vector<report::Block> figure_blocks(const XieExperiment& x) {
  const auto gauss_newton = xie_table(x, StewartMethod::gauss_newton);
  const auto damped = xie_table(x, StewartMethod::levenberg_marquardt);
  std::vector<report::Block> blocks{structure(x), chart_on_manifold(x), objective_in_chart(x),
                                    update_on_manifold(x)};
  blocks.emplace_back(platform_picture(x.platform, {x.true_pose}, "Figure 4a: true pose", "cm"));
  for (size_t k = 0; k < 5; ++k)
    blocks.emplace_back(platform_picture(
        x.platform, {x.starts[k]},
        std::string("Figure 4").append(1, char('b' + k)).append(": start ") + char('1' + k), "cm"));
  blocks.emplace_back(
      platform_picture(x.platform, {x.branch_pose}, "Figure 5: the pose T_s", "cm"));
  for (size_t k = 0; k < 5; ++k)
    blocks.emplace_back(iterations_figure(gauss_newton, k, k < 3 ? 6 : 7));
  for (size_t k = 0; k < 5; ++k) blocks.emplace_back(iterations_figure(damped, k, k < 3 ? 8 : 9));
  return blocks;
}

}  // namespace jounce::app

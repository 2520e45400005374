// SPDX-License-Identifier: BSD-3-Clause
#include "pictures/motion_page.hpp"

#include <algorithm>
#include <cmath>

#include "pictures/motion_plots.hpp"
#include "pictures/picture_file.hpp"
#include "pictures/robot_drawing.hpp"
#include "report/text.hpp"

namespace jounce::pictures {
namespace {

std::string limits_text(const Along& run) {
  const std::vector<std::string> lines = exceeded_lines(run);
  std::string text = lines.empty() ? "No limit is exceeded." : "Limits are exceeded: ";
  for (size_t k = 0; k < lines.size(); ++k) text += (k > 0 ? "; " : "") + lines[k];
  return text;
}

/// "joint_1 and joint_2 lead, the other joints follow from the loops"; empty without loops.
std::string leading_text(const Along& run) {
  if (run.robot.loops().empty()) return "";
  const std::vector<std::string> names = velocity_names(run.robot);
  std::string text;
  for (size_t k = 0; k < run.leading.size(); ++k)
    text += (k == 0                       ? ""
             : k + 1 < run.leading.size() ? ", "
                                          : " and ") +
            names[size_t(run.leading[k])];
  return text + (run.leading.size() == 1 ? " leads" : " lead") +
         "; the other joints follow from the loops. ";
}

std::string motion_page(const Along& run, const std::string& title) {
  report::Page page{title,
                    "What a move of robot \"" + run.robot.name() + "\" takes, from " +
                        report::trimmed(run.t.front(), 6) + " s to " +
                        report::trimmed(run.t.back(), 6) + " s.",
                    {{"The move", "", {}}}};
  std::vector<report::Block>& blocks = page.chapters[0].blocks;
  blocks.push_back(report::Paragraph{summary(run)});
  for (const report::Plot& plot : motion_plots(run))
    blocks.push_back(report::Figure{report::both_widths(plot), ""});
  blocks.push_back(largest_table(run));
  const std::span<const double> start(run.q.column(0), size_t(run.robot.nq()));
  const Drawing drawing = draw(run.robot, start);
  page.chapters.push_back({"Where it starts", "", {report::Figure{drawing.svg, ""}}});
  if (const std::string told = not_drawn_text(drawing); !told.empty())
    page.chapters.back().blocks.push_back(report::Paragraph{told + "."});
  return page.to_html();
}

}  // namespace

double largest(const dense::Matrix& x, int row) {
  double most = 0;
  for (int i = 0; i < x.columns; ++i) most = std::max(most, std::abs(x(row, i)));
  return most;
}

report::Table largest_table(const Along& run) {
  report::Table table{"Largest values along the move, in rad or m, N m or N, and s",
                      {"joint", "|v|", "|τ|", "limit of τ", "|dτ/dt|"},
                      {}};
  const std::vector<std::string> names = velocity_names(run.robot);
  for (int k = 0; k < run.robot.nv(); ++k) {
    const double limit = run.robot.limits().effort[size_t(k)];
    table.rows.push_back({names[size_t(k)], report::significant(largest(run.v, k), 5),
                          report::significant(largest(run.tau, k), 5),
                          std::isfinite(limit) ? report::significant(limit, 5) : "",
                          report::significant(largest(run.tau_rate, k), 5)});
  }
  return table;
}

std::string summary(const Along& run) { return leading_text(run) + limits_text(run); }

std::string motion_picture(const std::string& path, const Along& run, const std::string& title) {
  return ending(path) == ".html" ? motion_page(run, title) : motion_svg(run);
}

}  // namespace jounce::pictures

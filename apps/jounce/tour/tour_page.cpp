// SPDX-License-Identifier: BSD-3-Clause
// jounce tour: what the library does, computed and checked before your eyes.
#include "apps/jounce/tour/chapters.hpp"
#include "apps/jounce/tour/pages.hpp"
#include "report/progress.hpp"

namespace jounce::app {
namespace {

/// A chapter, the lines that make its figures again unless it has its own, and where to read on.
struct Part {
  report::Chapter (*make)();
  const char* again;
  std::vector<report::Document> documents;
};

const std::vector<Part>& parts() {
  static const std::vector<Part> all{
      {tour_first, "", {{"Python", "python.md"}, {"command line", "command_line.md"}}},
      {tour_numbers, "", {{"architecture", "architecture.md"}, {"notation", "notation.md"}}},
      {tour_groups,
       R"(import jounce
import numpy

axis = numpy.array([2, -3, 6]) / 7
for angle in 4.0 ** -numpy.arange(25):
    print(angle, abs(jounce.log(jounce.exp(axis * angle)) - axis * angle).max())
)",
       {{"conventions", "conventions.md"}, {"notation", "notation.md"}}},
      {tour_robots,
       "jounce draw builtin:humanoid --out humanoid.svg\njounce info builtin:humanoid\n",
       {{"kinematics", "kinematics.md"},
        {"inverse kinematics", "inverse_kinematics.md"},
        {"robot files", "formats.md"}}},
      {tour_tables,
       "jounce convert builtin:puma560 --to poe --frame link_6\n",
       {{"kinematics", "kinematics.md"}, {"JSON format", "robot_json.md"}}},
      {tour_dynamics,
       "echo '{\"q\":[0.1,0.2],\"v\":[0.3,-0.4]}' |\n"
       "    jounce compute coriolis builtin:planar_2r --factorization ploen\n",
       {{"dynamics", "dynamics.md"}, {"matrices", "matrices.md"}}},
      {tour_closed_loops,
       "jounce draw builtin:five_bar --out five_bar.svg\n"
       "echo '{\"q\":[2,0,1,0],\"kept\":[\"left_proximal_joint\",\"right_proximal_joint\"]}' |\n"
       "    jounce compute assemblies builtin:five_bar\n",
       {{"closed loops and contacts", "constraints.md"}}},
      {tour_sensitivities,
       "echo '{\"q\":[0.1,0.2],\"v\":[0,0],\"a\":[0,0],\"parameters\":[\"inertia:link_2:0\"]}' |\n"
       "    jounce compute sensitivity builtin:planar_2r\n",
       {{"derivatives", "derivatives.md"}}},
      {tour_any_order,
       "jounce orders evaluation --html evaluation.html\njounce orders frames --html frames.html\n",
       {{"dynamics of any order", "higher-order.md"}}},
      {tour_geometry,
       "echo '{\"q\":[0.3,-0.5]}' | jounce compute curvature builtin:planar_2r\n",
       {{"geometry", "geometry.md"}}},
      {tour_motion,
       "jounce simulate builtin:five_bar --time 3 --v0 0,0,0,0 --passive off --integrator dop853 "
       "--out five_bar.csv\n",
       {{"simulation", "integrators.md"}, {"control and contact", "control_and_contact.md"}}},
      {tour_stewart,
       "jounce stewart tables --html tables.html\njounce stewart survey --html survey.html\n"
       "jounce stewart branches --html branches.html\n",
       {{"Gough-Stewart platforms", "stewart.md"}, {"all their poses", "stewart_all_poses.md"}}}};
  return all;
}

}  // namespace

report::Page tour_page() {
  report::Page page{.title = "A tour of Jounce",
                    .summary =
                        "Every result on this page was computed by this run, on this machine, "
                        "except columns and values marked as a paper's or as another machine's; "
                        "every check can fail.",
                    .chapters = {}};
  report::Progress progress("tour", parts().size());
  for (const Part& part : parts()) {
    page.chapters.push_back(part.make());
    std::vector<report::Block>& blocks = page.chapters.back().blocks;
    if (*part.again != 0) blocks.push_back(report::Code{part.again});
    blocks.push_back(report::ReadOn{part.documents});
    progress.advance();
  }
  page.chapters.push_back(tour_verdict(page.chapters));
  page.chapters.back().blocks.push_back(report::ReadOn{{{"the papers", "papers.md"}}});
  return page;
}

}  // namespace jounce::app

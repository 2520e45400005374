// SPDX-License-Identifier: BSD-3-Clause
// jounce tour: what the library does, computed and checked before your eyes.
#include <iterator>

#include "apps/jounce/tour/chapters.hpp"
#include "apps/jounce/tour/pages.hpp"
#include "report/progress.hpp"

namespace jounce::app {
namespace {

using ChapterMaker = report::Chapter (*)();
constexpr ChapterMaker chapters[] = {tour_first,        tour_numbers,       tour_groups,
                                     tour_robots,       tour_tables,        tour_dynamics,
                                     tour_closed_loops, tour_sensitivities, tour_any_order,
                                     tour_geometry,     tour_motion,        tour_stewart};

}  // namespace

report::Page tour_page() {
  report::Page page{.title = "A tour of Jounce",
                    .summary =
                        "Every result on this page was computed by this run, on this machine, "
                        "except columns and values marked as a paper's or as another machine's; "
                        "every check can fail.",
                    .chapters = {}};
  report::Progress progress("tour", std::size(chapters));
  for (const ChapterMaker make : chapters) {
    page.chapters.push_back(make());
    progress.advance();
  }
  page.chapters.push_back(tour_verdict(page.chapters));
  return page;
}

}  // namespace jounce::app

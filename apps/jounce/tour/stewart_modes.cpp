// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Gough-Stewart", all poses: Dietmaier's forty, the paper's four, random platforms.
#include "apps/jounce/tour/stewart_modes.hpp"

#include <jounce/stewart/all_poses.hpp>
#include <jounce/stewart/xie_tables.hpp>

#include "benchmarks/stewart_all_poses.hpp"
#include "report/plot.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

/// Lines between points in space, seen from the front left and above, each picture in its cell.
class Drawing {
 public:
  explicit Drawing(std::string name, int colour, double width) {
    series_.name = std::move(name);
    series_.mark = report::Mark::segments;
    series_.colour = colour;
    series_.width = width;
  }
  /// In cell (x, y), 3 units wide and 2.7 high.
  void line(const Vec3<double>& from, const Vec3<double>& to, double x, double y) {
    for (const Vec3<double>& p : {from, to}) {
      series_.x.push_back(x + (0.94 * p.y - 0.34 * p.x + 0.4) / 3);
      series_.y.push_back(y + (p.z - 0.25 * p.x - 0.1 * p.y + 0.3) / 2.7);
    }
  }
  const report::Series& series() const { return series_; }

 private:
  report::Series series_;
};

/// The six points, each joined to its neighbours, as an outline of the body.
void outline(Drawing& drawing, const SixPoints& points, double x, double y) {
  constexpr size_t edges[][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3},
                                 {0, 4}, {1, 4}, {2, 4}, {3, 5}, {4, 5}, {0, 5}};
  for (const auto& [i, k] : edges) drawing.line(points[i], points[k], x, y);
}

/// 8 x 5 cells; the platform's colour tells the sign of its Jacobian's determinant.
report::Figure forty_poses(const Stewart& platform, const AllPoses& all) {
  Drawing base("base", 7, 1), legs("legs", 2, 0.8);
  Drawing positive("platform, det J > 0", 0, 1.6), negative("platform, det J < 0", 1, 1.6);
  report::Plot plot{.title = "The 40 poses of Dietmaier's platform"};
  for (size_t k = 0; k < all.poses.size(); ++k) {
    const size_t row = k / 8;
    const double x = double(k % 8), y = 4 - double(row);
    const SE3<double>& T = all.poses[k].pose;
    SixPoints top = platform.platform();
    for (Vec3<double>& point : top) point = T * point;
    for (size_t i = 0; i < 6; ++i) legs.line(platform.base()[i], top[i], x, y);
    outline(base, platform.base(), x, y);
    outline(platform.normalised_determinant(T) > 0 ? positive : negative, top, x, y);
    plot.notes.push_back({x - 0.45, y + 0.4, std::to_string(k + 1)});
  }
  plot.series = {legs.series(), base.series(), positive.series(), negative.series()};
  plot.x.categories.resize(8);
  plot.y.categories.resize(5);
  plot.width = 1100;
  plot.height = 700;  // one unit is as long in x as in y
  return {report::both_widths(plot),
          "All have the same six leg lengths; each is proved to exist by an "
          "interval Newton test. From high to low."};
}

double largest_residual(const AllPoses& all) {
  double largest = 0;
  for (const AssemblyMode& mode : all.poses) largest = std::max(largest, mode.residual);
  return largest;
}

double certified(const AllPoses& all) {
  double sum = 0;
  for (const AssemblyMode& mode : all.poses) sum += mode.certified;
  return sum;
}

}  // namespace

void add_all_poses(report::Chapter& chapter) {
  const Stewart forty = dietmaier_platform();
  const AllPoses all = all_poses(forty, dietmaier_lengths);
  const XieExperiment paper = xie_experiment();
  const AllPoses four = all_poses(paper.platform, paper.lengths);
  const bench::AllPosesSweep general = sweep_all_poses(bench::RandomPlatforms::general, 200);
  const bench::AllPosesSweep regular = sweep_all_poses(bench::RandomPlatforms::semi_regular, 200);
  report::Checks checks;
  const auto at_least = [&](const char* name, double value, double bound) {
    checks.rows.push_back(report::at_least(name, value, bound));
  };
  at_least("Dietmaier's platform: real poses", double(all.poses.size()), 40);
  at_least("of them certified", certified(all), 40);
  checks.rows.push_back(
      report::at_most("their largest error in length", largest_residual(all), 1e-12));
  at_least("the paper's platform: complex poses", four.complex_count, 28);
  at_least("of them real and certified", certified(four), 4);
  at_least("200 random platforms: with 40 complex poses", general.right, 199);
  at_least("200 semi-regular ones: with 28", regular.right, 199);
  at_least("share of their real poses that are certified",
           double(general.certified + regular.certified) / (general.poses + regular.poses), 0.999);
  chapter.blocks.push_back(report::Paragraph{
      "Six lengths do not determine the pose. jounce stewart all finds every pose that has them: "
      "in " +
      report::significant(1e3 * all.seconds, 2) + " ms all 40 of Dietmaier's platform, in " +
      report::significant(1e3 * general.median, 2) + " ms (median) those of a random one."});
  chapter.blocks.push_back(checks);
  chapter.blocks.push_back(forty_poses(forty, all));
}

}  // namespace jounce::app

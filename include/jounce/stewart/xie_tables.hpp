// SPDX-License-Identifier: BSD-3-Clause
// The experiments of [Xie] section 5: Tables 2 and 3, and what figures 4 to 9 draw.
//
// Two misprints are corrected: leg 6 of (29) is 51.9910, not 55.9910, and the last angle of the
// second start is -70 degrees, not 70 (docs/stewart.md says how that is known). Lengths are the
// exact ones of the true pose, in cm.
#pragma once

#include <cstdint>
#include <jounce/stewart/methods.hpp>

namespace jounce {

/// The platform, poses and lengths of the experiments, in cm.
struct XieExperiment {
  Stewart platform;
  SE3<double> true_pose;    ///< q_C
  SE3<double> branch_pose;  ///< T_s, (30), to machine precision
  SixNumbers lengths;       ///< of both poses
  std::array<SE3<double>, 5> starts;
};
XieExperiment xie_experiment();

/// Where a run ended.
enum class XieOutcome : unsigned char { true_pose, branch, other_pose, nowhere };

struct XieRun {
  double factor = 0;  ///< alpha of Gauss-Newton or tau of Levenberg-Marquardt
  int iterations = 0;
  XieOutcome outcome = XieOutcome::nowhere;
};

/// One cell of Table 2 or 3: 50 runs of one method on one chart from one start.
struct XieCell {
  StewartMethod method{};
  StewartChart chart{};
  int start = 0;  ///< 0 to 4
  std::vector<XieRun> runs;
  int paper_percent = 0;

  /// How many percent of the runs ended like this.
  int percent(XieOutcome outcome) const;
  /// Difference to the paper in percentage points; 0 where the cell is reproduced.
  int difference() const { return percent(XieOutcome::true_pose) - paper_percent; }
};

/// The 15 cells of Table 2 (Gauss-Newton) or Table 3 (Levenberg-Marquardt), row by row: five starts
/// by R^6, quaternion, SE(3).
std::vector<XieCell> xie_table(const XieExperiment& experiment, StewartMethod method,
                               Increment increment = Increment::space);

/// The least and largest percentage of a cell when the lengths carry errors.
struct XieRange {
  int least = 100, most = 0;
};

/// The cells of xie_table again for `draws` sets of lengths with normal errors of `rms` cm: what of
/// a difference rounding may explain.
std::vector<XieRange> xie_ranges(const XieExperiment& experiment, StewartMethod method, int draws,
                                 double rms = 5e-5);

/// How the six methods do on one geometry.
struct MethodSurvey {
  double radius_ratio = 0;  ///< platform to base
  double base_spread = 0;   ///< half the angle between the joints of a pair of the base, rad
  double margin = 0;        ///< singularity distance of the home pose
  double turn = 0;          ///< largest angle between a pose and its start, rad
  double offset = 0;        ///< largest distance between a pose and its start
  /// R^6, quaternion, SE(3) by Gauss-Newton, then by Levenberg-Marquardt.
  std::array<double, 6> success{};     ///< share of runs that ended at the pose they came from
  std::array<double, 6> iterations{};  ///< mean of those runs
};

/// 20 radius ratios by 10 spreads of semi-regular platforms like Table 1's, each with `starts`
/// poses in the workspace and starts far from them. The methods run with their default options, in
/// cm: the ranking of damped methods depends on the damping and on the unit.
std::vector<MethodSurvey> survey_methods(int starts, std::uint64_t seed = 1);

}  // namespace jounce

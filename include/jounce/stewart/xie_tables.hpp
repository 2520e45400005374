// SPDX-License-Identifier: BSD-3-Clause
// The experiments of [Xie] section 5: Tables 2 and 3, and what figures 4 to 9 draw.
//
// Two misprints are corrected unless XiePrint says otherwise: leg 6 of (29) is 51.9910,
// not 55.9910, and the last angle of the second start is -70 degrees, not 70 (docs/stewart.md says
// how that is known). Lengths are the exact ones of the true pose, in cm.
#pragma once

#include <jounce/stewart/methods.hpp>
#include <string>

namespace jounce {

/// The platform, poses and lengths of the experiments, in cm.
struct XieExperiment {
  Stewart platform;
  SE3<double> true_pose;    ///< q_C
  SE3<double> branch_pose;  ///< T_s, (30), to machine precision
  SixNumbers lengths;       ///< of both poses
  std::array<SE3<double>, 5> starts;
};

/// What is taken as it is printed, against better knowledge.
struct XiePrint {
  bool lengths = false;  ///< (29) with its leg 6; then q_C and T_s do not have them
  bool start_2 = false;  ///< psi = 70 degrees
};
XieExperiment xie_experiment(const XiePrint& print = {});
/// The same experiment with every length multiplied: in m by 0.01.
XieExperiment in_unit(const XieExperiment& experiment, double factor);
/// The pose of [x, y, z, phi, theta, psi], angles in degrees: R = Rz(psi) Ry(theta) Rx(phi).
SE3<double> xie_pose(const SixNumbers& q);
/// q_S1 and q_S2 as printed.
inline constexpr SixNumbers xie_q_S1{17.58, 10.34, 36.71, -90.72, -112.2, 38.00};
inline constexpr SixNumbers xie_q_S2{17.58, 10.34, 36.71, 89.28, -67.82, -142.0};
/// (29) as printed.
inline constexpr SixNumbers xie_printed_lengths{55.8558, 62.5313, 52.7436,
                                                55.1457, 44.7972, 55.9910};

/// Where a run ended.
enum class XieOutcome : unsigned char { true_pose, branch, other_pose, nowhere };

struct XieRun {
  double factor = 0;  ///< alpha of Gauss-Newton or tau of Levenberg-Marquardt
  int iterations = 0;
  XieOutcome outcome = XieOutcome::nowhere;
  StewartStop stop = StewartStop::max_iterations;
};

/// Consecutive factors whose runs ended alike.
struct FactorRange {
  double first = 0, last = 0;
  int runs = 0;
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
  /// Mean iterations of the runs that ended like this; 0 where none did.
  double mean_iterations(XieOutcome outcome) const;
  /// The consecutive ranges of the factor in which all runs ended like this.
  std::vector<FactorRange> ranges(XieOutcome outcome) const;
  /// GN-SE(3), LM-Quat, ...
  std::string name() const;
  /// Difference to the paper in percentage points; 0 where the cell is reproduced.
  int difference() const { return percent(XieOutcome::true_pose) - paper_percent; }
};

/// The 15 cells of Table 2 (Gauss-Newton) or Table 3 (Levenberg-Marquardt), row by row: five starts
/// by R^6, quaternion, SE(3). Of the options the chart and the swept factor are the table's own.
std::vector<XieCell> xie_table(const XieExperiment& experiment,
                               const StewartMethodOptions& options);
std::vector<XieCell> xie_table(const XieExperiment& experiment, StewartMethod method);

/// A table computed with one choice made otherwise that the paper leaves open, or prints otherwise.
struct XieVariant {
  std::string name;
  std::vector<XieCell> cells;

  /// Cells with the paper's percentage, and those of them that the paper has between 1 and 99 %.
  int equal() const;
  int equal_between() const;
};

/// For Gauss-Newton the readings of Algorithm A1 (LineSearch), for Levenberg-Marquardt the body's
/// increment; for both other units of length, other scalings, the lengths rounded as printed, and
/// starts and lengths as printed. The first one is xie_table's.
std::vector<XieVariant> xie_variants(const XieExperiment& experiment, StewartMethod method);

/// The least and largest percentage of a cell when the lengths carry errors.
struct XieRange {
  int least = 100, most = 0;
};

/// The cells of xie_table again for `draws` sets of lengths with normal errors of `rms` cm: what of
/// a difference rounding may explain.
std::vector<XieRange> xie_ranges(const XieExperiment& experiment, StewartMethod method, int draws,
                                 double rms = 5e-5);

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// A straight path in SE(3) against limits and singular poses, between its samples too.
//
// Along T_0 exp(s X), X = (w, v), the point b_i moves with speed k_i = |v + w x b_i| at most, by
// which a length can change. The leg's direction turns at k_i / L_i at most, L_i itself being at
// least L_i(middle) - k_i h on an interval of half width h. The determinant is linear in its rows
// (y x u / size, u): with rho_i = |b_i - c| / size its derivative is at most
//   sum_i |d row_i| prod_{j != i} |row_j|,  |row_j|^2 <= 1 + rho_j^2,
//   |d row_i|^2 <= turn_i^2 + rho_i^2 (|w| + turn_i)^2                          (Hadamard)
// Intervals are taken from the left and halved until they are cleared, broken, or too short.
#include <algorithm>
#include <cmath>
#include <jounce/stewart/workspace.hpp>

#include "stewart/scan.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {

using namespace stewart_detail;

namespace {

struct CheckedPath {
  const Stewart& s;
  const StewartLimits& limits;
  SE3<double> start;
  Twist<double> X;
  double k[6], rho[6], row[6], w;
  bool base_limited, platform_limited;

  CheckedPath(const Stewart& s_, const StewartLimits& limits_, const SE3<double>& T_0,
              const SE3<double>& T_1)
      : s(s_), limits(limits_), start(T_0), X(log(inverse_times(T_0, T_1))), w(norm(X.w)) {
    for (size_t i = 0; i < 6; ++i) {
      k[i] = norm(X.v + cross(X.w, s.platform()[i]));
      rho[i] = norm(s.platform()[i] - s.platform_centre()) / s.size();
      row[i] = std::sqrt(1 + rho[i] * rho[i]);
    }
    base_limited = std::isfinite(limits.base_tilt);
    platform_limited = std::isfinite(limits.platform_tilt);
  }

  /// What is broken at the middle of an interval, and what might be within half width h.
  struct Verdict {
    std::uint8_t broken = 0, open = 0;
    double determinant = 0;
  };

  static void judge(double margin, double change, std::uint8_t reason, Verdict& verdict) {
    if (!(margin > 0)) verdict.broken |= reason;
    else if (!(margin > change)) verdict.open |= reason;
  }

  Verdict at(double middle, double h) const {
    const SE3<double> T = start * exp(X * middle);
    Verdict verdict;
    double turn[6];
    const SixNumbers L = s.lengths(T);
    const auto angles = s.joint_angles(T, limits.mounts);
    for (size_t i = 0; i < 6; ++i) {
      const double least = L[i] - k[i] * h;
      turn[i] = least > 0 ? k[i] / least : 1e300;
      if (limits.shortest[i] > 0)
        judge(L[i] - limits.shortest[i], k[i] * h, reach::leg_too_short, verdict);
      judge(limits.longest[i] - L[i], k[i] * h, reach::leg_too_long, verdict);
      if (base_limited)
        judge(limits.base_tilt - angles[i].base_tilt, turn[i] * h, reach::base_joint, verdict);
      if (platform_limited)
        judge(limits.platform_tilt - angles[i].platform_tilt, (turn[i] + w) * h,
              reach::platform_joint, verdict);
    }
    verdict.determinant = s.normalised_determinant(T);
    const double side = limits.determinant_sign == 0
                            ? std::abs(verdict.determinant)
                            : verdict.determinant * limits.determinant_sign;
    judge(side - limits.least_determinant, determinant_speed(turn) * h, reach::singular, verdict);
    return verdict;
  }

  double determinant_speed(const double (&turn)[6]) const {
    double sum = 0;
    for (int i = 0; i < 6; ++i) {
      double product = std::hypot(turn[i], rho[i] * (w + turn[i]));
      for (int j = 0; j < 6; ++j)
        if (j != i) product *= row[j];
      sum += product;
    }
    return sum;
  }
};

}  // namespace

PathCheck check_path(const Stewart& platform, const StewartLimits& limits, const SE3<double>& T_0,
                     const SE3<double>& T_1, double resolution) {
  check_pose("check_path", T_0);
  check_pose("check_path", T_1);
  scan_of("check_path", platform, limits);  // refuses bad limits
  if (!(resolution >= 1e-9 && resolution <= 1))
    refuse("check_path", "resolution must lie between 1e-9 and 1");
  const CheckedPath path(platform, limits, T_0, T_1);
  PathCheck result{.least_determinant = std::abs(platform.normalised_determinant(T_0))};
  double left = 0, width = 1.0 / 16;
  while (left < 1) {
    width = std::min(width, 1 - left);
    const double middle = left + 0.5 * width;
    const CheckedPath::Verdict verdict = path.at(middle, 0.5 * width);
    ++result.evaluations;
    result.least_determinant = std::min(result.least_determinant, std::abs(verdict.determinant));
    if ((verdict.broken | verdict.open) == 0) {
      left += width;
      width *= 2;
    } else if (width > resolution) {
      width *= 0.5;
    } else {
      result.at = left;
      result.reason = verdict.broken | verdict.open;
      return result;
    }
  }
  result.passed = true;
  return result;
}

}  // namespace jounce

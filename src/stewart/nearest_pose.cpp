// SPDX-License-Identifier: BSD-3-Clause
// Levenberg-Marquardt on e_i = |leg_i| - L_i, in units of the platform's size.
//
// A step s = (size w, v) of the platform's centre solves (J^T J + mu 1) s = -J^T e; rows of J are
// (y_i x u_i / size, u_i), y_i = R (b_i - c), u_i the leg's direction. mu falls after a step that
// lowers the sum of squares and rises after one that does not (Nielsen 1999).
#include "stewart/nearest_pose.hpp"

#include <algorithm>
#include <cmath>

#include "linear_algebra/elimination.hpp"
#include "stewart/rows.hpp"

namespace jounce::stewart_detail {
namespace {

struct Fit {
  SO3<double> R;
  Vec3<double> p;  ///< of the centre
  double e[6];
  Mat6<double> J;
  double sum = 0;
};

void evaluate(const Stewart& s, const SixNumbers& L, Fit& at) noexcept {
  at.sum = 0;
  for (size_t i = 0; i < 6; ++i) {
    const Vec3<double> y = at.R * (s.platform()[i] - s.platform_centre());
    const Vec3<double> leg = y + at.p - s.base()[i];
    const double length = norm(leg);
    const Vec3<double> u = leg * (1 / std::max(length, 1e-300));
    set_row(at.J, static_cast<int>(i), cross(y, u) * (1 / s.size()), u);
    at.e[i] = (length - L[i]) / s.size();
    at.sum += at.e[i] * at.e[i];
  }
}

/// (J^T J + mu 1) s = -J^T e; returns what the linear model promises.
double damped_step(const Fit& at, double mu, double (&step)[6]) noexcept {
  Mat6<double> A = transpose(at.J) * at.J;
  double minus_g[6];
  for (int j = 0; j < 6; ++j) {
    A(j, j) += mu;
    minus_g[j] = 0;
    for (int i = 0; i < 6; ++i) minus_g[j] -= at.J(i, j) * at.e[i];
  }
  dense::Elimination<>(A).solve(minus_g, step);
  double promised = 0;
  for (int j = 0; j < 6; ++j) promised += step[j] * (mu * step[j] + minus_g[j]);
  return promised;
}

/// At most one radian at a time: lengths far out of reach ask for turns without meaning.
Fit moved(const Fit& at, const double (&step)[6], double size) noexcept {
  Fit next;
  const Vec3<double> w{step[0], step[1], step[2]};
  next.R = exp(w * (1 / std::max(1.0, norm(w)))) * at.R;
  next.p = at.p + Vec3<double>{step[3], step[4], step[5]} * size;
  return next;
}

}  // namespace

NearestPose nearest_pose(const Stewart& s, const SixNumbers& L, const SE3<double>& start,
                         int max_iterations, double tolerance) noexcept {
  Fit at;
  at.R = start.R;
  at.p = start * s.platform_centre();
  evaluate(s, L, at);
  double mu = 1e-3, nu = 2;
  int k = 0;
  for (; k < max_iterations && at.sum > tolerance * tolerance; ++k) {
    double step[6];
    const double promised = damped_step(at, mu, step);
    if (!(promised > 1e-26 * at.sum)) break;  // stationary to rounding
    Fit next = moved(at, step, s.size());
    evaluate(s, L, next);
    const double gain = (at.sum - next.sum) / promised;
    if (gain > 0) {
      at = next;
      mu *= std::max(1.0 / 3, 1 - std::pow(2 * gain - 1, 3));
      nu = 2;
    } else {
      mu *= nu;
      nu *= 2;
    }
  }
  double largest = 0;
  for (const double e : at.e) largest = std::max(largest, std::abs(e));
  at.R = to_rotation(to_quaternion(at.R));  // hundreds of products drift
  return {{at.R, at.p - at.R * s.platform_centre()},
          at.sum * s.size() * s.size(),
          largest * s.size(),
          k};
}

}  // namespace jounce::stewart_detail

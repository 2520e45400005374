// SPDX-License-Identifier: BSD-3-Clause
// Whether a platform with locked legs moves.
//
// In a singular pose the kernel of the Jacobian holds directions in which lengths do not change to
// first order. If there is a self-motion, poses with the same lengths lie at every small distance
// from here; if the pose is isolated, an error of second order or more remains. So poses at a fixed
// distance are sought by Levenberg-Marquardt on six lengths and the distance, from several
// directions of the kernel.
#include <cmath>
#include <jounce/stewart/workspace.hpp>

#include "linear_algebra/elimination.hpp"
#include "stewart/rows.hpp"
#include "stewart/singular_values.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {

using namespace stewart_detail;

namespace {

constexpr double singular_below = 1e-6;  // of the largest singular value
constexpr double same_lengths = 1e-8;    // an isolated pose leaves 0.02^2 to 0.02^4

/// x: rotation vector and displacement / size of the platform's centre.
SE3<double> stepped(const Stewart& s, const SE3<double>& T, const double (&x)[6]) {
  const Vec3<double> centre = T * s.platform_centre() + Vec3<double>{x[3], x[4], x[5]} * s.size();
  const SO3<double> R = exp(Vec3<double>{x[0], x[1], x[2]}) * T.R;
  return {R, centre - R * s.platform_centre()};
}

/// Errors of the lengths of U and of its distance from T, in sizes, and their derivatives. The
/// distance's square is |displacement / size|^2 + 2 (1 - cos angle).
struct DistanceFit {
  SE3<double> U;
  double e[7];
  Matrix<double, 7, 6> J;
  double sum = 0, worst = 0;

  DistanceFit(const Stewart& s, const SixNumbers& L, const SE3<double>& T, const SE3<double>& U_,
              double wanted)
      : U(U_) {
    for (size_t i = 0; i < 6; ++i) {
      const Vec3<double> y = U.R * (s.platform()[i] - s.platform_centre());
      const Vec3<double> leg = U * s.platform()[i] - s.base()[i];
      const double length = norm(leg);
      const Vec3<double> u = leg * (1 / std::max(length, 1e-300));
      set_row(J, static_cast<int>(i), cross(y, u) * (1 / s.size()), u);
      e[i] = (length - L[i]) / s.size();
      worst = std::max(worst, std::abs(e[i]));
    }
    const Mat3<double> Q = (U.R * inverse(T.R)).m;
    const Vec3<double> d = (U * s.platform_centre() - T * s.platform_centre()) * (1 / s.size());
    const double distance = std::sqrt(std::max(dot(d, d) + 3 - trace(Q), 1e-300));
    set_row(J, 6, vee(Q) * (1 / distance), d * (1 / distance));
    e[6] = distance - wanted;
    for (const double part : e) sum += part * part;
  }
};

/// Whether a pose with these lengths lies near T at a distance, sought from a direction.
bool found_at(const Stewart& s, const SixNumbers& L, const SE3<double>& T,
              const double (&direction)[6], double wanted) {
  double step[6], mu = 1e-6;
  for (int j = 0; j < 6; ++j) step[j] = wanted * direction[j];
  DistanceFit at(s, L, T, stepped(s, T, step), wanted);
  for (int k = 0; k < 100 && at.sum > 1e-24; ++k) {
    Mat6<double> A = transpose(at.J) * at.J;
    double minus_g[6];
    for (int j = 0; j < 6; ++j) {
      A(j, j) += mu;
      minus_g[j] = 0;
      for (int i = 0; i < 7; ++i) minus_g[j] -= at.J(i, j) * at.e[i];
    }
    dense::Elimination<>(A).solve(minus_g, step);
    const DistanceFit trial(s, L, T, stepped(s, at.U, step), wanted);
    if (trial.sum < at.sum) {
      at = trial;
      mu = std::max(0.1 * mu, 1e-15);
    } else {
      mu *= 10;
      if (mu > 1e3) break;
    }
  }
  return at.worst < same_lengths && std::abs(at.e[6]) < 0.1 * wanted;
}

}  // namespace

bool has_self_motion(const Stewart& platform, const SE3<double>& T) {
  check_pose("has_self_motion", T);
  const SixNumbers L = platform.lengths(T);
  const DistanceFit here(platform, L, T, T, 0);
  Mat6<double> J;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) J(i, j) = here.J(i, j);
  const auto found = singular_values(J);
  int rank = 0;
  while (rank < 6 && found.value[rank] > singular_below * found.value[0]) ++rank;
  if (rank == 6) return false;
  for (int trial = 0; trial < 12; ++trial) {  // fixed directions spread over the kernel
    double direction[6] = {}, size = 0;
    for (int k = rank; k < 6; ++k)
      for (int j = 0; j < 6; ++j)
        direction[j] += std::sin(1.3 * trial * trial + 2.1 * k * trial + k) * found.V(j, k);
    for (const double part : direction) size += part * part;
    for (double& part : direction) part /= std::sqrt(size);
    if (found_at(platform, L, T, direction, 0.02) && found_at(platform, L, T, direction, 0.013))
      return true;
  }
  return false;
}

}  // namespace jounce

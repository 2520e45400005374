// SPDX-License-Identifier: BSD-3-Clause
// Which geometries make a Gough-Stewart platform, and the angles of its legs' joints.
#include <algorithm>
#include <jounce/stewart/stewart.hpp>

#include "stewart/rows.hpp"
#include "stewart/singular_values.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {

using stewart_detail::check_pose;
using stewart_detail::positive_length;
using stewart_detail::refuse;
using stewart_detail::set_row;
using stewart_detail::singular_values;

namespace {

Vec3<double> centre_of(const SixPoints& points) {
  Vec3<double> sum;
  for (const Vec3<double>& x : points) sum += x;
  return sum * (1.0 / 6);
}

double radius_of(const SixPoints& points) {
  const Vec3<double> c = centre_of(points);
  double sum = 0;
  for (const Vec3<double>& x : points) sum += dot(x - c, x - c);
  return std::sqrt(sum / 6);
}

constexpr double same_below = 1e-9;  // of the larger radius: points closer than this are one

void check_points(const std::string& name, const SixPoints& points) {
  for (size_t i = 0; i < 6; ++i) {
    const std::string point = name + " point " + std::to_string(i + 1);
    if (!is_finite(points[i])) refuse("geometry", point + " is not finite");
    const double size = std::abs(points[i].x) + std::abs(points[i].y) + std::abs(points[i].z);
    if (size > 1e100) refuse("geometry", point + " is larger than 1e100");
  }
}

/// The second singular value of the centred points: zero where they lie on one line.
void check_spread(const std::string& name, const SixPoints& points, double scale) {
  if (radius_of(points) <= same_below * scale)
    refuse("geometry", "all " + name + " points coincide");
  const Vec3<double> c = centre_of(points);
  Matrix<double, 6, 3> X;
  for (int i = 0; i < 6; ++i) {
    const Vec3<double> x = points[static_cast<size_t>(i)] - c;
    X(i, 0) = x.x, X(i, 1) = x.y, X(i, 2) = x.z;
  }
  const auto found = singular_values(X);
  if (found.value[1] <= same_below * found.value[0])
    refuse("geometry", "all " + name + " points lie on one line");
}

/// Metres beside millimetres make a base and a platform that nobody builds.
constexpr double another_scale = 300;

void check_units(const SixPoints& base, const SixPoints& platform) {
  const double b = radius_of(base), p = radius_of(platform);
  if (std::max(b, p) <= another_scale * std::min(b, p)) return;
  refuse("geometry", std::string("the ") + (b > p ? "base" : "platform") + " is " +
                         short_text(std::round(std::max(b, p) / std::min(b, p))) +
                         " times as large as the " + (b > p ? "platform" : "base") +
                         ", at most 300 times is taken; are both in one unit?");
}

void check_legs(const SixPoints& base, const SixPoints& platform, double scale) {
  for (size_t i = 0; i < 6; ++i)
    for (size_t k = i + 1; k < 6; ++k)
      if (norm(base[i] - base[k]) + norm(platform[i] - platform[k]) <= same_below * scale)
        refuse("geometry", "legs " + std::to_string(i + 1) + " and " + std::to_string(k + 1) +
                               " join the same two points");
}

/// Poses without any relation to the geometry: a determinant that vanishes in all of them vanishes
/// everywhere, with probability one.
SE3<double> some_pose(int k, double scale) {
  const auto part = [k](int j) { return std::sin(1.7 * k * k + 2.3 * j + 0.9 * k * j + 0.4); };
  return {exp(Vec3<double>{1.1 * part(0), 1.1 * part(1), 1.1 * part(2)}),
          Vec3<double>{part(3), part(4), 1.5 + 0.5 * part(5)} * scale};
}

/// Singular values below this share of the largest are rounding of the geometry.
constexpr double rank_below = 1e-8;

int rank_at(const SixPoints& base, const SixPoints& platform, const SE3<double>& T, double scale) {
  Mat6<double> J;
  const Vec3<double> c = centre_of(base);
  for (int i = 0; i < 6; ++i) {
    const auto& a = base[static_cast<size_t>(i)];
    const Vec3<double> leg = T * platform[static_cast<size_t>(i)] - a;
    const Vec3<double> u = leg * (1 / positive_length(leg));
    set_row(J, i, cross(a - c, u) * (1 / scale), u);
  }
  const auto found = singular_values(J);
  int rank = 0;
  for (const double value : found.value) rank += value > rank_below * found.value[0] ? 1 : 0;
  return rank;
}

/// z along the leg, x across it and horizontal in the base.
SO3<double> leg_frame(const Vec3<double>& z) {
  Vec3<double> x{-z.y, z.x, 0};
  x = norm(x) > 1e-12 ? x * (1 / norm(x)) : Vec3<double>{1, 0, 0};
  const Vec3<double> y = cross(z, x);
  return {{{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}};
}

/// The angle between a unit vector, seen in the mount, and the mount's z.
double tilt(const Vec3<double>& d) { return std::atan2(std::hypot(d.x, d.y), d.z); }

}  // namespace

int generic_rank(const SixPoints& base, const SixPoints& platform) {
  check_points("base", base);
  check_points("platform", platform);
  const double scale = std::max(radius_of(base), radius_of(platform));
  int rank = 0;
  for (int k = 1; k <= 6; ++k)
    rank = std::max(rank, rank_at(base, platform, some_pose(k, scale), scale));
  return rank;
}

Stewart::Stewart(const SixPoints& base, const SixPoints& platform)
    : base_(base), platform_(platform) {
  check_points("base", base);
  check_points("platform", platform);
  const double scale = std::max(radius_of(base), radius_of(platform));
  check_spread("base", base, scale);
  check_spread("platform", platform, scale);
  check_units(base, platform);
  check_legs(base, platform, scale);
  const int rank = generic_rank(base, platform);
  if (rank < 6)
    refuse("geometry", "architecturally singular: the legs' lines span " + std::to_string(rank) +
                           " dimensions in every pose, 6 are needed; the platform moves while its "
                           "legs are locked");
  centre_ = centre_of(platform);
  size_ = radius_of(platform);
}

LegMounts Stewart::mounts_at(const SE3<double>& T) const {
  LegMounts mounts;
  const SixNumbers L = lengths(T);
  for (size_t i = 0; i < 6; ++i) {
    if (!(L[i] > 0)) refuse("mounts_at", "leg " + std::to_string(i + 1) + " has no length");
    mounts.base[i] = leg_frame((T * platform_[i] - base_[i]) * (1 / L[i]));
    mounts.platform[i] = inverse(T.R) * mounts.base[i];
  }
  return mounts;
}

std::array<LegAngles, 6> Stewart::joint_angles(const SE3<double>& T,
                                               const LegMounts& mounts) const {
  check_pose("joint_angles", T);
  std::array<LegAngles, 6> angles;
  for (size_t i = 0; i < 6; ++i) {
    const Vec3<double> leg = T * platform_[i] - base_[i];
    const Vec3<double> u = leg * (1 / positive_length(leg));
    const Vec3<double> d = inverse_times(mounts.base[i], u);
    const Vec3<double> e = inverse_times(mounts.platform[i], inverse_times(T.R, u));
    angles[i] = {std::atan2(-d.y, d.z), std::asin(std::clamp(d.x, -1.0, 1.0)), tilt(d), tilt(e)};
  }
  return angles;
}

}  // namespace jounce

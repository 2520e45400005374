// SPDX-License-Identifier: BSD-3-Clause
// Finds pairs of coincident points, and hexagons with the symmetry of a triangle.
#include "stewart/family.hpp"

#include <algorithm>
#include <cmath>

namespace jounce::stewart_detail {
namespace {

constexpr double third = 2.0943951023931957;  // 120 degrees
constexpr double coincident = 1e-9;
constexpr double semi_regular_within = 1e-5;

/// About the origin.
double spread_of(const SixPoints& points) {
  double sum = 0;
  for (const Vec3<double>& x : points) sum += dot(x, x);
  return std::sqrt(sum / legs);
}

SixPoints reordered(const SixPoints& points, const int* order, const SO3<double>& frame) {
  SixPoints seen;
  for (size_t i = 0; i < legs; ++i) seen[i] = inverse_times(frame, points[size_t(order[i])]);
  return seen;
}

/// Orders the legs such that 1-2, 3-4 and 5-6 share a point.
bool find_pairs(const SixPoints& points, int* order) {
  const double near = coincident * spread_of(points);
  bool used[legs] = {};
  int count = 0;
  for (size_t i = 0; i < legs; ++i)
    for (size_t k = i + 1; k < legs; ++k)
      if (!used[i] && !used[k] && norm(points[i] - points[k]) <= near) {
        used[i] = used[k] = true;
        order[count++] = int(i);
        order[count++] = int(k);
      }
  return count == legs;
}

/// A unit vector along the sum of x_i x x_k with one orientation: the normal of planar points.
Vec3<double> normal_of(const SixPoints& points) {
  Vec3<double> best;
  for (size_t i = 0; i < legs; ++i)
    for (size_t k = i + 1; k < legs; ++k)
      if (const Vec3<double> n = cross(points[i], points[k]); dot(n, n) > dot(best, best)) best = n;
  return best * (1 / norm(best));
}

SO3<double> frame_of(const Vec3<double>& x, const Vec3<double>& z) {
  return {transpose(Mat3<double>{{x, cross(z, x), z}})};
}

/// How leg i is turned against the first pair.
SO3<double> turn_of_pair(int i) {
  const int pair = i / 2;
  return exp(Vec3<double>{0, 0, third * pair});
}

/// The mean member of the family: a first point, mirrored and turned by thirds of a circle.
void move_onto_semi_regular(SixPoints& seen) {
  Vec3<double> first;
  for (int i = 0; i < legs; ++i) {
    const Vec3<double> x = inverse_times(turn_of_pair(i), seen[size_t(i)]);
    first += Vec3<double>{x.x, i % 2 == 0 ? x.y : -x.y, 0} * (1.0 / legs);
  }
  for (int i = 0; i < legs; ++i)
    seen[size_t(i)] = turn_of_pair(i) * Vec3<double>{first.x, i % 2 == 0 ? first.y : -first.y, 0};
}

bool is_semi_regular(const SixPoints& points, const int* order, const SO3<double>& frame) {
  const SixPoints seen = reordered(points, order, frame);
  SixPoints member = seen;
  move_onto_semi_regular(member);
  double off = 0;
  for (size_t i = 0; i < legs; ++i) off = std::max(off, norm(seen[i] - member[i]));
  return off <= semi_regular_within * spread_of(points);
}

/// A frame in which the points, in this order, are semi-regular: its x axis halves the angle
/// between the first two, or is at right angles to that.
bool find_frame(const SixPoints& points, const int* order, SO3<double>& frame) {
  const Vec3<double> normal = normal_of(points);
  const Vec3<double>&first = points[size_t(order[0])], &second = points[size_t(order[1])];
  for (const Vec3<double>& z : {normal, -normal})
    for (const Vec3<double>& along : {first + second, cross(z, first - second)}) {
      if (!(norm(along) > 0.1 * norm(first))) continue;
      const Vec3<double> x = along - z * dot(along, z);
      frame = frame_of(x * (1 / norm(x)), z);
      if (is_semi_regular(points, order, frame)) return true;
    }
  return false;
}

/// Orders legs by angle around the base.
void order_by_angle(const SixPoints& base, int* order) {
  const Vec3<double> z = normal_of(base);
  const Vec3<double> x = base[0] - z * dot(base[0], z), y = cross(z, x);
  double angle[legs];
  for (size_t i = 0; i < legs; ++i) angle[i] = std::atan2(dot(base[i], y), dot(base[i], x));
  std::sort(order, order + legs, [&](int i, int k) { return angle[i] < angle[k]; });
}

bool find_semi_regular(const SixPoints& base, const SixPoints& platform, FamilyView& view) {
  order_by_angle(base, view.order);
  return find_frame(base, view.order, view.base_frame) &&
         find_frame(platform, view.order, view.platform_frame);
}

}  // namespace

FamilyView find_family(const SixPoints& base, const SixPoints& platform) {
  FamilyView view;
  view.family = Family::paired;
  if (find_pairs(platform, view.order)) return view;
  view.swapped = find_pairs(base, view.order);
  if (view.swapped) return view;
  view = {};
  if (!find_semi_regular(base, platform, view)) return {};
  view.family = Family::semi_regular;
  return view;
}

PointsInView points_in_view(const FamilyView& view, const SixPoints& base,
                            const SixPoints& platform) {
  return {reordered(view.swapped ? platform : base, view.order, view.base_frame),
          reordered(view.swapped ? base : platform, view.order, view.platform_frame)};
}

PointsInView moved_onto_family(const FamilyView& view, PointsInView points) {
  if (view.family == Family::paired)
    for (size_t i = 1; i < legs; i += 2) points.platform[i] = points.platform[i - 1];
  if (view.family == Family::semi_regular) {
    move_onto_semi_regular(points.base);
    move_onto_semi_regular(points.platform);
  }
  return points;
}

SE3<double> pose_from_view(const FamilyView& view, const SE3<double>& T) {
  const SE3<double> seen =
      SE3<double>{view.base_frame, {}} * T * SE3<double>{inverse(view.platform_frame), {}};
  return view.swapped ? inverse(seen) : seen;
}

}  // namespace jounce::stewart_detail

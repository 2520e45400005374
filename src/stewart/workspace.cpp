// SPDX-License-Identifier: BSD-3-Clause
// Reachable poses of a list, a grid, a box.
#include <algorithm>
#include <jounce/stewart/workspace.hpp>

#include "split_mix.hpp"
#include "stewart/scan.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {

using namespace stewart_detail;
namespace {

void copy(const Vec3<double>& x, double (&to)[3]) { to[0] = x.x, to[1] = x.y, to[2] = x.z; }

constexpr double no_limit = -2;  // below every cosine

double cosine_of(const char* call, double tilt) {
  if (!(tilt >= 0)) refuse(call, "a tilt limit is negative or not a number");
  return std::isinf(tilt) || tilt >= 3.2 ? no_limit : std::cos(tilt);
}

void check_limits(const char* call, const StewartLimits& limits) {
  for (size_t i = 0; i < 6; ++i)
    if (!(limits.shortest[i] >= 0 && limits.shortest[i] <= limits.longest[i] &&
          limits.longest[i] <= 1e100))
      refuse(call, "leg " + std::to_string(i + 1) + " may be from " +
                       short_text(limits.shortest[i]) + " to " + short_text(limits.longest[i]) +
                       " long; that is no range within 0 and 1e100");
  if (!(limits.least_determinant >= 0)) refuse(call, "least_determinant is negative or NaN");
  if (limits.determinant_sign < -1 || limits.determinant_sign > 1)
    refuse(call, "determinant_sign must be -1, 0 or 1");
}

}  // namespace

StewartScan stewart_detail::scan_of(const char* call, const Stewart& s,
                                    const StewartLimits& limits) {
  check_limits(call, limits);
  StewartScan scan{};
  const Vec3<double> z{0, 0, 1};
  for (size_t i = 0; i < 6; ++i) {
    copy(s.base()[i], scan.a[i]);
    copy(s.platform()[i], scan.b[i]);
    copy(limits.mounts.base[i] * z, scan.base_axis[i]);
    copy(limits.mounts.platform[i] * z, scan.platform_axis[i]);
    scan.shortest2[i] = limits.shortest[i] * limits.shortest[i];
    scan.longest2[i] = limits.longest[i] * limits.longest[i];
  }
  copy(s.platform_centre(), scan.c);
  scan.cos_base = cosine_of(call, limits.base_tilt);
  scan.cos_platform = cosine_of(call, limits.platform_tilt);
  scan.inverse_size = 1 / s.size();
  scan.least_determinant = limits.least_determinant;
  scan.sign = limits.determinant_sign;
  return scan;
}

void scan_poses(const Stewart& platform, const StewartLimits& limits,
                std::span<const SE3<double>> poses, std::span<std::uint8_t> verdicts,
                std::span<double> determinants) {
  if (verdicts.size() != poses.size() ||
      (!determinants.empty() && determinants.size() != poses.size()))
    refuse("scan_poses", "there are " + std::to_string(poses.size()) + " poses, " +
                             std::to_string(verdicts.size()) + " verdicts and " +
                             std::to_string(determinants.size()) + " determinants");
  const StewartScan scan = scan_of("scan_poses", platform, limits);
  for (const SE3<double>& T : poses) check_pose("scan_poses", T);
  scan_all(
      scan, static_cast<long>(poses.size()),
      [&](long k) -> const SE3<double>& { return poses[static_cast<size_t>(k)]; },
      [&](long k, unsigned char verdict, double determinant) {
        verdicts[static_cast<size_t>(k)] = verdict;
        if (!determinants.empty()) determinants[static_cast<size_t>(k)] = determinant;
      });
}

SE3<double> WorkspaceGrid::pose(int k) const {
  const auto along = [](double a, double b, int i, int n) {
    return n > 1 ? a + (b - a) * double(i) / double(n - 1) : a;
  };
  const int ix = k % nx, iy = k / nx % ny, iz = k / (nx * ny);
  return {R,
          {along(lower.x, upper.x, ix, nx), along(lower.y, upper.y, iy, ny),
           along(lower.z, upper.z, iz, nz)}};
}

WorkspaceMap scan_grid(const Stewart& platform, const StewartLimits& limits,
                       const WorkspaceGrid& grid) {
  if (grid.nx < 1 || grid.ny < 1 || grid.nz < 1 || double(grid.nx) * grid.ny * grid.nz > 1e9)
    refuse("scan_grid", "the grid must have 1 to 1e9 points, at least 1 along every edge");
  check_pose("scan_grid", {grid.R, grid.lower});
  check_pose("scan_grid", {grid.R, grid.upper});
  WorkspaceMap map;
  map.verdicts.resize(static_cast<size_t>(grid.points()));
  map.determinants.resize(map.verdicts.size());
  scan_all(
      scan_of("scan_grid", platform, limits), grid.points(),
      [&](long k) { return grid.pose(static_cast<int>(k)); },
      [&](long k, unsigned char verdict, double determinant) {
        map.verdicts[static_cast<size_t>(k)] = verdict;
        map.determinants[static_cast<size_t>(k)] = determinant;
        map.reachable += verdict == 0 ? 1 : 0;
      });
  return map;
}

namespace {

SO3<double> from_angles(const Vec3<double>& angle) {
  return exp(Vec3<double>{0, 0, angle.z}) * exp(Vec3<double>{0, angle.y, 0}) *
         exp(Vec3<double>{angle.x, 0, 0});
}

}  // namespace

WorkspaceSample sample_workspace(const Stewart& platform, const StewartLimits& limits,
                                 const WorkspaceBox& box, long poses, std::uint64_t seed) {
  if (poses < 1) refuse("sample_workspace", "at least one pose is needed");
  for (const Vec3<double>& x : {box.lower, box.upper, box.angle_lower, box.angle_upper})
    if (!is_finite(x)) refuse("sample_workspace", "the box is not finite");
  const double far = 1e300;
  WorkspaceSample sample{.poses = poses, .lower = {far, far, far}, .upper = {-far, -far, -far}};
  SE3<double> block[8];
  SplitMix random(seed);
  scan_all(
      scan_of("sample_workspace", platform, limits), poses,
      [&](long k) {
        const SO3<double> R = from_angles(random.uniform(box.angle_lower, box.angle_upper));
        return block[k % 8] = {R, random.uniform(box.lower, box.upper)};
      },
      [&](long k, unsigned char verdict, double) {
        for (int bit = 0; bit < 5; ++bit) sample.by_reason[bit] += (verdict >> bit) & 1;
        if (verdict != 0) return;
        ++sample.reachable;
        const Vec3<double>& p = block[k % 8].p;
        sample.lower = {std::min(sample.lower.x, p.x), std::min(sample.lower.y, p.y),
                        std::min(sample.lower.z, p.z)};
        sample.upper = {std::max(sample.upper.x, p.x), std::max(sample.upper.y, p.y),
                        std::max(sample.upper.z, p.z)};
      });
  if (sample.reachable == 0) sample.lower = sample.upper = {};
  return sample;
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// What a Gough-Stewart platform can reach: limits of legs and joints, singular poses, paths.
//
// Scans run eight poses in SIMD lanes. A path is checked between its samples too: lengths, angles
// and the determinant change no faster than bounds that the geometry gives, so an interval whose
// middle keeps more than that distance from a limit cannot touch it.
#pragma once

#include <cstdint>
#include <jounce/stewart/stewart.hpp>
#include <limits>
#include <span>
#include <vector>

namespace jounce {

/// What a pose must respect. Tilts are measured against the mounts, and only where limited.
struct StewartLimits {
  SixNumbers shortest{};  ///< of the legs
  SixNumbers longest{1e100, 1e100, 1e100, 1e100, 1e100, 1e100};
  double base_tilt = std::numeric_limits<double>::infinity();  ///< largest, in rad
  double platform_tilt = std::numeric_limits<double>::infinity();
  LegMounts mounts;
  double least_determinant = 0;  ///< |normalised determinant| must be larger
  int determinant_sign = 0;      ///< -1 or 1: on this side of the singular poses; 0: on either
};

/// Why a pose is out of reach: a verdict is a sum of these, 0 for a reachable pose.
namespace reach {
inline constexpr std::uint8_t leg_too_short = 1, leg_too_long = 2, base_joint = 4,
                              platform_joint = 8, singular = 16;
}

/// The verdict on every pose. determinants, where not empty, gets the normalised determinants.
void scan_poses(const Stewart& platform, const StewartLimits& limits,
                std::span<const SE3<double>> poses, std::span<std::uint8_t> verdicts,
                std::span<double> determinants = {});

/// Positions on a regular grid with one orientation.
struct WorkspaceGrid {
  SO3<double> R;
  Vec3<double> lower, upper;
  int nx = 1, ny = 1, nz = 1;  ///< points along each edge, both ends included

  int points() const { return nx * ny * nz; }
  /// Point k = ix + nx (iy + ny iz).
  SE3<double> pose(int k) const;
};

struct WorkspaceMap {
  std::vector<std::uint8_t> verdicts;
  std::vector<double> determinants;
  int reachable = 0;
};
WorkspaceMap scan_grid(const Stewart& platform, const StewartLimits& limits,
                       const WorkspaceGrid& grid);

/// Poses drawn evenly from a box of positions and of angles, R = Rz(psi) Ry(theta) Rx(phi).
struct WorkspaceBox {
  Vec3<double> lower, upper;              ///< positions
  Vec3<double> angle_lower, angle_upper;  ///< phi, theta, psi in rad
};

struct WorkspaceSample {
  long poses = 0, reachable = 0;
  long by_reason[5] = {};     ///< too short, too long, base joint, platform joint, singular
  Vec3<double> lower, upper;  ///< bounds of the reachable positions; zero where there are none
  double share() const { return poses > 0 ? double(reachable) / double(poses) : 0; }
};
WorkspaceSample sample_workspace(const Stewart& platform, const StewartLimits& limits,
                                 const WorkspaceBox& box, long poses, std::uint64_t seed = 1);

/// A plane of poses: R exp(s u.w + t v.w), p + s u.v + t v.v, with u.v and v.v in base axes.
struct PoseSlice {
  SE3<double> origin;
  Twist<double> u, v;
  double s_min = -1, s_max = 1, t_min = -1, t_max = 1;

  SE3<double> pose(double s, double t) const;
};

struct SlicePoint {
  double s = 0, t = 0;
};

/// Where the determinant vanishes on a slice: segments, two points each, both ends on the curve to
/// rounding. cells: of the grid along each side; finer loops are not seen.
std::vector<SlicePoint> singularity_curves(const Stewart& platform, const PoseSlice& slice,
                                           int cells = 100);

/// Whether the platform can move from here while its legs are locked: whether poses with the same
/// lengths lie at small distances from this one. False for isolated singular poses.
bool has_self_motion(const Stewart& platform, const SE3<double>& T);

struct PathCheck {
  bool passed = false;
  double at = 1;            ///< the first parameter in [0, 1] that breaks a limit; 1 where passed
  std::uint8_t reason = 0;  ///< a sum of reach::
  double least_determinant = 0;  ///< smallest |normalised determinant| met
  int evaluations = 0;
};

/// The straight path T_0 exp(s log(T_0^-1 T_1)), 0 <= s <= 1. An interval shorter than resolution
/// that cannot be cleared counts as broken.
PathCheck check_path(const Stewart& platform, const StewartLimits& limits, const SE3<double>& T_0,
                     const SE3<double>& T_1, double resolution = 1e-6);

}  // namespace jounce

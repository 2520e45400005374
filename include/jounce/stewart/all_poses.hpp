// SPDX-License-Identifier: BSD-3-Clause
// All poses of a Gough-Stewart platform with given leg lengths: its assembly modes.
//
// Forty for almost every platform, real or complex (Dietmaier 1998); the real ones are what can be
// assembled. They are found by following all solutions of a platform with known poses while it
// turns into the one asked for. See docs/stewart_all_poses.md.
#pragma once

#include <jounce/stewart/stewart.hpp>
#include <optional>
#include <vector>

namespace jounce {

struct AssemblyMode {
  SE3<double> pose;
  double residual = 0;  ///< the largest error of a leg's length
  /// Proved by an interval Newton test: near `pose` there is exactly one pose with these lengths.
  bool certified = false;
  const char* reason = "";  ///< why it is not certified
  double distance = 0;      ///< from the given pose: metres, angles times the platform's size
};

struct AllPosesOptions {
  std::optional<SE3<double>> near = {};  ///< poses are sorted by their distance from it
  int max_gammas = 3;                    ///< how often all paths are followed at most
  bool certify = true;
};

struct AllPoses {
  /// Sorted by distance from the given pose; without one, from high to low.
  std::vector<AssemblyMode> poses;
  const char* family = "";  ///< general, semi-regular or paired (6-3): where the search started
  int paths = 0;            ///< poses, real and complex, of almost every platform of that family
  int complex_count = 0;    ///< different poses found, real and complex
  int at_infinity = 0;      ///< paths that end at infinity
  int multiple = 0;         ///< paths that end where others do: at singular poses
  int lost = 0;             ///< paths whose end is unknown
  int retracked = 0;        ///< paths followed again with tighter tolerances
  int gammas = 0;           ///< how often all paths were followed
  /// The end of every path is known: no pose is missing. False for a platform that moves with
  /// these lengths locked, which has infinitely many poses.
  bool converged = false;
  double seconds = 0;
};

/// Throws InputError for lengths that are not positive and for numbers that are not finite. Lengths
/// that no pose can have give no pose.
AllPoses all_poses(const Stewart& platform, const SixNumbers& lengths,
                   const AllPosesOptions& options = {});

/// The platform whose 40 poses are all real: P. Dietmaier, "The Stewart-Gough platform of general
/// geometry can have 40 real postures", Advances in Robot Kinematics, 1998.
Stewart dietmaier_platform();
inline constexpr SixNumbers dietmaier_lengths{1, 0.645275, 1.086284, 1.503439, 1.281933, 0.771071};

}  // namespace jounce

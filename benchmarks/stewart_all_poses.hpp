// SPDX-License-Identifier: BSD-3-Clause
// All poses of many random platforms: how many are right, proved and how fast they come.
#pragma once

#include <string>
#include <vector>

namespace jounce::bench {

struct AllPosesSweep {
  std::string family;
  int platforms = 0;
  int expected = 0;     ///< complex poses of almost every platform of the family
  int right = 0;        ///< platforms with so many
  int known_found = 0;  ///< platforms whose poses contain the one that the lengths were made from
  int poses = 0;        ///< real ones, of all platforms
  int certified = 0;
  int retracked = 0;                        ///< paths
  int more_gammas = 0;                      ///< platforms that needed a second run
  double residual = 0;                      ///< the largest, in units of the base's size
  double median = 0, p99 = 0, largest = 0;  ///< seconds of processor time
};

enum class RandomPlatforms { general, planar, semi_regular, paired };

/// Coordinates are normal random numbers, the platform 0.7 times the base; poses are normal around
/// (0, 0, 1) with any rotation.
AllPosesSweep sweep_all_poses(RandomPlatforms kind, int count, unsigned long long seed = 1);

}  // namespace jounce::bench

// SPDX-License-Identifier: BSD-3-Clause
// A platform and its limits as the scanning kernel wants them.
#pragma once

#include <jounce/stewart/workspace.hpp>

#include "stewart/kernels.hpp"

namespace jounce::stewart_detail {

/// Throws InputError, in the name of call, for limits that cannot be met or are not numbers.
StewartScan scan_of(const char* call, const Stewart& s, const StewartLimits& limits);

/// Poses of one block of eight, the last one repeated where there are fewer.
struct PoseBlock {
  alignas(64) double x[12][8];

  void set(int lane, const SE3<double>& T) {
    for (int i = 0; i < 3; ++i) {
      x[3 * i][lane] = T.R.m.row[i].x;
      x[3 * i + 1][lane] = T.R.m.row[i].y;
      x[3 * i + 2][lane] = T.R.m.row[i].z;
    }
    x[9][lane] = T.p.x, x[10][lane] = T.p.y, x[11][lane] = T.p.z;
  }
};

/// Calls use(k, verdict, determinant) for poses 0 to count - 1, where pose_at(k) gives the pose.
template <class PoseAt, class Use>
void scan_all(const StewartScan& scan, long count, PoseAt pose_at, Use use) {
  PoseBlock block;
  unsigned char flags[8];
  double determinants[8];
  const auto kernel = stewart_kernels().scan;
  for (long first = 0; first < count; first += 8) {
    const int filled = static_cast<int>(count - first < 8 ? count - first : 8);
    for (int lane = 0; lane < filled; ++lane) block.set(lane, pose_at(first + lane));
    for (int lane = filled; lane < 8; ++lane)
      for (double(&row)[8] : block.x) row[lane] = row[filled - 1];
    kernel(scan, block.x[0], 1, flags, determinants);
    for (int lane = 0; lane < filled; ++lane) use(first + lane, flags[lane], determinants[lane]);
  }
}

}  // namespace jounce::stewart_detail

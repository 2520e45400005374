// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of any order in body frames, in one spatial frame and in hybrid frames: what each costs
// and how exact it is far from the origin.
#pragma once

#include <array>
#include <functional>
#include <vector>

namespace jounce::bench {

/// One number for body frames, the spatial frame and hybrid frames, in this order.
using OfFrames = std::array<double, 3>;
inline constexpr std::array<const char*, 3> frame_names{"body frames", "spatial frame",
                                                        "hybrid frames"};

/// Of one state: the same generic text on counting numbers, and compiled for double.
struct FrameCost {
  int bodies = 0, order = 0;
  OfFrames inverse_flops{}, forward_flops{}, inverse_ns{}, forward_ns{};
};
/// Error of joint forces, and of joint accelerations, of order 3 against long double, relative to
/// the largest.
struct FrameError {
  double distance = 0;
  OfFrames inverse{}, forward{};
};

struct FramesComparison {
  std::vector<FrameCost> of_order;  ///< 101 bodies
  std::vector<FrameCost> of_size;   ///< order 4
  std::vector<FrameError> errors;   ///< 7 bodies, 1 m to 100 km
};

/// Processor time; a few seconds, a sample of it less than one.
/// Calls after_each, where one is given, behind each of its steps, frames_steps in all.
inline constexpr int frames_steps = 17;
FramesComparison compare_frames(bool sample, const std::function<void()>& after_each = {});

/// Operations of inverse dynamics in the library's body frames on the tree of five branches.
double inverse_series_flops(int branches, int bodies_per_branch, int order);

}  // namespace jounce::bench

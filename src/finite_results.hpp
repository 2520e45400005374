// SPDX-License-Identifier: BSD-3-Clause
// Results that are not finite are refused by name: ComputationError.
//
// Matrices, and the forces of inverse dynamics, are looked at only where an argument, a constant of
// the robot or an inverse is so large that a product of them could overflow. With arguments up to
// 1e8, lengths, pitches and ratios up to 1e4, inertias and coefficients up to 1e10, and up to 1e4
// bodies, distances stay below 1e20, speeds below 1e40, accelerations below 1e60, forces below
// 1e94, and every derivative along q adds 24 digits; with an inverse of the mass matrix up to 1e30
// the second derivatives of forward dynamics stay below 1e270.
#pragma once

#include <cmath>
#include <jounce/door/check.hpp>
#include <jounce/door/finite.hpp>

#include "model/robot_data.hpp"

namespace jounce {

/// Whether no number is beyond 1e8.
inline bool moderate(std::span<const double> x) {
  double sum[4] = {};
  size_t k = 0;
  for (; k + 4 <= x.size(); k += 4)
    for (size_t l = 0; l < 4; ++l) sum[l] += x[k + l] * x[k + l];
  for (; k < x.size(); ++k) sum[0] += x[k] * x[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) < 1e16;
}
inline bool moderate(const Vec3<double>& x) { return dot(x, x) < 1e16; }
inline bool moderate(const Twist<double>& V) { return moderate(V.w) && moderate(V.v); }
inline bool moderate(const OptionalGround<double>& ground) {
  return !ground || (moderate(ground->V) && moderate(ground->Vdot));
}
inline bool moderate(const Surroundings& around) {
  bool all = moderate(around.ground);
  for (const OutsideWrench<double>& one : around.wrenches)
    all = all && moderate(one.wrench.m) && moderate(one.wrench.f);
  return all;
}
using detail::finite;

/// `inverse: tau[0] (joint "joint_1") is not finite`.
[[noreturn]] void throw_not_finite(const Robot& robot, std::string_view caller,
                                   std::string_view result, std::span<const double> x);
/// `energy: kinetic is not finite`.
[[noreturn]] void throw_not_finite(std::string_view caller, std::string_view what);

/// One number per velocity or position coordinate.
inline void require_finite(const Robot& robot, std::string_view caller, std::string_view result,
                           std::span<const double> x) {
  if (!all_finite(x)) throw_not_finite(robot, caller, result, x);
}
inline void require_finite(std::string_view caller, std::string_view what, bool finite) {
  if (!finite) throw_not_finite(caller, what);
}

/// `pose: frame "flange" is not finite`.
inline void require_frame_finite(std::string_view caller, const FrameInfo& frame, bool finite) {
  if (!finite) throw_not_finite(caller, "frame \"" + frame.name + "\"");
}

}  // namespace jounce

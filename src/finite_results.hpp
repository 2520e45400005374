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
#include <cstring>
#include <jounce/door/check.hpp>
#include <jounce/door/finite.hpp>

#include "model/robot_data.hpp"

namespace jounce {

/// Squares of numbers, summed two by two, of long vectors in four sums that need not wait for one
/// another: small where none of the numbers is beyond 1e8.
class Squares {
 public:
  void add(std::span<const double> x) {
    const double *at = x.data(), *end = at + x.size();
    for (; end - at >= 8; at += 8) {
      first_ += square(at), second_ += square(at + 2);
      third_ += square(at + 4), fourth_ += square(at + 6);
    }
    for (; end - at >= 2; at += 2) first_ += square(at);
    if (at < end) second_ += Two{*at * *at, 0};
  }
  /// Two vectors of one length.
  void add(std::span<const double> x, const double* y) {
    const double *at = x.data(), *end = at + x.size();
    for (; end - at >= 4; at += 4, y += 4) {
      first_ += square(at), second_ += square(y);
      third_ += square(at + 2), fourth_ += square(y + 2);
    }
    for (; end - at >= 2; at += 2, y += 2) first_ += square(at), second_ += square(y);
    if (at < end) first_ += Two{*at, *y} * Two{*at, *y};
  }
  bool moderate() const {
    const Two sum = (first_ + second_) + (third_ + fourth_);
    return sum[0] + sum[1] < 1e16;
  }

 private:
  using Two = double __attribute__((vector_size(16)));  // of every x86-64 and aarch64
  static Two square(const double* x) {
    Two two;
    std::memcpy(&two, x, sizeof two);
    return two * two;
  }
  Two first_ = {}, second_ = {}, third_ = {}, fourth_ = {};
};
/// Whether no number is beyond 1e8.
inline bool moderate(std::span<const double> x) {
  Squares squares;
  squares.add(x);
  return squares.moderate();
}
/// Both, in one pass where they are moderate.
inline bool all_finite(std::span<const double> x, std::span<const double> y) {
  Squares squares;
  squares.add(x), squares.add(y);
  return squares.moderate() || (all_finite(x) && all_finite(y));
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

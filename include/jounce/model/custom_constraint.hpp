// SPDX-License-Identifier: BSD-3-Clause
// Constraints that the user writes: functions C(q, t) that are to be zero.
//
//   jounce::LoopDescription driven{.name = "crank", .kind = jounce::LoopKind::custom};
//   driven.joints = {{"shoulder"}};
//   driven.custom = jounce::custom_constraint<1, 1>([](const auto* q, const auto& t, auto* C) {
//     C[0] = q[0] - 2.5 * t;  // any smooth function of the coordinates of the joints, and of time
//   });
// The function runs once, here, on numbers that record what it does (scalar/recorded.hpp): it
// cannot branch on q or t. Its recording and those of its derivatives run on any kind of number.
#pragma once

#include <jounce/model/custom_rows.hpp>
#include <jounce/scalar/recorded.hpp>
#include <memory>

namespace jounce {

inline namespace JOUNCE_ISA {

/// Rows functions of the coordinates q of some joints, one after the other, and of the time t.
template <int Coordinates, int Rows, class F>
std::shared_ptr<const CustomConstraint> custom_constraint(F f) {
  static_assert(Rows >= 1 && Rows <= CustomConstraint::most_rows, "one to six rows");
  static_assert(Coordinates >= 1 && Coordinates <= CustomConstraint::most_coordinates,
                "one to 32 coordinates");
  Recorder recorder;
  Recorded q[Coordinates], C[Rows];
  for (Recorded& x : q) x = recorder.input();
  const Recorded time = recorder.input();
  f(static_cast<const Recorded*>(q), time, static_cast<Recorded*>(C));
  return std::make_shared<const CustomConstraint>(Coordinates, recorder,
                                                  std::span<const Recorded>(C));
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

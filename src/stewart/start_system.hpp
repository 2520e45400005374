// SPDX-License-Identifier: BSD-3-Clause
// Platforms with complex geometry whose poses are known: where homotopies start.
//
// One per family that linear equations in the points define. A target of a family has as many poses
// as almost every member, so a start in the same family sends no path to infinity. The table is
// written by tools/stewart_start_systems.cpp.
#pragma once

#include <span>

#include "stewart/study.hpp"

namespace jounce::stewart_detail {

enum class Family : int {
  general,       ///< any twelve points: 40 poses
  semi_regular,  ///< both planar, three pairs turned by 120 degrees, each mirrored: 28 poses
  paired,        ///< legs 1-2, 3-4 and 5-6 share a point of the platform (6-3, 3-3): 16 poses
};

inline constexpr int max_poses = 40;

struct StartSystem {
  Family family;
  int roots;
  const double* numbers;  ///< a, b, c of six legs, then x of every root, complex, real part first

  void legs_into(Leg<Complex<double>>* leg) const;
  void root_into(int k, Complex<double>* x) const;
};

/// In the order of Family.
std::span<const StartSystem> start_systems();

}  // namespace jounce::stewart_detail

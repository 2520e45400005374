// SPDX-License-Identifier: BSD-3-Clause
// Exact derivatives of inverse dynamics by dual numbers, and differences, for the tests.
#pragma once

#include <jounce/derivatives.hpp>

#include "matrices/cases.hpp"

namespace jounce::test {

/// As random_description; custom joints in every second robot only, because the kernel in lanes
/// leaves these to the reference.
RobotDescription derivative_description(std::uint64_t seed, int largest);

/// A random robot and state: every third with wrenches from outside in all representations,
/// every third with one in its body's frame; every fourth on a moving base.
struct DerivativeCase : Case {
  explicit DerivativeCase(std::uint64_t seed, int largest = 30);
  /// The state moved along the tangent vector d.
  Vector moved(const Vector& d) const;

  Surroundings around() const {
    return {.wrenches = external, .ground = ground, .passive = passive};
  }

  /// How the ground moves, at rest or not.
  Ground<double> moving() const { return ground.value_or(Ground<double>{}); }

  Derivatives derivatives{robot};
  std::vector<OutsideWrench<double>> external;
  OptionalGround<double> ground;
  bool passive = true;
};

inline constexpr int directions = 8;
using Gradient = Dual<double, directions>;

/// A vector whose number k grows along directions first, first + 1, ... by the columns of rates.
std::vector<Gradient> growing(const Vector& x, const DenseMatrix& rates, int first);

struct ExactDerivatives {
  DenseMatrix dq, dv, da;
};

/// d tau/d(q, v, a) of the robot, without passive forces.
ExactDerivatives by_dual_numbers(const DerivativeCase& c);

/// Central differences of f along every coordinate, of fourth order: errors of about 1e-10.
DenseMatrix differences(int n, const std::function<Vector(const Vector&)>& f, double step = 1e-3);

}  // namespace jounce::test

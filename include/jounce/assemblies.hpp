// SPDX-License-Identifier: BSD-3-Clause
// All ways to put a closed mechanism together, its motors where they are.
//
//   jounce::ConstrainedDynamics dyn(jounce::load("builtin:five_bar"));
//   const auto all = jounce::assemblies(dyn, q);              // of q the motors' coordinates
//   const auto arms = jounce::working_modes(dyn, 0, tip, q);  // all.q, all.complete
// A loop that is closed by a hinge, with two more hinges parallel to it that are free to turn, is a
// triangle: its other joints stay, and make three rigid pieces of it. Two bars r and s from the
// pivots P and Q meet where
//   d = Q - P,  k = (d.d + r^2 - s^2) / (2 d.d),  disc = r^2 / d.d - k^2,
//   meeting = P + k d +- sqrt(disc) (d turned by a quarter):
// twice, once where disc is 0 (the bars are in line), or never. Four- and five-bars are of this
// kind. Where one of the two slides across the hinges, as in a slider-crank, its line takes the
// place of a bar: disc = 1 - h^2 / r^2, h the distance of the other's pivot from it. Of other
// mechanisms those are found that Newton's method meets from many starts.
#pragma once

#include <jounce/constrained_dynamics.hpp>

namespace jounce {

struct AssemblyOptions {
  int starts = 100;        ///< of Newton's method, where there is no closed form
  std::uint64_t seed = 1;  ///< of the starts
};

struct Assemblies {
  std::vector<std::vector<double>> q;  ///< configurations, the one nearest to the given first
  /// Whether there are no others. Newton's method cannot tell.
  bool complete = false;
  /// Of the bars that meet, where complete; of several loops the least. Negative: they do not meet,
  /// and q is empty.
  double discriminant = 0;
  int worst_loop = -1;  ///< the one it belongs to
  int starts = 0;       ///< taken by Newton's method
};

/// Every configuration that closes the loops while the kept coordinates (one flag for each
/// velocity; without flags those of the motors, Robot::actuated) stay as they are in q. Angles are
/// from -pi to pi; limits of joints are not looked at. InputError where the kept are too few to
/// leave single configurations.
Assemblies assemblies(ConstrainedDynamics& dyn, const VectorArg& q, std::span<const bool> kept = {},
                      const AssemblyOptions& options = {});

/// The configurations in which a planar loop of two arms, each of two parallel hinges, as a
/// five-bar is, closes at a point of the world: as many as elbows can bend, at most four. All other
/// coordinates stay as they are in q. InputError for a loop of another kind.
Assemblies working_modes(ConstrainedDynamics& dyn, int loop, const Vec3<double>& point,
                         const VectorArg& q);

}  // namespace jounce

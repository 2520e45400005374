// SPDX-License-Identifier: BSD-3-Clause
// Flops of the dynamics algorithms: their generic reference forms run on numbers that count.
//
// Every addition, multiplication, division, sine and cosine on numbers counts once, products with
// constants that happen to be 0 or 1 included; copies, signs and comparisons are free. The kernels
// of the library do less: they know which numbers are zero, and use classical accelerations.
#pragma once

#include <jounce/model/robot.hpp>
#include <jounce/scalar/counting.hpp>

namespace jounce::bench {

struct DynamicsFlops {
  FlopCount inverse, forward, hybrid, mass, mass_solve, jacobian;
  FlopCount inverse_fast;                  ///< of inverse_dynamics.hpp, on classical accelerations
  FlopCount poses, twists, accelerations;  ///< of all bodies: q alone; and v; and a
  FlopCount inverse_derivatives;           ///< of rnea_derivatives.hpp, poses included
};

/// Of one state; hybrid with every other acceleration prescribed, jacobian of the last link in its
/// own frame, mass_solve once the articulated bodies are factored. Mimic joints count as joints.
DynamicsFlops count_dynamics(const Robot& robot);

}  // namespace jounce::bench

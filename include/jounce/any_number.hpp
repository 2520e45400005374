// SPDX-License-Identifier: BSD-3-Clause
// Kinematics, Dynamics, MassFactors and Derivatives on other kinds of number: packs (W states in
// step), Taylor and dual numbers, and the scalar that counts.
//
//   jounce::BasicDynamics<jounce::Pack<double, 8>> dyn(arm);            // eight states at a time
//   std::vector<jounce::Pack<double, 8>> tau = dyn.inverse(q, v, a);    // q[k]: coordinate k of
//   all
// The recursions are the generic templates; double has the fast kernels in the library. Packs need
// the flags of the processor (-O3 -march=native): they are compiled in your file. Constants of the
// robot are P: float where the numbers are made of floats, else double. With P = Dual the inertias
// are variables too (inertia(body)).
#pragma once

#include <jounce/door/derivatives.hpp>
#include <jounce/door/dynamics.hpp>
#include <jounce/door/kinematics.hpp>
#include <jounce/door/mass_factors.hpp>

namespace jounce {

extern template class BasicKinematics<double>;
extern template class BasicKinematics<float>;
extern template class BasicDynamics<double>;
extern template class BasicDynamics<float>;
extern template class BasicMassFactors<double>;
extern template class BasicMassFactors<float>;
extern template class BasicDerivatives<double>;
extern template class BasicDerivatives<float>;

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Surroundings as arguments: refused by name where a number is not finite or a frame is not there.
#pragma once

#include <algorithm>
#include <jounce/equations/surroundings.hpp>
#include <jounce/model/robot.hpp>
#include <jounce/scalar/parts.hpp>

namespace jounce::detail::inline JOUNCE_ISA {

/// In every lane and derivative: x - x is zero for finite x and NaN otherwise.
template <class Real>
bool all_finite(std::span<const Real> x) {
  const auto good = [](const Real& one) {
    double sum = 0;
    for (int k = 0; k < NumberParts<Real>::count; ++k) sum += NumberParts<Real>::at(one, k) * 0;
    return sum == 0;
  };
  if constexpr (requires { Real::lanes; }) {
    Real defect(0);
    for (const Real& one : x) defect += one - one;
    return good(defect);
  } else {
    return std::all_of(x.begin(), x.end(), good);
  }
}
template <class Real>
bool finite_vector(const Vec3<Real>& x) {
  const Real numbers[] = {x.x, x.y, x.z};
  return all_finite<Real>(numbers);
}
template <class Real>
bool finite_vectors(const Twist<Real>& V) {
  return finite_vector(V.w) && finite_vector(V.v);
}
template <class Real>
bool finite_vectors(const Wrench<Real>& F) {
  return finite_vector(F.m) && finite_vector(F.f);
}

template <class Real>
void check_ground(const char* caller, const OptionalGround<Real>& ground) {
  if (ground && !(finite_vectors(ground->V) && finite_vectors(ground->Vdot)))
    throw InputError(std::string(caller) + ": the ground's motion is not finite");
}

template <class Real>
void check_surroundings(const Robot& robot, const char* caller,
                        const BasicSurroundings<Real>& around) {
  for (size_t k = 0; k < around.wrenches.size(); ++k) {
    const FrameInfo& frame = robot.frame_info(around.wrenches[k].frame);
    if (!finite_vectors(around.wrenches[k].wrench))
      throw InputError(std::string(caller) + ": wrenches[" + std::to_string(k) + "] on \"" +
                       frame.name + "\" is not finite");
  }
  check_ground(caller, around.ground);
}

}  // namespace jounce::detail::inline JOUNCE_ISA

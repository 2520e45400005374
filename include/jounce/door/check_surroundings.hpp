// SPDX-License-Identifier: BSD-3-Clause
// Surroundings as arguments: refused by name where a number is not finite or a frame is not there.
#pragma once

#include <jounce/door/finite.hpp>
#include <jounce/equations/surroundings.hpp>
#include <jounce/model/robot.hpp>

namespace jounce::detail::inline JOUNCE_ISA {

template <class Real>
void check_ground(const char* caller, const OptionalGround<Real>& ground) {
  if (ground && !(finite(ground->V) && finite(ground->Vdot)))
    throw InputError(std::string(caller) + ": the ground's motion is not finite");
}

template <class Real>
void check_surroundings(const Robot& robot, const char* caller,
                        const BasicSurroundings<Real>& around) {
  for (size_t k = 0; k < around.wrenches.size(); ++k) {
    const FrameInfo& frame = robot.frame_info(around.wrenches[k].frame);
    if (!finite(around.wrenches[k].wrench))
      throw InputError(std::string(caller) + ": wrenches[" + std::to_string(k) + "] on \"" +
                       frame.name + "\" is not finite");
  }
  check_ground(caller, around.ground);
}

}  // namespace jounce::detail::inline JOUNCE_ISA

// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a call, refused by name where their sizes or numbers are wrong.
#pragma once

#include <initializer_list>
#include <jounce/dynamics_results.hpp>
#include <jounce/error.hpp>
#include <span>
#include <string>
#include <string_view>

namespace jounce {

/// A vector of nv numbers as messages call it.
struct NamedVector {
  std::string_view name;
  std::span<const double> x;
};

inline void check_state(const Robot& robot, std::string_view caller, std::span<const double> q,
                        std::initializer_list<NamedVector> others) {
  robot.check_q(caller, "q", q);
  for (const NamedVector& one : others) robot.check_v(caller, one.name, one.x);
}

inline void check_external(const Robot& robot, const char* caller,
                           std::span<const ExternalWrench> external) {
  for (size_t k = 0; k < external.size(); ++k) {
    const auto& [m, f] = external[k].wrench;
    if (m.x * 0 + m.y * 0 + m.z * 0 + f.x * 0 + f.y * 0 + f.z * 0 != 0)
      refuse_wrench(caller, robot.frame_info(external[k].frame), k);
  }
}

/// Whose accelerations a hybrid call is given: one flag for each of the nv coordinates.
inline void check_prescribed(const Robot& robot, const char* caller,
                             std::span<const bool> prescribed) {
  if (prescribed.size() != size_t(robot.nv()))
    throw InputError(std::string(caller) + ": prescribed has " + std::to_string(prescribed.size()) +
                     " elements, robot \"" + robot.name() + "\" needs " +
                     std::to_string(robot.nv()));
}

}  // namespace jounce

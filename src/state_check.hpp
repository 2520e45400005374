// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a call, refused by name where their sizes or numbers are wrong.
#pragma once

#include <initializer_list>
#include <jounce/door/check_surroundings.hpp>
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

using detail::check_ground;
using detail::check_surroundings;

/// Whose accelerations a hybrid call is given: one flag for each of the nv coordinates.
inline void check_prescribed(const Robot& robot, const char* caller,
                             std::span<const bool> prescribed) {
  if (prescribed.size() != size_t(robot.nv()))
    throw InputError(std::string(caller) + ": prescribed has " + std::to_string(prescribed.size()) +
                     " elements, robot \"" + robot.name() + "\" needs " +
                     std::to_string(robot.nv()));
}

}  // namespace jounce

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

#include "finite_results.hpp"

namespace jounce {

/// A vector of nv numbers as messages call it.
struct NamedVector {
  std::string_view name;
  std::span<const double> x;
};

/// Refuses what Robot::check_q and check_v refuse. Whether no number is beyond 1e8: those are
/// finite too, so that one pass answers both.
inline bool check_q(const Robot& robot, std::string_view caller, std::string_view argument,
                    std::span<const double> q) {
  const Robot::Data& d = Robot::Data::of(robot);
  bool good = q.size() == static_cast<size_t>(d.nq) && moderate(q);
  for (const QuaternionPlace& place : d.quaternions)
    good = good && is_unit_quaternion(q.data() + place.q);
  if (!good) robot.check_q(caller, argument, q);
  return good;
}
inline bool check_v(const Robot& robot, std::string_view caller, std::string_view argument,
                    std::span<const double> v) {
  const bool good = v.size() == static_cast<size_t>(Robot::Data::of(robot).nv) && moderate(v);
  if (!good) robot.check_v(caller, argument, v);
  return good;
}
inline bool check_state(const Robot& robot, std::string_view caller, std::span<const double> q,
                        std::initializer_list<NamedVector> others) {
  bool all = check_q(robot, caller, "q", q);
  for (const NamedVector& one : others) all = check_v(robot, caller, one.name, one.x) && all;
  return all;
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

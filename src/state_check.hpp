// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a call, refused by name where their sizes or numbers are wrong.
#pragma once

#include <initializer_list>
#include <jounce/door/check.hpp>
#include <jounce/error.hpp>
#include <span>
#include <string>

#include "finite_results.hpp"

namespace jounce {

/// Refuses what Robot::check_q and check_v refuse. Whether no number is beyond 1e8: those are
/// finite too, so that one pass answers both. Names are as written: their lengths are asked for
/// only where something is refused.
inline bool check_q(const Robot& robot, const char* caller, const char* argument,
                    std::span<const double> q) {
  const Robot::Data& d = Robot::Data::of(robot);
  bool good = q.size() == static_cast<size_t>(d.nq) && moderate(q);
  for (const UnitPlace& place : d.unit_places)
    good = good && is_unit(q.data() + place.q, place.count);
  if (!good) robot.check_q(caller, argument, q);
  return good;
}
inline bool check_v(const Robot& robot, const char* caller, const char* argument,
                    std::span<const double> v) {
  const bool good = v.size() == static_cast<size_t>(Robot::Data::of(robot).nv) && moderate(v);
  if (!good) robot.check_v(caller, argument, v);
  return good;
}
/// The same as the doors of any kind of number call them.
inline bool check_q(const Robot& robot, const char* caller, std::span<const double> q) {
  return check_q(robot, caller, "q", q);
}
inline bool check_v(const Robot& robot, const char* caller, const Named<double>& v) {
  return check_v(robot, caller, v.name, v.x);
}
inline bool check_state(const Robot& robot, const char* caller, std::span<const double> q,
                        std::initializer_list<Named<double>> others) {
  bool all = check_q(robot, caller, "q", q);
  for (const Named<double>& one : others) all = check_v(robot, caller, one.name, one.x) && all;
  return all;
}

using detail::check_ground;
using detail::check_surroundings;

}  // namespace jounce

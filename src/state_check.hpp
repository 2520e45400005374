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
/// finite too, so that one pass over all vectors answers both. Names are as written: their lengths
/// are asked for only where something is refused.
inline bool check_state(const Robot& robot, const char* caller, std::span<const double> q,
                        std::initializer_list<Named<double>> others) {
  const Robot::Data& d = Robot::Data::of(robot);
  const auto nv = static_cast<size_t>(d.nv);
  bool good = q.size() == static_cast<size_t>(d.nq);
  for (const Named<double>& one : others) good &= one.x.size() == nv;
  if (good) {
    Squares squares;
    squares.add(q);
    const Named<double>* one = others.begin();
    for (; others.end() - one >= 2; one += 2) squares.add(one[0].x, one[1].x.data());
    if (one != others.end()) squares.add(one->x);
    good = squares.moderate();
  }
  for (const UnitPlace& place : d.unit_places)
    good = good && is_unit(q.data() + place.q, place.count);
  if (good) return true;
  robot.check_q(caller, "q", q);
  for (const Named<double>& one : others) robot.check_v(caller, one.name, one.x);
  return false;
}
inline bool check_v(const Robot& robot, const char* caller, const char* argument,
                    std::span<const double> v) {
  const bool good = v.size() == static_cast<size_t>(Robot::Data::of(robot).nv) && moderate(v);
  if (!good) robot.check_v(caller, argument, v);
  return good;
}
inline bool check_v(const Robot& robot, const char* caller, const Named<double>& v) {
  return check_v(robot, caller, v.name, v.x);
}

using detail::check_ground;
using detail::check_surroundings;

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Arguments and results of the doors on any kind of number: refused by name where their sizes or
// numbers are wrong, in any lane, derivative or coefficient.
#pragma once

#include <initializer_list>
#include <jounce/door/check_surroundings.hpp>
#include <jounce/model/manifold.hpp>

namespace jounce {

/// Whether a robot's constants are so small that no product of them and of arguments up to 1e8 can
/// overflow: never with custom joints, whose functions may give anything.
bool moderate(const Robot& robot);

inline namespace JOUNCE_ISA {

using detail::all_finite;

/// A vector of nv numbers as messages call it.
template <class Real>
struct Named {
  const char* name;
  std::span<const Real> x;
};

template <class Real>
std::vector<double> part_of(std::span<const Real> x, int k) {
  std::vector<double> part;
  for (const Real& one : x) part.push_back(NumberParts<Real>::at(one, k));
  return part;
}

/// Whether quaternions and their like in q have unit length, to 1e-6, in every value.
template <class Real>
bool unit_lengths(const Robot& robot, std::span<const Real> q) {
  using Parts = NumberParts<Real>;
  for (const Factor& f : factors(robot.system())) {
    const UnitCoordinates unit = unit_coordinates(f.kind);
    for (int k = 0; unit.count > 0 && k < Parts::values; ++k) {
      double r[4];
      for (int j = 0; j < unit.count; ++j)
        r[j] = Parts::at(q[static_cast<size_t>(f.q + unit.first + j)], k);
      if (!is_unit(r, unit.count)) return false;
    }
  }
  return true;
}

/// Refuses what Robot::check_q and check_v refuse, in any part of a number. check_v and check_state
/// say whether all numbers are so small that no result can overflow: not asked of these kinds.
template <class Real>
void check_q(const Robot& robot, const char* caller, std::span<const Real> q) {
  using Parts = NumberParts<Real>;
  if (q.size() == static_cast<size_t>(robot.nq()) && all_finite(q) && unit_lengths(robot, q))
    return;
  if (q.size() != static_cast<size_t>(robot.nq())) robot.check_q(caller, "q", part_of(q, 0));
  for (int k = 0; k < Parts::count; ++k) {
    const std::vector<double> part = part_of(q, k);
    const std::string name = Parts::name(k) + "q";
    if (k < Parts::values) robot.check_q(caller, name, part);
    for (size_t j = 0; j < part.size(); ++j)
      if (!std::isfinite(part[j]))
        throw InputError(std::string(caller) + ": " + name + "[" + std::to_string(j) + "] is " +
                         (std::isnan(part[j]) ? "NaN" : "infinite"));
  }
}
template <class Real>
bool check_v(const Robot& robot, const char* caller, const Named<Real>& v) {
  if (v.x.size() == static_cast<size_t>(robot.nv()) && all_finite(v.x)) return false;
  if (v.x.size() != static_cast<size_t>(robot.nv())) robot.check_v(caller, v.name, part_of(v.x, 0));
  for (int k = 0; k < NumberParts<Real>::count; ++k)
    robot.check_v(caller, NumberParts<Real>::name(k) + v.name, part_of(v.x, k));
  return false;
}
/// The position and the vectors of a call.
template <class Real>
bool check_state(const Robot& robot, const char* caller, std::span<const Real> q,
                 std::initializer_list<Named<Real>> others) {
  check_q(robot, caller, q);
  for (const Named<Real>& one : others) check_v(robot, caller, one);
  return false;
}
template <class Real>
bool moderate(const BasicSurroundings<Real>&) {
  return false;
}
template <class Real>
bool moderate(const OptionalGround<Real>&) {
  return false;
}

[[noreturn]] inline void throw_not_finite(const char* caller, const std::string& what) {
  throw ComputationError(std::string(caller) + ": " + what + " is not finite");
}

/// ` (joint "elbow")`.
inline std::string of_joint(const Robot& robot, int coordinate) {
  for (const JointInfo& joint : robot.joints())
    if (coordinate >= joint.v && coordinate < joint.v + joint.nv)
      return " (joint \"" + joint.name + "\")";
  return "";
}

/// ComputationError where a result is not finite: name(k) is what its number k is called.
template <class Real, class Name>
void require_all_finite(const char* caller, std::span<const Real> x, Name name) {
  if (all_finite(x)) return;
  using Parts = NumberParts<Real>;
  for (size_t k = 0; k < x.size(); ++k)
    for (int part = 0; part < Parts::count; ++part)
      if (!std::isfinite(Parts::at(x[k], part)))
        throw_not_finite(caller, Parts::name(part) + name(static_cast<int>(k)));
}
/// `forward: lane 2 of a[0] (joint "hip") is not finite`.
template <class Real>
void require_finite_vector(const Robot& robot, const char* caller, const char* result,
                           const Real* x) {
  require_all_finite<Real>(caller, {x, static_cast<size_t>(robot.nv())}, [&](int k) {
    return result + ("[" + std::to_string(k)) + "]" + of_joint(robot, k);
  });
}
/// `mass: lane 2 of M(0, 1) (joint "hip") is not finite`: the joint of the column. Columns are
/// `stride` numbers apart, or `rows` where that is 0.
template <class Real>
void require_finite_matrix(const Robot& robot, const char* caller, const char* result,
                           const Real* x, int rows, int columns, int stride = 0) {
  const size_t numbers = static_cast<size_t>(rows) * static_cast<size_t>(columns);
  if (stride <= 0 && all_finite<Real>({x, numbers})) return;
  for (int j = 0; j < columns; ++j)
    require_all_finite<Real>(
        caller, {x + std::ptrdiff_t(stride > 0 ? stride : rows) * j, static_cast<size_t>(rows)},
        [&](int i) {
          return result + ("(" + std::to_string(i)) + ", " + std::to_string(j) + ")" +
                 (columns == robot.nv() ? of_joint(robot, j) : "");
        });
}
/// Numbers that together are `what`.
template <class Real>
void require_finite_number(const char* caller, const char* what, const Real& x) {
  if (!all_finite<Real>({&x, 1})) throw_not_finite(caller, what);
}

/// Whose accelerations a hybrid call is given: one flag for each of the nv coordinates.
inline void check_prescribed(const Robot& robot, const char* caller,
                             std::span<const bool> prescribed) {
  if (prescribed.size() != static_cast<size_t>(robot.nv()))
    throw InputError(std::string(caller) + ": prescribed has " + std::to_string(prescribed.size()) +
                     " elements, robot \"" + robot.name() + "\" needs " +
                     std::to_string(robot.nv()));
}

inline void require_moving_mass(const Robot& robot, const char* caller) {
  if (!(robot.mass() > 0))
    throw ComputationError(std::string(caller) + ": robot \"" + robot.name() +
                           "\" has no moving mass");
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

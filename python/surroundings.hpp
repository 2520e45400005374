// SPDX-License-Identifier: BSD-3-Clause
// What surrounds a robot as it comes in from Python: wrenches, the ground, and whether passive
// forces and gravity act.
#pragma once

#include <jounce/dynamics.hpp>

#include "representation.hpp"
#include "robot.hpp"

namespace jounce::python {

using Object = const py::object&;

/// The entries of a list, tuple or array; TypeError in these words for anything else.
py::tuple entries_of(py::handle all, const std::string& needs);

/// Six numbers, or a Twist or Wrench as it is; `name` is what messages call it.
Twist<double> twist_of(py::handle object, const char* function, const std::string& name);
Wrench<double> wrench_of(py::handle object, const char* function, const std::string& name);

/// None, or a pair (V, Vdot).
OptionalGround<double> ground_of(Object ground, const char* function);

/// f(frame, the entry's wrench, kind, the entry's name) for each entry (frame, wrench[, kind]).
template <class F>
void for_each_wrench(const Robot& robot, Object all, const char* function, F f) {
  const std::string needs = std::string(function) + ": wrenches needs (frame, wrench, kind) each";
  int k = 0;
  for (const py::handle entry : entries_of(all, needs)) {
    const py::tuple parts = entries_of(entry, needs);
    if (parts.size() < 2 || parts.size() > 3) throw py::type_error(needs);
    if (parts.size() == 3 && !py::isinstance<py::str>(parts[2])) throw py::type_error(needs);
    const std::string kind = parts.size() == 3 ? parts[2].cast<std::string>() : "body";
    const py::object wrench = parts[1];
    f(checked_frame(robot, parts[0], function), wrench, representation(kind, function),
      "wrenches[" + std::to_string(k++) + "]");
  }
}

/// The vectors of a call, checked by shape here and by value in the library.
struct Vectors {
  Vectors(const Robot& robot_, const char* function) : robot(robot_), name(function) {}
  Array q(Object x) const { return vector_of(x, {name, "q"}, robot.nq()); }
  Array v(Object x, const char* argument) const {
    return vector_of(x, {name, argument}, robot.nv());
  }

  const Robot& robot;
  const char* name;
};

/// What surrounds the robot in a call, with memory of its own.
class Around : public Vectors {
 public:
  Around(const Robot& robot_, const char* function, Object wrenches, Object ground, bool passive,
         bool gravity);
  operator Surroundings() const {  // NOLINT: an argument
    return {wrenches_, ground_, passive_, gravity_};
  }

 private:
  std::vector<OutsideWrench<double>> wrenches_;
  OptionalGround<double> ground_;
  bool passive_, gravity_;
};

}  // namespace jounce::python

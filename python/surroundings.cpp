// SPDX-License-Identifier: BSD-3-Clause
// The checks behind what surrounds a robot.
#include "surroundings.hpp"

namespace jounce::python {
namespace {

template <class Six>
Six six_of(py::handle object, const Argument& argument) {
  if (py::isinstance<Six>(object)) return object.cast<Six>();
  const Array x = checked_array(object, argument, {6});
  return {{x.at(0), x.at(1), x.at(2)}, {x.at(3), x.at(4), x.at(5)}};
}

}  // namespace

py::tuple entries_of(py::handle all, const std::string& needs) {
  PyObject* const found = PySequence_Check(all.ptr()) ? PySequence_Tuple(all.ptr()) : nullptr;
  if (found == nullptr) {
    PyErr_Clear();
    throw py::type_error(needs);
  }
  return py::reinterpret_steal<py::tuple>(found);
}

Twist<double> twist_of(py::handle object, const char* function, const std::string& name) {
  return six_of<Twist<double>>(object, {function, name.c_str(), " or a Twist"});
}
Wrench<double> wrench_of(py::handle object, const char* function, const std::string& name) {
  return six_of<Wrench<double>>(object, {function, name.c_str(), " or a Wrench"});
}

OptionalGround<double> ground_of(Object ground, const char* function) {
  if (ground.is_none()) return {};
  const std::string needs = std::string(function) + ": ground needs a pair (V, Vdot) of twists";
  const py::tuple pair = entries_of(ground, needs);
  if (pair.size() != 2) throw py::type_error(needs);
  return Ground<double>{twist_of(pair[0], function, "ground[0]"),
                        twist_of(pair[1], function, "ground[1]")};
}

Around::Around(const Robot& robot_, const char* function, Object wrenches, Object ground,
               bool passive, bool gravity)
    : Vectors(robot_, function),
      ground_(ground_of(ground, function)),
      passive_(passive),
      gravity_(gravity) {
  for_each_wrench(robot, wrenches, function,
                  [&](FrameId frame, Object F, Representation in, const std::string& entry) {
                    wrenches_.push_back({frame, wrench_of(F, function, entry), in});
                  });
}

}  // namespace jounce::python

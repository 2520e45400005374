// SPDX-License-Identifier: BSD-3-Clause
// The checks behind what surrounds a robot.
#include "surroundings.hpp"

#include "representation.hpp"

namespace jounce::python {

py::tuple entries_of(py::handle all, const std::string& needs) {
  PyObject* const found = PySequence_Check(all.ptr()) ? PySequence_Tuple(all.ptr()) : nullptr;
  if (found == nullptr) {
    PyErr_Clear();
    throw py::type_error(needs);
  }
  return py::reinterpret_steal<py::tuple>(found);
}

namespace {

/// Six numbers, or a Twist or Wrench as it is; `name` is what messages call it.
template <class Six>
Six six_of(py::handle object, const Call& call, const std::string& name, const char* or_else) {
  if (py::isinstance<Six>(object)) return object.cast<Six>();
  const Array x = checked_array(object, {call.name, name.c_str(), or_else}, {6});
  return {{x.at(0), x.at(1), x.at(2)}, {x.at(3), x.at(4), x.at(5)}};
}
Twist<double> twist_of(py::handle object, const Call& call, const std::string& name) {
  return six_of<Twist<double>>(object, call, name, " or a Twist");
}
Wrench<double> wrench_of(py::handle object, const Call& call, const std::string& name) {
  return six_of<Wrench<double>>(object, call, name, " or a Wrench");
}

std::string numbered(const char* name, std::size_t k) {
  return std::string(name) + "[" + std::to_string(k) + "]";
}

/// f(frame, the entry's wrench, kind, the entry's name) for each entry (frame, wrench[, kind]).
template <class F>
void for_each_wrench(const Call& call, py::handle all, F f) {
  if (PyTuple_CheckExact(all.ptr()) && PyTuple_GET_SIZE(all.ptr()) == 0) return;
  const std::string needs = std::string(call.name) + ": wrenches needs (frame, wrench, kind) each";
  std::size_t k = 0;
  for (const py::handle entry : entries_of(all, needs)) {
    const py::tuple parts = entries_of(entry, needs);
    if (parts.size() < 2 || parts.size() > 3) throw py::type_error(needs);
    if (parts.size() == 3 && !py::isinstance<py::str>(parts[2])) throw py::type_error(needs);
    const std::string kind = parts.size() == 3 ? parts[2].cast<std::string>() : "body";
    const py::object wrench = parts[1];
    f(checked_frame(call.robot, parts[0], call.name), wrench, representation(kind, call.name),
      numbered("wrenches", k++));
  }
}

/// F, F', ... of one entry of wrenches.
std::vector<Wrench<double>> derivatives_of(py::handle all, const Call& call,
                                           const std::string& entry) {
  std::vector<Wrench<double>> derivatives;
  for (const py::handle one : entries_of(all, std::string(call.name) + ": " + entry +
                                                  " needs a list of wrenches, one per derivative"))
    derivatives.push_back(
        wrench_of(one, call, "derivative " + std::to_string(derivatives.size()) + " of " + entry));
  return derivatives;
}

}  // namespace

ByColumns columns_of(py::handle object, const Argument& argument, bool many) {
  refuse_masked(object, argument);
  if (many && py::isinstance<py::array>(object) &&
      py::reinterpret_borrow<py::array>(object).ndim() == 3)
    return ByColumns(object.attr("transpose")(1, 2, 0));
  ByColumns columns = ByColumns::ensure(object);
  if (!columns) {
    PyErr_Clear();
    throw InputError(subject(argument) + " is not an array of numbers");
  }
  if (columns.ndim() != 2)
    throw InputError(subject(argument) + " has " + std::to_string(columns.ndim()) +
                     " dimensions, needs 2: (nv, derivatives)");
  return columns;
}

OptionalGround<double> ground_of(py::handle ground, const Call& call) {
  if (ground.is_none()) return {};
  const std::string needs = std::string(call.name) + ": ground needs a pair (V, Vdot) of twists";
  const py::tuple pair = entries_of(ground, needs);
  if (pair.size() != 2) throw py::type_error(needs);
  return Ground<double>{twist_of(pair[0], call, "ground[0]"), twist_of(pair[1], call, "ground[1]")};
}

std::vector<Twist<double>> ground_series(py::handle ground, const Call& call) {
  std::vector<Twist<double>> derivatives;
  if (ground.is_none()) return derivatives;
  for (const py::handle one :
       entries_of(ground, std::string(call.name) + ": ground needs a list of twists V, V', ..."))
    derivatives.push_back(twist_of(one, call, numbered("ground", derivatives.size())));
  return derivatives;
}

GivenAround::GivenAround(const Call& call, py::handle wrenches, py::handle ground, bool passive,
                         bool gravity)
    : ground_(ground_of(ground, call)), passive_(passive), gravity_(gravity) {
  for_each_wrench(call, wrenches,
                  [&](FrameId frame, py::handle F, Representation in, const std::string& entry) {
                    wrenches_.push_back({frame, wrench_of(F, call, entry), in});
                  });
}

GivenSeriesAround::GivenSeriesAround(const Call& call, py::handle wrenches, py::handle ground,
                                     bool passive, bool gravity, py::handle joint_torques)
    : ground_(ground_series(ground, call)),
      passive_(passive),
      gravity_(gravity),
      joint_torques_(joint_torques.is_none()
                         ? ByColumns(std::vector<py::ssize_t>{call.robot.nv(), 0})
                         : columns_of(joint_torques, {call.name, "joint_torques"})) {
  for_each_wrench(call, wrenches,
                  [&](FrameId frame, py::handle F, Representation in, const std::string& entry) {
                    wrenches_.push_back({frame, {}, in});
                    derivatives_.push_back(derivatives_of(F, call, entry));
                  });
  for (std::size_t k = 0; k < wrenches_.size(); ++k) wrenches_[k].derivatives = derivatives_[k];
}

}  // namespace jounce::python

// SPDX-License-Identifier: BSD-3-Clause
// Wrenches from outside as they come in from Python: (frame, wrench[, kind]) each.
#pragma once

#include "calls.hpp"
#include "representation.hpp"

namespace jounce::python {

inline Wrench<double> wrench_of(py::handle object, const char* function) {
  if (py::isinstance<Wrench<double>>(object)) return object.cast<Wrench<double>>();
  const Array F = checked_array(object, {function, "external wrench", " or a Wrench"}, {6});
  return {{F.at(0), F.at(1), F.at(2)}, {F.at(3), F.at(4), F.at(5)}};
}

/// f(frame, the entry's wrench, kind) for each entry.
template <class F>
void for_each_external(const Robot& robot, Object all, const char* function, F f) {
  const std::string needs = std::string(function) + ": external needs (frame, wrench, kind) each";
  if (!py::isinstance<py::sequence>(all)) throw py::type_error(needs);
  for (const py::handle entry : all) {
    if (!py::isinstance<py::sequence>(entry)) throw py::type_error(needs);
    const auto parts = py::reinterpret_borrow<py::sequence>(entry);
    if (parts.size() < 2 || parts.size() > 3) throw py::type_error(needs);
    if (parts.size() == 3 && !py::isinstance<py::str>(parts[2])) throw py::type_error(needs);
    const std::string kind = parts.size() == 3 ? parts[2].cast<std::string>() : "body";
    const py::object wrench = parts[1];
    f(checked_frame(robot, parts[0], function), wrench, representation(kind, function));
  }
}

}  // namespace jounce::python

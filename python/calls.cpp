// SPDX-License-Identifier: BSD-3-Clause
// Named tuples of the module, and the warning that doors give.
#include "calls.hpp"

namespace jounce::python {

py::object named_tuple(py::module_& m, const char* name, const char* doc,
                       const std::vector<std::pair<const char*, const char*>>& members) {
  py::list names;
  for (const auto& member : members) names.append(member.first);
  py::object type = py::module_::import("collections")
                        .attr("namedtuple")(name, names, py::arg("module") = "jounce");
  type.attr("__doc__") = doc;
  for (const auto& [member, text] : members) type.attr(member).attr("__doc__") = text;
  m.attr(name) = type;
  return type;
}

void warn_of_loops(const Robot& robot, const char* door) {
  const auto loops = robot.loops();
  if (loops.empty()) return;
  const std::string warning = "robot \"" + robot.name() + "\": " + std::to_string(loops.size()) +
                              (loops.size() == 1 ? " loop (" : " loops (") + loops[0].name +
                              (loops.size() == 1 ? ")" : ", ...)") + " left open, " + door +
                              " is of the tree; ConstrainedDynamics closes " +
                              (loops.size() == 1 ? "it" : "them");
  if (PyErr_WarnEx(PyExc_UserWarning, warning.c_str(), 1) < 0) throw py::error_already_set();
}

}  // namespace jounce::python

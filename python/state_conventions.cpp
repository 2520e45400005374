// SPDX-License-Identifier: BSD-3-Clause
// States as other libraries write them, in Python: vectors in, the same vectors out.
#include <pybind11/stl.h>

#include <jounce/state_conventions.hpp>

#include "array.hpp"
#include "bindings.hpp"

namespace jounce::python {
namespace {

using Object = const py::object&;

std::vector<double> numbers(Object x, const Argument& argument) {
  if (x.is_none()) return {};
  const Array a = vector_of(x, argument, 0);
  return {a.data(), a.data() + a.size()};
}
RobotState state_of(const char* function, Object q, Object v, Object a, Object tau) {
  return {numbers(q, {function, "q"}), numbers(v, {function, "v"}), numbers(a, {function, "a"}),
          numbers(tau, {function, "tau"})};
}
/// (q, v, a, tau), None where there was none.
py::tuple to_tuple(const RobotState& x, Object a, Object tau) {
  const auto array = [](const std::vector<double>& y) {
    return Array(static_cast<py::ssize_t>(y.size()), y.data());
  };
  return py::make_tuple(array(x.q), array(x.v), a.is_none() ? py::object(py::none()) : array(x.a),
                        tau.is_none() ? py::object(py::none()) : array(x.tau));
}

using Converter = RobotState (*)(const Robot&, const RobotState&, const JointOrder&);
void add_converter(py::module_& m, const char* name, Converter convert, const std::string& doc) {
  m.def(
      name,
      [name, convert](const Robot& robot, Object q, Object v, Object a, Object tau,
                      const JointOrder& order) {
        return to_tuple(convert(robot, state_of(name, q, v, a, tau), order), a, tau);
      },
      py::arg("robot"), py::arg("q"), py::arg("v"), py::arg("a") = py::none(),
      py::arg("tau") = py::none(), py::arg("order") = py::tuple(),
      (std::string(name) + "(robot, q, v, a=None, tau=None, order=())\n--\n\n" + doc +
       " Gives (q, v, a, tau); order names the joints in the other library's order.")
          .c_str());
}

using BaseConverter = RobotState (*)(const Robot&, const RobotState&);
void add_converter(py::module_& m, const char* name, BaseConverter convert,
                   const std::string& doc) {
  m.def(
      name,
      [name, convert](const Robot& robot, Object q, Object v, Object a, Object tau) {
        return to_tuple(convert(robot, state_of(name, q, v, a, tau)), a, tau);
      },
      py::arg("robot"), py::arg("q"), py::arg("v"), py::arg("a") = py::none(),
      py::arg("tau") = py::none(),
      (std::string(name) + "(robot, q, v, a=None, tau=None)\n--\n\n" + doc +
       " Gives (q, v, a, tau).")
          .c_str());
}

}  // namespace

void bind_state_conventions(py::module_& m) {
  add_converter(m, "to_pinocchio", to_pinocchio, "A state in Pinocchio's conventions.");
  add_converter(m, "from_pinocchio", from_pinocchio, "A state of Pinocchio's in our conventions.");
  add_converter(m, "to_mujoco", to_mujoco, "A state in MuJoCo's conventions.");
  add_converter(m, "from_mujoco", from_mujoco, "A state of MuJoCo's in our conventions.");
  add_converter(m, "to_drake", to_drake, "A state in Drake's conventions.");
  add_converter(m, "from_drake", from_drake, "A state of Drake's in our conventions.");
  add_converter(m, "to_rbdl", to_rbdl, "A state in RBDL's conventions.");
  add_converter(m, "from_rbdl", from_rbdl, "A state of RBDL's in our conventions.");
  add_converter(m, "to_spatial_base", to_spatial_base,
                "A state with the velocity of free joints on the ground as a spatial twist.");
  add_converter(m, "from_spatial_base", from_spatial_base, "The same back to body twists.");
}

}  // namespace jounce::python

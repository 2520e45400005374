// SPDX-License-Identifier: BSD-3-Clause
// SimulationGradient in Python.
#include <pybind11/stl.h>

#include <jounce/simulation_gradient.hpp>

#include "calls.hpp"
#include "parameters.hpp"

namespace jounce::python {

template <>
inline constexpr bool closes_loops<SimulationGradient> = true;

namespace {

Array read_finite(py::handle x, const Call& call, const char* name) {
  return checked_numbers(x, {call.name, name});
}
word::Word<Array> finite(const char* name) { return {name, read_finite}; }

void add_gradients(py::module_& m, py::class_<SimulationGradient>& c) {
  const py::object covector = named_tuple(
      m, "SimulationCovector", "The gradient of a cost by what a simulation starts from.",
      {{"q0", "Along changes of the first q, shape (nv,)."},
       {"v0", "By the first v, shape (nv,)."},
       {"tau", "By the force of each step, shape (nv, steps)."},
       {"parameters", "Shape (parameters,)."}});
  const auto gradient = [covector](const SimulationCovector& g) {
    return covector(python::to_array(g.q0), python::to_array(g.v0), python::to_array(g.tau),
                    python::to_array(g.parameters));
  };
  add(
      c, "adjoint",
      [gradient](SimulationGradient& s, const auto& dq, const auto& dv) {
        return gradient(s.adjoint(dq, dv));
      },
      "SimulationCovector (q0, v0, tau, parameters) of a cost whose derivatives by the last q "
      "(along "
      "its tangent) and v are dq and dv.",
      finite("dq"), finite("dv"));
  add(
      c, "adjoint_along",
      [gradient](SimulationGradient& s, const auto& dq, const auto& dv) {
        return gradient(s.adjoint_along(dq, dv));
      },
      "The same of a cost of all states: dq and dv have a column for the start and after every "
      "step, "
      "shape (nv, steps + 1).",
      word::columns("dq"), word::columns("dv"));
  const py::object tangents =
      named_tuple(m, "SimulationTangents",
                  "What the last state changes by: columns by q0, v0, a force in all steps (nv "
                  "each), parameters.",
                  {{"q", "Along the tangent of the last q, shape (nv, 3 nv + parameters)."},
                   {"v", "Of the last v, the same shape."}});
  c.def(
      "tangents",
      [tangents](SimulationGradient& s) {
        const SimulationTangents found = s.tangents();
        return tangents(python::to_array(found.q), python::to_array(found.v));
      },
      "tangents($self)\n--\n\nSimulationTangents (q, v).");
}

}  // namespace

void bind_simulation_gradient(py::module_& m) {
  py::class_<SimulationGradient> c(
      m, "SimulationGradient",
      "SimulationGradient(robot, integrator='rk4', parameters=(), *, passive=True, gravity=True, "
      "little_memory=False)\n\n"
      "How a whole simulation depends on its start, its forces and parameters of the robot (as of "
      "Sensitivity): the derivative of explicit Runge-Kutta steps (rk4, dopri5, dop853) as they "
      "are "
      "taken, with forces that are constant within a step. Loops are closed by accelerations "
      "alone.");
  c.def(py::init([](Robot robot, const std::string& integrator,
                    const std::vector<GivenParameter>& given, bool passive, bool gravity,
                    bool little_memory) {
          return SimulationGradient(std::move(robot), {.integrator = integrator_named(integrator),
                                                       .parameters = parameters_of(given),
                                                       .passive = passive,
                                                       .gravity = gravity,
                                                       .little_memory = little_memory});
        }),
        py::arg("robot"), py::arg("integrator") = "rk4", py::arg("parameters") = py::tuple(),
        py::kw_only(), py::arg("passive") = true, py::arg("gravity") = true,
        py::arg("little_memory") = false);
  c.def_property_readonly("robot", &SimulationGradient::robot, py::return_value_policy::copy,
                          "Its Robot.");
  c.def_property_readonly("steps", &SimulationGradient::steps, "How many steps were taken.");
  c.def_property_readonly(
      "q", [](const SimulationGradient& s) { return to_array(s.q()); }, "Where it came to.");
  c.def_property_readonly(
      "v", [](const SimulationGradient& s) { return to_array(s.v()); }, "Its velocity there.");
  add(
      c, "simulate",
      [](SimulationGradient& s, const auto& q0, const auto& v0, const auto& steps,
         const auto& taus) {
        s.simulate(q0, v0, steps, taus);
        return py::none();
      },
      "Runs from q0 and v0 over steps of these lengths in s; taus has a column of forces for each, "
      "or "
      "one for all, shape (nv, steps) or (nv, 1).",
      finite("q0"), finite("v0"), finite("steps"), word::columns("taus"));
  add_gradients(m, c);
}

}  // namespace jounce::python

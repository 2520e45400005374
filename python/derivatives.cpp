// SPDX-License-Identifier: BSD-3-Clause
// Partial derivatives of the dynamics in Python.
#include <pybind11/stl.h>

#include <jounce/sensitivity.hpp>

#include "calls.hpp"

namespace jounce::python {
namespace {

py::tuple hybrid_derivatives(Dynamics& d, const Around& x, Object prescribed, Object q, Object v,
                             Object a, Object tau) {
  const HybridDerivativesResult found =
      d.hybrid_derivatives(Flags(prescribed, x.name), view(x.q(q)), view(x.v(v, "v")),
                           view(x.v(a, "a")), view(x.v(tau, "tau")), x);
  return py::make_tuple(copied(found.dq), copied(found.dv), copied(found.given));
}

py::tuple products_of(const VectorJacobianResult& x) {
  return py::make_tuple(copied(x.dq), copied(x.dv), copied(x.da));
}

void add_products(py::class_<Dynamics>& c) {
  add_call(
      c, "inverse_jacobian_vector",
      [](Dynamics& d, const auto&... x) { return copied(d.inverse_jacobian_vector(x...)); },
      "dtau/dq @ dq + dtau/dv @ dv + dtau/da @ da of inverse, without forming the matrices.", "q",
      "v", "a", "dq", "dv", "da");
  add_call(
      c, "forward_jacobian_vector",
      [](Dynamics& d, const auto&... x) { return copied(d.forward_jacobian_vector(x...)); },
      "da/dq @ dq + da/dv @ dv + da/dtau @ dtau of forward, without forming the matrices.", "q",
      "v", "tau", "dq", "dv", "dtau");
  add_call(
      c, "inverse_vector_jacobian",
      [](Dynamics& d, const auto&... x) { return products_of(d.inverse_vector_jacobian(x...)); },
      "y @ dtau/dq, y @ dtau/dv and y @ dtau/da of inverse, without forming the matrices.", "y",
      "q", "v", "a");
  add_call(
      c, "forward_vector_jacobian",
      [](Dynamics& d, const auto&... x) { return products_of(d.forward_vector_jacobian(x...)); },
      "y @ da/dq, y @ da/dv and y @ da/dtau of forward, without forming the matrices.", "y", "q",
      "v", "tau");
}

void add_matrices_of_derivatives(py::class_<Dynamics>& c) {
  add_call(
      c, "inverse_derivatives",
      [](Dynamics& d, const auto&... x) {
        const InverseDerivativesResult found = d.inverse_derivatives(x...);
        return py::make_tuple(copied(found.dtau_dq), copied(found.dtau_dv), copied(found.dtau_da));
      },
      "dtau/dq (along integrate(q, dv)), dtau/dv and dtau/da of inverse, each of shape (nv, nv).",
      "q", "v", "a");
  add_call(
      c, "forward_derivatives",
      [](Dynamics& d, const auto&... x) {
        const ForwardDerivativesResult found = d.forward_derivatives(x...);
        return py::make_tuple(copied(found.da_dq), copied(found.da_dv), copied(found.da_dtau));
      },
      "da/dq (along integrate(q, dv)), da/dv and da/dtau of forward, each of shape (nv, nv).", "q",
      "v", "tau");
  add_around(c, "hybrid_derivatives", "$self, prescribed, q, v, a, tau",
             std::function(&hybrid_derivatives),
             "Of the unknowns of hybrid dynamics (the force of a coordinate whose acceleration is "
             "prescribed, the acceleration of another) with respect to q, v and what is given "
             "instead.",
             py::arg("prescribed"), py::arg("q"), py::arg("v"), py::arg("a"), py::arg("tau"));
}

ParameterKind parameter_kind(const std::string& name) {
  constexpr const char* names[] = {"inertia", "payload",  "placement", "axis",     "pitch",
                                   "gravity", "armature", "damping",   "friction", "stiffness"};
  for (size_t k = 0; k < std::size(names); ++k)
    if (name == names[k]) return ParameterKind(k);
  throw InputError("Sensitivity: there is no kind of parameter \"" + name + "\"");
}

void bind_sensitivity(py::module_& m) {
  using Given = std::tuple<std::string, std::string, int>;
  py::class_<Sensitivity> c(
      m, "Sensitivity",
      "How forces and accelerations depend on parameters, each a tuple (kind, name, component): "
      "'inertia' of a link, 'payload' at a frame, 'placement', 'axis', 'pitch', 'armature', "
      "'damping', 'friction' or 'stiffness' of a joint, 'gravity'.");
  c.def(py::init([](const Robot& robot, const std::vector<Given>& given) {
          std::vector<Parameter> parameters;
          for (const auto& [kind, name, component] : given)
            parameters.push_back({parameter_kind(kind), name, component});
          return Sensitivity(robot, std::move(parameters));
        }),
        py::arg("robot"), py::arg("parameters"));
  c.def_property_readonly("robot", &Sensitivity::robot, py::return_value_policy::copy,
                          "Its Robot.");
  add_call(
      c, {"force", "force sensitivity"},
      [](Sensitivity& s, const auto&... x) { return copied(s.force(x...)); },
      "Of inverse: shape (nv, parameters).", "q", "v", "a");
  add_call(
      c, {"acceleration", "acceleration sensitivity"},
      [](Sensitivity& s, const auto&... x) { return copied(s.acceleration(x...)); },
      "Of forward: shape (nv, parameters).", "q", "v", "tau");
}

}  // namespace

void bind_derivatives(py::module_& m) {
  auto c = py::reinterpret_borrow<py::class_<Dynamics>>(m.attr("Dynamics"));
  add_matrices_of_derivatives(c);
  add_products(c);
  bind_sensitivity(m);
  bind_second_derivatives(m);
}

}  // namespace jounce::python

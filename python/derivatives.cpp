// SPDX-License-Identifier: BSD-3-Clause
// Partial derivatives of the dynamics in Python.
#include <pybind11/stl.h>

#include <jounce/sensitivity.hpp>

#include "calls.hpp"

namespace jounce::python {
namespace {

py::tuple hybrid_derivatives(Dynamics& d, Object prescribed, Object q, Object v, Object a,
                             Object tau, Object external) {
  const Vectors x(d.robot(), "hybrid_derivatives");
  const HybridDerivativesResult found =
      d.hybrid_derivatives(Flags(prescribed, "hybrid_derivatives"), view(x.q(q)), view(x.v(v, "v")),
                           view(x.v(a, "a")), view(x.v(tau, "tau")), x.wrenches(external));
  return py::make_tuple(copied(found.dq), copied(found.dv), copied(found.given));
}

py::tuple products_of(const VectorJacobianResult& x) {
  return py::make_tuple(copied(x.dq), copied(x.dv), copied(x.da));
}

/// A method of a state and of directions along q, v and what is given (a or tau).
template <class Method>
void add_jacobian_vector(py::class_<Dynamics>& c, const char* name, const char* given,
                         const char* along_given, Method method, const char* doc) {
  c.def(
      name,
      [=](Dynamics& d, Object q, Object v, Object third, Object dq, Object dv, Object along,
          Object external) {
        const Vectors x(d.robot(), name);
        return copied((d.*method)(view(x.q(q)), view(x.v(v, "v")), view(x.v(third, given)),
                                  view(x.v(dq, "dq")), view(x.v(dv, "dv")),
                                  view(x.v(along, along_given)), x.wrenches(external)));
      },
      py::arg("q"), py::arg("v"), py::arg(given), py::arg("dq"), py::arg("dv"),
      py::arg(along_given), py::arg("external") = py::tuple(), doc);
}

void add_products(py::class_<Dynamics>& c) {
  add_jacobian_vector(
      c, "inverse_jacobian_vector", "a", "da", &Dynamics::inverse_jacobian_vector,
      "inverse_jacobian_vector($self, q, v, a, dq, dv, da, external=())\n--\n\n"
      "dtau/dq @ dq + dtau/dv @ dv + dtau/da @ da of inverse, without forming the matrices.");
  add_jacobian_vector(
      c, "forward_jacobian_vector", "tau", "dtau", &Dynamics::forward_jacobian_vector,
      "forward_jacobian_vector($self, q, v, tau, dq, dv, dtau, external=())\n--\n\n"
      "da/dq @ dq + da/dv @ dv + da/dtau @ dtau of forward, without forming the matrices.");
  add_weighted_call(
      c, "inverse_vector_jacobian", "a",
      [](Dynamics& d, const auto&... x) { return products_of(d.inverse_vector_jacobian(x...)); },
      "inverse_vector_jacobian($self, y, q, v, a, external=())\n--\n\n"
      "y @ dtau/dq, y @ dtau/dv and y @ dtau/da of inverse, without forming the matrices.");
  add_weighted_call(
      c, "forward_vector_jacobian", "tau",
      [](Dynamics& d, const auto&... x) { return products_of(d.forward_vector_jacobian(x...)); },
      "forward_vector_jacobian($self, y, q, v, tau, external=())\n--\n\n"
      "y @ da/dq, y @ da/dv and y @ da/dtau of forward, without forming the matrices.");
}

void add_matrices_of_derivatives(py::class_<Dynamics>& c) {
  add_state_call(
      c, "inverse_derivatives", "a",
      [](Dynamics& d, const auto&... x) {
        const InverseDerivativesResult found = d.inverse_derivatives(x...);
        return py::make_tuple(copied(found.dtau_dq), copied(found.dtau_dv), copied(found.dtau_da));
      },
      "inverse_derivatives($self, q, v, a, external=())\n--\n\n"
      "dtau/dq (along integrate(q, dv)), dtau/dv and dtau/da of inverse, each of shape (nv, nv).");
  add_state_call(
      c, "forward_derivatives", "tau",
      [](Dynamics& d, const auto&... x) {
        const ForwardDerivativesResult found = d.forward_derivatives(x...);
        return py::make_tuple(copied(found.da_dq), copied(found.da_dv), copied(found.da_dtau));
      },
      "forward_derivatives($self, q, v, tau, external=())\n--\n\n"
      "da/dq (along integrate(q, dv)), da/dv and da/dtau of forward, each of shape (nv, nv).");
  c.def("hybrid_derivatives", &hybrid_derivatives, py::arg("prescribed"), py::arg("q"),
        py::arg("v"), py::arg("a"), py::arg("tau"), py::arg("external") = py::tuple(),
        "hybrid_derivatives($self, prescribed, q, v, a, tau, external=())\n--\n\n"
        "Of the unknowns of hybrid dynamics (the force of a coordinate whose acceleration is "
        "prescribed, the acceleration of another) with respect to q, v and what is given instead.");
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
  c.def("set_base_motion", &Sensitivity::set_base_motion, py::arg("V_0"), py::arg("Vdot_0"),
        "set_base_motion($self, V_0, Vdot_0)\n--\n\n"
        "A base that moves: body Twist and acceleration of the ground frame, until set again.");
  c.def(
      "force",
      [](Sensitivity& s, Object q, Object v, Object a, Object external) {
        constexpr const char* name = "force sensitivity";
        const Vectors x(s.robot(), name);
        return copied(
            s.force(view(x.q(q)), view(x.v(v, "v")), view(x.v(a, "a")), x.wrenches(external)));
      },
      py::arg("q"), py::arg("v"), py::arg("a"), py::arg("external") = py::tuple(),
      "force($self, q, v, a, external=())\n--\n\n"
      "Of inverse(q, v, a, external): shape (nv, parameters).");
  c.def(
      "acceleration",
      [](Sensitivity& s, Object q, Object v, Object tau, Object external) {
        constexpr const char* name = "acceleration sensitivity";
        const Vectors x(s.robot(), name);
        return copied(s.acceleration(view(x.q(q)), view(x.v(v, "v")), view(x.v(tau, "tau")),
                                     x.wrenches(external)));
      },
      py::arg("q"), py::arg("v"), py::arg("tau"), py::arg("external") = py::tuple(),
      "acceleration($self, q, v, tau, external=())\n--\n\n"
      "Of forward(q, v, tau, external): shape (nv, parameters).");
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

// SPDX-License-Identifier: BSD-3-Clause
// Partial derivatives of the dynamics in Python.
#include <pybind11/stl.h>

#include <jounce/sensitivity.hpp>

#include "calls.hpp"

namespace jounce::python {
namespace {

py::tuple hybrid_derivatives(Dynamics& d, const std::vector<bool>& prescribed, Object q, Object v,
                             Object a, Object tau, Object external) {
  const Vectors x(d.robot(), "hybrid_derivatives");
  const auto flags = std::make_unique<bool[]>(prescribed.size());
  for (size_t k = 0; k < prescribed.size(); ++k) flags[k] = prescribed[k];
  const HybridDerivativesResult found =
      d.hybrid_derivatives({flags.get(), prescribed.size()}, view(x.q(q)), view(x.v(v, "v")),
                           view(x.v(a, "a")), view(x.v(tau, "tau")), x.wrenches(external));
  return py::make_tuple(copied(found.dq), copied(found.dv), copied(found.given));
}

py::tuple products_of(const VectorJacobianResult& x) {
  return py::make_tuple(copied(x.dq), copied(x.dv), copied(x.da));
}

void add_jacobian_vectors(py::class_<Dynamics>& c) {
  c.def(
      "inverse_jacobian_vector",
      [](Dynamics& d, Object q, Object v, Object a, Object dq, Object dv, Object da,
         Object external) {
        const Vectors x(d.robot(), "inverse_jacobian_vector");
        return copied(d.inverse_jacobian_vector(view(x.q(q)), view(x.v(v, "v")), view(x.v(a, "a")),
                                                view(x.v(dq, "dq")), view(x.v(dv, "dv")),
                                                view(x.v(da, "da")), x.wrenches(external)));
      },
      py::arg("q"), py::arg("v"), py::arg("a"), py::arg("dq"), py::arg("dv"), py::arg("da"),
      py::arg("external") = py::tuple(),
      "inverse_jacobian_vector($self, q, v, a, dq, dv, da, external=())\n--\n\n"
      "dtau/dq @ dq + dtau/dv @ dv + dtau/da @ da of inverse, without forming the matrices.");
  c.def(
      "forward_jacobian_vector",
      [](Dynamics& d, Object q, Object v, Object tau, Object dq, Object dv, Object dtau,
         Object external) {
        const Vectors x(d.robot(), "forward_jacobian_vector");
        return copied(d.forward_jacobian_vector(
            view(x.q(q)), view(x.v(v, "v")), view(x.v(tau, "tau")), view(x.v(dq, "dq")),
            view(x.v(dv, "dv")), view(x.v(dtau, "dtau")), x.wrenches(external)));
      },
      py::arg("q"), py::arg("v"), py::arg("tau"), py::arg("dq"), py::arg("dv"), py::arg("dtau"),
      py::arg("external") = py::tuple(),
      "forward_jacobian_vector($self, q, v, tau, dq, dv, dtau, external=())\n--\n\n"
      "da/dq @ dq + da/dv @ dv + da/dtau @ dtau of forward, without forming the matrices.");
}

void add_products(py::class_<Dynamics>& c) {
  c.def(
      "inverse_vector_jacobian",
      [](Dynamics& d, Object y, Object q, Object v, Object a, Object external) {
        const Vectors x(d.robot(), "inverse_vector_jacobian");
        return products_of(d.inverse_vector_jacobian(view(x.v(y, "y")), view(x.q(q)),
                                                     view(x.v(v, "v")), view(x.v(a, "a")),
                                                     x.wrenches(external)));
      },
      py::arg("y"), py::arg("q"), py::arg("v"), py::arg("a"), py::arg("external") = py::tuple(),
      "inverse_vector_jacobian($self, y, q, v, a, external=())\n--\n\n"
      "y @ dtau/dq, y @ dtau/dv and y @ dtau/da of inverse, without forming the matrices.");
  c.def(
      "forward_vector_jacobian",
      [](Dynamics& d, Object y, Object q, Object v, Object tau, Object external) {
        const Vectors x(d.robot(), "forward_vector_jacobian");
        return products_of(d.forward_vector_jacobian(view(x.v(y, "y")), view(x.q(q)),
                                                     view(x.v(v, "v")), view(x.v(tau, "tau")),
                                                     x.wrenches(external)));
      },
      py::arg("y"), py::arg("q"), py::arg("v"), py::arg("tau"), py::arg("external") = py::tuple(),
      "forward_vector_jacobian($self, y, q, v, tau, external=())\n--\n\n"
      "y @ da/dq, y @ da/dv and y @ da/dtau of forward, without forming the matrices.");
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
  add_products(c);
  add_jacobian_vectors(c);
  bind_sensitivity(m);
  bind_second_derivatives(m);
  c.def(
      "inverse_derivatives",
      [](Dynamics& d, Object q, Object v, Object a, Object external) {
        const Vectors x(d.robot(), "inverse_derivatives");
        const InverseDerivativesResult found = d.inverse_derivatives(
            view(x.q(q)), view(x.v(v, "v")), view(x.v(a, "a")), x.wrenches(external));
        return py::make_tuple(copied(found.dtau_dq), copied(found.dtau_dv), copied(found.dtau_da));
      },
      py::arg("q"), py::arg("v"), py::arg("a"), py::arg("external") = py::tuple(),
      "inverse_derivatives($self, q, v, a, external=())\n--\n\n"
      "dtau/dq (along integrate(q, dv)), dtau/dv and dtau/da of inverse, each of shape (nv, nv).");
  c.def(
      "forward_derivatives",
      [](Dynamics& d, Object q, Object v, Object tau, Object external) {
        const Vectors x(d.robot(), "forward_derivatives");
        const ForwardDerivativesResult found = d.forward_derivatives(
            view(x.q(q)), view(x.v(v, "v")), view(x.v(tau, "tau")), x.wrenches(external));
        return py::make_tuple(copied(found.da_dq), copied(found.da_dv), copied(found.da_dtau));
      },
      py::arg("q"), py::arg("v"), py::arg("tau"), py::arg("external") = py::tuple(),
      "forward_derivatives($self, q, v, tau, external=())\n--\n\n"
      "da/dq (along integrate(q, dv)), da/dv and da/dtau of forward, each of shape (nv, nv).");
  c.def("hybrid_derivatives", &hybrid_derivatives, py::arg("prescribed"), py::arg("q"),
        py::arg("v"), py::arg("a"), py::arg("tau"), py::arg("external") = py::tuple(),
        "hybrid_derivatives($self, prescribed, q, v, a, tau, external=())\n--\n\n"
        "Of the unknowns of hybrid dynamics (the force of a coordinate whose acceleration is "
        "prescribed, the acceleration of another) with respect to q, v and what is given instead.");
}

}  // namespace jounce::python

// SPDX-License-Identifier: BSD-3-Clause
// Regressor and Sensitivity in Python, and what motion tells about parameters.
#include <pybind11/stl.h>

#include <jounce/regressor.hpp>
#include <jounce/sensitivity.hpp>

#include "calls.hpp"
#include "parameters.hpp"

namespace jounce::python {
namespace {

/// So many rows and a column per parameter.
auto columns_of_parameters(int rows) {
  return [=](const Regressor& r, const auto&...) { return std::pair(rows, r.columns()); };
}

void add_regressors(py::class_<Regressor>& c) {
  add(
      c, {"force", "regressor"}, [](auto& r, const auto&... x) { return r.force(x...); },
      "Y of shape (nv, columns): Y @ parameters() is Dynamics.inverse without springs.", "q", "v",
      "a", word::ground);
  add(
      c, {"reference", "reference regressor"},
      [](auto& r, const auto&... x) { return r.reference(x...); },
      "Y of shape (nv, columns) of Dynamics.inverse_reference and of friction at v, for adaptive "
      "control.",
      "q", "v", "v_r", "a_r", word::factorization("ploen"));
  add(c, {"energy", "energy regressor"},
      filled(columns_of_parameters(2), [](auto& r, const auto&... x) { r.energy(x...); }),
      "Kinetic and potential energy, shape (2, columns).", "q", "v", word::ground);
  add(c, {"momentum", "momentum regressor"},
      filled(columns_of_parameters(6), [](auto& r, const auto&... x) { r.momentum(x...); }),
      "Momentum in the ground frame about its origin, angular first, shape (6, columns).", "q", "v",
      word::ground);
}

void bind_regressor_class(py::module_& m) {
  py::class_<Regressor> c(
      m, "Regressor",
      "Regressor(robot, armature=False, damping=False, friction=False, drag=False)\n\n"
      "What is linear in the inertial parameters: ten columns per link in the order of the file "
      "(m, m c, I about the link frame's origin), then on request armature, damping, friction and "
      "drag of every velocity coordinate.\n\nMatrices belong to the caller, in Fortran order.");
  c.def(py::init([](Robot robot, bool armature, bool damping, bool friction, bool drag) {
          warn_of_loops(robot, "Regressor");
          return Regressor(std::move(robot), {armature, damping, friction, drag});
        }),
        py::arg("robot"), py::arg("armature") = false, py::arg("damping") = false,
        py::arg("friction") = false, py::arg("drag") = false);
  c.def_property_readonly("robot", &Regressor::robot, py::return_value_policy::copy, "Its Robot.");
  c.def_property_readonly("links", &Regressor::links, "How many links have ten columns each.");
  c.def_property_readonly("columns", &Regressor::columns, "How many columns there are.");
  c.def(
      "parameters", [](const Regressor& r) { return to_array(r.parameters()); },
      "parameters($self)\n--\n\nThe robot's own parameters, in the order of the columns.");
  add_regressors(c);
}

void add_sensitivities(py::class_<Sensitivity>& c) {
  const auto shape = [](const Sensitivity& s, const auto&...) {
    return std::pair(s.robot().nv(), s.parameters().size());
  };
  add(c, {"force", "force sensitivity"},
      filled(shape, [](auto& s, const auto&... x) { s.force(x...); }),
      "Derivatives of Dynamics.inverse, shape (nv, parameters).", "q", "v", "a", word::around);
  add(c, {"acceleration", "acceleration sensitivity"},
      filled(shape, [](auto& s, const auto&... x) { s.acceleration(x...); }),
      "Derivatives of Dynamics.forward, shape (nv, parameters).", "q", "v", "tau", word::around);
  add(c, {"hybrid", "hybrid sensitivity"},
      filled(shape, [](auto& s, const auto&... x) { s.hybrid(x...); }),
      "Derivatives of what Dynamics.hybrid finds, shape (nv, parameters): a row of forces where a "
      "coordinate is prescribed, of accelerations elsewhere.",
      word::prescribed, "q", "v", "a", "tau", word::around);
  add(
      c, {"mass", "mass sensitivity"},
      [](Sensitivity& s, const auto& q) {
        const int n = s.robot().nv(), count = int(s.parameters().size());
        py::array_t<double, py::array::f_style> found({n, n, count});
        s.mass(q, Into<double>(found.mutable_data(), n * n, count));
        return py::array(found);
      },
      "Derivatives of Dynamics.mass, shape (nv, nv, parameters).", "q");
  add(c, {"energy", "energy sensitivity"},
      filled(
          [](const Sensitivity& s, const auto&...) { return std::pair(2, s.parameters().size()); },
          [](auto& s, const auto&... x) { s.energy(x...); }),
      "Derivatives of Dynamics.energy, shape (2, parameters): kinetic, potential.", "q", "v");
}

void bind_sensitivity(py::module_& m) {
  py::class_<Sensitivity> c(
      m, "Sensitivity",
      "Sensitivity(robot, parameters)\n\n"
      "How forces and accelerations depend on parameters, each a tuple (kind, name, component): "
      "'inertia' of a link, 'payload' or 'wrench' at a frame, 'placement', 'axis', 'pitch', "
      "'armature', 'damping', 'friction', 'drag', 'stiffness' or 'rest' of a joint, "
      "'stiffness', 'damping', 'placement_1' or 'placement_2' of a bushing with 'bushing_' before "
      "it, 'gravity'. What a loop has ('loop_placement_1', 'loop_placement_2', 'loop_length', "
      "'loop_radius', 'loop_ratio', 'loop_offset') changes nothing here, where loops are open: "
      "ConstrainedSensitivity. A number of one's own that moves "
      "several is a column of these times how fast each moves.\n\nMatrices have a column per "
      "parameter and belong to the caller, in Fortran order.");
  c.def(py::init([](Robot robot, const std::vector<GivenParameter>& given) {
          warn_of_loops(robot, "Sensitivity");
          return Sensitivity(std::move(robot), parameters_of(given));
        }),
        py::arg("robot"), py::arg("parameters"));
  c.def_property_readonly("robot", &Sensitivity::robot, py::return_value_policy::copy,
                          "Its Robot.");
  add_sensitivities(c);
}

void bind_parameters(py::module_& m) {
  m.def(
      "base_parameters",
      [](const Robot& robot, bool armature, bool damping, bool friction, std::uint64_t seed,
         double cutoff, bool drag) {
        const BaseParameters base =
            base_parameters(robot, {armature, damping, friction, drag}, seed, cutoff);
        return py::make_tuple(base.independent, to_array(base.regrouping()));
      },
      py::arg("robot"), py::arg("armature") = false, py::arg("damping") = false,
      py::arg("friction") = false, py::arg("seed") = 1, py::arg("cutoff") = 1e-9,
      py::arg("drag") = false,
      "base_parameters(robot, armature=False, damping=False, friction=False, seed=1, "
      "cutoff=1e-09, drag=False)\n--\n\n"
      "The columns that motion can tell apart, and the matrix that regroups all parameters onto "
      "them: Y @ pi equals Y[:, independent] @ (regrouping @ pi).");
  m.def("physical_margin", &physical_margin, py::arg("G"),
        "physical_margin(G)\n--\n\n"
        "The smallest eigenvalue of the pseudo-inertia of an Inertia: negative where no "
        "distribution of mass has it.");
  m.def(
      "nearest_physical",
      [](const Inertia<double>& G, double margin) { return nearest_physical(G, margin); },
      py::arg("G"), py::arg("margin") = 0.0,
      "nearest_physical(G, margin=0.0)\n--\n\n"
      "The nearest Inertia with at least this physical_margin.");
}

}  // namespace

std::vector<Parameter> parameters_of(const std::vector<GivenParameter>& given) {
  std::vector<Parameter> parameters;
  for (const auto& [kind, name, component] : given)
    parameters.push_back({parameter_kind(kind), name, component});
  return parameters;
}

void bind_regressor(py::module_& m) {
  bind_regressor_class(m);
  bind_parameters(m);
  bind_sensitivity(m);
}

}  // namespace jounce::python

// SPDX-License-Identifier: BSD-3-Clause
// ConstrainedSensitivity in Python: motion and forces of closed loops by named parameters.
#include <pybind11/stl.h>

#include <jounce/constrained_sensitivity.hpp>

#include "calls.hpp"
#include "contacts.hpp"
#include "optimum.hpp"
#include "parameters.hpp"

namespace jounce::python {
namespace {

ConstrainedSensitivities inverse(ConstrainedSensitivity& d, std::span<const double> q,
                                 std::span<const double> v, std::span<const double> a,
                                 const Surroundings& around, std::span<const Contact> at,
                                 Optimum least,
                                 const std::optional<std::span<const double>>& passive) {
  ConstrainedSensitivities found(d.robot(), d.rows() + ConstrainedDynamics::rows(at),
                                 int(d.parameters().size()));
  if (passive) d.inverse(q, v, a, *passive, around, at, least, into(found));
  else d.inverse(q, v, a, around, at, least, into(found));
  return found;
}

void add_dynamics(py::module_& m, py::class_<ConstrainedSensitivity>& c) {
  using Found = ConstrainedSensitivities;
  const auto found = record(m, "ConstrainedSensitivities",
                            "What forward, inverse and hybrid of ConstrainedSensitivity find.",
                            Field{"dx_dp", &Found::dx_dp,
                                  "Of accelerations, of motor forces, of what is unknown, shape "
                                  "(nv, parameters)."},
                            Field{"dlambda_dp", &Found::dlambda_dp, "Shape (rows, parameters)."});
  add(c, {"forward", "constrained_forward_sensitivity"},
      as(found,
         at_time([](ConstrainedSensitivity& d, const auto&... x) { return d.forward(x...); })),
      std::string("Derivatives of ConstrainedDynamics.forward, a ConstrainedSensitivities.") +
          about_contacts,
      "q", "v", "tau", word::around, contacts_by_name(), instant());
  add(c, {"inverse", "constrained_inverse_sensitivity"}, as(found, at_time(&inverse)),
      std::string("Derivatives of ConstrainedDynamics.inverse, a ConstrainedSensitivities.") +
          about_passive_forces + about_optimum + about_contacts,
      "q", "v", "a", word::around, contacts_by_name(), optimum(), passive_forces(), instant());
  add(c, {"hybrid", "constrained_hybrid_sensitivity"},
      as(found,
         at_time([](ConstrainedSensitivity& d, const auto&... x) { return d.hybrid(x...); })),
      std::string("Derivatives of ConstrainedDynamics.hybrid, a ConstrainedSensitivities.") +
          about_optimum + about_contacts,
      word::prescribed, "q", "v", "a", "tau", word::around, contacts_by_name(), optimum(),
      instant());
}

void add_closed(py::module_& m, py::class_<ConstrainedSensitivity>& c) {
  using Found = ClosedSensitivities;
  const auto found = record(
      m, "ClosedSensitivities", "What ConstrainedSensitivity.closed finds.",
      Field{"dq_dp", &Found::dq_dp, "How q moves, along velocities, shape (nv, parameters)."},
      Field{"dv_dp", &Found::dv_dp, "How v moves, shape (nv, parameters)."},
      Field{"open_dp", &Found::open_dp,
            "What no motion closes, shape (rows, parameters): zero where the robot with another "
            "such parameter can be closed."});
  add(c, {"closed", "closed_sensitivity"},
      as(found, [](ConstrainedSensitivity& d, const auto&... x) { return d.closed(x...); }),
      "How the closed state nearest to (q, v) moves, that of ConstrainedDynamics.assemble and "
      "project, a ClosedSensitivities. q must close the loops, to 1e-9.",
      "q", "v", instant());
}

}  // namespace

void bind_constrained_sensitivity(py::module_& m) {
  py::class_<ConstrainedSensitivity> c(
      m, "ConstrainedSensitivity",
      "ConstrainedSensitivity(robot, parameters)\n\n"
      "How the dynamics of closed loops depends on parameters, each a tuple (kind, name, "
      "component) as of Sensitivity, those of loops among them.\n\n"
      "forward, inverse and hybrid leave q, v and what is given as they are. A parameter that "
      "moves a joint or belongs to a loop also moves what closes the loops: along states that stay "
      "closed the "
      "derivative is dx_dp + (by q) @ dq_dp + (by v) @ dv_dp, with closed and "
      "ConstrainedDerivatives.");
  c.def(py::init([](Robot robot, const std::vector<GivenParameter>& given) {
          return ConstrainedSensitivity(std::move(robot), parameters_of(given));
        }),
        py::arg("robot"), py::arg("parameters"));
  c.def_property_readonly("robot", &ConstrainedSensitivity::robot, py::return_value_policy::copy,
                          "Its Robot.");
  c.def_property_readonly(
      "rows", [](const ConstrainedSensitivity& d) { return d.rows(); },
      "How many rows the robot's loops have.");
  add(
      c, "decide_rank",
      [](ConstrainedSensitivity& d, const auto&... x) { return d.decide_rank(x...); },
      "Decides again how many rows count, as ConstrainedDynamics.decide_rank.", "q", instant());
  add_set_path(c);
  add_dynamics(m, c);
  add_closed(m, c);
}

}  // namespace jounce::python

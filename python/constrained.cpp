// SPDX-License-Identifier: BSD-3-Clause
// ConstrainedDynamics, ConstrainedDerivatives and ConstrainedSeries in Python: motion and forces of
// closed loops and of contacts.
#include <pybind11/stl.h>

#include <jounce/constrained_derivatives.hpp>
#include <jounce/constrained_series.hpp>

#include "calls.hpp"
#include "contacts.hpp"
#include "optimum.hpp"

namespace jounce::python {

template <>
inline constexpr bool closes_loops<ConstrainedDynamics> = true;
template <>
inline constexpr bool closes_loops<ConstrainedDerivatives> = true;
template <>
inline constexpr bool closes_loops<ConstrainedSeries> = true;

namespace {

using Constrained = ConstrainedDynamics;
using Values = std::span<const double>;

word::Word<double, double> restitution() { return {"restitution", word::read_number, 0}; }

const char* const lambda_doc = "One number per row of the loops, then of the contacts.";

auto report_fields() {
  using Report = ConstraintReport;
  return std::tuple(Field{"rank", &Report::rank, "How many rows count."},
                    Field{"rank_margin", &Report::rank_margin,
                          "Their smallest pivot, of the largest: small near a singularity."},
                    Field{"redundancy_defect", &Report::redundancy_defect,
                          "The largest pivot of the other rows: large where loops are open."},
                    Field{"residual", &Report::residual,
                          "The largest number of what the rows should make zero."});
}
const Field free_dimension{"free_dimension", &ConstraintReport::free_dimension,
                           "Of the motor forces that do nothing but strain the loops."};

template <class Fields>
auto record_of(py::module_& m, const char* name, const char* doc, const Fields& fields) {
  return std::apply([&](const auto&... field) { return record(m, name, doc, field...); }, fields);
}

ConstrainedInverse constrained_inverse(Constrained& d, Values q, Values v, Values a,
                                       const Surroundings& around, Contacts at, Optimum least,
                                       const std::optional<Values>& passive) {
  if (!passive) return d.inverse(q, v, a, around, at, least);
  ConstrainedInverse found;
  found.tau.resize(d.robot().nv());
  found.lambda.resize(d.rows() + Constrained::rows(at));
  static_cast<ConstraintReport&>(found) = d.inverse(
      q, v, a, *passive, around, at, least, jounce::into(found.tau), jounce::into(found.lambda));
  return found;
}
ConstrainedInverseDerivatives constrained_inverse_derivatives(
    ConstrainedDerivatives& d, Values q, Values v, Values a, const Surroundings& around,
    Contacts at, Optimum least, const std::optional<Values>& passive) {
  ConstrainedInverseDerivatives found(d.robot(), d.rows() + Constrained::rows(at));
  if (passive) d.inverse(q, v, a, *passive, around, at, least, into(found));
  else d.inverse(q, v, a, around, at, least, into(found));
  return found;
}
void add_forward(py::module_& m, py::class_<Constrained>& c) {
  const auto found = record_of(
      m, "ConstrainedForward", "What ConstrainedDynamics.forward finds.",
      std::tuple_cat(std::tuple(Field{"a", &ConstrainedForward::a, "The accelerations."},
                                Field{"lambda_", &ConstrainedForward::lambda, lambda_doc}),
                     report_fields()));
  add(c, {"forward", "constrained_forward"},
      as(found, at_time([](Constrained& d, const auto&... x) { return d.forward(x...); })),
      std::string("The accelerations that the forces tau give, a ConstrainedForward.") +
          about_contacts,
      "q", "v", "tau", word::around, contacts_by_name(), instant());
}

void add_inverse(py::module_& m, py::class_<Constrained>& c) {
  const auto found = record_of(
      m, "ConstrainedInverse", "What ConstrainedDynamics.inverse finds.",
      std::tuple_cat(std::tuple(Field{"tau", &ConstrainedInverse::tau,
                                      "The forces, zero where there is no motor."},
                                Field{"lambda_", &ConstrainedInverse::lambda, lambda_doc}),
                     report_fields(), std::tuple(free_dimension)));
  add(c, {"inverse", "constrained_inverse"}, as(found, at_time(&constrained_inverse)),
      std::string("The forces of the motors (Robot.actuated) that give the accelerations a, a "
                  "ConstrainedInverse.") +
          about_passive_forces + about_optimum +
          " ComputationError where a does not suit the loops, or where the motors are too few for "
          "it." +
          about_contacts,
      "q", "v", "a", word::around, contacts_by_name(), optimum(), passive_forces(), instant());
  using Family = InverseFamily;
  const auto family = record(
      m, "InverseFamily",
      "All motor forces of one motion: tau + tau_free @ s with lambda_ + lambda_free @ s, for "
      "any s.",
      Field{"tau", &Family::tau, "Those with the least lambda_."},
      Field{"lambda_", &Family::lambda, lambda_doc},
      Field{"tau_free", &Family::tau_free, "Shape (nv, free dimension)."},
      Field{"lambda_free", &Family::lambda_free, "Shape (rows, free dimension)."});
  add(c, {"inverse_family", "constrained_inverse"},
      as(family, at_time([](Constrained& d, const auto&... x) { return d.inverse_family(x...); })),
      std::string("All forces of the motors that give the accelerations a, an InverseFamily (tau, "
                  "lambda_, tau_free, lambda_free). Redundant rows, which change lambda_ and "
                  "nothing else, are not counted.") +
          about_contacts,
      "q", "v", "a", word::around, contacts_by_name(), instant());
}

void add_hybrid(py::module_& m, py::class_<Constrained>& c) {
  const auto found = record_of(
      m, "ConstrainedHybrid", "What ConstrainedDynamics.hybrid finds.",
      std::tuple_cat(
          std::tuple(
              Field{"a", &ConstrainedHybrid::a, "All accelerations, the given ones included."},
              Field{"tau", &ConstrainedHybrid::tau, "All forces, the given ones included."},
              Field{"lambda_", &ConstrainedHybrid::lambda, lambda_doc}),
          report_fields(), std::tuple(free_dimension)));
  add(c, {"hybrid", "constrained_hybrid"},
      as(found, at_time([](Constrained& d, const auto&... x) { return d.hybrid(x...); })),
      std::string("All accelerations and all forces, a ConstrainedHybrid: a is given where "
                  "prescribed (one bool per velocity coordinate), tau elsewhere; other entries are "
                  "not used.") +
          about_optimum +
          " ComputationError where the prescribed accelerations contradict the loops." +
          about_contacts,
      word::prescribed, "q", "v", "a", "tau", word::around, contacts_by_name(), optimum(),
      instant());
}

void add_closing(py::module_& m, py::class_<Constrained>& c) {
  const auto assembly =
      record(m, "Assembly", "What ConstrainedDynamics.assemble finds.",
             Field{"q", &Assembly::q, "The configuration; the nearest one when not converged."},
             Field{"converged", &Assembly::converged, "Whether it closes the loops."},
             Field{"residual", &Assembly::residual,
                   "The largest of what is open, in m and as sines of angles."},
             Field{"iterations", &Assembly::iterations, "Steps taken."},
             Field{"worst_loop", &Assembly::worst_loop,
                   "The number of the loop with the largest residual, -1 without loops."});
  add(c, "assemble",
      as(assembly, [](Constrained& d, const auto&... x) { return d.assemble(x...); }),
      "A configuration that closes the loops near the guess, in the metric of the kinetic energy, "
      "an Assembly. Coordinates that are kept (one bool per velocity coordinate) stay where they "
      "are.",
      "guess", word::optional_flags("kept"), instant());
  add(
      c, "closure", [](Constrained& d, Values q, double time) { return d.closure(q, time); },
      "What is open at q, one number for every row of the robot's loops, in m and as sines of "
      "angles.",
      "q", instant());
  add(
      c, "closure_jacobian",
      [](Constrained& d, Values q, double time) { return d.closure_jacobian(q, time); },
      "The derivative of closure along q, shape (rows, nv): where the loops are closed, sums of "
      "the rows of A.",
      "q", instant());
  add(
      c, "project", [](Constrained& d, const auto&... x) { return d.project(x...); },
      std::string("The velocities nearest to v, in the metric of the kinetic energy, that suit the "
                  "loops.") +
          about_contacts,
      "q", "v", contacts(), instant());
  const auto found = record_of(
      m, "Impulse", "What ConstrainedDynamics.impulse finds.",
      std::tuple_cat(
          std::tuple(Field{"v", &Impulse::v, "The velocities after it."},
                     Field{"lambda_", &Impulse::lambda, "The impulses, one number per row."}),
          report_fields()));
  add(c, "impulse", as(found, [](Constrained& d, const auto&... x) { return d.impulse(x...); }),
      std::string("What an impact leaves of the velocities v, an Impulse: with A the rows, A v+ = "
                  "-restitution A v.") +
          about_contacts,
      "q", "v", contacts(), restitution(), instant());
}

void add_rows(py::class_<Constrained>& c) {
  c.def_property_readonly(
      "rows", [](const Constrained& d) { return d.rows(); },
      "How many rows the robot's loops have.");
  c.def_property_readonly("rank", &Constrained::rank,
                          "How many of them count; -1 where it is not decided.");
  c.def_property_readonly("mobility", &Constrained::mobility,
                          "How many velocities the loops leave: nv - rank.");
  c.def("first_row", &Constrained::first_row, py::arg("loop"),
        "first_row($self, loop)\n--\n\nThe first row of a loop, by its place in Robot.loops.");
  add(
      c, "decide_rank",
      [](Constrained& d, Values q, double time) { return d.decide_rank(q, time); },
      "Decides again how many rows count, at a configuration that closes the loops to 1e-9 "
      "(InputError where it does not) and at others near it; the new rank.",
      "q", instant());
  add(
      c, "jacobian", [](Constrained& d, const auto&... x) { return d.jacobian(x...); },
      std::string("A, shape (rows, nv): A v = 0 where velocities suit the loops.") + about_contacts,
      "q", contacts(), instant());
  add(
      c, "bias", [](Constrained& d, const auto&... x) { return d.bias(x...); },
      std::string("Adot v, shape (rows,): A a + Adot v = 0 where accelerations suit the loops.") +
          about_contacts,
      "q", "v", contacts(), instant());
  add(
      c, "loop_wrenches", [](Constrained& d, const auto&... x) { return d.loop_wrenches(x...); },
      std::string("What loops, and after them contacts, exert on their second link (the contact's "
                  "own), a list of Wrench at their frame on it and in its axes; the first link "
                  "takes the opposite.") +
          about_contacts,
      "q", multipliers(), contacts());
}

/// Rows, and deciding their rank, of the doors beside ConstrainedDynamics.
template <class Door>
void add_decision(py::class_<Door>& c) {
  c.def_property_readonly(
      "rows", [](const Door& d) { return d.rows(); }, "How many rows the robot's loops have.");
  add(
      c, "decide_rank", [](Door& d, Values q, double time) { return d.decide_rank(q, time); },
      "Decides again how many rows count, as ConstrainedDynamics.decide_rank.", "q", instant());
  add_set_path(c);
}

void bind_derivatives_of_loops(py::module_& m) {
  using Door = ConstrainedDerivatives;
  auto c = add_door<Door>(
      m, "ConstrainedDerivatives",
      "Partial derivatives of ConstrainedDynamics: ConstrainedDerivatives(robot).forward(q, v, "
      "tau).\n\nA column along q is along Robot.integrate(q, dv). Along motions that keep the "
      "loops "
      "closed, derivatives do not depend on how the rows of the loops go on where they are open. "
      "Matrices that come back are in Fortran order.");
  add_decision(c);
  using Forward = ConstrainedForwardDerivatives;
  const auto forward =
      record(m, "ConstrainedForwardDerivatives", "What ConstrainedDerivatives.forward finds.",
             Field{"da_dq", &Forward::da_dq, "Shape (nv, nv)."},
             Field{"da_dv", &Forward::da_dv, "Shape (nv, nv)."},
             Field{"da_dtau", &Forward::da_dtau, "Shape (nv, nv)."},
             Field{"dlambda_dq", &Forward::dlambda_dq, "Shape (rows, nv)."},
             Field{"dlambda_dv", &Forward::dlambda_dv, "Shape (rows, nv)."},
             Field{"dlambda_dtau", &Forward::dlambda_dtau, "Shape (rows, nv)."});
  add(c, {"forward", "constrained_forward_derivatives"},
      as(forward, at_time([](Door& d, const auto&... x) { return d.forward(x...); })),
      std::string("Derivatives of the accelerations and of lambda_, a "
                  "ConstrainedForwardDerivatives.") +
          about_contacts,
      "q", "v", "tau", word::around, contacts_by_name(), instant());
  using Inverse = ConstrainedInverseDerivatives;
  const auto inverse =
      record(m, "ConstrainedInverseDerivatives", "What ConstrainedDerivatives.inverse finds.",
             Field{"dtau_dq", &Inverse::dtau_dq, "Shape (nv, nv), zero where there is no motor."},
             Field{"dtau_dv", &Inverse::dtau_dv, "Shape (nv, nv)."},
             Field{"dtau_da", &Inverse::dtau_da, "Shape (nv, nv)."},
             Field{"dlambda_dq", &Inverse::dlambda_dq, "Shape (rows, nv)."},
             Field{"dlambda_dv", &Inverse::dlambda_dv, "Shape (rows, nv)."},
             Field{"dlambda_da", &Inverse::dlambda_da, "Shape (rows, nv)."});
  add(c, {"inverse", "constrained_inverse_derivatives"},
      as(inverse, at_time(&constrained_inverse_derivatives)),
      std::string("Derivatives of the motor forces and of lambda_, a "
                  "ConstrainedInverseDerivatives.") +
          about_passive_forces + about_optimum + about_contacts,
      "q", "v", "a", word::around, contacts_by_name(), optimum(), passive_forces(), instant());
  using Hybrid = ConstrainedHybridDerivatives;
  const auto hybrid = record(
      m, "ConstrainedHybridDerivatives",
      "What ConstrainedDerivatives.hybrid finds: one row per coordinate, its force where its "
      "acceleration is prescribed, its acceleration elsewhere.",
      Field{"dq", &Hybrid::dq, "Shape (nv, nv)."}, Field{"dv", &Hybrid::dv, "Shape (nv, nv)."},
      Field{"dgiven", &Hybrid::dgiven, "By what is given instead, shape (nv, nv)."},
      Field{"dlambda_dq", &Hybrid::dlambda_dq, "Shape (rows, nv)."},
      Field{"dlambda_dv", &Hybrid::dlambda_dv, "Shape (rows, nv)."},
      Field{"dlambda_dgiven", &Hybrid::dlambda_dgiven, "Shape (rows, nv)."});
  add(c, {"hybrid", "constrained_hybrid_derivatives"},
      as(hybrid, at_time([](Door& d, const auto&... x) { return d.hybrid(x...); })),
      std::string("Derivatives of what ConstrainedDynamics.hybrid finds, a "
                  "ConstrainedHybridDerivatives.") +
          about_optimum + about_contacts,
      word::prescribed, "q", "v", "a", "tau", word::around, contacts_by_name(), optimum(),
      instant());
  using Rows = ConstraintDerivatives;
  const auto rows =
      record(m, "ConstraintDerivatives", "What ConstrainedDerivatives.constraints finds.",
             Field{"dq", &Rows::dq, "Of A a + Adot v by q, shape (rows, nv)."},
             Field{"dv", &Rows::dv, "The same by v, shape (rows, nv)."},
             Field{"dforce_dq", &Rows::dforce_dq, "Of A^T lambda_ by q, shape (nv, nv)."});
  add(c, {"constraints", "constraint_derivatives"},
      as(rows, [](Door& d, const auto&... x) { return d.constraints(x...); }),
      std::string("Derivatives of A a + Adot v and, at constant lambda_, of A^T lambda_, at any "
                  "state, a ConstraintDerivatives: those of A x with v = 0 and a = x, those of "
                  "Adot v with a = 0.") +
          about_contacts,
      "q", "v", "a", multipliers(), contacts(), instant());
}

void bind_series_of_loops(py::module_& m) {
  using Door = ConstrainedSeries;
  using Found = ConstrainedSeriesResult;
  auto c = add_door<Door, int>(
      m, "ConstrainedSeries",
      "ConstrainedDynamics with its time derivatives, up to an order: "
      "ConstrainedSeries(robot, 3).forward(q, v, taus).\n\nColumn k of an array is the k-th "
      "derivative: motion is v, a, jerk, ..., taus is tau, tau', ... One factorisation serves "
      "every "
      "order.",
      py::arg("order"));
  c.def_property_readonly("order", &Door::order, "The highest order there is room for.");
  add_decision(c);
  const auto found =
      record(m, "ConstrainedSeriesResult", "What the calls of ConstrainedSeries find.",
             Field{"motion", &Found::motion, "v, a, jerk, ..., shape (nv, r + 2)."},
             Field{"taus", &Found::taus, "tau, tau', ..., shape (nv, r + 1)."},
             Field{"lambdas", &Found::lambdas, "lambda_, its rate, ..., shape (rows, r + 1)."});
  add(c, {"forward", "constrained_forward_series"},
      as(found, at_time([](Door& s, const auto&... x) { return s.forward(x...); })),
      std::string("The motion that tau, tau', ..., shape (nv, r + 1), give, a "
                  "ConstrainedSeriesResult (motion, taus, lambdas).") +
          about_contacts,
      "q", "v", word::columns("taus"), word::series_around, contacts_by_name(), instant());
  add(c, {"inverse", "constrained_inverse_series"},
      as(found, at_time([](Door& s, const auto&... x) { return s.inverse(x...); })),
      std::string("The motor forces of a motion v, a, ..., shape (nv, r + 2), that suits the "
                  "loops, a ConstrainedSeriesResult.") +
          about_optimum + about_contacts,
      "q", word::columns("motion"), word::series_around, contacts_by_name(), optimum(), instant());
  add(c, {"hybrid", "constrained_hybrid_series"},
      as(found, at_time([](Door& s, const auto&... x) { return s.hybrid(x...); })),
      std::string("Motion where prescribed, forces elsewhere, a ConstrainedSeriesResult. Column 0 "
                  "of motion is v of all.") +
          about_optimum + about_contacts,
      word::prescribed, "q", word::columns("motion"), word::columns("taus"), word::series_around,
      contacts_by_name(), optimum(), instant());
}

}  // namespace

void bind_constrained(py::module_& m) {
  auto c = add_door<Constrained>(
      m, "ConstrainedDynamics",
      "The equations of motion of a robot whose loops are closed, and of one that touches the "
      "ground: ConstrainedDynamics(robot).forward(q, v, tau).\n\n"
      "Loops and contacts give rows A with A v = 0, A a + Adot v = 0 and M a + b = tau + A.T @ "
      "lambda_. Rows may depend on one another; how many count is decided where the robot's loops "
      "are closed, once, and kept. lambda_ is the shortest of all that do the same, with equal "
      "weight of moments in N m and forces in N. Nothing else is remembered from call to call. "
      "Where the loops cannot be closed from Robot.closed(), decide_rank has to be called first. "
      "time is the instant of a call, for loops that depend on it (with_constraint).");
  add_rows(c);
  add_set_path(c);
  add_forward(m, c);
  add_inverse(m, c);
  add_hybrid(m, c);
  add_closing(m, c);
  bind_derivatives_of_loops(m);
  bind_series_of_loops(m);
}

}  // namespace jounce::python

// SPDX-License-Identifier: BSD-3-Clause
// Derivatives in Python: of dynamics, of frames, the centre of mass, momentum and energy.
#include <jounce/derivatives.hpp>

#include "calls.hpp"

namespace jounce::python {
namespace {

constexpr const char* along_q = "By q along integrate(q, dv), shape (nv, nv).";
constexpr const char* by_v = "By v, shape (nv, nv).";

void add_derivatives_of_dynamics(py::module_& m, py::class_<Derivatives>& c) {
  const auto inverse = record(
      m, "InverseDerivatives", "Derivatives of the forces of inverse dynamics.",
      Field{"dq", &InverseDerivatives::dq, along_q}, Field{"dv", &InverseDerivatives::dv, by_v},
      Field{"da", &InverseDerivatives::da, "By a: the mass matrix, shape (nv, nv)."});
  add(c, {"inverse", "inverse_derivatives"},
      as(inverse, [](auto& d, const auto&... x) { return d.inverse(x...); }),
      "Derivatives of Dynamics.inverse, InverseDerivatives (dq, dv, da).", "q", "v", "a",
      word::around);
  const auto forward = record(
      m, "ForwardDerivatives", "Derivatives of the accelerations of forward dynamics.",
      Field{"dq", &ForwardDerivatives::dq, along_q}, Field{"dv", &ForwardDerivatives::dv, by_v},
      Field{"dtau", &ForwardDerivatives::dtau,
            "By tau: the inverse of the mass matrix, shape (nv, nv)."});
  add(c, {"forward", "forward_derivatives"},
      as(forward, [](auto& d, const auto&... x) { return d.forward(x...); }),
      "Derivatives of Dynamics.forward, ForwardDerivatives (dq, dv, dtau).", "q", "v", "tau",
      word::around);
  const auto hybrid = record(
      m, "HybridDerivatives", "Derivatives of the unknowns of hybrid dynamics, a row each.",
      Field{"dq", &HybridDerivatives::dq, along_q}, Field{"dv", &HybridDerivatives::dv, by_v},
      Field{"dgiven", &HybridDerivatives::dgiven, "By what is given instead, shape (nv, nv)."});
  add(c, {"hybrid", "hybrid_derivatives"},
      as(hybrid, [](auto& d, const auto&... x) { return d.hybrid(x...); }),
      "Derivatives of the unknowns of Dynamics.hybrid (the force of a coordinate whose "
      "acceleration is prescribed, the acceleration of another), HybridDerivatives (dq, dv, "
      "dgiven): dgiven is by what is given instead.",
      word::prescribed, "q", "v", "a", "tau", word::around);
}

void add_products(py::module_& m, py::class_<Derivatives>& c) {
  add(
      c, "inverse_jacobian_vector",
      [](auto& d, const auto&... x) { d.inverse_jacobian_vector(x...); },
      "dtau/dq @ dq + dtau/dv @ dv + dtau/da @ da of Dynamics.inverse, without the matrices.", "q",
      "v", "a", "dq", "dv", "da", word::around, word::out);
  add(
      c, "forward_jacobian_vector",
      [](auto& d, const auto&... x) { d.forward_jacobian_vector(x...); },
      "da/dq @ dq + da/dv @ dv + da/dtau @ dtau of Dynamics.forward, without the matrices.", "q",
      "v", "tau", "dq", "dv", "dtau", word::around, word::out);
  const py::object products =
      named_tuple(m, "VectorJacobian", "y times matrices of derivatives, shape (nv,) each.",
                  {{"dq", "y times the derivatives by q."},
                   {"dv", "y times the derivatives by v."},
                   {"da", "y times the derivatives by a; of forward dynamics by tau."}});
  add(c, "inverse_vector_jacobian",
      as_vectors<3>(products, [](auto& d, const auto&... x) { d.inverse_vector_jacobian(x...); }),
      "y @ dtau/dq, y @ dtau/dv and y @ dtau/da of Dynamics.inverse, without the matrices, a "
      "VectorJacobian (dq, dv, da).",
      "y", "q", "v", "a", word::around);
  add(c, "forward_vector_jacobian",
      as_vectors<3>(products, [](auto& d, const auto&... x) { d.forward_vector_jacobian(x...); }),
      "y @ da/dq, y @ da/dv and y @ da/dtau of Dynamics.forward, without the matrices, a "
      "VectorJacobian (dq, dv, da) with the derivatives by tau in the place of da.",
      "y", "q", "v", "tau", word::around);
}

void add_derivatives_of_frames(py::module_& m, py::class_<Derivatives>& c) {
  const auto twist =
      record(m, "TwistDerivatives", "Derivatives of a frame's twist, angular first.",
             Field{"dq", &TwistDerivatives::dq, "By q along integrate(q, dv), shape (6, nv)."},
             Field{"dv", &TwistDerivatives::dv, "By v: the Jacobian, shape (6, nv)."});
  add(c, {"twist", "twist_derivatives"},
      as(twist, [](auto& d, const auto&... x) { return d.twist(x...); }),
      "Derivatives of a frame's twist ('body', 'space' or 'hybrid'), TwistDerivatives (dq, dv).",
      word::frame, word::kind, "q", "v", word::ground);
  using Accelerations = AccelerationDerivatives;
  const auto acceleration =
      record(m, "AccelerationDerivatives", "Derivatives of a frame's acceleration, angular first.",
             Field{"dq", &Accelerations::dq, "By q along integrate(q, dv), shape (6, nv)."},
             Field{"dv", &Accelerations::dv, "By v, shape (6, nv)."},
             Field{"da", &Accelerations::da, "By a: the Jacobian, shape (6, nv)."});
  add(c, {"spatial_acceleration", "spatial_acceleration_derivatives"},
      as(acceleration, [](auto& d, const auto&... x) { return d.spatial_acceleration(x...); }),
      "Derivatives of a frame's spatial acceleration ('body' or 'space'), AccelerationDerivatives "
      "(dq, dv, da).",
      word::frame, word::kind, "q", "v", "a", word::ground);
  add(c, {"classical_acceleration", "classical_acceleration_derivatives"},
      as(acceleration, [](auto& d, const auto&... x) { return d.classical_acceleration(x...); }),
      "Derivatives of a frame's classical acceleration ('body' or 'hybrid'), "
      "AccelerationDerivatives (dq, dv, da).",
      word::frame, word::kind, "q", "v", "a", word::ground);
}

void add_derivatives_of_com(py::module_& m, py::class_<Derivatives>& c) {
  using Com = ComDerivatives;
  const auto com =
      record(m, "ComDerivatives", "Derivatives of the centre of mass, shape (3, nv) each.",
             Field{"position_dq", &Com::position_dq, "Position by q: its Jacobian."},
             Field{"velocity_dq", &Com::velocity_dq, "Velocity by q."},
             Field{"velocity_dv", &Com::velocity_dv, "Velocity by v: the same Jacobian."},
             Field{"acceleration_dq", &Com::acceleration_dq, "Acceleration by q."},
             Field{"acceleration_dv", &Com::acceleration_dv, "Acceleration by v."},
             Field{"acceleration_da", &Com::acceleration_da, "Acceleration by a: the Jacobian."});
  add(c, {"com", "com_derivatives"}, as(com, [](auto& d, const auto&... x) { return d.com(x...); }),
      "Derivatives of the centre of mass, its velocity and acceleration, ComDerivatives.", "q", "v",
      "a", word::ground);
}

void add_derivatives_of_momentum(py::module_& m, py::class_<Derivatives>& c) {
  using Both = MomentumDerivatives;
  const auto momentum = record(
      m, "MomentumDerivatives", "Derivatives of momentum and of its rate, shape (6, nv) each.",
      Field{"momentum_dq", &Both::momentum_dq, "Momentum by q."},
      Field{"momentum_dv", &Both::momentum_dv, "Momentum by v: the centroidal matrix."},
      Field{"rate_dq", &Both::rate_dq, "Its rate by q."},
      Field{"rate_dv", &Both::rate_dv, "Its rate by v."},
      Field{"rate_da", &Both::rate_da, "Its rate by a: the centroidal matrix."});
  add(c, {"momentum", "momentum_derivatives"},
      as(momentum, [](auto& d, const auto&... x) { return d.momentum(x...); }),
      "Derivatives of the momentum about the centre of mass and of its rate along a, "
      "MomentumDerivatives.",
      "q", "v", "a", word::ground);
  using Gradients = EnergyDerivatives;
  const auto energy =
      record(m, "EnergyDerivatives", "Gradients of energy, shape (nv,) each.",
             Field{"kinetic_dq", &Gradients::kinetic_dq, "Kinetic energy by q."},
             Field{"kinetic_dv", &Gradients::kinetic_dv, "Kinetic energy by v: M v."},
             Field{"potential_dq", &Gradients::potential_dq, "Potential energy by q: gravity."});
  add(c, {"energy", "energy_derivatives"},
      as(energy, [](auto& d, const auto&... x) { return d.energy(x...); }),
      "Gradients of Dynamics.energy, EnergyDerivatives (kinetic_dq, kinetic_dv, potential_dq).",
      "q", "v", word::ground);
}

}  // namespace

void bind_derivatives(py::module_& m) {
  auto c = add_door<Derivatives>(
      m, "Derivatives",
      "Partial derivatives of one robot's dynamics, kinematics, momentum and energy: "
      "Derivatives(robot).inverse(q, v, a).dq.\n\n"
      "A column along q is along integrate(q, dv). Answers are named tuples of arrays that belong "
      "to the caller; matrices are in Fortran order, column by column.");
  add_derivatives_of_dynamics(m, c);
  add_products(m, c);
  add_derivatives_of_frames(m, c);
  add_derivatives_of_com(m, c);
  add_derivatives_of_momentum(m, c);
}

}  // namespace jounce::python

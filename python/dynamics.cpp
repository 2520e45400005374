// SPDX-License-Identifier: BSD-3-Clause
// Dynamics in Python: the equations of motion, their terms, momentum, power and wrenches.
#include <jounce/dynamics.hpp>

#include "calls.hpp"

namespace jounce::python {
namespace {

void add_equations_of_motion(py::module_& m, py::class_<Dynamics>& c) {
  add(
      c, "inverse", [](auto& d, const auto&... x) { d.inverse(x...); },
      "The forces tau that give the accelerations a.", "q", "v", "a", word::around, word::out);
  add(
      c, "forward", [](auto& d, const auto&... x) { d.forward(x...); },
      "The accelerations that the forces tau give.", "q", "v", "tau", word::around, word::out);
  const py::object both = named_tuple(m, "HybridResult", "What Dynamics.hybrid finds.",
                                      {{"a", "All accelerations, the given ones included."},
                                       {"tau", "All forces, the given ones included."}});
  add(c, "hybrid", as_vectors<2>(both, [](auto& d, const auto&... x) { d.hybrid(x...); }),
      "All accelerations and all forces, a HybridResult (a, tau): a is given where prescribed (one "
      "bool per velocity coordinate), tau elsewhere; other entries are not used.",
      word::prescribed, "q", "v", "a", "tau", word::around);
}

/// A matrix into an array.
void put(const Eigen::Ref<const Eigen::MatrixXd>& x, const Into<double>& to) {
  Eigen::Map<Eigen::MatrixXd>(to.data(), to.rows(), to.columns()) = x;
}

void add_terms(py::class_<Dynamics>& c) {
  add(c, "mass", filled(square, [](auto& d, const auto& q, const auto& to) { put(d.mass(q), to); }),
      "The mass matrix, armature included, shape (nv, nv).", "q");
  add(c, "mass_inverse",
      filled(square, [](auto& d, const auto& q, const auto& to) { put(d.mass_inverse(q), to); }),
      "The inverse of the mass matrix, shape (nv, nv).", "q");
  add(
      c, "bias", [](auto& d, const auto&... x) { d.bias(x...); },
      "Coriolis, centrifugal and gravity forces, without passive ones.", "q", "v", word::ground,
      word::out);
  add(
      c, "gravity", [](auto& d, const auto&... x) { d.gravity(x...); },
      "The forces that hold the robot against gravity, without passive ones.", "q", word::out);
  add(
      c, "inverse_reference", [](auto& d, const auto&... x) { d.inverse_reference(x...); },
      "M(q) a_r + C(q, v) v_r + g(q), with a C for which Mdot - 2 C is skew-symmetric: for "
      "adaptive and passivity-based control.",
      "q", "v", "v_r", "a_r", word::factorization("ploen"), word::out);
}

void add_dynamic_matrices(py::module_& m, py::class_<Dynamics>& c) {
  const auto coriolis =
      record(m, "CoriolisMatrices", "What Dynamics.coriolis finds.",
             Field{"matrix", &CoriolisMatrices::matrix, "C(q, v), shape (nv, nv)."},
             Field{"mass_rate", &CoriolisMatrices::mass_rate,
                   "The rate of the mass matrix, shape (nv, nv)."});
  add(c, "coriolis", as(coriolis, [](auto& d, const auto&... x) { return d.coriolis(x...); }),
      "The Coriolis matrix C(q, v) and the rate of the mass matrix, CoriolisMatrices (matrix, "
      "mass_rate). The factorization is 'plain', 'ploen', 'lie' or 'christoffel'; with all but "
      "plain, Mdot - 2 C is skew-symmetric.",
      "q", "v", word::factorization("christoffel"));
  const auto centroidal =
      record(m, "CentroidalMatrices", "What Dynamics.centroidal finds.",
             Field{"matrix", &CentroidalMatrices::matrix, "A(q), shape (6, nv), angular first."},
             Field{"rate", &CentroidalMatrices::rate, "The time derivative of A, shape (6, nv)."});
  add(c, "centroidal", as(centroidal, [](auto& d, const auto&... x) { return d.centroidal(x...); }),
      "The centroidal momentum matrix A and its rate, CentroidalMatrices (matrix, rate): momentum "
      "about the centre of mass in ground axes is A v on a ground at rest.",
      "q", "v");
  add(
      c, "centroidal_matrix", [](auto& d, const auto& q) { return d.centroidal_matrix(q); },
      "The centroidal momentum matrix A alone, shape (6, nv), angular first.", "q");
}

void add_energy(py::module_& m, py::class_<Dynamics>& c) {
  const auto energy =
      record(m, "Energy", "What Dynamics.energy finds, in joules.",
             Field{"kinetic", &Energy::kinetic, "Kinetic energy, that of rotors included."},
             Field{"potential", &Energy::potential,
                   "Potential energy, zero with all mass at the ground's origin."});
  add(c, "energy", as(energy, [](auto& d, const auto&... x) { return d.energy(x...); }),
      "Kinetic and potential energy of the moving links, rotors included, an Energy (kinetic, "
      "potential).",
      "q", "v", word::ground);
  add(
      c, "elastic_energy", [](Dynamics& d, const auto&... x) { return d.elastic_energy(x...); },
      "What the springs of joints and bushings store, in joules.", "q");
  using Rate = EnergyRate<double>;
  const auto rate = record(m, "EnergyRate", "What Dynamics.energy_rate finds, in watts.",
                           Field{"kinetic", &Rate::kinetic, "The rate of kinetic energy."},
                           Field{"potential", &Rate::potential, "The rate of potential energy."});
  add(c, "energy_rate", as(rate, [](auto& d, const auto&... x) { return d.energy_rate(x...); }),
      "The rates of kinetic and of potential energy along the acceleration a, an EnergyRate "
      "(kinetic, potential).",
      "q", "v", "a", word::ground);
}

void add_power(py::module_& m, py::class_<Dynamics>& c) {
  const auto balance = record(
      m, "PowerBalance", "Where power goes, in watts: what Dynamics.power_balance finds.",
      Field{"kinetic_rate", &PowerBalance::kinetic_rate, "The rate of kinetic energy."},
      Field{"potential_rate", &PowerBalance::potential_rate, "The rate of potential energy."},
      Field{"actuators", &PowerBalance::actuators, "The power of the actuators."},
      Field{"passive", &PowerBalance::passive, "The power of damping, friction and springs."},
      Field{"outside", &PowerBalance::outside, "The power of wrenches from outside."},
      Field{"ground", &PowerBalance::ground, "The power of the ground, where it moves."},
      Field{"residual", &PowerBalance::residual, "Both rates less the four powers: rounding."});
  add(c, "power_balance",
      as(balance, [](auto& d, const auto&... x) { return d.power_balance(x...); }),
      "Where the power goes that the forces of inverse bring in, a PowerBalance: kinetic_rate + "
      "potential_rate = actuators + passive + outside + ground.",
      "q", "v", "a", word::around);
  using AboutCom = Momentum<double>;
  const auto momentum = record(m, "Momentum", "What Dynamics.momentum finds.",
                               Field{"about_com", &AboutCom::about_com,
                                     "Angular and linear momentum in ground axes, a Wrench."},
                               Field{"com", &AboutCom::com, "The centre of mass, shape (3,)."});
  add(c, "momentum", as(momentum, [](auto& d, const auto&... x) { return d.momentum(x...); }),
      "Angular and linear momentum about the centre of mass in ground axes, and the centre of "
      "mass, a Momentum (about_com, com).",
      "q", "v", word::ground);
  add(
      c, {"momentum_about_origin", "momentum"},
      [](auto& d, const auto&... x) { return about_origin(d.momentum(x...)); },
      "The same about the ground's origin, a Wrench.", "q", "v", word::ground);
}

struct WrenchesByName {
  py::dict joints;
  Wrench<double> ground;
};

Vec3<double> zero_moment_point(Dynamics& d, std::span<const double> q, std::span<const double> v,
                               std::span<const double> a, const std::optional<Vec3<double>>& point,
                               const std::optional<Vec3<double>>& normal,
                               const Surroundings& around) {
  const Plane z0;
  return d.zero_moment_point(q, v, a, {point.value_or(z0.point), normal.value_or(z0.normal)},
                             around);
}

void add_wrenches(py::module_& m, py::class_<Dynamics>& c) {
  const auto named =
      record(m, "JointWrenches", "What Dynamics.joint_wrenches finds.",
             Field{"joints", &WrenchesByName::joints,
                   "What every joint exerts on its child link, a dict of Wrench by joint name."},
             Field{"ground", &WrenchesByName::ground,
                   "What the ground exerts on the robot, a Wrench in the ground frame."});
  add(c, "joint_wrenches",
      as(
          named, [](Dynamics& d, const auto&... x) { return d.joint_wrenches(x...); },
          [](Dynamics& d, const JointWrenches& found) {
            WrenchesByName by_name{{}, found.ground};
            for (std::size_t k = 0; k < found.joints.size(); ++k)
              by_name.joints[py::str(d.robot().joints()[k].name)] = found.joints[k];
            return by_name;
          }),
      "What every joint transmits, JointWrenches (joints, ground): in the child link's frame "
      "('body'), in ground axes at the child link's origin ('hybrid') or in the ground frame "
      "('space').",
      "q", "v", "a", word::kind_or_body, word::around);
  add(c, "zero_moment_point", &zero_moment_point,
      "The point of a plane (z = 0 unless given) about which the ground's wrench on the robot has "
      "no moment along the plane, shape (3,).",
      "q", "v", "a", word::optional_vec3("point"), word::optional_vec3("normal"), word::around);
}

}  // namespace

void bind_dynamics(py::module_& m) {
  auto c = add_door<Dynamics>(
      m, "Dynamics",
      "The equations of motion of one robot: Dynamics(robot).inverse(q, v, a).\n\n"
      "Every call takes its whole state and what surrounds the robot; nothing is remembered. "
      "Arrays that come back belong to the caller; matrices are in Fortran order, column by "
      "column. Where the answer is one vector, it goes into the array out where that is given. "
      "Threads may share a Robot, but every thread needs its own Dynamics. Loops of the robot are "
      "left open, with a warning: this is the tree without them.");
  add_equations_of_motion(m, c);
  add_terms(c);
  add_dynamic_matrices(m, c);
  add_energy(m, c);
  add_power(m, c);
  add_wrenches(m, c);
}

}  // namespace jounce::python

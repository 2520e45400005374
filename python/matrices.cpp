// SPDX-License-Identifier: BSD-3-Clause
// Coriolis and centroidal matrices, momentum, power, wrenches and regressors in Python.
#include <pybind11/stl.h>

#include <jounce/regressor.hpp>

#include "calls.hpp"

namespace jounce::python {
namespace {

Factorization factorization(const std::string& name, const char* function) {
  if (name == "plain") return Factorization::plain;
  if (name == "ploen") return Factorization::ploen;
  if (name == "lie") return Factorization::lie;
  if (name == "christoffel") return Factorization::christoffel;
  throw InputError(std::string(function) + ": factorization is \"" + name +
                   "\", needs \"plain\", \"ploen\", \"lie\" or \"christoffel\"");
}

void add_matrices(py::class_<Dynamics>& c) {
  c.def(
      "coriolis",
      [](Dynamics& d, Object q, Object v, const std::string& kind) {
        const Vectors x(d.robot(), "coriolis");
        const CoriolisResult found =
            d.coriolis(view(x.q(q)), view(x.v(v, "v")), factorization(kind, "coriolis"));
        return py::make_tuple(copied(found.matrix), copied(found.mass_rate));
      },
      py::arg("q"), py::arg("v"), py::arg("factorization") = "christoffel",
      "coriolis($self, q, v, factorization='christoffel')\n--\n\n"
      "The Coriolis matrix C(q, v) and the rate of the mass matrix. The factorization is 'plain', "
      "'ploen', 'lie' or 'christoffel'; with all but plain, Mdot - 2 C is skew-symmetric.");
  c.def(
      "inverse_passive",
      [](Dynamics& d, Object q, Object v, Object v_r, Object a_r, const std::string& kind) {
        const Vectors x(d.robot(), "inverse_passive");
        return copied(d.inverse_passive(view(x.q(q)), view(x.v(v, "v")), view(x.v(v_r, "v_r")),
                                        view(x.v(a_r, "a_r")),
                                        factorization(kind, "inverse_passive")));
      },
      py::arg("q"), py::arg("v"), py::arg("v_r"), py::arg("a_r"),
      py::arg("factorization") = "ploen",
      "inverse_passive($self, q, v, v_r, a_r, factorization='ploen')\n--\n\n"
      "M(q) a_r + C(q, v) v_r + g(q), with a C for which Mdot - 2 C is skew-symmetric.");
  c.def(
      "centroidal",
      [](Dynamics& d, Object q, Object v) {
        const Vectors x(d.robot(), "centroidal");
        const CentroidalResult found = d.centroidal(view(x.q(q)), view(x.v(v, "v")));
        return py::make_tuple(copied(found.matrix), copied(found.rate));
      },
      py::arg("q"), py::arg("v"),
      "centroidal($self, q, v)\n--\n\n"
      "The centroidal momentum matrix A of shape (6, nv), angular first, and its rate.");
}

void add_power(py::class_<Dynamics>& c) {
  add_ground_call(
      c, "momentum",
      [](Dynamics& d, const auto&... x) {
        const Momentum<double> found = d.momentum(x...);
        return py::make_tuple(found.about_com, to_array(found.com));
      },
      "Angular and linear momentum about the centre of mass in ground axes, a Wrench, and the "
      "centre of mass.",
      "q", "v");
  add_ground_call(
      c, "energy_rate",
      [](Dynamics& d, const auto&... x) {
        const auto rate = d.energy_rate(x...);
        return py::make_tuple(rate.kinetic, rate.potential);
      },
      "The rates of kinetic and of potential energy.", "q", "v", "a");
  add_call(
      c, "power_balance",
      [](Dynamics& d, const auto&... x) {
        const PowerBalance b = d.power_balance(x...);
        py::dict found;
        found["kinetic_rate"] = b.kinetic_rate;
        found["potential_rate"] = b.potential_rate;
        found["actuators"] = b.actuators;
        found["passive"] = b.passive;
        found["external"] = b.external;
        found["base"] = b.base;
        found["residual"] = b.residual();
        return found;
      },
      "Where the power of the actuators goes: a dict of rates and powers in watts.", "q", "v", "a");
}

void add_wrenches(py::class_<Dynamics>& c) {
  add_around(c, "joint_wrenches", "$self, q, v, a, kind='body'",
             std::function([](Dynamics& d, const Around& x, Object q, Object v, Object a,
                              const std::string& kind) {
               const JointWrenches found =
                   d.joint_wrenches(view(x.q(q)), view(x.v(v, "v")), view(x.v(a, "a")),
                                    representation(kind, x.name), x);
               py::dict joints;
               for (size_t k = 0; k < found.joints.size(); ++k)
                 joints[py::str(d.robot().joints()[k].name)] = found.joints[k];
               return py::make_tuple(joints, found.base);
             }),
             "What every joint exerts on its child link, a dict of Wrench by joint name, and what "
             "the ground exerts on the robot.",
             py::arg("q"), py::arg("v"), py::arg("a"), py::arg("kind") = "body");
  add_around(
      c, "zero_moment_point", "$self, q, v, a, point=None, normal=None",
      std::function([](Dynamics& d, const Around& x, Object q, Object v, Object a, Object point,
                       Object normal) {
        const Plane plane{
            point.is_none() ? Vec3<double>{0, 0, 0} : checked_vec3(point, {x.name, "point"}),
            normal.is_none() ? Vec3<double>{0, 0, 1} : checked_vec3(normal, {x.name, "normal"})};
        return to_array(
            d.zero_moment_point(view(x.q(q)), view(x.v(v, "v")), view(x.v(a, "a")), plane, x));
      }),
      "The point of a plane (z = 0 unless given) about which the ground's wrench on the robot has "
      "no moment along the plane.",
      py::arg("q"), py::arg("v"), py::arg("a"), py::arg("point") = py::none(),
      py::arg("normal") = py::none());
}

void add_regressors(py::class_<Regressor>& c) {
  add_ground_call(
      c, {"force", "regressor"},
      [](Regressor& r, const auto&... x) { return copied(r.force(x...)); },
      "Y of shape (nv, columns): Y @ parameters() is inverse(q, v, a) without springs.", "q", "v",
      "a");
  c.def(
      "passive",
      [](Regressor& r, Object q, Object v, Object v_r, Object a_r, const std::string& kind) {
        const Vectors x(r.robot(), "passive regressor");
        return copied(r.passive(view(x.q(q)), view(x.v(v, "v")), view(x.v(v_r, "v_r")),
                                view(x.v(a_r, "a_r")), factorization(kind, "passive regressor")));
      },
      py::arg("q"), py::arg("v"), py::arg("v_r"), py::arg("a_r"),
      py::arg("factorization") = "ploen",
      "passive($self, q, v, v_r, a_r, factorization='ploen')\n--\n\n"
      "The same of Dynamics.inverse_passive, for adaptive control.");
  add_ground_call(
      c, {"energy", "energy regressor"},
      [](Regressor& r, const auto&... x) { return copied(r.energy(x...)); },
      "Shape (2, columns): kinetic and potential energy.", "q", "v");
  add_ground_call(
      c, {"momentum", "momentum regressor"},
      [](Regressor& r, const auto&... x) { return copied(r.momentum(x...)); },
      "Shape (6, columns): momentum in the ground frame about its origin, angular first.", "q",
      "v");
}

void bind_regressor(py::module_& m) {
  py::class_<Regressor> c(
      m, "Regressor",
      "What is linear in the inertial parameters: ten columns per link in the order of the file "
      "(m, m c, I about the link frame's origin), then on request armature, damping and friction "
      "of every velocity coordinate.");
  c.def(py::init([](const Robot& robot, bool armature, bool damping, bool friction) {
          return Regressor(robot, {armature, damping, friction});
        }),
        py::arg("robot"), py::arg("armature") = false, py::arg("damping") = false,
        py::arg("friction") = false);
  c.def_property_readonly("robot", &Regressor::robot, py::return_value_policy::copy, "Its Robot.");
  c.def_property_readonly("links", &Regressor::links, "How many links have ten columns each.");
  c.def_property_readonly("columns", &Regressor::columns, "How many columns there are.");
  c.def(
      "parameters",
      [](const Regressor& r) {
        Array pi(r.columns());
        r.write_parameters({pi.mutable_data(), static_cast<size_t>(r.columns())});
        return pi;
      },
      "parameters($self)\n--\n\nThe robot's own parameters, in the order of the columns.");
  add_regressors(c);
}

void bind_parameters(py::module_& m) {
  m.def(
      "base_parameters",
      [](const Robot& robot, bool armature, bool damping, bool friction, std::uint64_t seed,
         double cutoff) {
        const BaseParameters base =
            base_parameters(robot, {armature, damping, friction}, seed, cutoff);
        return py::make_tuple(base.independent, copied(base.regrouping()));
      },
      py::arg("robot"), py::arg("armature") = false, py::arg("damping") = false,
      py::arg("friction") = false, py::arg("seed") = 1, py::arg("cutoff") = 1e-9,
      "base_parameters(robot, armature=False, damping=False, friction=False, seed=1, "
      "cutoff=1e-09)\n--\n\n"
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

void bind_dynamic_matrices(py::module_& m) {
  auto c = py::reinterpret_borrow<py::class_<Dynamics>>(m.attr("Dynamics"));
  add_matrices(c);
  add_power(c);
  add_wrenches(c);
  bind_regressor(m);
  bind_parameters(m);
}

}  // namespace jounce::python

// SPDX-License-Identifier: BSD-3-Clause
// Park's closed form in Python.
#include <pybind11/stl.h>

#include <jounce/paper/lagrangian.hpp>

#include "calls.hpp"

namespace jounce::python {
namespace {

using Form = LagrangianForm;
using Screw = Twist<double>;

/// Coordinates, or another count: InputError for one that is not there.
int checked(const char* name, int k, int least, int last) {
  if (k < least || k > last)
    throw InputError("LagrangianForm: " + std::string(name) + " is " + std::to_string(k) +
                     ", needs " + std::to_string(least) + " ... " + std::to_string(last));
  return k;
}
int coordinate(const Form& f, const char* name, int k) { return checked(name, k, 0, f.n() - 1); }

/// A method of coordinates i, j, ...: `call` takes them.
template <class Call, class... Names>
void of_coordinates(py::class_<Form>& c, const char* method, Call call, const char* doc,
                    Names... names) {
  std::string text = std::string(method) + "($self";
  ((text += std::string(", ") + names), ...);
  text += std::string(")\n--\n\n") + doc;
  const auto run = [=]<std::size_t... I>(std::index_sequence<I...>) {
    return [=](const Form& f, std::enable_if_t<(I + 1 > 0), int>... k) {
      return python::to_python(call(f, coordinate(f, names, k)...));
    };
  }
  (std::make_index_sequence<sizeof...(Names)>());
  c.def(method, run, py::arg(names)..., text.c_str());
}

void add_chains(py::class_<Form>& c) {
  c.def(
      "Ad_chain",
      [](const Form& f, int j, int i, const Screw& B) {
        return f.Ad_chain(coordinate(f, "j", j), checked("i", i, 0, f.n()), B);
      },
      py::arg("j"), py::arg("i"), py::arg("B"),
      "Ad_chain($self, j, i, B)\n--\n\nDefinition 1, (37): Ad of e^{-A_j x_j} ... e^{-A_i x_i}; B "
      "itself where i > j.");
  c.def(
      "inner",
      [](const Form& f, int k, const Screw& V, const Screw& W) {
        return f.inner(coordinate(f, "k", k), V, W);
      },
      py::arg("k"), py::arg("V"), py::arg("W"),
      "inner($self, k, V, W)\n--\n\nDefinition 2: <V, W>_k.");
  c.def(
      "chain_derivative",
      [](const Form& f, int j, int i, const Screw& B, int k) {
        return f.chain_derivative(coordinate(f, "j", j), checked("i", i, 0, f.n()), B,
                                  coordinate(f, "k", k));
      },
      py::arg("j"), py::arg("i"), py::arg("B"), py::arg("k"),
      "chain_derivative($self, j, i, B, k)\n--\n\nProposition 1, (53): d/dx_k of Ad_chain.");
  c.def(
      "chain_second_derivative",
      [](const Form& f, int j, int i, const Screw& B, int k, int l) {
        return f.chain_second_derivative(coordinate(f, "j", j), checked("i", i, 0, f.n()), B,
                                         coordinate(f, "k", k), coordinate(f, "l", l));
      },
      py::arg("j"), py::arg("i"), py::arg("B"), py::arg("k"), py::arg("l"),
      "chain_second_derivative($self, j, i, B, k, l)\n--\n\nProposition 2, (54).");
}

void add_entries(py::class_<Form>& c) {
  of_coordinates(
      c, "carries", [](const Form& f, int j, int k) { return f.carries(j, k); },
      "Whether coordinate j carries coordinate k, or is it.", "j", "k");
  of_coordinates(
      c, "column", [](const Form& f, int k, int j) { return f.column(k, j); },
      "Ad_k^{j+1}(A_j), a column of L A.", "k", "j");
  of_coordinates(
      c, "pose", [](const Form& f, int k) { return f.pose(k); }, "f_k, (31).", "k");
  of_coordinates(
      c, "mass", [](const Form& f, int i, int j) { return f.mass(i, j); }, "m_ij, (40).", "i", "j");
  of_coordinates(
      c, "mass_derivative",
      [](const Form& f, int i, int j, int k) { return f.mass_derivative(i, j, k); },
      "dm_ij/dx_k, by Proposition 1.", "i", "j", "k");
  of_coordinates(
      c, "mass_second_derivative",
      [](const Form& f, int i, int j, int k, int l) {
        return f.mass_second_derivative(i, j, k, l);
      },
      "d2m_ij/(dx_k dx_l), by Proposition 2.", "i", "j", "k", "l");
  of_coordinates(
      c, "christoffel", [](const Form& f, int i, int j, int k) { return f.christoffel(i, j, k); },
      "Gamma_ijk of the first kind by the three cases (55)-(57).", "i", "j", "k");
  of_coordinates(
      c, "gravity_force", [](const Form& f, int k) { return f.gravity_force(k); }, "dU/dx_k, (59).",
      "k");
}

void add_factors(py::module_& m, py::class_<Form>& c) {
  const py::object park = named_tuple(m, "ParkFactors", "M = A^T L^T D L A, (46).",
                                      {{"A", "(41), shape (6n, n): constant screws."},
                                       {"L", "(43), shape (6n, 6n)."},
                                       {"D", "(45), shape (6n, 6n): constant inertias."}});
  const py::object newton = named_tuple(m, "NewtonEulerFactors", "M = S^T G^T J G S, (51).",
                                        {{"S", "Shape (6n, n): A = Q S."},
                                         {"G", "Shape (6n, 6n): L = Q G Q^-1."},
                                         {"J", "Shape (6n, 6n): D = Q^-T J Q^-1."},
                                         {"Q", "(50), shape (6n, 6n)."}});
  const py::object shift =
      named_tuple(m, "ShiftFactors", "Rodriguez's form M = H^T phi^T J phi H.",
                  {{"H", "Shape (6n, n): screws at their bodies' origins."},
                   {"phi", "Shape (6n, 6n): shifts alone."},
                   {"J", "Shape (6n, 6n): inertias at their bodies' origins."}});
  c.def(
      "factors",
      [park](const Form& f) {
        const ParkFactors x = f.factors();
        return park(python::to_array(x.A), python::to_array(x.L), python::to_array(x.D));
      },
      "factors($self)\n--\n\nParkFactors (A, L, D).");
  c.def(
      "newton_euler_factors",
      [newton](const Form& f) {
        const NewtonEulerFactors x = f.newton_euler_factors();
        return newton(python::to_array(x.S), python::to_array(x.G), python::to_array(x.J),
                      python::to_array(x.Q));
      },
      "newton_euler_factors($self)\n--\n\nNewtonEulerFactors (S, G, J, Q).");
  c.def(
      "shift_factors",
      [shift](const Form& f) {
        const ShiftFactors x = f.shift_factors();
        return shift(python::to_array(x.H), python::to_array(x.phi), python::to_array(x.J));
      },
      "shift_factors($self)\n--\n\nShiftFactors (H, phi, J).");
  c.def(
      "pullback_jacobian", [](const Form& f) { return python::to_array(f.pullback_jacobian()); },
      "pullback_jacobian($self)\n--\n\nL A, shape (6n, n): the Jacobian of the map (65).");
  c.def(
      "mass_of_parameter",
      [](const Form& f, int k, int p) {
        return python::to_array(f.mass_of_parameter(coordinate(f, "k", k), checked("p", p, 0, 9)));
      },
      py::arg("k"), py::arg("p"),
      "mass_of_parameter($self, k, p)\n--\n\nWhat inertial parameter p of link k brings to M for "
      "each unit of it.");
}

void bind_two_screw_arm(py::module_& m) {
  py::class_<TwoScrewArm> c(m, "TwoScrewArm",
                            "TwoScrewArm(form)\n\n"
                            "Park's worked example, (60)-(64): any arm of two screws.");
  c.def(py::init([](const Form& f) {
          if (f.n() != 2)
            throw InputError("TwoScrewArm: the form has " + std::to_string(f.n()) +
                             " coordinates, needs 2");
          return TwoScrewArm(f);
        }),
        py::arg("form"));
  c.def_property_readonly(
      "M", [](const TwoScrewArm& x) { return python::to_array(x.M); }, "(60), shape (2, 2).");
  c.def_readonly("X", &TwoScrewArm::X, "<Ad_2^2[A_1, A_2], Ad_2^2 A_1>_2.");
  c.def_readonly("Y", &TwoScrewArm::Y, "<Ad_2^2[A_1, A_2], A_2>_2.");
  c.def(
      "C", [](const TwoScrewArm& x, double v1, double v2) { return python::to_array(x.C(v1, v2)); },
      py::arg("v1"), py::arg("v2"),
      "C($self, v1, v2)\n--\n\n(61)-(64), corrected: the Christoffel C, shape (2, 2).");
  c.def("R_1212", &TwoScrewArm::R_1212, "R_1212($self)\n--\n\nIts curvature tensor.");
  c.def("scalar_curvature", &TwoScrewArm::scalar_curvature,
        "scalar_curvature($self)\n--\n\n2 R_1212 / det M.");
}

}  // namespace

void bind_lagrangian(py::module_& m) {
  py::class_<Form> c(
      m, "LagrangianForm",
      "LagrangianForm(robot, q)\n\n"
      "The Lagrangian equations in closed form as Park, Bobrow and Ploen 1995 wrote them, "
      "(30)-(59), "
      "at one configuration; for joints whose coordinates are exponents. Coordinates are those of "
      "the tree, where mimic joints have their own.");
  c.def(py::init([](const Robot& robot, py::handle q) {
          return Form(robot, argument(checked_numbers(q, {"LagrangianForm", "q"})));
        }),
        py::arg("robot"), py::arg("q"));
  c.def_property_readonly("n", &Form::n, "How many coordinates.");
  c.def_readonly("A", &Form::A, "(30): screws at zero, in the ground frame.");
  c.def_readonly("M", &Form::M, "(31): centre-of-mass frames at zero.");
  c.def_readonly("D", &Form::D, "(36): inertias at zero, in the ground frame.");
  add_chains(c);
  add_entries(c);
  c.def("potential", &Form::potential, "potential($self)\n--\n\nU, (58).");
  add_factors(m, c);
  bind_two_screw_arm(m);
}

}  // namespace jounce::python

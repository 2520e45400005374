// SPDX-License-Identifier: BSD-3-Clause
// Inverse, forward and hybrid dynamics in Python, and the mass matrix with all that solves by it.
#include <pybind11/stl.h>

#include <algorithm>
#include <jounce/dynamics.hpp>

#include "calls.hpp"

namespace jounce::python {

Flags::Flags(Object prescribed, const char* function) {
  refuse_masked(prescribed, {function, "prescribed"});
  const auto a = py::array::ensure(prescribed);
  const bool is_empty = a && a.ndim() == 1 && a.size() == 0;
  if (!a || a.ndim() != 1 || (a.dtype().kind() != 'b' && !is_empty)) {
    PyErr_Clear();
    throw py::type_error(std::string(function) +
                         ": prescribed needs one bool per velocity coordinate");
  }
  size_ = static_cast<size_t>(a.size());
  values_ = std::make_unique<bool[]>(size_);
  const auto values = py::array_t<bool, py::array::c_style | py::array::forcecast>(a);
  std::copy_n(values.data(), size_, values_.get());
}

namespace {

void add_equations_of_motion(py::class_<Dynamics>& c) {
  add_call(
      c, "inverse", [](Dynamics& d, const auto&... x) { return copied(d.inverse(x...)); },
      "The forces tau that give the accelerations a.", "q", "v", "a");
  add_call(
      c, "forward", [](Dynamics& d, const auto&... x) { return copied(d.forward(x...)); },
      "The accelerations that the forces tau give.", "q", "v", "tau");
}

void add_hybrid(py::class_<Dynamics>& c) {
  add_around(c, "hybrid", "$self, prescribed, q, v, a, tau",
             std::function([](Dynamics& d, const Around& x, Object prescribed, Object q, Object v,
                              Object a, Object tau) {
               const HybridResult found =
                   d.hybrid(Flags(prescribed, x.name), view(x.q(q)), view(x.v(v, "v")),
                            view(x.v(a, "a")), view(x.v(tau, "tau")), x);
               return py::make_tuple(copied(found.a), copied(found.tau));
             }),
             "All accelerations and all forces: a is given where prescribed (one bool per velocity "
             "coordinate), tau elsewhere; other entries are not used.",
             py::arg("prescribed"), py::arg("q"), py::arg("v"), py::arg("a"), py::arg("tau"));
}

void add_forces(py::class_<Dynamics>& c) {
  add_ground_call(
      c, "bias", [](Dynamics& d, const auto&... x) { return copied(d.bias(x...)); },
      "Coriolis, centrifugal and gravity forces.", "q", "v");
  c.def(
      "gravity",
      [](Dynamics& d, Object q) {
        return copied(d.gravity(view(Vectors(d.robot(), "gravity").q(q))));
      },
      py::arg("q"), "gravity($self, q)\n--\n\nThe forces that hold the robot against gravity.");
  add_ground_call(
      c, "energy",
      [](Dynamics& d, const auto&... x) {
        const Energy found = d.energy(x...);
        return py::make_tuple(found.kinetic, found.potential);
      },
      "Kinetic and potential energy of the moving links, rotors included.", "q", "v");
}

/// M^-1 times a vector of shape (nv,) or the columns of a matrix of shape (nv, k).
Array mass_solve(Dynamics& d, Object x) {
  const Array numbers =
      py::array::ensure(x) && py::array(x).ndim() == 2
          ? checked_array(x, {"mass_solve", "x"}, {d.robot().nv(), py::array(x).shape(1)})
          : vector_of(x, {"mass_solve", "x"}, d.robot().nv());
  if (numbers.ndim() == 1) return copied(d.mass_solve(view(numbers)));
  Eigen::MatrixXd X(numbers.shape(0), numbers.shape(1));
  for (Eigen::Index i = 0; i < X.rows(); ++i)
    for (Eigen::Index k = 0; k < X.cols(); ++k) X(i, k) = numbers.at(i, k);
  d.mass_solve_columns(X);
  return copied(X);
}

void add_mass(py::class_<Dynamics>& c) {
  c.def(
      "mass",
      [](Dynamics& d, Object q) { return copied(d.mass(view(Vectors(d.robot(), "mass").q(q)))); },
      py::arg("q"), "mass($self, q)\n--\n\nThe mass matrix, armature included.");
  c.def(
      "mass_inverse",
      [](Dynamics& d, Object q) {
        return copied(d.mass_inverse(view(Vectors(d.robot(), "mass_inverse").q(q))));
      },
      py::arg("q"), "mass_inverse($self, q)\n--\n\nThe inverse of the mass matrix.");
  c.def(
      "mass_factors",
      [](Dynamics& d, Object q) {
        const Eigen::MatrixXd LD = d.mass_factors(view(Vectors(d.robot(), "mass_factors").q(q))).LD;
        const Eigen::MatrixXd L = LD.triangularView<Eigen::UnitLower>();
        const Eigen::VectorXd D = LD.diagonal();
        return py::make_tuple(copied(L), Array(D.size(), D.data()));
      },
      py::arg("q"),
      "mass_factors($self, q)\n--\n\n"
      "L and D with M = L.T @ diag(D) @ L, L lower triangular with ones on its diagonal. L[k, j] "
      "is zero unless coordinate j carries coordinate k.");
  c.def(
      "factor_mass",
      [](Dynamics& d, Object q) { d.factor_mass(view(Vectors(d.robot(), "factor_mass").q(q))); },
      py::arg("q"),
      "factor_mass($self, q)\n--\n\n"
      "Factors the mass matrix at q, for mass_solve until the next such call.");
  c.def("mass_solve", &mass_solve, py::arg("x"),
        "mass_solve($self, x)\n--\n\n"
        "M^-1 x in O(n) after factor_mass, x of shape (nv,), or of shape (nv, k) column by "
        "column.");
}

void add_operational_space(py::class_<Dynamics>& c) {
  const std::string last = " At the state of the last kinematics.";
  c.def(
      "operational_inertia",
      [](Dynamics& d, Object frame, const std::string& kind, double cutoff) {
        const char* name = "operational_inertia";
        const FrameId id = checked_frame(d.robot(), frame, name);
        checked_amount(cutoff, {name, "cutoff"});
        return copied(d.operational_inertia(id, representation(kind, name), cutoff));
      },
      py::arg("frame"), py::arg("kind"), py::arg("cutoff") = 1e-12,
      ("operational_inertia($self, frame, kind, cutoff=1e-12)\n--\n\n"
       "(J M^-1 J^T)^-1, shape (6, 6): what a wrench on the frame feels. Directions in which it "
       "cannot move, below cutoff times the largest, are left out." +
       last)
          .c_str());
  c.def(
      "dynamically_consistent_inverse",
      [](Dynamics& d, Object frame, const std::string& kind, double cutoff) {
        const char* name = "dynamically_consistent_inverse";
        const FrameId id = checked_frame(d.robot(), frame, name);
        checked_amount(cutoff, {name, "cutoff"});
        return copied(d.dynamically_consistent_inverse(id, representation(kind, name), cutoff));
      },
      py::arg("frame"), py::arg("kind"), py::arg("cutoff") = 1e-12,
      ("dynamically_consistent_inverse($self, frame, kind, cutoff=1e-12)\n--\n\n"
       "M^-1 J^T times operational_inertia, shape (nv, 6): the inverse of J that takes the least "
       "kinetic energy." +
       last)
          .c_str());
}

void add_dynamic_null_space(py::class_<Dynamics>& c) {
  c.def(
      "dynamic_null_space_projector",
      [](Dynamics& d, Object frame, double cutoff) {
        const char* name = "dynamic_null_space_projector";
        const FrameId id = checked_frame(d.robot(), frame, name);
        checked_amount(cutoff, {name, "cutoff"});
        return copied(d.dynamic_null_space_projector(id, cutoff));
      },
      py::arg("frame"), py::arg("cutoff") = 1e-12,
      "dynamic_null_space_projector($self, frame, cutoff=1e-12)\n--\n\n"
      "1 - Jbar J, shape (nv, nv): its transpose takes joint forces to forces that do not "
      "accelerate the frame. At the state of the last kinematics.");
}

}  // namespace

void bind_forces(py::module_& m) {
  auto c = py::reinterpret_borrow<py::class_<Dynamics>>(m.attr("Dynamics"));
  add_equations_of_motion(c);
  add_hybrid(c);
  add_forces(c);
  add_mass(c);
  add_operational_space(c);
  add_dynamic_null_space(c);
}

}  // namespace jounce::python

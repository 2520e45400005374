// SPDX-License-Identifier: BSD-3-Clause
// Linear models about a state and their regulators, in Python.
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <jounce/linear.hpp>

#include "calls.hpp"

namespace jounce::python {
namespace {

using Eigen::MatrixXd;
using Model = std::pair<MatrixXd, MatrixXd>;

py::tuple answer(const Regulator& r) {
  return py::make_tuple(copied(r.gain), copied(r.cost), r.residual);
}
py::tuple answer(const LinearModel& m) { return py::make_tuple(copied(m.A), copied(m.B)); }

void add_regulators(py::module_& m) {
  m.def(
      "continuous_regulator",
      [](const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R) {
        return answer(continuous_regulator(A, B, Q, R));
      },
      py::arg("A"), py::arg("B"), py::arg("Q"), py::arg("R"),
      "continuous_regulator(A, B, Q, R)\n--\n\n"
      "Gain, cost and residual: u = -gain x is the least of x'Qx + u'Ru for xdot = A x + B u.");
  m.def(
      "discrete_regulator",
      [](const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R) {
        return answer(discrete_regulator(A, B, Q, R));
      },
      py::arg("A"), py::arg("B"), py::arg("Q"), py::arg("R"),
      "discrete_regulator(A, B, Q, R)\n--\n\nThe same for x_next = A x + B u.");
  m.def(
      "finite_horizon_gains",
      [](const std::vector<Model>& steps, const MatrixXd& Q, const MatrixXd& R,
         const MatrixXd& Q_end) {
        std::vector<LinearModel> models;
        for (const auto& [A, B] : steps) models.push_back({A, B});
        py::list gains;
        for (const MatrixXd& gain : finite_horizon_gains(models, Q, R, Q_end))
          gains.append(copied(gain));
        return gains;
      },
      py::arg("steps"), py::arg("Q"), py::arg("R"), py::arg("Q_end"),
      "finite_horizon_gains(steps, Q, R, Q_end)\n--\n\n"
      "The gain of every step for models (A, B) that change, with the cost Q_end of the last "
      "state.");
}

}  // namespace

void bind_linear(py::module_& m) {
  add_around(
      m, "linearise", "dynamics, q, v, tau",
      std::function([](Dynamics& d, const Around& x, Object q, Object v, Object tau) {
        return answer(linearise(d, view(x.q(q)), view(x.v(v, "v")), view(x.v(tau, "tau")), x));
      }),
      "A and B of xdot = A x + B u about a state: x = (difference(q0, q), v - v0), u = tau "
      "- tau0.",
      py::arg("dynamics"), py::arg("q"), py::arg("v"), py::arg("tau"));
  m.def(
      "discretise",
      [](const MatrixXd& A, const MatrixXd& B, double dt) {
        return answer(discretise({A, B}, dt));
      },
      py::arg("A"), py::arg("B"), py::arg("dt"),
      "discretise(A, B, dt)\n--\n\nA and B of x_next = A x + B u over a step with constant u.");
  add_regulators(m);
}

}  // namespace jounce::python

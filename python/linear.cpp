// SPDX-License-Identifier: BSD-3-Clause
// Linear models about a state and their regulators, in Python.
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <jounce/linear.hpp>

#include "calls.hpp"

namespace jounce::python {
namespace {

using Eigen::MatrixXd;

void add_models(py::module_& m) {
  const auto model = record(m, "LinearModel", "xdot = A x + B u, or x_next = A x + B u.",
                            Field{"A", &LinearModel::A, "What the state does to its rate."},
                            Field{"B", &LinearModel::B, "What the input does to its rate."});
  define<Derivatives>(
      m, "linearise", as(model, [](auto& d, const auto&... x) { return linearise(d, x...); }),
      "A and B of xdot = A x + B u about a state, a LinearModel: x = (difference(q0, q), v - v0), "
      "u = tau - tau0. derivatives are the robot's Derivatives.",
      "derivatives", std::tuple(py::arg("derivatives")), word::vector("q"), word::vector("v"),
      word::vector("tau"), word::around);
  m.def(
      "discretise",
      [=](const MatrixXd& A, const MatrixXd& B, double dt) {
        return model(discretise({A, B}, dt));
      },
      py::arg("A"), py::arg("B"), py::arg("dt"),
      "discretise(A, B, dt)\n--\n\n"
      "A and B of x_next = A x + B u over a step with constant u, a LinearModel.");
}

void add_regulators(py::module_& m) {
  const auto regulator =
      record(m, "Regulator", "u = -gain x is the least of x'Qx + u'Ru over all time.",
             Field{"cost", &Regulator::cost, "The cost of a state from now on is x' cost x."},
             Field{"gain", &Regulator::gain, "The feedback, u = -gain x."},
             Field{"residual", &Regulator::residual,
                   "The error of the Riccati equation, relative to its largest term."},
             Field{"iterations", &Regulator::iterations, "How many it took."});
  m.def(
      "continuous_regulator",
      [=](const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R) {
        return regulator(continuous_regulator(A, B, Q, R));
      },
      py::arg("A"), py::arg("B"), py::arg("Q"), py::arg("R"),
      "continuous_regulator(A, B, Q, R)\n--\n\n"
      "The Regulator (cost, gain, residual, iterations) of xdot = A x + B u: u = -gain x is the "
      "least of x'Qx + u'Ru.");
  m.def(
      "discrete_regulator",
      [=](const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R) {
        return regulator(discrete_regulator(A, B, Q, R));
      },
      py::arg("A"), py::arg("B"), py::arg("Q"), py::arg("R"),
      "discrete_regulator(A, B, Q, R)\n--\n\n"
      "The Regulator (cost, gain, residual, iterations) of x_next = A x + B u.");
}

void add_finite_horizon(py::module_& m) {
  m.def(
      "finite_horizon_gains",
      [](const std::vector<std::pair<MatrixXd, MatrixXd>>& steps, const MatrixXd& Q,
         const MatrixXd& R, const MatrixXd& Q_end) {
        std::vector<LinearModel> models;
        for (const auto& [A, B] : steps) models.push_back({A, B});
        py::list gains;
        for (const MatrixXd& gain : finite_horizon_gains(models, Q, R, Q_end))
          gains.append(to_array(gain));
        return gains;
      },
      py::arg("steps"), py::arg("Q"), py::arg("R"), py::arg("Q_end"),
      "finite_horizon_gains(steps, Q, R, Q_end)\n--\n\n"
      "The gain of every step for models (A, B) that change, with the cost Q_end of the last "
      "state.");
}

}  // namespace

void bind_linear(py::module_& m) {
  add_models(m);
  add_regulators(m);
  add_finite_horizon(m);
}

}  // namespace jounce::python

// SPDX-License-Identifier: BSD-3-Clause
// MassFactors in Python: solutions with the mass matrix, and the robot as a frame feels it.
#include <jounce/mass_factors.hpp>

#include "calls.hpp"

namespace jounce::python {

template <>
inline constexpr bool keeps_state<MassFactors> = true;

namespace {

/// M^-1 times each column of a matrix of shape (nv, k).
ByColumns solved_columns(MassFactors& factors, const py::object& given) {
  const auto shape = py::array::ensure(given);
  const py::ssize_t n = factors.robot().nv();
  const py::ssize_t columns = shape && shape.ndim() == 2 ? shape.shape(1) : 1;
  const Array X = checked_array(given, {"solve_columns", "X"}, {n, columns});
  ByColumns found({n, columns});
  Eigen::Map<Eigen::MatrixXd> x(found.mutable_data(), n, columns);
  x = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      X.data(), n, columns);
  for (py::ssize_t k = 0; k < columns; ++k) factors.solve(x.col(k), jounce::into(x.col(k)));
  return found;
}

void add_operational_space(py::class_<MassFactors>& c) {
  add(c, "operational_inertia",
      filled([](const auto&...) { return std::pair(6, 6); },
             [](auto& f, const auto&... x) { f.operational_inertia(x...); }),
      "The inertia that a wrench on the frame feels, (J M^-1 J^T)^-1, shape (6, 6). Directions in "
      "which the frame cannot move, below cutoff times the largest, are left out.",
      word::frame, word::kind, word::cutoff(1e-12));
  add(c, "consistent_inverse",
      filled([](const auto& f, const auto&...) { return std::pair(f.robot().nv(), 6); },
             [](auto& f, const auto&... x) { f.consistent_inverse(x...); }),
      "M^-1 J^T times operational_inertia, shape (nv, 6): the inverse of J that moves the robot "
      "with the least kinetic energy.",
      word::frame, word::kind, word::cutoff(1e-12));
  add(c, "null_space_projector",
      filled(square, [](auto& f, const auto&... x) { f.null_space_projector(x...); }),
      "1 - Jbar J with Jbar = consistent_inverse, shape (nv, nv): its transpose takes joint forces "
      "to forces that do not accelerate the frame.",
      word::frame, word::cutoff(1e-12));
}

}  // namespace

void bind_mass_factors(py::module_& m) {
  auto c = add_door<MassFactors>(
      m, "MassFactors",
      "The mass matrix M of one configuration, factored: MassFactors(robot).at(q).solve(x).\n\n"
      "The configuration given to at is what everything else answers about. Matrices that come "
      "back are in Fortran order, column by column. ComputationError where M is singular.");
  add(
      c, "at", [](MassFactors& f, const auto& q) -> MassFactors& { return f.at(q); },
      "Factors the mass matrix at q, and gives this object back.", "q");
  add(
      c, "solve", [](auto& f, const auto&... x) { f.solve(x...); },
      "M^-1 x, shape (nv,), in at most O(n).", "x", word::out);
  c.def("solve_columns", &solved_columns, py::arg("X"),
        "solve_columns($self, X)\n--\n\nM^-1 X, shape (nv, k), column by column.");
  add(
      c, "LD", [](auto& f) { return f.LD(); },
      "The factors of M = L.T @ diag(D) @ L, shape (nv, nv): D on the diagonal, below it L, whose "
      "own diagonal is 1. L[k, j] is zero unless coordinate j carries coordinate k.");
  add_operational_space(c);
}

}  // namespace jounce::python

// SPDX-License-Identifier: BSD-3-Clause
// The methods of Dynamics that speak of time derivatives, and arrays with a derivative per column.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <jounce/dynamics.hpp>

namespace jounce::python {

namespace py = pybind11;

using Columns = py::array_t<double, py::array::f_style | py::array::forcecast>;

/// Two dimensions, column by column; sizes and values are refused by the library in its own words.
Columns columns_of(py::handle object, const char* function, const char* name);
Eigen::Map<const Eigen::MatrixXd> matrix(const Columns& x);

/// (frame, [F, F', ...], kind) each; wrenches view derivatives.
struct OutsideWrenches {
  OutsideWrenches(const Robot& robot, const py::object& external, const char* function);
  OutsideWrenches(const OutsideWrenches&) = delete;
  OutsideWrenches& operator=(const OutsideWrenches&) = delete;

  std::vector<std::vector<Wrench<double>>> derivatives;
  std::vector<ExternalWrenchSeries> wrenches;
};

void add_series(py::class_<Dynamics>& c);

}  // namespace jounce::python

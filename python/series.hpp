// SPDX-License-Identifier: BSD-3-Clause
// The methods of Dynamics that speak of time derivatives.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <jounce/dynamics.hpp>

namespace jounce::python {

namespace py = pybind11;

void add_series(py::class_<Dynamics>& c);

}  // namespace jounce::python

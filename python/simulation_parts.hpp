// SPDX-License-Identifier: BSD-3-Clause
// The methods of Simulation in Python by what they are about.
#pragma once

#include <jounce/simulation.hpp>

#include "bindings.hpp"

namespace jounce::python {

void add_inputs(py::class_<Simulation>& c);                  ///< controllers, wrenches, ground
void add_events(py::module_& m, py::class_<Simulation>& c);  ///< events, stops, landings

}  // namespace jounce::python

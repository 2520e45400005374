// SPDX-License-Identifier: BSD-3-Clause
// The compiled part of the Python package jounce.
#include "bindings.hpp"

PYBIND11_MODULE(_jounce, m) {
  pybind11::options options;
  options.disable_function_signatures();  // the docstrings carry their own, without C++ in them
  m.attr("__module__") = "jounce";        // what messages, help() and pickles call the types
  m.doc() = "The compiled part of jounce; import jounce instead.";
  jounce::python::bind_library(m);
  jounce::python::bind_group(m);
  jounce::python::bind_robot(m);
  jounce::python::bind_reading(m);
  jounce::python::bind_operations(m);
  jounce::python::bind_state_conventions(m);
  jounce::python::bind_kinematics(m);
  jounce::python::bind_dynamics(m);
  jounce::python::bind_mass_factors(m);
  jounce::python::bind_constrained(m);
  jounce::python::bind_mechanisms(m);
  jounce::python::bind_constraints(m);
  jounce::python::bind_constrained_sensitivity(m);
  jounce::python::bind_derivatives(m);
  jounce::python::bind_second_derivatives(m);
  jounce::python::bind_geometry(m);
  jounce::python::bind_minimum_motion(m);
  jounce::python::bind_lagrangian(m);
  jounce::python::bind_simulation_gradient(m);
  jounce::python::bind_series(m);
  jounce::python::bind_propellers(m);
  jounce::python::bind_simulation(m);
  jounce::python::bind_move(m);
  jounce::python::bind_regressor(m);
  jounce::python::bind_linear(m);
  jounce::python::bind_inverse_kinematics(m);
  jounce::python::bind_papers(m);
  jounce::python::bind_stewart(m);
  jounce::python::bind_stewart_modes(m);
  jounce::python::bind_stewart_methods(m);
  jounce::python::bind_stewart_workspace(m);
  jounce::python::bind_stewart_experiments(m);
}

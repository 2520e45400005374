// SPDX-License-Identifier: BSD-3-Clause
// The parts of the Python module, one function and one .cpp each.
#pragma once

#include <pybind11/pybind11.h>

namespace jounce::python {

namespace py = pybind11;

void bind_library(py::module_& m);     ///< exceptions, version, instruction set
void bind_group(py::module_& m);       ///< SO3, SE3, twists, wrenches, inertias and their actions
void bind_robot(py::module_& m);       ///< Robot and what it tells about itself
void bind_reading(py::module_& m);     ///< robots from files, from text, bundled and random ones
void bind_operations(py::module_& m);  ///< robots made from other robots
void bind_state_conventions(py::module_& m);        ///< states of other libraries
void bind_kinematics(py::module_& m);               ///< Kinematics
void bind_dynamics(py::module_& m);                 ///< Dynamics and its results
void bind_mass_factors(py::module_& m);             ///< MassFactors
void bind_constrained(py::module_& m);              ///< ConstrainedDynamics and its results
void bind_constraints(py::module_& m);              ///< functions of joints that are to be zero
void bind_constrained_sensitivity(py::module_& m);  ///< loops by named parameters
void bind_mechanisms(py::module_& m);           ///< assemblies, ClosedKinematics, joint wrenches
void bind_derivatives(py::module_& m);          ///< Derivatives and its results
void bind_second_derivatives(py::module_& m);   ///< SecondDerivatives and its results
void bind_geometry(py::module_& m);             ///< Geometry, GeometrySensitivity
void bind_minimum_motion(py::module_& m);       ///< MinimumMotion, SplinePath
void bind_lagrangian(py::module_& m);           ///< LagrangianForm, TwoScrewArm
void bind_papers(py::module_& m);               ///< forms of the papers: exponentials, matrices
void bind_series(py::module_& m);               ///< Series, KinematicSeries, SeriesDerivatives
void bind_propellers(py::module_& m);           ///< Propellers
void bind_laws(py::module_& m);                 ///< PiecewisePolynomial, PosePath, Command
void bind_simulation(py::module_& m);           ///< Simulation, its states, records and reports
void bind_move(py::module_& m);                 ///< Move, Along, pictures
void bind_simulation_gradient(py::module_& m);  ///< SimulationGradient
void bind_regressor(py::module_& m);            ///< Regressor, Sensitivity, parameters
void bind_linear(py::module_& m);               ///< linear models and regulators
void bind_inverse_kinematics(py::module_& m);   ///< InverseKinematics, its goals and results
void bind_stewart(py::module_& m);              ///< Gough-Stewart platforms
void bind_stewart_modes(py::module_& m);        ///< all their poses
void bind_stewart_methods(py::module_& m);      ///< six methods, charts, Rodrigues' formula
void bind_stewart_workspace(py::module_& m);    ///< what they can reach
void bind_stewart_experiments(py::module_& m);  ///< tables, claims, surveys, extra sensors

void bind_rotations(py::module_& m);
void bind_poses(py::module_& m);
void bind_inertias(py::module_& m);

}  // namespace jounce::python

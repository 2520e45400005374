// SPDX-License-Identifier: BSD-3-Clause
// What most users need, in one header that compiles in about a second. Others stand alone:
// dynamics_of.hpp, regressor.hpp, sensitivity.hpp, series_derivatives.hpp, linear.hpp, rk4.hpp,
// trajectory.hpp, propellers.hpp, stewart.hpp, global_matrices.hpp, mass_derivatives.hpp,
// state_conventions.hpp, model/generate.hpp and model/product_of_exponentials.hpp.
#pragma once

#include <jounce/cpu.hpp>                   // IWYU pragma: export
#include <jounce/dynamics.hpp>              // IWYU pragma: export
#include <jounce/error.hpp>                 // IWYU pragma: export
#include <jounce/group/eigen.hpp>           // IWYU pragma: export
#include <jounce/group/inertia.hpp>         // IWYU pragma: export
#include <jounce/group/lie_derivative.hpp>  // IWYU pragma: export
#include <jounce/group/matrices.hpp>        // IWYU pragma: export
#include <jounce/group/se3.hpp>             // IWYU pragma: export
#include <jounce/group/so3.hpp>             // IWYU pragma: export
#include <jounce/inverse_kinematics.hpp>    // IWYU pragma: export
#include <jounce/io.hpp>                    // IWYU pragma: export
#include <jounce/model/operations.hpp>      // IWYU pragma: export
#include <jounce/model/robot.hpp>           // IWYU pragma: export
#include <jounce/scalar/dual.hpp>           // IWYU pragma: export
#include <jounce/scalar/pack.hpp>           // IWYU pragma: export
#include <jounce/scalar/taylor.hpp>         // IWYU pragma: export

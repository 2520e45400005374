// SPDX-License-Identifier: BSD-3-Clause
// Everything a user of the library needs, in one header.
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
#include <jounce/propellers.hpp>            // IWYU pragma: export
#include <jounce/regressor.hpp>             // IWYU pragma: export
#include <jounce/rk4.hpp>                   // IWYU pragma: export
#include <jounce/scalar/dual.hpp>           // IWYU pragma: export
#include <jounce/scalar/pack.hpp>           // IWYU pragma: export
#include <jounce/scalar/taylor.hpp>         // IWYU pragma: export
#include <jounce/stewart.hpp>               // IWYU pragma: export
#include <jounce/trajectory.hpp>            // IWYU pragma: export

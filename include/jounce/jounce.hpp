// SPDX-License-Identifier: BSD-3-Clause
// Robots, kinematics, dynamics with their derivatives and series, inverse kinematics, and the
// groups and numbers they are made of. Every other header of this folder stands alone; the table of
// the README says what each has.
#pragma once

#include <jounce/assemblies.hpp>               // IWYU pragma: export
#include <jounce/closed_kinematics.hpp>        // IWYU pragma: export
#include <jounce/constrained_derivatives.hpp>  // IWYU pragma: export
#include <jounce/constrained_dynamics.hpp>     // IWYU pragma: export
#include <jounce/constrained_series.hpp>       // IWYU pragma: export
#include <jounce/constrained_wrenches.hpp>     // IWYU pragma: export
#include <jounce/cpu.hpp>                      // IWYU pragma: export
#include <jounce/derivatives.hpp>              // IWYU pragma: export
#include <jounce/dynamics.hpp>                 // IWYU pragma: export
#include <jounce/error.hpp>                    // IWYU pragma: export
#include <jounce/geometry.hpp>                 // IWYU pragma: export
#include <jounce/group/eigen.hpp>              // IWYU pragma: export
#include <jounce/group/inertia.hpp>            // IWYU pragma: export
#include <jounce/group/lie_derivative.hpp>     // IWYU pragma: export
#include <jounce/group/matrices.hpp>           // IWYU pragma: export
#include <jounce/group/print.hpp>              // IWYU pragma: export
#include <jounce/group/se3.hpp>                // IWYU pragma: export
#include <jounce/group/so3.hpp>                // IWYU pragma: export
#include <jounce/inverse_kinematics.hpp>       // IWYU pragma: export
#include <jounce/io.hpp>                       // IWYU pragma: export
#include <jounce/kinematics.hpp>               // IWYU pragma: export
#include <jounce/mass_factors.hpp>             // IWYU pragma: export
#include <jounce/minimum_motion.hpp>           // IWYU pragma: export
#include <jounce/model/cut_loops.hpp>          // IWYU pragma: export
#include <jounce/model/operations.hpp>         // IWYU pragma: export
#include <jounce/model/robot.hpp>              // IWYU pragma: export
#include <jounce/scalar/dual.hpp>              // IWYU pragma: export
#include <jounce/scalar/pack.hpp>              // IWYU pragma: export
#include <jounce/scalar/taylor.hpp>            // IWYU pragma: export
#include <jounce/second_derivatives.hpp>       // IWYU pragma: export
#include <jounce/series.hpp>                   // IWYU pragma: export

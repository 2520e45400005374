// SPDX-License-Identifier: BSD-3-Clause
// Everything about Gough-Stewart platforms, in one header.
#pragma once

#include <jounce/stewart/all_poses.hpp>      // IWYU pragma: export
#include <jounce/stewart/branch_survey.hpp>  // IWYU pragma: export
#include <jounce/stewart/estimate.hpp>       // IWYU pragma: export
#include <jounce/stewart/extra_sensors.hpp>  // IWYU pragma: export
#include <jounce/stewart/leg_dynamics.hpp>   // IWYU pragma: export
#include <jounce/stewart/method_survey.hpp>  // IWYU pragma: export
#include <jounce/stewart/methods.hpp>        // IWYU pragma: export
#include <jounce/stewart/pose_chart.hpp>     // IWYU pragma: export
#include <jounce/stewart/pose_solver.hpp>    // IWYU pragma: export
#include <jounce/stewart/stewart.hpp>        // IWYU pragma: export
#include <jounce/stewart/workspace.hpp>      // IWYU pragma: export
#include <jounce/stewart/xie_claims.hpp>     // IWYU pragma: export
#include <jounce/stewart/xie_tables.hpp>     // IWYU pragma: export

// SPDX-License-Identifier: BSD-3-Clause
// What a move takes, as a page or a picture: what `jounce plot` and Python's Along.plot write.
#pragma once

#include <jounce/move.hpp>
#include <string>

#include "report/page.hpp"

namespace jounce::pictures {

/// The largest entry of a row, by its size.
double largest(const dense::Matrix& x, int row);

/// The largest velocities, forces and force rates, and the limits of forces.
report::Table largest_table(const Along& run);

/// "joint_1 and joint_2 lead, the other joints follow from the loops. No limit is exceeded."
std::string summary(const Along& run);

/// What the file of this name is to have: plots below each other (.svg), or a page with the largest
/// values and where the move starts (.html). InputError for another ending.
std::string motion_picture(const std::string& path, const Along& run, const std::string& title);

}  // namespace jounce::pictures

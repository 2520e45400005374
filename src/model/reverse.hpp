// SPDX-License-Identifier: BSD-3-Clause
// A joint seen from its child: the same motion, with parent and child exchanged.
#pragma once

#include "model/edit.hpp"

namespace jounce::detail {

/// How the coordinates of a reversed joint follow from the joint's own, counted from its first.
std::vector<CoordinateMap::Run> reversed_runs(const JointGeometry& joint);

/// The coordinates of one run; q and v point to the first of all old ones, new_q and new_v
/// likewise.
void convert_run(const CoordinateMap::Run& run, const double* q, const double* v, double* new_q,
                 double* new_v);

/// Exchanges parent and child. Returns the names of the properties that the reversed joint cannot
/// have: those not set to zero (limits: infinity) for coordinates that mix.
std::vector<std::string> reverse(JointDescription& joint);

/// Removes all properties that do something, and returns their names.
std::vector<std::string> clear_properties(JointProperties& properties);

}  // namespace jounce::detail

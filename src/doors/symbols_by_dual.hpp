// SPDX-License-Identifier: BSD-3-Clause
// How Christoffel symbols of robots with custom joints change: by dual numbers.
#pragma once

#include <jounce/algorithm/pair_room.hpp>
#include <jounce/model/robot.hpp>

namespace jounce {

/// X_l Gamma_ijk of the tree at ((l n + i) n + j) n + k. Takes memory.
void symbols_by_dual(const Robot& robot, const PathLists& lists, const State<double>& x,
                     double* found);

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// What every part of the Python module that knows a robot shares: frames by name or number.
#pragma once

#include <jounce/model/robot.hpp>
#include <string>

#include "array.hpp"

namespace jounce::python {

/// A link or frame by name (str) or by number (anything Python counts with).
FrameId checked_frame(const Robot& robot, py::handle frame, const char* function);
/// Its name; a name passes as it is, the operations on robots have their own message for it.
std::string frame_name(const Robot& robot, py::handle frame, const char* function);
/// Refuses what can be neither a name nor a number.
void check_frame_type(py::handle frame, const char* function);

}  // namespace jounce::python

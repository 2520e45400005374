// SPDX-License-Identifier: BSD-3-Clause
// Links and joints as Python dictionaries, with the keys of docs/robot_json.md.
//
// Values may be NumPy arrays, and placements may be SE3. A key that means nothing is an error.
#pragma once

#include <pybind11/pybind11.h>

#include <jounce/model/description.hpp>
#include <string>

namespace jounce::python {

namespace py = pybind11;

/// By its name; `where` starts the message when there is none.
JointKind kind_from(const std::string& kind, const std::string& where);
LinkDescription link_from(const py::dict& link, const std::string& where);
/// Without parent and child, which the call gives; the name may be absent.
JointDescription joint_from(const py::dict& joint, const std::string& where);
/// A joint's kind, placement, axes, pitch and parts, and nothing else.
JointGeometry geometry_from(const py::dict& joint, const std::string& where);

}  // namespace jounce::python

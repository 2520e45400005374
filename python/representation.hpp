// SPDX-License-Identifier: BSD-3-Clause
// "body", "space" and "hybrid" as they come in from Python.
#pragma once

#include <jounce/algorithm/jacobian.hpp>
#include <string>

namespace jounce::python {

Representation representation(const std::string& kind, const char* function);

}  // namespace jounce::python

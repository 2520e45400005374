// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a robot as Python names them: (kind, name, component).
#pragma once

#include <jounce/sensitivity.hpp>
#include <tuple>

namespace jounce::python {

using GivenParameter = std::tuple<std::string, std::string, int>;

/// InputError for a kind that there is not.
std::vector<Parameter> parameters_of(const std::vector<GivenParameter>& given);

}  // namespace jounce::python

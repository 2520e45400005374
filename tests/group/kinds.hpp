// SPDX-License-Identifier: BSD-3-Clause
// The kinds of number on which the laws of the group are checked.
#pragma once

#include <jounce/scalar/counting.hpp>
#include <jounce/scalar/dual.hpp>
#include <jounce/scalar/pack.hpp>
#include <jounce/scalar/taylor.hpp>

#include "support/kinds.hpp"

namespace jounce::test {

inline constexpr Kinds<double, float, Pack<double, 4>, Taylor<double, 4>, Dual<double, 3>, Counting>
    kinds;

}  // namespace jounce::test

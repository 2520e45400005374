// SPDX-License-Identifier: BSD-3-Clause
// Between the Taylor coefficients of the recursions and the derivatives that users see.
#pragma once

namespace jounce {

constexpr double factorial(int n) {
  double f = 1;
  for (int k = 2; k <= n; ++k) f *= k;
  return f;
}

}  // namespace jounce

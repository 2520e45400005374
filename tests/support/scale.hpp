// SPDX-License-Identifier: BSD-3-Clause
// How many random cases a test tries: JOUNCE_TEST_SCALE=0.1 runs a tenth, for slow builds.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace jounce::test {

template <class Count = int>
Count scaled(Count cases) {
  const char* scale = std::getenv("JOUNCE_TEST_SCALE");
  return scale == nullptr ? cases : std::max(Count(1), Count(double(cases) * std::atof(scale)));
}

}  // namespace jounce::test

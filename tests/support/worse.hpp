// SPDX-License-Identifier: BSD-3-Clause
// The larger of two errors, where NaN is larger than every number.
#pragma once

namespace jounce::test {

template <class Real>
Real worse(Real x, Real y) {
  return y > x || y != y ? y : x;
}

}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// Must not compile: a recorded function that branches on a number.
#include <jounce/scalar/recorded.hpp>

jounce::Recorded larger(const jounce::Recorded& x, const jounce::Recorded& y) {
  if (x < y) return y;
  return x;
}

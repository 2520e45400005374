// SPDX-License-Identifier: BSD-3-Clause
// The version, as the build system knows it, and how the library was compiled.
#include <jounce/build.hpp>
#include <jounce/cpu.hpp>

namespace jounce {

const char* version() { return JOUNCE_VERSION; }

bool optimised() {
#if defined(__OPTIMIZE__)
  return true;
#else
  return false;
#endif
}

}  // namespace jounce

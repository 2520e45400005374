// SPDX-License-Identifier: BSD-3-Clause
// The version, as the build system knows it.
#include <jounce/cpu.hpp>

namespace jounce {

const char* version() { return JOUNCE_VERSION; }

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// How the library was compiled.
#pragma once

namespace jounce {

/// Whether the compiler optimised it; without that it is many times slower.
bool optimised();

}  // namespace jounce

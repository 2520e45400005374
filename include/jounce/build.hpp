// SPDX-License-Identifier: BSD-3-Clause
// How the library was compiled.
#pragma once

namespace jounce {

/// Whether the compiler optimised it; without that it is many times slower. -O1 and -Og count as
/// optimised: the compiler tells no more, and their calls are inlined too.
bool optimised();

}  // namespace jounce

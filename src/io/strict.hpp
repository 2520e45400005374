// SPDX-License-Identifier: BSD-3-Clause
// Strict reading: what would be ignored is refused.
#pragma once

#include <jounce/io.hpp>
#include <string>

namespace jounce::io {

/// What was read; InputError at the first ignored entry where the options are strict.
Loaded accepted(Loaded loaded, const std::string& origin, const ReadOptions& options);

}  // namespace jounce::io

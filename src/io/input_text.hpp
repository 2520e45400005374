// SPDX-License-Identifier: BSD-3-Clause
// Whole texts from files and from standard input.
#pragma once

#include <string>

#include "io/source_text.hpp"

namespace jounce::io {

/// The content of a file, cut off just beyond `most` bytes. InputError says why it cannot be read.
std::string file_text(const std::string& path, std::size_t most = SourceText::size_limit);

/// The rest of standard input, likewise.
std::string standard_input_text(std::size_t most = SourceText::size_limit);

}  // namespace jounce::io

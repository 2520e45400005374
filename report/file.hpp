// SPDX-License-Identifier: BSD-3-Clause
// Writing a file whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace jounce::report {

/// Writes to a temporary file in the same folder, then renames it to path. On failure throws
/// std::runtime_error with the path and the reason; a file already at path is then untouched.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace jounce::report

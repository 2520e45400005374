// SPDX-License-Identifier: BSD-3-Clause
// Writing what a command has to say: to standard output, or to a file whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace jounce::report {

/// Writes and flushes. std::runtime_error says why not all of it arrived; a reader that has closed
/// its end of a pipe has what it wanted, and is no error.
void write_standard_output(std::string_view content);

/// A plain file is written whole or not at all: to a temporary file in its folder, which then takes
/// its place, its mode and its owner. Links are followed. Written through, as it stands, is what
/// has several names or stands in a folder that takes no new files, and whatever is no plain file
/// (a device, a pipe). A path that leads to standard output is standard output. std::runtime_error
/// has the path and the reason.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace jounce::report

// SPDX-License-Identifier: BSD-3-Clause
// JSON in and out of subcommands: from a file or standard input, to a file or standard output.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace jounce::app {

using Json = nlohmann::ordered_json;

/// The JSON value in a file, or in standard input for "-"; InputError with the line where it is
/// none.
Json read_json(const std::string& path);

/// Writes whole or not at all; "-" is standard output.
void write_json(const std::string& path, const Json& value);

/// A vector of numbers under a key; InputError where it is missing or holds anything else.
std::vector<double> numbers(const Json& state, const char* key);

}  // namespace jounce::app

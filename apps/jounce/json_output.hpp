// SPDX-License-Identifier: BSD-3-Clause
// The JSON that a subcommand writes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace jounce::app {

using Json = nlohmann::ordered_json;

/// Adds a key that the object does not have, without looking for it: objects of thousands of keys
/// take linear time.
void append(Json& object, const std::string& key, Json value);

/// ComputationError where a number is not finite, which JSON cannot say: "who: tau[0] is not
/// finite".
void require_finite(const Json& value, const std::string& who);

/// Writes whole or not at all; "-" is standard output. Refuses numbers that are not finite.
void write_json(const std::string& path, const Json& value, const std::string& who);

/// A text to a file, or to standard output for "-".
void write_text(const std::string& path, const std::string& text);

}  // namespace jounce::app

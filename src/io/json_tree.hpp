// SPDX-License-Identifier: BSD-3-Clause
// A JSON text as a tree whose every key and value knows where it stands in the text.
#pragma once

#include <string>
#include <vector>

#include "io/source_text.hpp"

namespace jounce::io {

struct JsonMember;

struct JsonValue {
  enum class Kind : unsigned char { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  std::size_t offset = 0;
  double number = 0;  ///< read with std::from_chars from the text itself: -0.0 keeps its sign
  std::string string;
  std::vector<JsonValue> items;     ///< of an array
  std::vector<JsonMember> members;  ///< of an object, in the order of the text
};

struct JsonMember {
  std::string key;
  std::size_t offset = 0;  ///< of the key
  JsonValue value;
};

/// Fails with line and column where the text is not JSON, repeats a key in an object, is nested
/// deeper than SourceText::depth_limit, or holds a number beyond double or a control character.
JsonValue parse_json(const SourceText& source);

}  // namespace jounce::io

// SPDX-License-Identifier: BSD-3-Clause
// A JSON text as a tree whose every key and value knows where it stands in the text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/source_text.hpp"

namespace jounce::io {

struct JsonMember;
struct JsonParts;

/// A number takes 24 bytes, so that long lists of them stay affordable.
struct JsonValue {
  enum class Kind : unsigned char { null, boolean, number, string, array, object };

  const std::string& string() const;
  const std::vector<JsonValue>& items() const;     ///< of an array
  const std::vector<JsonMember>& members() const;  ///< of an object, in the order of the text

  Kind kind = Kind::null;
  std::uint32_t offset = 0;
  /// Read with std::from_chars from the text itself: -0.0 keeps its sign; 1 and 0 of a boolean.
  double number = 0;
  std::unique_ptr<JsonParts> parts;  ///< of strings, arrays and objects

  JsonValue();
  JsonValue(JsonValue&&) noexcept;
  JsonValue& operator=(JsonValue&&) noexcept;
  ~JsonValue();
};

struct JsonMember {
  std::string key;
  std::size_t offset = 0;  ///< of the key
  JsonValue value;
};

struct JsonParts {
  std::string string;
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;
};

/// Fails with line and column where the text is not JSON, repeats a key in an object, is nested
/// deeper than SourceText::depth_limit, or holds a number beyond double or a control character.
JsonValue parse_json(const SourceText& source);

}  // namespace jounce::io

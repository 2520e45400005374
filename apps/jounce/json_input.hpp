// SPDX-License-Identifier: BSD-3-Clause
// The JSON that a subcommand reads, from a file or from standard input, by the strict reader of
// robots: every error has its line and column, a key may appear once, nesting is limited.
#pragma once

#include <string>

#include "io/json_object.hpp"

namespace jounce::app {

using io::JsonObject;
using io::JsonValue;

/// What a file or, for "-", standard input holds; InputError where it is blank.
std::string input_text(const std::string& path);
/// "standard input" of "-".
std::string input_name(const std::string& path);

class JsonInput {
 public:
  /// "-" is standard input.
  explicit JsonInput(const std::string& path);
  /// A text that was read; `origin` names it in messages.
  JsonInput(std::string text, const std::string& origin);
  JsonInput(const JsonInput&) = delete;
  JsonInput& operator=(const JsonInput&) = delete;

  /// The whole input, which must be an object; `who` starts messages about it, and `list_hint` ends
  /// the one about a list.
  JsonObject object(const std::string& who, const std::string& list_hint = "");

 private:
  std::string text_;
  io::SourceText source_;
  JsonValue root_;
  io::JsonContext context_;
};

/// {"position": [x, y, z], "quaternion": [x, y, z, w]}: the parts that are there.
Vec3<double> position_of(JsonObject& object);
SO3<double> rotation_of(JsonObject& object);

}  // namespace jounce::app

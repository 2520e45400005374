// SPDX-License-Identifier: BSD-3-Clause
// A text that is being read: where it comes from, which line and column an offset is, and errors.
#pragma once

#include <cstddef>
#include <jounce/error.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "quotes.hpp"

namespace jounce::io {

/// Counted from 1; columns count bytes.
struct Position {
  int line = 1, column = 1;
};

/// An InputError that knows where in the text it is and what it says without that place.
struct PlacedError : InputError {
  PlacedError(const std::string& full, std::size_t at, std::string what_)
      : InputError(full), offset(at), message(std::move(what_)) {}
  std::size_t offset;
  std::string message;
};

class SourceText {
 public:
  static constexpr std::size_t size_limit = std::size_t{64} << 20;
  static constexpr int depth_limit = 100;  ///< of nested tags, objects and arrays

  /// Keeps a view of `text`. Throws InputError where the text is empty, longer than `most` bytes
  /// or not UTF-8.
  SourceText(std::string_view text, std::string origin, std::size_t most = size_limit);

  std::string_view text() const { return text_; }
  const std::string& origin() const { return origin_; }
  Position position(std::size_t offset) const;
  /// Throws PlacedError "origin:line:column: message".
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;

 private:
  void check_size(std::size_t most) const;
  void check_utf8() const;

  std::string_view text_;
  std::string origin_;
  std::vector<std::size_t> line_starts_;
};

using jounce::has_control_character;
using jounce::in_quotes;

}  // namespace jounce::io

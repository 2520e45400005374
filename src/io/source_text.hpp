// SPDX-License-Identifier: BSD-3-Clause
// A text that is being read: where it comes from, which line and column an offset is, and errors.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jounce::io {

/// Counted from 1; columns count bytes.
struct Position {
  int line = 1, column = 1;
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
  /// Throws InputError "origin:line:column: message".
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;

 private:
  void check_size(std::size_t most) const;
  void check_utf8() const;

  std::string_view text_;
  std::string origin_;
  std::vector<std::size_t> line_starts_;
};

/// "text" in double quotes, shortened and with control characters made visible, for messages.
std::string in_quotes(std::string_view text);

/// Whether the text holds a character below space or DEL, which no name may.
bool has_control_character(std::string_view text);

}  // namespace jounce::io

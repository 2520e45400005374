// SPDX-License-Identifier: BSD-3-Clause
// Names in messages: short, and in visible characters.
#include "quotes.hpp"

#include <algorithm>

namespace jounce {
namespace {

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

bool is_utf8_tail(char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u; }

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::size_t end = std::min(text.size(), longest);
  while (end < text.size() && end > 0 && is_utf8_tail(text[end])) --end;
  std::string result;
  result.reserve(end + 5);
  result.append(1, '"').append(text.substr(0, end));
  std::replace_if(result.begin(), result.end(), is_control, '?');
  return result.append(end < text.size() ? "...\"" : "\"");
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_control);
}

}  // namespace jounce

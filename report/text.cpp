// SPDX-License-Identifier: BSD-3-Clause
// Text for reports: escaping, clean UTF-8, widths in columns and numbers without a locale.
#include "report/text.hpp"

#include <array>
#include <charconv>
#include <system_error>

namespace jounce::report {
namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Whether a decoded code point of this many bytes is text: no control, surrogate or overlong form.
bool is_text(unsigned code, std::size_t bytes) {
  constexpr std::array<unsigned, 5> smallest{0, 0x20, 0xA0, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool noncharacter = (code & 0xFFFEU) == 0xFFFEU;
  return code >= smallest[bytes] && code <= 0x10FFFF && code != 0x7F && !surrogate && !noncharacter;
}

// Bytes of the character that starts the text; 0 where no valid one does.
std::size_t character_size(std::string_view text) {
  const unsigned lead = static_cast<unsigned char>(text.front());
  std::size_t bytes = 1;
  unsigned code = lead;
  if (lead >= 0xF0) {
    bytes = 4;
    code = lead & 0x07U;
  } else if (lead >= 0xE0) {
    bytes = 3;
    code = lead & 0x0FU;
  } else if (lead >= 0xC0) {
    bytes = 2;
    code = lead & 0x1FU;
  } else if (lead >= 0x80) {
    return 0;
  }
  if (lead > 0xF7 || text.size() < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues(text[i])) return 0;
    code = code << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return is_text(code, bytes) ? bytes : 0;
}

// "-0.00" is "0.00".
std::string without_negative_zero(std::string text) {
  if (text.front() == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

}  // namespace

std::string clean(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char c = text.front();
    const std::size_t size = c == '\n' || c == '\t' ? 1 : character_size(text);
    if (size > 0) {
      out += text.substr(0, size);
    } else if (c != '\r') {
      out += replacement_character;
    }
    text.remove_prefix(size > 0 ? size : 1);
  }
  return out;
}

std::string one_line(std::string_view text) {
  std::string out = clean(text);
  for (char& c : out) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return out;
}
std::string in_quotes(std::string_view text) { return "\"" + one_line(text) + "\""; }

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : clean(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += continues(c) ? 0 : 1;
  return count;
}

std::string_view first_columns(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (!continues(text[end]) && count-- == 0) break;
  }
  return text.substr(0, end);
}

std::string repeat(std::string_view text, std::size_t count) {
  std::string out;
  out.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::string fixed(double value, int decimals) {
  std::array<char, 512> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::fixed, decimals);
  if (error != std::errc()) return shortest(value);
  return without_negative_zero(std::string(buffer.data(), end));
}

std::string trimmed(double value, int decimals) {
  std::string text = fixed(value, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string significant(double value, int digits) {
  std::array<char, 512> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::general, digits);
  if (error != std::errc()) return shortest(value);
  return without_negative_zero(std::string(buffer.data(), end));
}

std::string shortest(double value) {
  std::array<char, 64> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

std::string superscript(int value) {
  constexpr std::array<std::string_view, 10> digits{"⁰", "¹", "²", "³", "⁴",
                                                    "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out;
  for (const char c : std::to_string(value)) {
    out += c == '-' ? "⁻" : digits[static_cast<std::size_t>(c - '0')];
  }
  return out;
}

}  // namespace jounce::report

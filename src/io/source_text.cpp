// SPDX-License-Identifier: BSD-3-Clause
// Lines and columns of a text, and the checks that every text has to pass.
#include "io/source_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

namespace jounce::io {
namespace {

unsigned byte_at(std::string_view text, std::size_t k) {
  return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
}

/// The number of bytes of the UTF-8 character at k, or 0 where there is none. RFC 3629, section 4.
std::size_t utf8_length(std::string_view text, std::size_t k) {
  const unsigned a = byte_at(text, k), b = byte_at(text, k + 1);
  const auto tail = [](unsigned c) { return (c & 0xc0u) == 0x80u; };
  if (a < 0x80) return 1;
  if (a < 0xc2 || a > 0xf4 || !tail(b)) return 0;
  if (a < 0xe0) return 2;
  if (!tail(byte_at(text, k + 2))) return 0;
  if (a < 0xf0) return (a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f) ? 0 : 3;
  if ((a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f)) return 0;
  return tail(byte_at(text, k + 3)) ? 4 : 0;
}

/// ASCII without its control characters, and blanks.
constexpr std::array<bool, 256> plain_bytes = [] {
  std::array<bool, 256> plain{};
  for (unsigned byte = 0x20; byte < 0x7f; ++byte) plain[byte] = true;
  plain['\t'] = plain['\n'] = plain['\r'] = true;
  return plain;
}();

/// How many of the bytes from k on are ASCII without control characters, eight at a time.
std::size_t printable_words(std::string_view text, std::size_t k) {
  constexpr std::uint64_t ones = 0x0101010101010101u, highest = 0x80 * ones;
  const std::size_t start = k;
  for (; k + 8 <= text.size(); k += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + k, 8);
    // The highest bit of a byte: it has one, adding 1 makes one (DEL), or taking 0x20 borrows one.
    if (((word | (word + ones) | (word - 0x20 * ones)) & highest) != 0) break;
  }
  return k - start;
}

std::string hexadecimal(unsigned byte) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%02x", byte);
  return text;
}

/// What else the text may be: what its byte-order mark or the head of its XML says.
std::string encoding_hint(std::string_view text) {
  const unsigned a = byte_at(text, 0), b = byte_at(text, 1);
  std::string_view encoding;
  if ((a == 0xff && b == 0xfe) || (a == 0xfe && b == 0xff)) {
    encoding = "UTF-16";
  } else if (text.starts_with("<?xml")) {
    const std::string_view head = text.substr(0, std::min(text.find("?>"), text.size()));
    const std::size_t word = head.find("encoding=");
    const std::size_t start = word == std::string_view::npos ? word : word + 10;
    if (start < head.size())
      encoding = head.substr(start, head.find_first_of("\"'", start) - start);
  }
  if (encoding.empty() || encoding == "UTF-8" || encoding == "utf-8") return "";
  return "; it says that it is " + in_quotes(encoding) + ": convert it with iconv -f " +
         std::string(encoding.substr(0, 20)) + " -t UTF-8";
}

}  // namespace

SourceText::SourceText(std::string_view text, std::string origin, std::size_t most)
    : text_(text), origin_(std::move(origin)) {
  check_size(most);
  line_starts_.push_back(0);
  for (std::size_t k = 0; (k = text_.find('\n', k)) != std::string_view::npos;)
    line_starts_.push_back(++k);
  check_utf8();
}

Position SourceText::position(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return {int(next - line_starts_.begin()), int(offset - *(next - 1)) + 1};
}

void SourceText::fail(std::size_t offset, const std::string& message) const {
  const Position at = position(offset);
  throw PlacedError(
      origin_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + message,
      offset, message);
}

void SourceText::check_size(std::size_t most) const {
  if (text_.size() > most)
    throw InputError(origin_ + ":1:1: has more than " + std::to_string(most) +
                     " bytes, the most that are read");
  if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(origin_ + ":1:1: is empty");
}

void SourceText::check_utf8() const {
  for (std::size_t k = 0; k < text_.size();) {
    const unsigned byte = byte_at(text_, k);
    if (plain_bytes[byte]) {  // nearly all of them
      ++k;
      k += printable_words(text_, k);
      continue;
    }
    if (byte < 0x20 || byte == 0x7f)
      fail(k, "control character " + hexadecimal(byte) + " in the text");
    const std::size_t length = utf8_length(text_, k);
    if (length == 0) fail(k, "is not UTF-8 text: byte " + hexadecimal(byte) + encoding_hint(text_));
    k += length;
  }
}

}  // namespace jounce::io

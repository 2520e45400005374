// SPDX-License-Identifier: BSD-3-Clause
#include "io/npz_file.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <jounce/error.hpp>

#include "quotes.hpp"

namespace jounce::io {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they stand");

constexpr std::string_view npy_magic = "\x93NUMPY";

/// The header of an array: its length is a multiple of 64, so that data are aligned.
std::string npy_header(const std::string& kind, const std::string& shape) {
  std::string text =
      "{'descr': '" + kind + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  const std::size_t before = npy_magic.size() + 4;
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  std::string header(npy_magic);
  header +=
      {'\1', '\0', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  return header + text;
}

/// Code points of UTF-8, as NumPy holds strings.
std::u32string code_points(std::string_view text) {
  std::u32string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80 && !out.empty()) out.back() = (out.back() << 6) | (byte & 0x3F);
    else if (byte < 0x80) out += char32_t{byte};
    else out += char32_t(byte & (byte < 0xE0 ? 0x1F : byte < 0xF0 ? 0x0F : 0x07));
  }
  return out;
}
/// What stands behind 'key': in a header, up to one of the characters.
std::string_view header_value(std::string_view header, std::string_view key) {
  const std::size_t at = header.find("'" + std::string(key) + "':");
  if (at == std::string_view::npos) return {};
  header.remove_prefix(at + key.size() + 3);
  header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
  return header;
}

NpyArray read_npy(std::string_view bytes, const std::string& who) {
  const auto fail = [&](const std::string& why) -> void {
    throw InputError(who + ": is no array of NumPy: " + why);
  };
  if (!bytes.starts_with(npy_magic) || bytes.size() < 12) fail("it begins otherwise");
  const auto byte = [&](std::size_t k) {
    return std::size_t(static_cast<unsigned char>(bytes[k]));
  };
  const std::size_t version = byte(6);
  const std::size_t begin = version == 1 ? 10 : 12;
  std::size_t length = byte(8) + (byte(9) << 8);
  if (version != 1) length += (byte(10) << 16) + (byte(11) << 24);
  if (length > bytes.size() - begin) fail("it ends too early");
  const std::string_view header = bytes.substr(begin, length);
  NpyArray array;
  const std::string_view kind = header_value(header, "descr");
  if (kind.size() > 2) array.kind = kind.substr(1, kind.find('\'', 1) - 1);
  array.by_columns = header_value(header, "fortran_order").starts_with("True");
  std::string_view shape = header_value(header, "shape");
  shape = shape.substr(0, shape.find(')'));
  for (std::size_t at; (at = shape.find_first_of("0123456789")) != std::string_view::npos;) {
    const auto [end, error] =
        std::from_chars(shape.data() + at, shape.data() + shape.size(), array.shape.emplace_back());
    if (error != std::errc() || array.shape.back() > bytes.size()) fail("its shape is too large");
    shape.remove_prefix(std::size_t(end - shape.data()));
  }
  array.data = bytes.substr(begin + length);
  return array;
}

}  // namespace

bool is_zip(std::string_view bytes) { return bytes.starts_with("PK"); }

std::string npy_numbers(const std::string& shape, std::span<const double> x) {
  std::string out = npy_header("<f8", shape);
  out.append(reinterpret_cast<const char*>(x.data()), x.size_bytes());
  return out;
}

/// Strings of one length, filled up with zeros.
std::string npy_names(const std::vector<std::string>& names) {
  std::vector<std::u32string> texts;
  std::size_t longest = 1;
  for (const std::string& name : names) {
    texts.push_back(code_points(name));
    longest = std::max(longest, texts.back().size());
  }
  std::string out = npy_header("<U" + std::to_string(longest), std::to_string(names.size()) + ",");
  for (std::u32string& text : texts) {
    text.resize(longest);
    out.append(reinterpret_cast<const char*>(text.data()), 4 * longest);
  }
  return out;
}

NpzArchive::NpzArchive(std::string_view bytes, const std::string& origin)
    : origin_(origin), entries_(read_zip(bytes, origin)) {}

std::vector<std::string> NpzArchive::names() const {
  std::vector<std::string> names;
  for (const ZipEntry& entry : entries_)
    if (entry.name.ends_with(".npy")) names.push_back(entry.name.substr(0, entry.name.size() - 4));
  return names;
}

const ZipEntry* NpzArchive::find(const std::string& name) const {
  for (const ZipEntry& entry : entries_)
    if (entry.name == name + ".npy") return &entry;
  return nullptr;
}

NpyArray NpzArchive::numbers(const std::string& name, std::size_t columns) const {
  const std::string who = origin_ + ": array " + in_quotes(name);
  const ZipEntry* entry = find(name);
  if (entry == nullptr) throw InputError(who + " is missing");
  NpyArray array = read_npy(entry->content, who);
  if (array.kind != "<f8")
    throw InputError(who + " is of " + in_quotes(array.kind) + ", needs numbers \"<f8\"");
  const bool fits =
      columns == 0 ? array.shape.size() == 1 : array.shape.size() == 2 && array.shape[1] == columns;
  if (!fits)
    throw InputError(who + " has another shape, needs " +
                     (columns == 0 ? "one dimension" : std::to_string(columns) + " columns"));
  if (array.data.size() != 8 * array.size()) throw InputError(who + " ends too early");
  return array;
}

void NpzArchive::check_names(const std::string& name,
                             const std::vector<std::string>& needed) const {
  const ZipEntry* entry = find(name);
  if (entry == nullptr) return;
  const std::string who = origin_ + ": array " + in_quotes(name);
  const std::string same = npy_names(needed);
  const NpyArray found = read_npy(entry->content, who), expected = read_npy(same, who);
  if (found.kind != expected.kind || found.data != expected.data)
    throw InputError(who + " has other names than the robot's coordinates");
}

}  // namespace jounce::io

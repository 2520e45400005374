// SPDX-License-Identifier: BSD-3-Clause
// Records as NPZ: an archive of arrays in NumPy's NPY format, version 1.0.
#include <bit>
#include <charconv>
#include <cstring>

#include "io/record_parts.hpp"
#include "io/zip_file.hpp"
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

void append_bytes(std::string& out, std::span<const double> x) {
  out.append(reinterpret_cast<const char*>(x.data()), x.size_bytes());
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

/// An array of an archive, read.
struct Array {
  std::string kind;  ///< "<f8"
  bool by_columns = false;
  std::vector<std::size_t> shape;
  std::string_view data;

  std::size_t size() const {
    std::size_t count = 1;
    for (const std::size_t n : shape) count *= n;
    return count;
  }
  double number(std::size_t k) const {
    double x = 0;
    std::memcpy(&x, data.data() + 8 * k, 8);
    return x;
  }
};

/// What stands behind 'key': in a header, up to one of the characters.
std::string_view header_value(std::string_view header, std::string_view key) {
  const std::size_t at = header.find("'" + std::string(key) + "':");
  if (at == std::string_view::npos) return {};
  header.remove_prefix(at + key.size() + 3);
  header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
  return header;
}

Array read_npy(std::string_view bytes, const std::string& who) {
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
  Array array;
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

class Archive {
 public:
  Archive(std::string_view bytes, const std::string& origin)
      : origin_(origin), entries_(read_zip(bytes, origin)) {}

  const ZipEntry* find(const std::string& name) const {
    for (const ZipEntry& entry : entries_)
      if (entry.name == name + ".npy") return &entry;
    return nullptr;
  }
  /// Doubles, with so many columns; 0: one dimension.
  Array numbers(const std::string& name, std::size_t columns) const {
    const std::string who = origin_ + ": array " + in_quotes(name);
    const ZipEntry* entry = find(name);
    if (entry == nullptr) throw InputError(who + " is missing");
    Array array = read_npy(entry->content, who);
    if (array.kind != "<f8")
      throw InputError(who + " is of " + in_quotes(array.kind) + ", needs numbers \"<f8\"");
    const bool fits = columns == 0 ? array.shape.size() == 1
                                   : array.shape.size() == 2 && array.shape[1] == columns;
    if (!fits)
      throw InputError(who + " has another shape, needs " +
                       (columns == 0 ? "one dimension" : std::to_string(columns) + " columns"));
    if (array.data.size() != 8 * array.size()) throw InputError(who + " ends too early");
    return array;
  }
  /// Names, where there are any, must be these.
  void check_names(const std::string& name, const std::vector<std::string>& needed) const {
    const ZipEntry* entry = find(name);
    if (entry == nullptr) return;
    const std::string who = origin_ + ": array " + in_quotes(name);
    const std::string same = npy_names(needed);
    const Array found = read_npy(entry->content, who), expected = read_npy(same, who);
    if (found.kind != expected.kind || found.data != expected.data)
      throw InputError(who + " has other names than the robot's coordinates");
  }

 private:
  std::string origin_;
  std::vector<ZipEntry> entries_;
};

}  // namespace

std::string write_record_npz(const Record& record) {
  const Robot& robot = record.robot();
  const std::string rows = std::to_string(record.size());
  std::vector<ZipEntry> entries = {{"t.npy", npy_header("<f8", rows + ",")}};
  append_bytes(entries[0].content, record.t());
  for (const RecordPart& part : record_parts) {
    entries.push_back({part.name + std::string(".npy"),
                       npy_header("<f8", rows + ", " + std::to_string(part.width(robot)))});
    for (int i = 0; i < record.size(); ++i)
      append_bytes(entries.back().content, (record.*part.row)(i));
  }
  entries.push_back({"q_names.npy", npy_names(position_names(robot))});
  entries.push_back({"v_names.npy", npy_names(velocity_names(robot))});
  return write_zip(entries);
}

Record read_record_npz(const Robot& robot, std::string_view bytes, const std::string& origin) {
  const Archive archive(bytes, origin);
  archive.check_names("q_names", position_names(robot));
  archive.check_names("v_names", velocity_names(robot));
  const Array t = archive.numbers("t", 0);
  std::array<Array, 4> parts;
  std::array<std::vector<double>, 4> row;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    parts[p] = archive.numbers(record_parts[p].name, std::size_t(record_parts[p].width(robot)));
    row[p].resize(parts[p].shape[1]);
    if (parts[p].shape[0] != t.size())
      throw InputError(origin + ": array " + in_quotes(record_parts[p].name) + " has " +
                       std::to_string(parts[p].shape[0]) + " rows, \"t\" has " +
                       std::to_string(t.size()));
  }
  Record record(robot);
  record.reserve(int(t.size()));
  for (std::size_t i = 0; i < t.size(); ++i) {
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (std::size_t k = 0; k < row[p].size(); ++k)
        row[p][k] = parts[p].number(parts[p].by_columns ? i + t.size() * k : row[p].size() * i + k);
    record.add(t.number(i), row[0], row[1], row[2], row[3]);
  }
  return record;
}

}  // namespace jounce::io

// SPDX-License-Identifier: BSD-3-Clause
#include "io/zip_file.hpp"

#include <array>
#include <jounce/error.hpp>
#include <limits>

#include "quotes.hpp"

namespace jounce::io {
namespace {

constexpr std::uint32_t local_mark = 0x04034b50, entry_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr std::size_t local_size = 30, entry_size = 46, end_size = 22;
constexpr std::uint64_t most_bytes = std::numeric_limits<std::uint32_t>::max();
constexpr unsigned first_day = (1 << 5) | 1;  // 1 January 1980: the same bytes for the same content

constexpr std::array<std::uint32_t, 256> crc_table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t k = 0; k < 256; ++k) {
    std::uint32_t x = k;
    for (int bit = 0; bit < 8; ++bit) x = (x >> 1) ^ ((x & 1) != 0 ? 0xEDB88320u : 0u);
    table[k] = x;
  }
  return table;
}();

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int k = 0; k < bytes; ++k) out += static_cast<char>((value >> (8 * k)) & 0xFF);
}
std::uint32_t get(std::string_view bytes, std::size_t at, int count) {
  std::uint32_t value = 0;
  for (int k = count - 1; k >= 0; --k)
    value = (value << 8) | static_cast<unsigned char>(bytes[at + std::size_t(k)]);
  return value;
}

/// What a local header and an entry of the directory have in common: from version to name length.
std::string common_header(const ZipEntry& entry) {
  std::string out;
  put(out, 20, 2);      // version that is needed
  put(out, 0x0800, 2);  // names are UTF-8
  put(out, 0, 2);       // stored
  put(out, 0, 2);       // time
  put(out, first_day, 2);
  put(out, crc32(entry.content), 4);
  put(out, entry.content.size(), 4);
  put(out, entry.content.size(), 4);
  put(out, entry.name.size(), 2);
  put(out, 0, 2);  // no extra field
  return out;
}

[[noreturn]] void no_archive(const std::string& origin, const std::string& why) {
  throw InputError(origin + ": is no archive of arrays: " + why);
}

/// Where the end of the directory begins; behind it there may be a comment.
std::size_t find_end(std::string_view bytes, const std::string& origin) {
  if (bytes.size() < end_size) no_archive(origin, "it ends too early");
  for (std::size_t at = bytes.size() - end_size;; --at) {
    if (get(bytes, at, 4) == end_mark) return at;
    if (at == 0 || bytes.size() - at > end_size + 0xFFFF)
      no_archive(origin, "its directory is missing");
  }
}

ZipEntry read_entry(std::string_view bytes, std::size_t at, const std::string& origin) {
  const std::size_t name_size = get(bytes, at + 28, 2), size = get(bytes, at + 20, 4);
  const std::size_t local = get(bytes, at + 42, 4);
  if (at + entry_size + name_size > bytes.size()) no_archive(origin, "it ends too early");
  ZipEntry entry{std::string(bytes.substr(at + entry_size, name_size)), {}};
  const std::string who = origin + ": " + in_quotes(entry.name);
  if (get(bytes, at + 10, 2) != 0)
    throw InputError(who + " is compressed, needs files that are stored (numpy.savez)");
  if (local + local_size > bytes.size() || get(bytes, local, 4) != local_mark)
    no_archive(origin, in_quotes(entry.name) + " is not where the directory says");
  const std::size_t begin =
      local + local_size + get(bytes, local + 26, 2) + get(bytes, local + 28, 2);
  if (begin > bytes.size() || size > bytes.size() - begin)
    no_archive(origin, in_quotes(entry.name) + " ends too early");
  entry.content = bytes.substr(begin, size);
  if (crc32(entry.content) != get(bytes, at + 16, 4))
    throw InputError(who + " is damaged: its check sum is another");
  return entry;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t x = 0xFFFFFFFF;
  for (const char c : bytes) x = (x >> 8) ^ crc_table[(x ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~x;
}

std::string write_zip(const std::vector<ZipEntry>& entries) {
  std::string out, directory;
  for (const ZipEntry& entry : entries) {
    const std::string header = common_header(entry);
    put(directory, entry_mark, 4);
    put(directory, 20, 2);  // version that wrote it
    directory += header;
    directory.append(2 + 2 + 2 + 4, '\0');  // comment, disk, attributes
    put(directory, out.size(), 4);
    directory += entry.name;
    put(out, local_mark, 4);
    out += header + entry.name;
    out += entry.content;
    if (out.size() + directory.size() + end_size > most_bytes || entries.size() > 0xFFFF)
      throw InputError("NPZ: " + in_quotes(entry.name) + " ends behind " +
                       std::to_string(out.size()) + " bytes, an archive holds 4 GiB");
  }
  const std::size_t begin = out.size();
  out += directory;
  put(out, end_mark, 4);
  put(out, 0, 4);  // disks
  put(out, entries.size(), 2);
  put(out, entries.size(), 2);
  put(out, directory.size(), 4);
  put(out, begin, 4);
  put(out, 0, 2);  // no comment
  return out;
}

std::vector<ZipEntry> read_zip(std::string_view bytes, const std::string& origin) {
  const std::size_t end = find_end(bytes, origin), count = get(bytes, end + 10, 2);
  std::size_t at = get(bytes, end + 16, 4);
  std::vector<ZipEntry> entries;
  for (std::size_t k = 0; k < count; ++k) {
    if (at + entry_size > bytes.size() || get(bytes, at, 4) != entry_mark)
      no_archive(origin, "its directory is damaged");
    entries.push_back(read_entry(bytes, at, origin));
    at += entry_size + get(bytes, at + 28, 2) + get(bytes, at + 30, 2) + get(bytes, at + 32, 2);
  }
  return entries;
}

}  // namespace jounce::io

// SPDX-License-Identifier: BSD-3-Clause
// Zip archives whose files are stored as they are, which is what numpy.savez writes.
//
// PKWARE's APPNOTE 6.3: local headers (4.3.7), central directory (4.3.12) and its end (4.3.16).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jounce::io {

struct ZipEntry {
  std::string name;
  std::string content;
};

/// InputError where a file or the whole is larger than 4 GiB, or has more than 65535 files.
std::string write_zip(const std::vector<ZipEntry>& entries);

/// InputError that begins with `origin` where the bytes are no such archive, files are compressed,
/// or damaged.
std::vector<ZipEntry> read_zip(std::string_view bytes, const std::string& origin);

/// The check sum of zip and PNG (polynomial 0xEDB88320).
std::uint32_t crc32(std::string_view bytes);

}  // namespace jounce::io

// SPDX-License-Identifier: BSD-3-Clause
// Reads a robot from a file, by its content, or from the bundled ones.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <jounce/error.hpp>
#include <jounce/io.hpp>

#include "io/builtin.hpp"
#include "io/source_text.hpp"

namespace jounce {
namespace {

constexpr std::string_view builtin_prefix = "builtin:";

[[noreturn]] void cannot_open(const std::string& path, const std::string& why) {
  const auto known = builtin_robots();
  const bool bundled = std::find(known.begin(), known.end(), path) != known.end();
  throw InputError(path + ": cannot be read: " + why +
                   (bundled ? "; the bundled robot is builtin:" + path : ""));
}

/// The content of a file, cut off just beyond the size that is refused.
std::string file_text(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) cannot_open(path, "is a folder");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) cannot_open(path, errno == 0 ? "unknown reason" : std::strerror(errno));
  std::string text;
  char buffer[1 << 16];
  while (file && text.size() <= io::SourceText::size_limit) {
    file.read(buffer, sizeof buffer);
    text.append(buffer, std::size_t(file.gcount()));
  }
  if (file.bad()) cannot_open(path, "reading failed");
  return text;
}

/// The first character that is neither blank nor a byte-order mark.
char first_character(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? '\0' : text[first];
}

}  // namespace

Loaded read_robot(const std::string& path_or_name, const ReadOptions& options) {
  if (path_or_name.starts_with(builtin_prefix))
    return io::read_builtin(path_or_name.substr(builtin_prefix.size()), options);
  const std::string text = file_text(path_or_name);
  const char first = first_character(text);
  if (first == '<') return read_urdf(text, path_or_name, options);
  if (first == '{') return read_json(text, path_or_name, options);
  const io::SourceText source(text, path_or_name);
  source.fail(text.find(first), "is neither URDF (starts with \"<\") nor JSON (starts with \"{\")");
}

}  // namespace jounce

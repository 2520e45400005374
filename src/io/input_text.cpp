// SPDX-License-Identifier: BSD-3-Clause
// Whole texts from files and from standard input.
#include "io/input_text.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <jounce/error.hpp>
#include <memory>

namespace jounce::io {
namespace {

[[noreturn]] void cannot_read(const std::string& origin, int code) {
  throw UnreadableError(
      origin + ": cannot be read: " + (code == EISDIR ? "is a folder" : std::strerror(code)), code);
}

std::string rest_of(std::FILE* file, const std::string& origin, std::size_t most) {
  std::string text;
  char buffer[1 << 16];
  while (text.size() <= most) {
    const std::size_t count = std::fread(buffer, 1, sizeof buffer, file);
    text.append(buffer, count);
    if (count == sizeof buffer) continue;
    if (std::ferror(file) != 0) cannot_read(origin, errno);
    break;
  }
  return text;
}

}  // namespace

std::string file_text(const std::string& path, std::size_t most) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) cannot_read(path, EISDIR);
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (file == nullptr) cannot_read(path, errno);
  return rest_of(file.get(), path, most);
}

std::string standard_input_text(std::size_t most) { return rest_of(stdin, "standard input", most); }

}  // namespace jounce::io

// SPDX-License-Identifier: BSD-3-Clause
// Writing a file whole or not at all.
#include "report/file.hpp"

#include <cerrno>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>

namespace jounce::report {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why) {
  throw std::runtime_error("cannot write " + path.string() + ": " + why);
}

std::filesystem::path temporary_beside(const std::filesystem::path& path) {
  std::random_device random;
  std::filesystem::path name = path;
  name += ".tmp" + std::to_string(random());
  return name;
}

// Creates the file; 0 or the error number. Never opens one that exists.
int create(const std::filesystem::path& path, std::string_view content) {
  std::FILE* file = std::fopen(path.string().c_str(), "wbx");
  if (file == nullptr) return errno;
  int error = 0;
  if (std::fwrite(content.data(), 1, content.size(), file) != content.size()) error = errno;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  if (error != 0) std::remove(path.string().c_str());
  return error;
}

}  // namespace

void write_file(const std::filesystem::path& path, std::string_view content) {
  const std::filesystem::path temporary = temporary_beside(path);
  if (const int error = create(temporary, content); error != 0) fail(path, reason(error));
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (!error) return;
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  fail(path, reason(error.value()));
}

}  // namespace jounce::report

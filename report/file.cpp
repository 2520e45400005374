// SPDX-License-Identifier: BSD-3-Clause
// Writing what a command has to say: to standard output, or to a file whole or not at all.
#include "report/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>

namespace jounce::report {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what, int error) {
  throw std::runtime_error("cannot write " + what + ": " + std::generic_category().message(error));
}

/// What stands at a path, if anything does.
std::optional<struct stat> status_of(const fs::path& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) == 0) return found;
  if (errno != ENOENT) fail(path.string(), errno);
  return std::nullopt;
}

bool is_standard_output(const struct stat& file) {
  struct stat out {};
  return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == file.st_dev && out.st_ino == file.st_ino;
}

/// Where a chain of links ends, be it there or not.
fs::path end_of_links(fs::path path) {
  std::error_code error;
  for (int hops = 0; hops < 40 && fs::is_symlink(fs::symlink_status(path, error)); ++hops) {
    const fs::path next = fs::read_symlink(path, error);
    if (error) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

fs::path temporary_beside(const fs::path& path) {
  std::random_device random;
  fs::path name = path;
  name += ".tmp" + std::to_string(random());
  return name;
}

/// Writes all and closes; 0 or the error number.
int write_and_close(int file, std::string_view content) {
  int error = 0;
  while (error == 0 && !content.empty()) {
    const ssize_t count = write(file, content.data(), content.size());
    if (count > 0) content.remove_prefix(static_cast<size_t>(count));
    else if (errno != EINTR) error = count == 0 ? EIO : errno;
  }
  if (close(file) != 0 && error == 0) error = errno;
  return error;
}

int write_through(const fs::path& path, std::string_view content, int flags) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | flags);
  return file < 0 ? errno : write_and_close(file, content);
}

/// Gives a new file the owner, where that is allowed, and the mode of the one it replaces.
int take_over(int file, const struct stat& old) {
  if (fchown(file, old.st_uid, old.st_gid) != 0 && errno != EPERM) return errno;
  return fchmod(file, old.st_mode & 0777) == 0 ? 0 : errno;
}

/// The file at `path`, which is `old` or not there, replaced in one step; 0 or the error number.
int replace(const fs::path& path, const std::optional<struct stat>& old, std::string_view content) {
  if (old && faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return errno;
  if (old && old->st_nlink > 1) return write_through(path, content, O_TRUNC);
  const fs::path temporary = temporary_beside(path);
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                        old ? 0600 : 0666);  // less what umask takes
  if (file < 0)
    return old && (errno == EACCES || errno == EPERM || errno == EROFS)
               ? write_through(path, content, O_TRUNC)
               : errno;
  const int kept = old ? take_over(file, *old) : 0;
  int error = write_and_close(file, kept == 0 ? content : std::string_view{});
  if (error == 0) error = kept;
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) unlink(temporary.c_str());
  return error;
}

}  // namespace

void write_standard_output(std::string_view content) {
  errno = 0;
  const bool written = std::fwrite(content.data(), 1, content.size(), stdout) == content.size();
  if (written && std::fflush(stdout) == 0) return;
  if (errno != EPIPE) fail("standard output", errno);
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  const std::optional<struct stat> found = status_of(path);
  if (found && is_standard_output(*found)) return write_standard_output(content);
  const int error = found && !S_ISREG(found->st_mode) ? write_through(path, content, 0)
                                                      : replace(end_of_links(path), found, content);
  if (error != 0) fail(path.string(), error);
}

}  // namespace jounce::report

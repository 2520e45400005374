// SPDX-License-Identifier: BSD-3-Clause
// The look-up of package://, file:// and relative mesh paths.
#include "io/mesh_path.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

namespace jounce::io {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> existing(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error) || error) return std::nullopt;
  const fs::path full = fs::absolute(path, error);
  if (error) return std::nullopt;
  return full.lexically_normal().string();
}

std::vector<std::string> ros_package_path() {
  std::vector<std::string> folders;
  const char* const variable = std::getenv("ROS_PACKAGE_PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    const std::string_view folder = rest.substr(0, end);
    if (!folder.empty()) folders.emplace_back(folder);
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  return folders;
}

std::optional<std::string> in_package(const std::vector<std::string>& folders,
                                      std::string_view package, std::string_view file) {
  for (const fs::path folder : folders) {
    if (auto found = existing(folder / package / file)) return found;
    const fs::path name = (folder / "").lexically_normal().parent_path().filename();
    if (name != fs::path(package)) continue;
    if (auto found = existing(folder / file)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::string find_mesh(const std::string& written, const std::string& origin,
                      const ReadOptions& options) {
  std::string_view rest = written;
  std::optional<std::string> found;
  if (rest.starts_with("package://")) {
    rest.remove_prefix(10);
    const std::size_t slash = rest.find('/');
    if (slash == std::string_view::npos) return written;
    const std::string_view package = rest.substr(0, slash), file = rest.substr(slash + 1);
    found = in_package(options.package_folders, package, file);
    if (!found) found = in_package(ros_package_path(), package, file);
  } else if (rest.starts_with("file://")) {
    found = existing(rest.substr(7));
  } else if (rest.find("://") == std::string_view::npos && !rest.empty()) {
    found = existing(fs::path(origin).parent_path() / rest);
  }
  return found.value_or(written);
}

}  // namespace jounce::io

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

/// The folders of a variable that lists them with colons, each with `behind` behind it.
std::vector<fs::path> folders_of(const char* variable, const fs::path& behind = "") {
  std::vector<fs::path> folders;
  const char* const value = std::getenv(variable);
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    const std::string_view folder = rest.substr(0, end);
    if (!folder.empty()) folders.push_back(fs::path(folder) / behind);
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  return folders;
}

/// The folder of a file and those above it.
std::vector<fs::path> folders_above(const std::string& file) {
  std::vector<fs::path> folders;
  std::error_code error;
  fs::path folder = fs::absolute(fs::path(file), error).lexically_normal().parent_path();
  if (error) return folders;
  for (; folders.empty() || folder != folders.back(); folder = folder.parent_path())
    folders.push_back(folder);
  return folders;
}

std::optional<std::string> in_folders(const std::vector<fs::path>& folders, std::string_view file) {
  for (const fs::path& folder : folders)
    if (auto found = existing(folder / file)) return found;
  return std::nullopt;
}

std::optional<std::string> in_package(const std::vector<fs::path>& folders,
                                      std::string_view package, std::string_view file) {
  for (const fs::path& folder : folders) {
    const fs::path name = (folder / "").lexically_normal().parent_path().filename();
    if (name == fs::path(package))
      if (auto found = existing(folder / file)) return found;
    if (auto found = existing(folder / package / file)) return found;
  }
  return std::nullopt;
}

std::optional<std::string> find_in_package(std::string_view path, const std::string& origin,
                                           const ReadOptions& options) {
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view package = path.substr(0, slash), file = path.substr(slash + 1);
  const std::vector<fs::path> given(options.package_folders.begin(), options.package_folders.end());
  const std::vector<fs::path> above = folders_above(origin);
  auto found = in_package(given, package, file);
  if (!found) found = in_package(above, package, file);
  if (!found) found = in_package(folders_of("ROS_PACKAGE_PATH"), package, file);
  if (!found) found = in_package(folders_of("AMENT_PREFIX_PATH", "share"), package, file);
  return found ? found : in_folders(above, file);
}

/// The scheme of a path, "package://", or nothing.
std::string_view scheme_of(std::string_view path) {
  const std::size_t end = path.find("://");
  return end == std::string_view::npos ? "" : path.substr(0, end + 3);
}

}  // namespace

std::optional<std::string> find_mesh(const std::string& written, const std::string& origin,
                                     const ReadOptions& options) {
  const std::string_view scheme = scheme_of(written);
  const std::string_view path = std::string_view(written).substr(scheme.size());
  if (scheme == "package://" || scheme == "model://") return find_in_package(path, origin, options);
  if (scheme == "file://") return existing(path);
  if (scheme.empty() && !path.empty()) return in_folders(folders_above(origin), path);
  return std::nullopt;
}

void note_missing_mesh(const std::string& written, std::size_t offset, Diagnostics& diagnostics) {
  diagnostics.add(FindingKind::mesh, offset, "mesh " + in_quotes(written) + " is not found");
}

}  // namespace jounce::io

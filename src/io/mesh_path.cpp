// SPDX-License-Identifier: BSD-3-Clause
// The look-up of package://, model://, file:// and relative mesh paths.
#include "io/mesh_path.hpp"

#include <cstdlib>
#include <string_view>

namespace jounce::io {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && !error;
}

std::optional<std::string> existing(const fs::path& path) {
  if (!is_there(path)) return std::nullopt;
  std::error_code error;
  const fs::path full = fs::absolute(path, error);
  if (error) return std::nullopt;
  return full.lexically_normal().string();
}

/// The folders of a variable that lists them with colons, each with `behind` behind it.
std::vector<fs::path> folders_in(const char* variable, const fs::path& behind = "") {
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

/// The scheme of a path, "package://", or nothing.
std::string_view scheme_of(std::string_view path) {
  const std::size_t end = path.find("://");
  return end == std::string_view::npos ? "" : path.substr(0, end + 3);
}

}  // namespace

std::string MeshFinder::find(const std::string& written, std::size_t offset) {
  const auto [place, is_new] = found_.try_emplace(written);
  if (is_new) place->second = look_for(written);
  if (!place->second)
    diagnostics_.add(FindingKind::mesh, offset, "mesh " + in_quotes(written) + " is not found");
  return place->second.value_or(written);
}

std::optional<std::string> MeshFinder::in_folders(const Folders& folders, std::string_view file) {
  const std::string_view inner = file.substr(0, file.rfind('/') + 1);
  for (const fs::path& folder : folders) {
    const auto [place, is_new] = inner_.try_emplace(folder.native() + '/' + std::string(inner));
    if (is_new) place->second = is_there(place->first);
    if (!place->second) continue;
    if (auto found = existing(folder / file)) return found;
  }
  return std::nullopt;
}

std::optional<std::string> MeshFinder::look_for(const std::string& written) {
  const std::string_view scheme = scheme_of(written);
  const std::string_view path = std::string_view(written).substr(scheme.size());
  if (scheme == "package://" || scheme == "model://") return in_package(path);
  if (scheme == "file://") return existing(path);
  if (scheme.empty() && !path.empty()) return in_folder_above(path);
  return std::nullopt;
}

std::optional<std::string> MeshFinder::in_package(std::string_view path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view file = path.substr(slash + 1);
  auto found = in_folders(folders_of_package(std::string(path.substr(0, slash))), file);
  return found ? found : in_folder_above(file);
}

/// The robot's own folder and those above it.
const MeshFinder::Folders& MeshFinder::folders_above() {
  if (!above_.empty()) return above_;
  std::error_code error;
  fs::path folder =
      fs::absolute(fs::path(diagnostics_.source().origin()), error).lexically_normal();
  for (folder = folder.parent_path(); above_.empty() || folder != above_.back();
       folder = folder.parent_path())
    above_.push_back(folder);
  return above_;
}

std::optional<std::string> MeshFinder::in_folder_above(std::string_view file) {
  const std::size_t slash = file.find('/', file.starts_with('/') ? 1 : 0);
  if (slash == std::string_view::npos) return in_folders(folders_above(), file);
  const auto [place, is_new] = parents_.try_emplace(std::string(file.substr(0, slash)));
  if (is_new)
    for (const fs::path& folder : folders_above())
      if (is_there(folder / place->first)) place->second.push_back(folder);
  return in_folders(place->second, file);
}

const MeshFinder::Folders& MeshFinder::folders_of_package(const std::string& package) {
  if (const auto known = packages_.find(package); known != packages_.end()) return known->second;
  Folders& roots = packages_[package];
  const auto add = [&](const Folders& folders) {
    for (const fs::path& folder : folders) {
      const fs::path name =
          folder.has_filename() ? folder.filename() : folder.parent_path().filename();
      if (name == package) roots.push_back(folder);
      if (is_there(folder / package)) roots.push_back(folder / package);
    }
  };
  add({options_.package_folders.begin(), options_.package_folders.end()});
  add(folders_above());
  add(folders_in("ROS_PACKAGE_PATH"));
  add(folders_in("AMENT_PREFIX_PATH", "share"));
  return roots;
}

}  // namespace jounce::io

// SPDX-License-Identifier: BSD-3-Clause
// The look-up of package://, model://, file:// and relative mesh paths.
#include "io/mesh_path.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace jounce::io {
namespace {

bool is_there(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

/// Absolute, and without "..", ".", repeated slashes and one at the end.
std::string full_path(std::string path) {
  const bool is_plain = path.starts_with('/') && path.find("/.") == std::string::npos &&
                        path.find("//") == std::string::npos;
  if (!is_plain) {
    std::error_code error;
    path = std::filesystem::absolute(path, error).lexically_normal().string();
  }
  if (path.ends_with('/')) path.pop_back();
  return path;
}

std::optional<std::string> existing(std::string path) {
  if (!is_there(path)) return std::nullopt;
  return full_path(std::move(path));
}

/// The folders of a variable that lists them with colons, each with `behind` behind it.
void add_folders_in(const char* variable, const char* behind, std::vector<std::string>& folders) {
  const char* const value = std::getenv(variable);
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    const std::string_view folder = rest.substr(0, end);
    if (!folder.empty()) folders.push_back(full_path(std::string(folder) + behind));
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
}

std::string_view name_of(std::string_view folder) { return folder.substr(folder.rfind('/') + 1); }

/// The scheme of a path, "package://", or nothing.
std::string_view scheme_of(std::string_view path) {
  const std::size_t end = path.find("://");
  return end == std::string_view::npos ? "" : path.substr(0, end + 3);
}

/// The first of `all` that `known` says and `try_in` finds something in. `ask` adds to what is
/// known; it is asked for one folder after the other, as far as needed.
template <class Known, class Folders, class Ask, class Try>
std::optional<std::string> first_of(Known& known, const Folders& all, Ask ask, Try try_in) {
  for (std::size_t k = 0;; ++k) {
    while (k == known.folders.size() && known.asked < all.size()) ask(all[known.asked++]);
    if (k == known.folders.size()) return std::nullopt;
    if (auto found = try_in(known.folders[k])) return found;
  }
}

}  // namespace

std::string MeshFinder::find(const std::string& written, std::size_t offset) {
  const auto [place, is_new] = found_.try_emplace(written);
  if (is_new) place->second = look_for(written);
  if (!place->second)
    diagnostics_.add(FindingKind::mesh, offset, "mesh " + in_quotes(written) + " is not found");
  return place->second.value_or(written);
}

std::optional<std::string> MeshFinder::look_for(std::string_view written) {
  const std::string_view scheme = scheme_of(written), path = written.substr(scheme.size());
  if (scheme == "package://" || scheme == "model://") return in_package(path);
  if (scheme == "file://" || path.starts_with('/')) return existing(std::string(path));
  if (scheme.empty() && !path.empty()) return in_folder_above(path);
  return std::nullopt;
}

std::optional<std::string> MeshFinder::in_package(std::string_view path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view file = path.substr(slash + 1);
  const auto [place, is_new] = packages_.try_emplace(std::string(path.substr(0, slash)));
  const std::string& package = place->first;
  Known& known = place->second;
  const auto ask = [&](const std::string& folder) {
    if (name_of(folder) == package) known.folders.push_back(folder);
    std::string inner = folder + '/' + package;
    if (is_there(inner)) known.folders.push_back(std::move(inner));
  };
  auto found = first_of(known, folders_of_packages(), ask,
                        [&](const std::string& folder) { return in_folder(folder, file); });
  return found ? found : in_folder_above(file);
}

std::optional<std::string> MeshFinder::in_folder_above(std::string_view file) {
  const auto [place, is_new] = above_has_.try_emplace(std::string(file));
  if (!is_new) return place->second;
  const std::string_view first = file.substr(0, file.find('/'));
  Known& known = parents_[std::string(first.size() < file.size() ? first : "")];
  const auto ask = [&](const std::string& folder) {
    if (first.size() == file.size() || is_there(folder + '/' + std::string(first)))
      known.folders.push_back(folder);
  };
  place->second = first_of(known, folders_above(), ask,
                           [&](const std::string& folder) { return in_folder(folder, file); });
  return place->second;
}

std::optional<std::string> MeshFinder::in_folder(const std::string& folder, std::string_view file) {
  std::string path = folder + '/';
  if (const std::size_t inner = file.rfind('/'); inner != std::string_view::npos) {
    path += file.substr(0, inner);
    const auto [place, is_new] = inner_.try_emplace(path);
    if (is_new) place->second = is_there(path);
    if (!place->second) return std::nullopt;
    file.remove_prefix(inner);
  }
  return existing(path.append(file));
}

const MeshFinder::Folders& MeshFinder::folders_above() {
  if (!above_.empty()) return above_;
  std::string folder = full_path(diagnostics_.source().origin());
  do {
    folder.resize(std::min(folder.rfind('/'), folder.size()));
    above_.push_back(folder);
  } while (!folder.empty());
  return above_;
}

const MeshFinder::Folders& MeshFinder::folders_of_packages() {
  if (!around_.empty()) return around_;
  for (const std::string& folder : options_.package_folders) around_.push_back(full_path(folder));
  around_.insert(around_.end(), folders_above().begin(), folders_above().end());
  add_folders_in("ROS_PACKAGE_PATH", "", around_);
  add_folders_in("AMENT_PREFIX_PATH", "/share", around_);
  return around_;
}

}  // namespace jounce::io

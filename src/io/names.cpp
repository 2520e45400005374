// SPDX-License-Identifier: BSD-3-Clause
// Tables of names with their places in a file.
#include "io/names.hpp"

#include "model/check.hpp"
#include "model/robot_data.hpp"

namespace jounce::io {

namespace {

template <class Kind>
std::optional<Kind> kind_of(std::string_view text, Kind last) {
  for (int k = 0; k <= int(last); ++k)
    if (text == name(Kind(k))) return Kind(k);
  return std::nullopt;
}

}  // namespace

std::optional<JointKind> joint_kind(std::string_view text) {
  return kind_of(text, JointKind::custom);
}
std::optional<LoopKind> loop_kind(std::string_view text) { return kind_of(text, LoopKind::gear); }
std::string loop_kinds() {
  std::string all;
  for (int k = 0; k <= int(LoopKind::gear); ++k)
    all += (k == 0 ? "" : ", ") + std::string(name(LoopKind(k)));
  return all;
}

namespace {

std::string nearest(std::string_view wanted, std::span<const std::string> names,
                    std::size_t count) {
  constexpr std::size_t longest = 64;  // beyond it a comparison costs more than it helps
  std::vector<std::string> heads;
  for (const std::string& name : names) heads.push_back(name.substr(0, longest));
  return nearest_names(wanted.substr(0, longest), heads, count);
}

}  // namespace

std::string nearest_name(std::string_view wanted, std::span<const std::string> names) {
  return nearest(wanted, names, 1);
}

std::string there_is_no(std::string_view kind, std::string_view wanted,
                        std::span<const std::string> names) {
  const std::string near = nearest(wanted, names, 3);
  return "there is no " + std::string(kind) + " " + in_quotes(wanted) +
         (near.empty() ? "" : "; nearest: " + near);
}

void NameTable::add(const std::string& name, std::size_t offset) {
  const auto [place, is_new] = places_.try_emplace(name, offset);
  if (!is_new)
    source_.fail(offset, kind_ + " " + in_quotes(name) + " is already defined in line " +
                             std::to_string(source_.position(place->second).line));
  names_.push_back(name);
}

std::size_t NameTable::offset(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? 0 : found->second;
}

std::vector<Place> NameTable::places() const {
  std::vector<Place> places;
  places.reserve(names_.size());
  for (const std::string& name : names_) {
    const Position at = source_.position(offset(name));
    places.push_back({at.line, at.column});
  }
  return places;
}

void NameTable::require(const std::string& name, std::size_t offset, const std::string& who) {
  if (places_.contains(name)) return;
  const bool seen = misses_++ < Notices::most_shown;
  source_.fail(offset,
               who + ": " + there_is_no(kind_, name, seen ? names_ : std::vector<std::string>()));
}

}  // namespace jounce::io

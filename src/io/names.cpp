// SPDX-License-Identifier: BSD-3-Clause
// Tables of names with their places in a file.
#include "io/names.hpp"

#include <algorithm>

#include "model/check.hpp"
#include "model/names.hpp"
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

constexpr std::size_t longest = 64;  // beyond it a comparison costs more than it helps

/// Whether one may be meant by the other: a third of its letters differ at most, or it goes on.
bool is_near(std::string_view wanted, std::string_view name) {
  if (wanted.size() > 2 && name.starts_with(wanted)) return true;
  return edit_distance(wanted, name) <= std::max<std::size_t>(1, wanted.size() / 3);
}

}  // namespace

std::string nearest_name(std::string_view wanted, std::span<const std::string> names) {
  const std::string_view head = wanted.substr(0, longest);
  const std::string* best = nullptr;
  std::size_t least = 0;
  for (const std::string& name : names) {
    const std::string_view other = std::string_view(name).substr(0, longest);
    const std::size_t distance = edit_distance(head, other);
    if (is_near(head, other) && (best == nullptr || distance < least))
      best = &name, least = distance;
  }
  return best == nullptr ? "" : "; nearest: " + in_quotes(*best);
}

std::string nearest_or_all(std::string_view wanted, std::span<const std::string> names) {
  if (std::string near = nearest_name(wanted, names); !near.empty()) return near;
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "; there are " : ", ") + name;
  return all;
}

std::string there_is_no(std::string_view kind, std::string_view wanted,
                        std::span<const std::string> names) {
  std::vector<std::string> heads;
  for (const std::string& name : names) heads.push_back(name.substr(0, longest));
  const std::string near = nearest_names(wanted.substr(0, longest), heads, 3);
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

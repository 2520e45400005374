// SPDX-License-Identifier: BSD-3-Clause
// Names: those of the kinds of joint and loop, and those used in a file, each with its place.
#pragma once

#include <jounce/finding.hpp>
#include <jounce/model/description.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/source_text.hpp"

namespace jounce::io {

std::optional<JointKind> joint_kind(std::string_view name);
/// Of those that a file can name: all but custom.
std::optional<LoopKind> loop_kind(std::string_view name);
/// "fixed, revolute, ...", for messages.
std::string loop_kinds();

/// `there is no link "bas"; nearest: "base"`.
std::string there_is_no(std::string_view kind, std::string_view wanted,
                        std::span<const std::string> names);

/// `; nearest: "base"`, the name that a misspelt one may be: at most a third of its letters differ.
/// Empty where there is none.
std::string nearest_name(std::string_view wanted, std::span<const std::string> names);
/// The same, or `; there are base, tool`.
std::string nearest_or_all(std::string_view wanted, std::span<const std::string> names);

/// The names of one kind of thing in one file, each with the place where it was defined.
class NameTable {
 public:
  NameTable(const SourceText& source, std::string kind) : source_(source), kind_(std::move(kind)) {}

  const std::string& kind() const { return kind_; }
  /// Whether the name is there.
  bool contains(const std::string& name) const { return places_.contains(name); }
  /// Where the name was defined; 0 where it is not there.
  std::size_t offset(const std::string& name) const;
  /// Where the names were defined, in order.
  std::vector<Place> places() const;
  /// Fails where the name is taken.
  void add(const std::string& name, std::size_t offset);
  /// Fails where the name does not exist; `who` starts the message.
  void require(const std::string& name, std::size_t offset, const std::string& who);

 private:
  const SourceText& source_;
  std::string kind_;
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<std::string> names_;
  std::size_t misses_ = 0;  ///< the nearest names are looked for while somebody will see them
};

}  // namespace jounce::io

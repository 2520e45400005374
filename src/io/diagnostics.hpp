// SPDX-License-Identifier: BSD-3-Clause
// What a reader notices in a text: counted, grouped and placed; refused where it must be.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <jounce/io.hpp>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/source_text.hpp"
#include "model/check.hpp"

namespace jounce::io {

class NameTable;

/// `strict` implies strict inertias; InputError where it meets repair.
ReadOptions checked_options(ReadOptions options);

class Diagnostics {
 public:
  Diagnostics(const SourceText& source, const ReadOptions& options)
      : source_(source), options_(options) {}

  const SourceText& source() const { return source_; }
  bool has_faults() const { return faults_; }

  /// Of the kind's own level. `subject` is what like remarks have in common; `name` that of the
  /// link or joint.
  void add(FindingKind kind, std::size_t offset, std::string what, std::string subject = "",
           std::string name = "");
  void fault(std::size_t offset, std::string what) {
    add(FindingKind::fault, offset, std::move(what));
  }
  /// Reads something; what goes wrong becomes a fault (or what `kind` says), with the consequence
  /// behind its message. Whether it was read.
  template <class Read>
  bool attempt(Read read, FindingKind kind = FindingKind::fault, const char* consequence = "") {
    try {
      read();
      return true;
    } catch (const PlacedError& error) {
      add(kind, error.offset, error.message + consequence);
      return false;
    }
  }
  /// Reads the whole; a text that cannot be understood at all is refused as one with faults is.
  template <class Read>
  Loaded read(Read read_whole) {
    Loaded loaded;
    if (!attempt([&] { loaded = read_whole(); })) take();
    return loaded;
  }
  /// The checks of the whole robot, at the places of the names they are about. Where `tree` is
  /// false, what is missing was named already and the tree is not looked at. Repairs inertias where
  /// the options ask for it.
  void check(RobotDescription& robot, std::span<const NameTable* const> names, bool tree);

  /// Everything noticed, what matters most first. Throws FileError where something is refused.
  std::vector<Finding> take();

 private:
  Level level_of(FindingKind kind) const;
  std::size_t most_places() const { return std::max<std::size_t>(1, options_.places); }
  void repair(RobotDescription& robot, std::span<const NameTable* const> names);
  [[noreturn]] void refuse(std::vector<Finding> findings,
                           const std::function<bool(const Finding&)>& refused) const;

  const SourceText& source_;
  const ReadOptions& options_;
  std::map<std::pair<FindingKind, std::string>, Finding> groups_;
  std::array<std::size_t, std::size_t(FindingKind::unused) + 1> groups_of_kind_{};
  bool faults_ = false;
};

}  // namespace jounce::io

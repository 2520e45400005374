// SPDX-License-Identifier: BSD-3-Clause
// Findings of one text: at most some places of each are kept, however many there are.
#include "io/diagnostics.hpp"

#include <algorithm>
#include <array>

#include "io/names.hpp"
#include "numbers.hpp"

namespace jounce::io {
namespace {

constexpr std::size_t most_groups = 200;  // of a kind; what a text has beyond is counted together

bool stands_before(const Remark& a, const Remark& b) {
  return std::pair(a.line, a.column) < std::pair(b.line, b.column);
}

/// In the order of the file, at most so many.
void shorten(std::vector<Remark>& places, std::size_t most) {
  std::stable_sort(places.begin(), places.end(), stands_before);
  if (places.size() > most) places.resize(most);
}

/// The offset of what a check noticed something about; 0 where it is about the whole.
std::size_t offset_of(const Noticed& noticed, std::span<const NameTable* const> names) {
  constexpr std::array words = {"robot", "link", "joint", "frame", "loop", "bushing"};
  for (const NameTable* table : names)
    if (table->kind() == words.at(static_cast<std::size_t>(noticed.subject)))
      return table->offset(noticed.name);
  return 0;
}

std::string inertia_text(const Sym3<double>& I) {
  std::string list;
  for (const double x : {I.xx, I.xy, I.yy, I.xz, I.yz, I.zz})
    list += (list.empty() ? "" : ", ") + short_text(x);
  return list;
}

}  // namespace

ReadOptions checked_options(ReadOptions options) {
  if (options.strict && options.inertia == InertiaPolicy::repair)
    throw InputError(
        "strict reading refuses inertias that no rigid body has, and repair changes "
        "them: needs one of both");
  if (options.strict) options.inertia = InertiaPolicy::strict;
  return options;
}

Level Diagnostics::level_of(FindingKind kind) const {
  const bool refused = kind == FindingKind::inertia && options_.inertia == InertiaPolicy::strict;
  return refused ? Level::fault : level(kind);
}

void Diagnostics::add(FindingKind kind, std::size_t offset, std::string what, std::string subject,
                      std::string name) {
  const Position at = source_.position(offset);
  std::size_t& groups = groups_of_kind_.at(std::size_t(kind));
  if (groups >= most_groups && !groups_.contains({kind, subject})) subject = "others";
  Finding& group = groups_[{kind, subject}];
  if (group.count++ == 0) {
    ++groups;
    group.kind = kind;
    group.level = level_of(kind);
    group.subject = std::move(subject);
    faults_ = faults_ || group.level == Level::fault;
  }
  group.places.push_back({at.line, at.column, std::move(name), std::move(what)});
  if (group.places.size() / 2 >= most_places()) shorten(group.places, most_places());
}

void Diagnostics::check(RobotDescription& robot, std::span<const NameTable* const> names,
                        bool tree) {
  if (options_.fragment) return;
  Notices notices;
  if (tree) check_description(robot, notices);
  else check_inertias(robot, notices);
  const bool repairs = options_.inertia == InertiaPolicy::repair;
  for (const Noticed& noticed : notices.list())
    if (!repairs || noticed.kind != FindingKind::inertia)
      add(noticed.kind, offset_of(noticed, names), noticed.what, "", noticed.name);
  if (notices.faults() > notices.shown_faults())
    groups_.at({FindingKind::fault, ""}).count += notices.faults() - notices.shown_faults();
  if (repairs) repair(robot, names);
}

void Diagnostics::repair(RobotDescription& robot, std::span<const NameTable* const> names) {
  for (LinkDescription& link : robot.links) {
    const std::string defect = inertia_defect(link);
    if (defect.empty()) continue;
    const Sym3<double> before = link.I_com;
    link.I_com = nearest_inertia(link);
    const Noticed about{Subject::link, link.name, FindingKind::inertia, ""};
    add(FindingKind::inertia, offset_of(about, names),
        named("link", link.name) + ": " + defect + "; its inertia " + inertia_text(before) +
            " (xx, xy, yy, xz, yz, zz) becomes " + inertia_text(link.I_com),
        "", link.name);
  }
}

std::vector<Finding> Diagnostics::take() {
  std::vector<Finding> findings;
  for (auto& [key, finding] : groups_) {
    shorten(finding.places, most_places());
    findings.push_back(std::move(finding));
  }
  groups_.clear();
  const auto matters_more = [](const Finding& a, const Finding& b) {
    if (a.level != b.level) return a.level > b.level;
    if (a.kind != b.kind) return a.kind < b.kind;
    return a.count != b.count ? a.count > b.count : a.subject < b.subject;
  };
  std::stable_sort(findings.begin(), findings.end(), matters_more);
  const auto refused = [&](const Finding& finding) {
    return finding.level == Level::fault || (options_.strict && is_told(finding));
  };
  if (std::any_of(findings.begin(), findings.end(), refused)) refuse(std::move(findings), refused);
  return findings;
}

void Diagnostics::refuse(std::vector<Finding> findings,
                         const std::function<bool(const Finding&)>& refused) const {
  std::vector<std::pair<Remark, std::string>> all;
  std::size_t count = 0;
  for (const Finding& finding : findings) {
    if (!refused(finding)) continue;
    count += finding.count;
    const char* const behind = finding.kind == FindingKind::unknown ? " would be ignored" : "";
    const char* const before =
        finding.kind == FindingKind::not_applied ? "would not be applied: " : "";
    for (const Remark& remark : finding.places)
      all.emplace_back(remark, before + remark.what + behind);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return stands_before(a.first, b.first); });
  std::string message;
  const std::size_t shown = std::min(all.size(), Notices::most_shown);
  for (std::size_t k = 0; k < shown; ++k)
    message += (k == 0 ? "" : "\n") + source_.origin() + ":" + std::to_string(all[k].first.line) +
               ":" + std::to_string(all[k].first.column) + ": " + all[k].second;
  if (count > shown)
    message += "\n" + source_.origin() + ": and " + std::to_string(count - shown) + " more";
  throw FileError(message, std::move(findings));
}

}  // namespace jounce::io

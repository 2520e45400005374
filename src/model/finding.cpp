// SPDX-License-Identifier: BSD-3-Clause
// Findings in words.
#include <algorithm>
#include <array>
#include <jounce/finding.hpp>

namespace jounce {
namespace {

struct KindWords {
  const char* name;
  Level level;
  const char* remedy;
};

/// In the order of FindingKind.
constexpr std::array<KindWords, 21> kind_words = {{
    {"fault", Level::fault, "mend the file: this robot is refused"},
    {"not_applied", Level::warning,
     "leave it out, or say it in Jounce's JSON format if that has it"},
    {"inertia", Level::warning,
     "give moments that a body has (none larger than the sum of the other two), or load with "
     "--inertia repair; forward dynamics may fail otherwise"},
    {"incomplete", Level::warning, "give both <mass> and <inertia>"},
    {"repeated", Level::warning, "remove all but one"},
    {"limits", Level::warning, "give lower <= upper; there are no position limits otherwise"},
    {"world", Level::warning, "add <link name=\"world\"/>"},
    {"robot_name", Level::warning, "give <robot> a name"},
    {"joint_name", Level::warning, "give the file's joint another name"},
    {"mimic", Level::warning, "name a joint of this file, or remove <mimic>"},
    {"xacro", Level::warning,
     "run the source through xacro again: xacro robot.urdf.xacro > robot.urdf"},
    {"massless", Level::warning,
     "give the links it moves a mass, or fix the joint; forward dynamics fails"},
    {"same_motion", Level::warning,
     "give the link between them a mass, or remove one of the joints"},
    {"com", Level::warning, "check <origin> of <inertial>"},
    {"shape", Level::warning,
     "give <geometry> one <box>, <cylinder>, <sphere>, <capsule> or <mesh>"},
    {"axis", Level::note, "give an axis of length 1"},
    {"mimic_chain", Level::note, "nothing needs to be done"},
    {"cut_loop", Level::note, "nothing needs to be done; \"loops\" of the file may say it instead"},
    {"mesh", Level::note, "give --package FOLDER, or set ROS_PACKAGE_PATH or AMENT_PREFIX_PATH"},
    {"unknown", Level::note, "check how it is spelt"},
    {"unused", Level::note, "nothing needs to be done"},
}};

const KindWords& words_of(FindingKind kind) {
  return kind_words.at(static_cast<std::size_t>(kind));
}

/// "lines 12, 40, 77, ...": where remarks from `first` on stand; `all` are more than are known.
std::string lines_of(std::span<const Remark> remarks, std::size_t first, std::size_t all) {
  constexpr std::size_t most = 5;
  std::string list;
  std::size_t named = 0, k = first;
  for (int last = 0; k < remarks.size(); last = remarks[k++].line) {
    if (remarks[k].line == last) continue;
    if (named++ == most) break;
    list += (named == 1 ? "" : ", ") + std::to_string(remarks[k].line);
  }
  return (named == 1 ? "line " : "lines ") + list + (all > k ? ", ..." : "");
}

bool is_skipped(const Finding& finding) {
  return finding.kind == FindingKind::unknown || finding.kind == FindingKind::unused;
}

std::string place(const Finding& finding, const std::string& origin) {
  if (finding.places.empty() || finding.places.front().line == 0) return origin;
  const Remark& first = finding.places.front();
  return origin + ":" + std::to_string(first.line) + ":" + std::to_string(first.column);
}

/// "ignored: 71 <gazebo>, 30 <transmission> (lines 12, 40, 77, ...)".
std::string skipped_line(std::span<const Finding> findings, FindingKind kind,
                         const std::string& origin) {
  constexpr std::size_t most = 8;
  const Finding* first = nullptr;
  std::string list;
  std::vector<Remark> places;
  std::size_t all = 0, named = 0, groups = 0;
  for (const Finding& finding : findings) {
    if (finding.kind != kind) continue;
    if (first == nullptr || finding.places.front().line < first->places.front().line)
      first = &finding;
    all += finding.count;
    places.insert(places.end(), finding.places.begin(), finding.places.end());
    if (++groups > most) continue;
    named += finding.count;
    list += (list.empty() ? "" : ", ") + std::to_string(finding.count) + " " + finding.subject;
  }
  if (all > named) list += ", " + std::to_string(all - named) + " others";
  std::stable_sort(places.begin(), places.end(),
                   [](const Remark& a, const Remark& b) { return a.line < b.line; });
  return place(*first, origin) + ": note: ignored: " + list + " (" + lines_of(places, 0, all) + ")";
}

}  // namespace

const char* name(Level level) {
  constexpr std::array<const char*, 3> words = {"note", "warning", "fault"};
  return words.at(static_cast<std::size_t>(level));
}
const char* name(FindingKind kind) { return words_of(kind).name; }
Level level(FindingKind kind) { return words_of(kind).level; }
const char* remedy(FindingKind kind) { return words_of(kind).remedy; }

bool is_told(const Finding& finding) {
  return finding.level > Level::note || finding.kind == FindingKind::unknown;
}

std::string text(const Finding& finding) {
  if (is_skipped(finding))
    return "ignored: " + std::to_string(finding.count) + " " + finding.subject + " (" +
           lines_of(finding.places, 0, finding.count) + ")";
  std::string line = finding.kind == FindingKind::not_applied ? "not applied: " : "";
  line += finding.places.empty() ? finding.subject : finding.places.front().what;
  if (finding.count < 2) return line;
  line += "; " + std::to_string(finding.count - 1) + " more like it";
  if (finding.places.size() < 2 || finding.places[1].line == 0) return line;
  return line + ", " + lines_of(finding.places, 1, finding.count);
}

std::vector<std::string> lines(std::span<const Finding> findings, const std::string& origin,
                               Level least) {
  std::vector<std::string> result;
  for (std::size_t k = 0; k < findings.size(); ++k) {
    const Finding& finding = findings[k];
    if (finding.level < least) continue;
    if (!is_skipped(finding)) {
      result.push_back(place(finding, origin) + ": " + name(finding.level) + ": " + text(finding));
      continue;
    }
    const bool is_first = std::none_of(findings.begin(), findings.begin() + std::ptrdiff_t(k),
                                       [&](const Finding& f) { return f.kind == finding.kind; });
    if (is_first) result.push_back(skipped_line(findings, finding.kind, origin));
  }
  return result;
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// What a reader skipped, entry by entry.
#pragma once

#include <algorithm>
#include <jounce/io.hpp>
#include <string>
#include <vector>

namespace jounce::test {

/// In the order of the file: what is unknown, unused or not applied.
inline std::vector<Remark> skipped(const Loaded& loaded) {
  std::vector<Remark> all;
  for (const Finding& finding : loaded.findings)
    if (finding.kind == FindingKind::unknown || finding.kind == FindingKind::unused ||
        finding.kind == FindingKind::not_applied)
      all.insert(all.end(), finding.places.begin(), finding.places.end());
  std::sort(all.begin(), all.end(), [](const Remark& a, const Remark& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  return all;
}

/// How many entries of a kind a reader counted.
inline std::size_t counted(const Loaded& loaded, FindingKind kind) {
  std::size_t count = 0;
  for (const Finding& finding : loaded.findings) count += finding.kind == kind ? finding.count : 0;
  return count;
}

/// "kind: text" of every finding, a line each.
inline std::string told(const Loaded& loaded) {
  std::string all;
  for (const Finding& finding : loaded.findings)
    all +=
        std::string(name(finding.level)) + " " + name(finding.kind) + ": " + text(finding) + "\n";
  return all;
}

}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// What both renderings of a page share.
#pragma once

#include <string>
#include <vector>

#include "report/page.hpp"

namespace jounce::report {

struct Tally {
  std::size_t passed = 0;
  std::size_t total = 0;
};

Tally tally(const Checks& checks);
Tally tally(const Chapter& chapter);
Tally tally(const Page& page);

/// "all 13 checks passed" or "1 of 13 checks failed"; empty without checks.
std::string verdict(const Tally& count);

/// For each column of the table, whether all its cells are numbers (with unit or without) or blank.
std::vector<bool> numeric_columns(const Table& table);

/// One different anchor for each chapter.
std::vector<std::string> chapter_ids(const Page& page);

/// Throws std::invalid_argument for rows of wrong length, figures that are no SVG and bad ids.
void check(const Page& page);

}  // namespace jounce::report

// SPDX-License-Identifier: BSD-3-Clause
// A report of one page: checks, anchors, validation and writing.
#include "report/page.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "report/file.hpp"
#include "report/page_parts.hpp"
#include "report/text.hpp"

namespace jounce::report {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_anchor(std::string_view id) {
  return std::all_of(id.begin(), id.end(),
                     [](char c) { return is_word(c) || c == '-' || c == '_'; });
}

std::string anchor_of(std::string_view title) {
  std::string id;
  for (const char c : title) {
    if (is_word(c)) {
      id += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  while (!id.empty() && id.back() == '-') id.pop_back();
  return id.empty() ? "chapter" : id;
}

bool is_blank(std::string_view cell) {
  return cell.find_first_not_of(' ') == std::string_view::npos || cell == "-" || cell == "–" ||
         cell == "—" || cell == "n/a";
}

bool is_number(std::string_view cell) {
  for (const std::string_view prefix : {"≤ ", "≥ ", "< ", "> ", "+", "−"}) {
    if (cell.starts_with(prefix)) cell.remove_prefix(prefix.size());
  }
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc::invalid_argument) return false;
  const std::string_view rest = cell.substr(static_cast<std::size_t>(end - cell.data()));
  return rest.empty() || rest.starts_with(' ') || rest == "%" || rest == "×" || rest == "x";
}

void check_table(const std::string& where, const Table& table) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].size() == table.header.size()) continue;
    throw std::invalid_argument(where + ", table " + in_quotes(table.caption) + ": row " +
                                std::to_string(i) + " has " + std::to_string(table.rows[i].size()) +
                                " cells, needs " + std::to_string(table.header.size()) +
                                " as the header has");
  }
}

void check_figure(const std::string& where, const Figure& figure) {
  const Svg& own = figure.svg;
  for (const std::string& svg : {own.wide, own.narrow.empty() ? own.wide : own.narrow})
    if (!svg.starts_with("<svg"))
      throw std::invalid_argument(where + ", figure " + in_quotes(figure.caption) +
                                  ": begins with " + in_quotes(svg.substr(0, 8)) +
                                  ", needs \"<svg\"");
}

// Passed or failed text: rounded when that is clear enough, exact when a failure needs explaining.
Check compared(std::string name, double value, double bound, bool passed, const char* relation) {
  return {std::move(name), passed ? significant(value, 3) : shortest(value),
          relation + (passed ? significant(bound, 3) : shortest(bound)), passed};
}

}  // namespace

Check at_most(std::string name, double value, double bound) {
  return compared(std::move(name), value, bound, value <= bound, "≤ ");
}

Check at_least(std::string name, double value, double bound) {
  return compared(std::move(name), value, bound, value >= bound, "≥ ");
}

Tally tally(const Checks& checks) {
  Tally count{.total = checks.rows.size()};
  for (const Check& row : checks.rows) count.passed += row.passed ? 1 : 0;
  return count;
}

Tally tally(const Chapter& chapter) {
  Tally count;
  for (const Block& block : chapter.blocks) {
    const auto* checks = std::get_if<Checks>(&block);
    if (checks == nullptr) continue;
    const Tally part = tally(*checks);
    count.passed += part.passed;
    count.total += part.total;
  }
  return count;
}

Tally tally(const Page& page) {
  Tally count;
  for (const Chapter& chapter : page.chapters) {
    const Tally part = tally(chapter);
    count.passed += part.passed;
    count.total += part.total;
  }
  return count;
}

std::string verdict(const Tally& count) {
  if (count.total == 0) return {};
  const bool passed = count.passed == count.total;
  if (passed && count.total == 1) return "1 check passed";
  if (passed) return "all " + std::to_string(count.total) + " checks passed";
  return std::to_string(count.total - count.passed) + " of " + std::to_string(count.total) +
         (count.total == 1 ? " check failed" : " checks failed");
}

// Sentences may begin with a number.
constexpr std::size_t longest_number = 40;

std::vector<bool> numeric_columns(const Table& table) {
  std::vector<bool> numeric(table.header.size(), false);
  for (std::size_t column = 0; column < numeric.size(); ++column) {
    std::size_t numbers = 0;
    std::size_t words = 0;
    for (const auto& row : table.rows) {
      if (is_blank(row[column])) continue;
      const bool short_number = is_number(row[column]) && columns(row[column]) <= longest_number;
      ++(short_number ? numbers : words);
    }
    numeric[column] = numbers > 0 && words == 0;
  }
  return numeric;
}

std::vector<std::string> chapter_ids(const Page& page) {
  std::set<std::string> taken;
  for (const Chapter& chapter : page.chapters) taken.insert(chapter.id);
  std::vector<std::string> ids;
  for (const Chapter& chapter : page.chapters) {
    std::string id = chapter.id;
    if (id.empty()) {
      const std::string stem = anchor_of(chapter.title);
      id = stem;
      for (int i = 2; taken.contains(id); ++i) id = stem + "-" + std::to_string(i);
      taken.insert(id);
    }
    ids.push_back(id);
  }
  return ids;
}

void check(const Page& page) {
  std::set<std::string> ids;
  for (const Chapter& chapter : page.chapters) {
    const std::string where =
        "page " + in_quotes(page.title) + ", chapter " + in_quotes(chapter.title);
    if (!is_anchor(chapter.id)) {
      throw std::invalid_argument(where + ": id is " + in_quotes(chapter.id) +
                                  ", needs letters, digits, - and _ only");
    }
    if (!chapter.id.empty() && !ids.insert(chapter.id).second) {
      throw std::invalid_argument(where + ": id " + in_quotes(chapter.id) +
                                  " is taken by an earlier chapter, needs its own");
    }
    for (const Block& block : chapter.blocks) {
      if (const auto* table = std::get_if<Table>(&block)) check_table(where, *table);
      if (const auto* figure = std::get_if<Figure>(&block)) check_figure(where, *figure);
    }
  }
}

bool Page::all_passed() const {
  const Tally count = tally(*this);
  return count.passed == count.total;
}

void Page::write(const std::filesystem::path& path) const { write_file(path, to_html()); }

}  // namespace jounce::report

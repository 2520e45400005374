// SPDX-License-Identifier: BSD-3-Clause
// A page as plain text for a terminal.
#include <algorithm>
#include <sstream>
#include <string_view>

#include "report/page.hpp"
#include "report/page_parts.hpp"
#include "report/text.hpp"

namespace jounce::report {
namespace {

constexpr std::size_t page_width = 80;
constexpr std::size_t cell_width = 48;  // longer cells of a table take several lines

constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view dim = "\x1b[2m";
constexpr std::string_view green = "\x1b[32m";
constexpr std::string_view red = "\x1b[31m";
constexpr std::string_view plain_text = "\x1b[0m";

std::string painted(bool colours, std::string_view colour, const std::string& text) {
  return colours ? std::string(colour) + text + std::string(plain_text) : text;
}

// Words of one paragraph in lines of at most `width` columns; its own newlines stay.
std::string wrapped(std::string_view text, std::size_t width = page_width) {
  std::istringstream lines(clean(text));
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::size_t used = 0;
    for (std::string word; words >> word;) {
      const std::size_t size = columns(word);
      if (used > 0 && used + 1 + size > width) {
        out += '\n';
        used = 0;
      }
      out += (used > 0 ? " " : "") + word;
      used += size + (used > 0 ? 1 : 0);
    }
    out += '\n';
  }
  return out;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - columns(text), ' ');
  return right ? space + text : text + space;
}

using Rows = std::vector<std::vector<std::string>>;

std::vector<std::size_t> widths_of(const Rows& rows, std::size_t count) {
  std::vector<std::size_t> widths(count, 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < count; ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  return widths;
}

// One line of cells, without blanks at its end.
std::string line_of(const std::vector<std::string>& row, const std::vector<std::size_t>& widths,
                    const std::vector<bool>& right) {
  std::string line;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    line += (i > 0 ? "  " : "") + padded(row[i], widths[i], right[i]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

// The row in as many rows as its longest cell has lines.
void add_lines(const std::vector<std::string>& row, Rows& to) {
  const std::size_t first = to.size();
  to.emplace_back(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    std::string cell = one_line(row[i]);
    if (columns(cell) > cell_width) cell = wrapped(cell, cell_width);
    std::istringstream lines(cell);
    std::size_t at = first;
    for (std::string line; std::getline(lines, line); ++at) {
      if (at == to.size()) to.emplace_back(row.size());
      to[at][i] = line;
    }
  }
}

std::string text(const Table& table, bool colours) {
  Rows rows{table.header};
  for (std::string& cell : rows.front()) cell = one_line(cell);
  for (const auto& row : table.rows) add_lines(row, rows);
  const std::vector<std::size_t> widths = widths_of(rows, table.header.size());
  const std::vector<bool> right = numeric_columns(table);
  std::string out;
  if (!table.caption.empty()) out += painted(colours, bold, one_line(table.caption)) + "\n";
  out += line_of(rows.front(), widths, right) + "\n";
  std::vector<std::string> rule;
  rule.reserve(widths.size());
  for (const std::size_t width : widths) rule.push_back(repeat("─", width));
  out += painted(colours, dim, line_of(rule, widths, right)) + "\n";
  for (std::size_t i = 1; i < rows.size(); ++i) out += line_of(rows[i], widths, right) + "\n";
  return out;
}

std::string text(const Checks& checks, bool colours) {
  Rows rows;
  for (const Check& row : checks.rows) {
    rows.push_back({one_line(row.name), one_line(row.value), one_line(row.bound)});
  }
  const std::vector<std::size_t> widths = widths_of(rows, 3);
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool passed = checks.rows[i].passed;
    out += painted(colours, passed ? green : red, passed ? "✓" : "✗") + " " +
           line_of(rows[i], widths, {false, true, true}) + "\n";
  }
  return out;
}

std::string text(const Code& code) {
  std::istringstream lines(clean(code.text));
  std::string out;
  for (std::string line; std::getline(lines, line);)
    out += line.empty() ? "\n" : "    " + line + "\n";
  return out;
}

std::string text(const ReadOn& more) {
  std::string out;
  for (const Document& one : more.documents)
    out += (out.empty() ? "More: docs/" : ", docs/") + one.file;
  return wrapped(out);
}

std::string text(const Block& block, bool colours) {
  if (const auto* paragraph = std::get_if<Paragraph>(&block)) return wrapped(paragraph->text);
  if (const auto* table = std::get_if<Table>(&block)) return text(*table, colours);
  if (const auto* checks = std::get_if<Checks>(&block)) return text(*checks, colours);
  if (const auto* code = std::get_if<Code>(&block)) return text(*code);
  if (const auto* more = std::get_if<ReadOn>(&block)) return text(*more);
  return {};
}

std::string heading(const std::string& title, std::string_view rule, bool colours) {
  return painted(colours, bold, title) + "\n" +
         painted(colours, dim, repeat(rule, std::min(columns(title), page_width))) + "\n";
}

}  // namespace

std::string Page::to_text(bool colours) const {
  check(*this);
  std::string out = heading(one_line(title), "═", colours);
  if (!summary.empty()) out += wrapped(summary);
  for (std::size_t i = 0; i < chapters.size(); ++i) {
    const std::string name = std::to_string(i + 1) + "  " + one_line(chapters[i].title);
    out += "\n" + heading(name, "─", colours);
    bool first = true;
    for (const Block& block : chapters[i].blocks) {
      const std::string part = text(block, colours);
      if (part.empty()) continue;
      out += (first ? "" : "\n") + part;
      first = false;
    }
  }
  const Tally count = tally(*this);
  if (count.total == 0) return out;
  const bool passed = count.passed == count.total;
  return out + "\n" +
         painted(colours, passed ? green : red, (passed ? "✓ " : "✗ ") + verdict(count)) + "\n";
}

}  // namespace jounce::report

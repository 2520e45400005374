// SPDX-License-Identifier: BSD-3-Clause
#include "io/csv_text.hpp"

#include <algorithm>

#include "io/number_text.hpp"

namespace jounce::io {
namespace {

std::string_view without_spaces(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The names of the first line; `at` is left behind it.
void read_names(const SourceText& source, std::size_t& at, CsvTable& table) {
  const std::string_view text = source.text();
  std::string name;
  std::size_t begin = at;
  bool quoted = false, had_quotes = false;
  const auto end_name = [&] {
    std::string one(had_quotes ? std::string_view(name) : without_spaces(name));
    if (one.empty())
      source.fail(begin, "column " + std::to_string(table.names.size() + 1) +
                             " of the first line has no name");
    if (table.column(one) >= 0) source.fail(begin, "column " + in_quotes(one) + " is there twice");
    table.names.push_back(std::move(one));
    table.name_offsets.push_back(begin);
    name.clear();
    had_quotes = false;
  };
  for (; at < text.size() && (quoted || text[at] != '\n'); ++at) {
    const char c = text[at];
    if (c == '"' && quoted && at + 1 < text.size() && text[at + 1] == '"') name += text[++at];
    else if (c == '"' && (quoted || without_spaces(name).empty())) {
      if (!quoted) name.clear();
      quoted = !quoted, had_quotes = true;
    } else if (c == ',' && !quoted) end_name(), begin = at + 1;
    else if (quoted || !had_quotes) name += c;
  }
  if (quoted) source.fail(begin, "a quote is open at the end");
  end_name();
}

void read_row(const SourceText& source, std::size_t begin, std::string_view line, CsvTable& table) {
  std::size_t found = 0;
  for (std::size_t at = 0; at <= line.size(); ++found) {
    const std::size_t end = std::min(line.find(',', at), line.size());
    const std::string_view cell = without_spaces(line.substr(at, end - at));
    const auto number = parse_any_number(cell);
    if (!number)
      source.fail(begin + at, (cell.empty() ? "an empty cell" : in_quotes(cell)) +
                                  (cell.empty() ? " has no number" : " is not a number"));
    if (found < table.names.size()) table.values.push_back(*number);
    at = end + 1;
  }
  if (found != table.names.size())
    source.fail(begin, "a row of " + std::to_string(found) + " numbers, needs " +
                           std::to_string(table.names.size()) + " as the first line has names");
  table.row_offsets.push_back(begin);
}

}  // namespace

std::string csv_name(std::string_view name) {
  if (name.find_first_of(",\" \t") == std::string_view::npos) return std::string(name);
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

int CsvTable::column(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

CsvTable read_csv(const SourceText& source) {
  const std::string_view text = source.text();
  CsvTable table;
  std::size_t at = 0;
  read_names(source, at, table);
  for (++at; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (!without_spaces(line).empty()) read_row(source, at, line, table);
    at = end + 1;
  }
  return table;
}

}  // namespace jounce::io

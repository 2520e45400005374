// SPDX-License-Identifier: BSD-3-Clause
// States from tables, arrays and lines of JSON.
#include <algorithm>

#include "apps/jounce/compute/formats.hpp"
#include "io/coordinate_table.hpp"
#include "io/npz_file.hpp"
#include "io/number_text.hpp"

namespace jounce::app {
namespace {

bool reads(const Quantity& quantity, const std::string& key) {
  return std::any_of(quantity.in.begin(), quantity.in.end(),
                     [&](const Key& one) { return one.name == key; });
}

std::string list_text(const io::TablePart& part, std::size_t row) {
  std::string text;
  for (std::size_t k = 0; k < part.width; ++k)
    text += (k > 0 ? "," : "") + io::number_text(part.at(row, k));
  return "[" + text + "]";
}

/// One state: the parts that the quantity reads, its motion or taus from several of them.
std::string state_text(const Quantity& quantity, const io::CoordinateTable& rows, std::size_t row) {
  std::string text, motion, taus;
  const auto add = [&](const std::string& key, const std::string& value) {
    text += (text.empty() ? "" : ",") + io::in_quotes(key) + ":" + value;
  };
  if (!rows.t.empty()) add("t", io::number_text(rows.t[row]));
  for (const io::TablePart& part : rows.parts) {
    const std::string value = list_text(part, row);
    if (reads(quantity, part.name)) add(part.name, value);
    if (part.name == "v" || part.name == "a" || part.name == "jerk")
      motion += (motion.empty() ? "" : ",") + value;
    if (part.name.starts_with("tau")) taus += (taus.empty() ? "" : ",") + value;
  }
  if (reads(quantity, "motion") && !motion.empty()) add("motion", "[" + motion + "]");
  if (reads(quantity, "taus") && !taus.empty()) add("taus", "[" + taus + "]");
  return "{" + text + "}";
}

std::string states_text(const Quantity& quantity, const io::CoordinateTable& rows) {
  std::string text = "{\"states\":[";
  for (std::size_t row = 0; row < rows.rows; ++row)
    text += (row > 0 ? ",\n" : "\n") + state_text(quantity, rows, row);
  return text + "]}";
}

/// A table with the coordinates that the quantity needs.
io::CoordinateTable table_of(const Quantity& quantity, const Robot& robot, const std::string& text,
                             const std::string& origin) {
  io::CoordinateTable rows = io::read_coordinates(robot, text, origin);
  for (const Key& key : quantity.in)
    if (key.needed && (key.name == "q" || key.name == "tau") && rows.find(key.name) == nullptr)
      throw InputError(origin + ": " + quantity.name + " needs " + io::in_quotes(key.name) +
                       ", the table has none");
  return rows;
}

/// Whether a text is lines of JSON: a line that is an object, and another behind it.
bool is_lines(const std::string& text, std::size_t first) {
  const std::size_t end = text.find('\n', first);
  if (end == std::string::npos) return false;
  const std::size_t next = text.find_first_not_of(" \t\r\n", end);
  return next != std::string::npos && text[next] == '{' &&
         text[text.find_last_not_of(" \t\r", end - 1)] == '}';
}

/// Lines as a list, every state on the line that it was on.
std::string from_lines(const std::string& text) {
  std::string list = "{\"states\":[";
  bool begun = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const bool blank = line.find_first_not_of(" \t\r") == std::string::npos;
    if (!blank) list += (begun ? "," : "") + line;
    begun = begun || !blank;
    list += end < text.size() ? "\n" : "";
    at = end + 1;
  }
  return list + "]}";
}

}  // namespace

std::string states_json(const Quantity& quantity, const Robot& robot, const std::string& text,
                        const std::string& origin) {
  if (io::is_zip(text)) return states_text(quantity, table_of(quantity, robot, text, origin));
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return text;
  if (text[first] == '{') return is_lines(text, first) ? from_lines(text) : text;
  const std::string_view names(text.data() + first,
                               std::min(text.find('\n', first), text.size()) - first);
  const bool is_table = names.find_first_of("[]{}") == std::string_view::npos &&
                        (names.find(',') != std::string_view::npos || origin.ends_with(".csv"));
  if (is_table) return states_text(quantity, table_of(quantity, robot, text, origin));
  return text;  // the reader of JSON says what is wrong
}

}  // namespace jounce::app

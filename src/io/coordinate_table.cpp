// SPDX-License-Identifier: BSD-3-Clause
#include "io/coordinate_table.hpp"

#include <algorithm>
#include <array>
#include <jounce/move.hpp>

#include "io/csv_text.hpp"
#include "io/names.hpp"
#include "io/npz_file.hpp"
#include "io/record_parts.hpp"

namespace jounce::io {
namespace {

constexpr std::array<const char*, 6> table_parts = {"q", "v", "a", "jerk", "tau", "tau_rate"};

std::vector<std::string> names_of_part(const Robot& robot, const std::string& part) {
  return part == "q" ? position_names(robot) : velocity_names(robot);
}

/// "elbow" is "q.elbow".
int column_of(const CsvTable& table, const std::string& part, const std::string& name) {
  const int found = table.column(part + "." + name);
  return found < 0 && part == "q" ? table.column(name) : found;
}

/// Columns that are no quantity of a run and no joint are mistakes; with none at all the whole is.
void check_columns(const Robot& robot, const SourceText& source, const CsvTable& table) {
  std::vector<std::string> known = {"t", "kinetic", "potential"};
  for (const char* part : table_parts)
    for (const std::string& name : names_of_part(robot, part))
      known.push_back(std::string(part) + "." + name);
  for (const std::string& name : position_names(robot)) known.push_back(name);
  const auto is_known = [&](const std::string& name) {
    return std::count(known.begin(), known.end(), name) > 0;
  };
  if (std::none_of(table.names.begin(), table.names.end(), is_known))
    source.fail(0, "is no table of a motion: there is no column \"t\" and none of a joint");
  for (std::size_t k = 0; k < table.names.size(); ++k)
    if (!is_known(table.names[k]))
      source.fail(table.name_offsets[k], there_is_no("column", table.names[k], known));
}

/// All columns of a part, or none.
void add_part(const Robot& robot, const SourceText& source, const CsvTable& table, const char* part,
              CoordinateTable& found) {
  const std::vector<std::string> names = names_of_part(robot, part);
  std::vector<int> columns;
  columns.reserve(names.size());
  for (const std::string& name : names) columns.push_back(column_of(table, part, name));
  if (std::all_of(columns.begin(), columns.end(), [](int k) { return k < 0; })) return;
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k] < 0)
      source.fail(0, "column " + in_quotes(std::string(part) + "." + names[k]) + " is missing");
  TablePart one{part, names.size(), {}};
  for (int row = 0; row < table.rows(); ++row)
    for (const int k : columns) one.numbers.push_back(table.at(row, k));
  found.parts.push_back(std::move(one));
}

CoordinateTable from_csv(const Robot& robot, std::string_view text, const std::string& origin) {
  const SourceText source(text, origin, record_limit);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '<' || text[first] == '{'))
    source.fail(first, std::string("is no table of a motion: begins as ") +
                           (text[first] == '<' ? "XML" : "JSON") +
                           ", needs CSV with columns t, q.JOINT, ... or NPZ");
  const CsvTable table = read_csv(source);
  CoordinateTable found;
  found.rows = std::size_t(table.rows());
  const int t = table.column("t");
  check_columns(robot, source, table);
  for (const char* part : table_parts) add_part(robot, source, table, part, found);
  for (int row = 0; t >= 0 && row < table.rows(); ++row) found.t.push_back(table.at(row, t));
  return found;
}

/// Arrays that are no quantity of a run are mistakes.
void check_arrays(const NpzArchive& archive, const std::string& origin) {
  std::vector<std::string> known = {"t", "kinetic", "potential", "q_names", "v_names"};
  known.insert(known.end(), table_parts.begin(), table_parts.end());
  for (const std::string& name : archive.names())
    if (std::count(known.begin(), known.end(), name) == 0)
      throw InputError(origin + ": " + there_is_no("quantity of a motion", name, known));
}

CoordinateTable from_npz(const Robot& robot, std::string_view bytes, const std::string& origin) {
  const NpzArchive archive(bytes, origin);
  check_arrays(archive, origin);
  archive.check_names("q_names", position_names(robot));
  archive.check_names("v_names", velocity_names(robot));
  CoordinateTable found;
  const auto same_rows = [&](const std::string& name, std::size_t rows) {
    if (!found.parts.empty() && rows != found.rows)
      throw InputError(origin + ": array " + in_quotes(name) + " has " + std::to_string(rows) +
                       " rows, others have " + std::to_string(found.rows));
    found.rows = rows;
  };
  for (const char* name : table_parts) {
    if (!archive.has(name)) continue;
    const std::size_t width = names_of_part(robot, name).size();
    const NpyArray x = archive.numbers(name, width);
    same_rows(name, x.shape[0]);
    TablePart part{name, width, {}};
    for (std::size_t i = 0; i < x.shape[0]; ++i)
      for (std::size_t k = 0; k < width; ++k) part.numbers.push_back(x.at(i, k));
    found.parts.push_back(std::move(part));
  }
  if (!archive.has("t")) return found;
  const NpyArray t = archive.numbers("t", 0);
  same_rows("t", t.size());
  for (std::size_t i = 0; i < t.size(); ++i) found.t.push_back(t.number(i));
  return found;
}

}  // namespace

const TablePart* CoordinateTable::find(std::string_view name) const {
  for (const TablePart& part : parts)
    if (part.name == name) return &part;
  return nullptr;
}

CoordinateTable read_coordinates(const Robot& robot, std::string_view bytes,
                                 const std::string& origin) {
  return is_zip(bytes) ? from_npz(robot, bytes, origin) : from_csv(robot, bytes, origin);
}

}  // namespace jounce::io

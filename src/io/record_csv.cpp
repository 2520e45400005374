// SPDX-License-Identifier: BSD-3-Clause
// Records as comma-separated values, and forces from a table of them.
#include <algorithm>

#include "io/csv_text.hpp"
#include "io/names.hpp"
#include "io/number_text.hpp"
#include "io/record_parts.hpp"

namespace jounce {
namespace io {
namespace {

/// All columns but t: "q.elbow", ...
std::vector<std::string> column_names(const Robot& robot) {
  std::vector<std::string> names;
  for (const RecordPart& part : record_parts)
    for (const std::string& name : part.names(robot))
      names.push_back(std::string(part.name) + "." + name);
  return names;
}

int need_time(const SourceText& source, const CsvTable& table) {
  const int t = table.column("t");
  if (t < 0) source.fail(0, "column \"t\" is missing");
  return t;
}

/// The columns of a record, in its own order, found by name.
std::vector<int> find_columns(const Robot& robot, const SourceText& source, const CsvTable& table) {
  const std::vector<std::string> names = column_names(robot);
  std::vector<int> columns;
  for (const std::string& name : names) {
    columns.push_back(table.column(name));
    if (columns.back() < 0)
      source.fail(
          0, "column " + in_quotes(name) + " of robot " + in_quotes(robot.name()) + " is missing");
  }
  for (std::size_t k = 0; k < table.names.size(); ++k)
    if (table.names[k] != "t" && !std::count(columns.begin(), columns.end(), int(k)))
      source.fail(table.name_offsets[k], there_is_no("column", table.names[k], names));
  return columns;
}

/// Whether the table is a record: it says which of its columns are forces.
bool says_tau(const CsvTable& table) {
  return std::any_of(table.names.begin(), table.names.end(),
                     [](const std::string& name) { return name.starts_with("tau."); });
}

Law linear_law(const SourceText& source, const CsvTable& table, int t, int column) {
  if (table.rows() == 1) return table.at(0, column);
  std::vector<double> times;
  std::vector<std::vector<double>> pieces;
  for (int row = 0; row < table.rows(); ++row) {
    times.push_back(table.at(row, t));
    if (row == 0) continue;
    const double dt = table.at(row, t) - table.at(row - 1, t);
    const double x = table.at(row - 1, column), change = table.at(row, column) - x;
    if (!std::isfinite(change / dt))
      source.fail(table.row_offsets[std::size_t(row)],
                  in_quotes(table.names[std::size_t(column)]) + " goes from " + number_text(x) +
                      " to " + number_text(table.at(row, column)) + " within " + number_text(dt) +
                      " s: its slope is not finite");
    pieces.push_back({x, change / dt});
  }
  return PiecewisePolynomial(std::move(times), std::move(pieces));
}

/// Finite numbers, at times that grow.
void check_forces(const SourceText& source, const CsvTable& table, int t) {
  if (table.rows() == 0) source.fail(0, "there are names, and no row of numbers");
  for (int row = 0; row < table.rows(); ++row) {
    for (int k = 0; k < int(table.names.size()); ++k)
      if (!std::isfinite(table.at(row, k)))
        source.fail(table.row_offsets[std::size_t(row)],
                    in_quotes(table.names[std::size_t(k)]) + " is not finite");
    if (row > 0 && !(table.at(row, t) > table.at(row - 1, t)))
      source.fail(table.row_offsets[std::size_t(row)],
                  "t is " + number_text(table.at(row, t)) + ", needs more than " +
                      number_text(table.at(row - 1, t)) + " of the row before");
  }
}

}  // namespace

std::string write_record_csv(const Record& record) {
  std::string out = "t";
  for (const std::string& name : column_names(record.robot())) out += "," + csv_name(name);
  out += '\n';
  for (int i = 0; i < record.size(); ++i) {
    out += number_text(record.t()[std::size_t(i)]);
    for (const RecordPart& part : record_parts)
      for (const double x : (record.*part.row)(i)) out += "," + number_text(x);
    out += '\n';
  }
  return out;
}

Record read_record_csv(const Robot& robot, std::string_view text, const std::string& origin) {
  const SourceText source(text, origin, record_limit);
  const CsvTable table = read_csv(source);
  const int t = need_time(source, table);
  const std::vector<int> columns = find_columns(robot, source, table);
  Record record(robot);
  record.reserve(table.rows());
  std::vector<double> row(columns.size());
  const auto nq = std::size_t(robot.nq()), nv = std::size_t(robot.nv());
  for (int i = 0; i < table.rows(); ++i) {
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = table.at(i, columns[k]);
    const std::span<const double> x = row;
    try {
      record.add(table.at(i, t), x.first(nq), x.subspan(nq, nv), x.subspan(nq + nv, nv),
                 x.last(nv));
    } catch (const InputError& error) {
      source.fail(table.row_offsets[std::size_t(i)], error.what());
    }
  }
  return record;
}

}  // namespace io

ForceTable read_forces(const Robot& robot, std::string_view text, const std::string& origin) {
  const io::SourceText source(text, origin, io::record_limit);
  const io::CsvTable table = io::read_csv(source);
  const int t = io::need_time(source, table);
  io::check_forces(source, table, t);
  const std::vector<std::string> known = velocity_names(robot);
  const bool is_record = io::says_tau(table);
  ForceTable forces;
  for (int k = 0; k < int(table.names.size()); ++k) {
    std::string name = table.names[std::size_t(k)];
    const bool passed_over = is_record && !name.starts_with("tau.");
    if (k == t || passed_over) continue;
    if (is_record) name = name.substr(4);
    if (!std::count(known.begin(), known.end(), name))
      source.fail(table.name_offsets[std::size_t(k)], io::there_is_no("coordinate", name, known));
    forces.columns.push_back({std::move(name), io::linear_law(source, table, t, k)});
  }
  return forces;
}

}  // namespace jounce

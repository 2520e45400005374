// SPDX-License-Identifier: BSD-3-Clause
// Motions of robots from tables and to tables, CSV and NPZ.
#include <algorithm>
#include <array>
#include <jounce/move.hpp>

#include "io/csv_text.hpp"
#include "io/input_text.hpp"
#include "io/names.hpp"
#include "io/npz_file.hpp"
#include "io/number_text.hpp"
#include "io/record_parts.hpp"

namespace jounce {
namespace io {
namespace {

/// Positions and their derivatives: those after the last that is there have no columns.
struct MotionRows {
  std::vector<double> t;
  std::array<dense::Matrix, 4> parts;  ///< a row for each time
};
constexpr std::array<const char*, 4> part_names = {"q", "v", "a", "jerk"};

Move move_of(const MotionRows& rows, const std::string& origin) {
  const auto part = [&](size_t k) { return MatrixArg(rows.parts[k].numbers, int(rows.t.size())); };
  try {
    if (rows.parts[1].columns == 0) return spline(rows.t, part(0));
    return interpolate(rows.t, part(0), part(1), part(2), part(3));
  } catch (const InputError& error) {
    throw InputError(origin + ": " + error.what());
  }
}

void check_times(const std::vector<double>& t, const std::string& origin) {
  if (t.size() < 2)
    throw InputError(origin + ": has " + std::to_string(t.size()) + " rows, a motion needs 2");
  for (size_t i = 0; i + 1 < t.size(); ++i)
    if (!(t[i] < t[i + 1]))
      throw InputError(origin + ": t is " + number_text(t[i + 1]) + " in row " +
                       std::to_string(i + 2) + ", needs more than " + number_text(t[i]) +
                       " of the row before");
}

/// "elbow" is "q.elbow".
int column_of(const CsvTable& table, const char* part, const std::string& name) {
  const int found = table.column(part + ("." + name));
  return found < 0 && part == part_names[0] ? table.column(name) : found;
}

/// The columns of q, v, a or jerk: all of them, or none.
dense::Matrix csv_part(const SourceText& source, const CsvTable& table, const char* part,
                       const std::vector<std::string>& names) {
  std::vector<int> columns;
  std::string missing;
  for (const std::string& name : names) {
    const int column = column_of(table, part, name);
    if (column >= 0) columns.push_back(column);
    else if (missing.empty()) missing = part + ("." + name);
  }
  if (columns.empty() && part != part_names[0]) return {};
  if (!missing.empty()) source.fail(0, "column " + in_quotes(missing) + " is missing");
  dense::Matrix x(table.rows(), int(columns.size()));
  for (int i = 0; i < table.rows(); ++i)
    for (int k = 0; k < x.columns; ++k) x(i, k) = table.at(i, columns[size_t(k)]);
  return x;
}

/// Columns that are no quantity of a record and no joint are mistakes.
void check_columns(const Robot& robot, const SourceText& source, const CsvTable& table) {
  std::vector<std::string> known = {"t", "kinetic", "potential"};
  for (const char* part : {"q", "v", "a", "jerk", "tau", "tau_rate"})
    for (const std::string& name :
         part == part_names[0] ? position_names(robot) : velocity_names(robot))
      known.push_back(part + ("." + name));
  for (const std::string& name : position_names(robot)) known.push_back(name);
  for (size_t k = 0; k < table.names.size(); ++k)
    if (!std::count(known.begin(), known.end(), table.names[k]))
      source.fail(table.name_offsets[k], there_is_no("column", table.names[k], known));
}

MotionRows read_motion_csv(const Robot& robot, std::string_view text, const std::string& origin) {
  const SourceText source(text, origin, record_limit);
  const CsvTable table = read_csv(source);
  const int t = table.column("t");
  if (t < 0) source.fail(0, "is no motion: column \"t\" is missing");
  check_columns(robot, source, table);
  MotionRows rows;
  for (int i = 0; i < table.rows(); ++i) rows.t.push_back(table.at(i, t));
  for (size_t k = 0; k < part_names.size(); ++k) {
    if (k > 0 && rows.parts[k - 1].columns == 0) break;
    rows.parts[k] = csv_part(source, table, part_names[k],
                             k == 0 ? position_names(robot) : velocity_names(robot));
  }
  return rows;
}

MotionRows read_motion_npz(const Robot& robot, std::string_view bytes, const std::string& origin) {
  const NpzArchive archive(bytes, origin);
  archive.check_names("q_names", position_names(robot));
  archive.check_names("v_names", velocity_names(robot));
  const NpyArray t = archive.numbers("t", 0);
  MotionRows rows;
  for (size_t i = 0; i < t.size(); ++i) rows.t.push_back(t.number(i));
  for (size_t p = 0; p < part_names.size(); ++p) {
    if (p > 0 && !archive.has(part_names[p])) break;
    const NpyArray x = archive.numbers(part_names[p], size_t(p == 0 ? robot.nq() : robot.nv()));
    if (x.shape[0] != t.size())
      throw InputError(origin + ": array " + in_quotes(part_names[p]) + " has " +
                       std::to_string(x.shape[0]) + " rows, \"t\" has " + std::to_string(t.size()));
    rows.parts[p] = {int(x.shape[0]), int(x.shape[1])};
    for (size_t i = 0; i < x.shape[0]; ++i)
      for (size_t k = 0; k < x.shape[1]; ++k) rows.parts[p](int(i), int(k)) = x.at(i, k);
  }
  return rows;
}

/// The matrices of a run with the names of their rows.
struct RunPart {
  const char* name;
  const dense::Matrix* numbers;
};
std::array<RunPart, 6> parts_of(const Along& run) {
  return {{{"q", &run.q},
           {"v", &run.v},
           {"a", &run.a},
           {"jerk", &run.jerk},
           {"tau", &run.tau},
           {"tau_rate", &run.tau_rate}}};
}
constexpr std::pair<const char*, std::vector<double> Along::*> energies[] = {
    {"kinetic", &Along::kinetic}, {"potential", &Along::potential}};

}  // namespace
}  // namespace io

Move read_motion(const Robot& robot, std::string_view bytes, const std::string& origin) {
  const io::MotionRows rows = io::is_zip(bytes) ? io::read_motion_npz(robot, bytes, origin)
                                                : io::read_motion_csv(robot, bytes, origin);
  io::check_times(rows.t, origin);
  Move move = io::move_of(rows, origin);
  move.check(robot, origin);
  return move;
}
Move load_motion(const Robot& robot, const std::string& path) {
  return read_motion(robot, io::file_text(path, io::record_limit), path);
}

std::string write_csv(const Along& run) {
  std::string out = "t";
  for (const io::RunPart& part : io::parts_of(run))
    for (const std::string& name :
         part.numbers == &run.q ? position_names(run.robot) : velocity_names(run.robot))
      out += "," + io::csv_name(part.name + ("." + name));
  for (const auto& [name, values] : io::energies) out += std::string(",") + name;
  out += '\n';
  for (int i = 0; i < int(run.t.size()); ++i) {
    out += io::number_text(run.t[size_t(i)]);
    for (const io::RunPart& part : io::parts_of(run))
      for (int k = 0; k < part.numbers->rows; ++k)
        out += "," + io::number_text((*part.numbers)(k, i));
    for (const auto& [name, values] : io::energies)
      out += "," + io::number_text((run.*values)[size_t(i)]);
    out += '\n';
  }
  return out;
}

std::string write_npz(const Along& run) {
  const std::string rows = std::to_string(run.t.size());
  std::vector<io::ZipEntry> entries = {{"t.npy", io::npy_numbers(rows + ",", run.t)}};
  for (const io::RunPart& part : io::parts_of(run))
    entries.push_back(
        {part.name + std::string(".npy"),
         io::npy_numbers(rows + ", " + std::to_string(part.numbers->rows), part.numbers->numbers)});
  for (const auto& [name, values] : io::energies)
    entries.push_back({name + std::string(".npy"), io::npy_numbers(rows + ",", run.*values)});
  entries.push_back({"q_names.npy", io::npy_names(position_names(run.robot))});
  entries.push_back({"v_names.npy", io::npy_names(velocity_names(run.robot))});
  return io::write_zip(entries);
}

}  // namespace jounce

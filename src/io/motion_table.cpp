// SPDX-License-Identifier: BSD-3-Clause
// Motions of robots from tables and to tables, CSV and NPZ.
#include <array>
#include <jounce/move.hpp>

#include "io/coordinate_table.hpp"
#include "io/csv_text.hpp"
#include "io/input_text.hpp"
#include "io/npz_file.hpp"
#include "io/number_text.hpp"
#include "io/record_parts.hpp"

namespace jounce {
namespace io {
namespace {

/// A part by columns, one for each coordinate; none where it is not there.
dense::Matrix columns_of(const CoordinateTable& table, const char* name) {
  const TablePart* const part = table.find(name);
  if (part == nullptr) return {};
  dense::Matrix x(int(table.rows), int(part->width));
  for (int i = 0; i < x.rows; ++i)
    for (int k = 0; k < x.columns; ++k) x(i, k) = part->at(size_t(i), size_t(k));
  return x;
}

void check_times(const CoordinateTable& table, const std::string& origin) {
  const std::vector<double>& t = table.t;
  if (t.empty() && table.rows > 0)
    throw InputError(origin + ": is no motion: there are no times \"t\"");
  if (t.size() < 2)
    throw InputError(origin + ": has " + std::to_string(t.size()) + " rows, a motion needs 2");
  for (size_t i = 0; i + 1 < t.size(); ++i)
    if (!(t[i] < t[i + 1]))
      throw InputError(origin + ": t is " + number_text(t[i + 1]) + " in row " +
                       std::to_string(i + 2) + ", needs more than " + number_text(t[i]) +
                       " of the row before");
  if (table.find("q") == nullptr) throw InputError(origin + ": is no motion: there is no q");
}

Move move_of(const CoordinateTable& table, const std::string& origin) {
  const dense::Matrix q = columns_of(table, "q"), v = columns_of(table, "v"),
                      a = columns_of(table, "a"), jerk = columns_of(table, "jerk");
  const auto rows = [&](const dense::Matrix& x) { return MatrixArg(x.numbers, int(table.rows)); };
  try {
    if (v.columns == 0) return spline(table.t, rows(q));
    return interpolate(table.t, rows(q), rows(v), rows(a), rows(a.columns > 0 ? jerk : a));
  } catch (const InputError& error) {
    throw InputError(origin + ": " + error.what());
  }
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
  const io::CoordinateTable table = io::read_coordinates(robot, bytes, origin);
  io::check_times(table, origin);
  Move move = io::move_of(table, origin);
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

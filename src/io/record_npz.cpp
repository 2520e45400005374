// SPDX-License-Identifier: BSD-3-Clause
// Records as NPZ.
#include "io/npz_file.hpp"
#include "io/record_parts.hpp"
#include "quotes.hpp"

namespace jounce::io {

std::string write_record_npz(const Record& record) {
  const Robot& robot = record.robot();
  const std::string rows = std::to_string(record.size());
  std::vector<ZipEntry> entries = {{"t.npy", npy_numbers(rows + ",", record.t())}};
  for (const RecordPart& part : record_parts) {
    std::vector<double> numbers;
    for (int i = 0; i < record.size(); ++i) {
      const std::span<const double> row = (record.*part.row)(i);
      numbers.insert(numbers.end(), row.begin(), row.end());
    }
    entries.push_back({part.name + std::string(".npy"),
                       npy_numbers(rows + ", " + std::to_string(part.width(robot)), numbers)});
  }
  entries.push_back({"q_names.npy", npy_names(position_names(robot))});
  entries.push_back({"v_names.npy", npy_names(velocity_names(robot))});
  return write_zip(entries);
}

Record read_record_npz(const Robot& robot, std::string_view bytes, const std::string& origin) {
  const NpzArchive archive(bytes, origin);
  archive.check_names("q_names", position_names(robot));
  archive.check_names("v_names", velocity_names(robot));
  const NpyArray t = archive.numbers("t", 0);
  std::array<NpyArray, 4> parts;
  std::array<std::vector<double>, 4> row;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    parts[p] = archive.numbers(record_parts[p].name, std::size_t(record_parts[p].width(robot)));
    row[p].resize(parts[p].shape[1]);
    if (parts[p].shape[0] != t.size())
      throw InputError(origin + ": array " + in_quotes(record_parts[p].name) + " has " +
                       std::to_string(parts[p].shape[0]) + " rows, \"t\" has " +
                       std::to_string(t.size()));
  }
  Record record(robot);
  record.reserve(int(t.size()));
  for (std::size_t i = 0; i < t.size(); ++i) {
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (std::size_t k = 0; k < row[p].size(); ++k) row[p][k] = parts[p].at(i, k);
    record.add(t.number(i), row[0], row[1], row[2], row[3]);
  }
  return record;
}

}  // namespace jounce::io

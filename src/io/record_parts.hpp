// SPDX-License-Identifier: BSD-3-Clause
// What the formats of records share: the names of coordinates, and a record from its columns.
#pragma once

#include <array>
#include <jounce/move.hpp>
#include <jounce/record_io.hpp>

namespace jounce::io {

constexpr std::size_t record_limit = std::size_t{1} << 31;  ///< bytes of a text

/// The four quantities beside t, in the order in which formats have them.
struct RecordPart {
  const char* name;
  bool positions;  ///< nq numbers a row, not nv
  std::span<const double> (Record::*row)(int) const;

  int width(const Robot& robot) const { return positions ? robot.nq() : robot.nv(); }
  std::vector<std::string> names(const Robot& robot) const {
    return positions ? position_names(robot) : velocity_names(robot);
  }
};
extern const std::array<RecordPart, 4> record_parts;

std::string write_record_npz(const Record& record);
Record read_record_npz(const Robot& robot, std::string_view bytes, const std::string& origin);

std::string write_record_csv(const Record& record);
Record read_record_csv(const Robot& robot, std::string_view text, const std::string& origin);
std::string write_record_json(const Record& record);
Record read_record_json(const Robot& robot, std::string_view text, const std::string& origin);

}  // namespace jounce::io

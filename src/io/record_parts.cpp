// SPDX-License-Identifier: BSD-3-Clause
// Records and checkpoints from files of any format.
#include "io/record_parts.hpp"

#include "io/input_text.hpp"
#include "io/npz_file.hpp"

namespace jounce {
namespace io {
namespace {

std::vector<std::string> coordinate_names(const Robot& robot, int JointInfo::*count) {
  std::vector<std::string> names;
  for (const JointInfo& joint : robot.joints())
    for (int k = 0; k < joint.*count && !joint.mimic; ++k)
      names.push_back(joint.*count == 1 ? joint.name : joint.name + ":" + std::to_string(k));
  return names;
}

}  // namespace

const std::array<RecordPart, 4> record_parts = {
    RecordPart{"q", true, &Record::q}, RecordPart{"v", false, &Record::v},
    RecordPart{"a", false, &Record::a}, RecordPart{"tau", false, &Record::tau}};

}  // namespace io

std::vector<std::string> position_names(const Robot& robot) {
  return io::coordinate_names(robot, &JointInfo::nq);
}
std::vector<std::string> velocity_names(const Robot& robot) {
  return io::coordinate_names(robot, &JointInfo::nv);
}

RecordFormat record_format(std::string_view path) {
  if (path.ends_with(".json")) return RecordFormat::json;
  return path.ends_with(".npz") ? RecordFormat::npz : RecordFormat::csv;
}

std::string write_record(const Record& record, RecordFormat format) {
  if (format == RecordFormat::json) return io::write_record_json(record);
  if (format == RecordFormat::npz) return io::write_record_npz(record);
  return io::write_record_csv(record);
}

Record read_record(const Robot& robot, std::string_view bytes, const std::string& origin) {
  if (io::is_zip(bytes)) return io::read_record_npz(robot, bytes, origin);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && bytes[first] == '{';
  return json ? io::read_record_json(robot, bytes, origin)
              : io::read_record_csv(robot, bytes, origin);
}
Record load_record(const Robot& robot, const std::string& path) {
  return read_record(robot, io::file_text(path, io::record_limit), path);
}
SimulationState load_checkpoint(const Robot& robot, const std::string& path) {
  return read_checkpoint(robot, io::file_text(path), path);
}

}  // namespace jounce

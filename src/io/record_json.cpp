// SPDX-License-Identifier: BSD-3-Clause
// Records as JSON: {"jounce_record": 1, "robot", "joints", "t", "q", "v", "a", "tau"}.
#include "io/json_object.hpp"
#include "io/json_text.hpp"
#include "io/number_text.hpp"
#include "io/record_parts.hpp"

namespace jounce::io {
namespace {

std::vector<std::string> joint_lines(const Robot& robot) {
  std::vector<std::string> lines;
  for (const JointInfo& joint : robot.joints()) {
    if (joint.mimic) continue;
    JsonFields fields("joint " + in_quotes(joint.name));
    fields.text("name", joint.name);
    fields.numbers("q", {double(joint.q), double(joint.nq)});
    fields.numbers("v", {double(joint.v), double(joint.nv)});
    lines.push_back(fields.on_one_line());
  }
  return lines;
}

/// The joints of the file are the robot's, in its order.
void check_joints(JsonObject& object, const Robot& robot) {
  const auto found = object.objects("joints");
  std::size_t k = 0;
  for (const JointInfo& joint : robot.joints()) {
    if (joint.mimic) continue;
    if (k == found.size())
      object.fail(object.offset(), "joint " + in_quotes(joint.name) + " of robot " +
                                       in_quotes(robot.name()) + " is missing");
    JsonObject one(object.context(), *found[k++], "joint");
    const std::string name = one.name("name");
    if (name != joint.name || one.numbers("q", 2)[1] != joint.nq ||
        one.numbers("v", 2)[1] != joint.nv)
      one.fail(one.offset(), in_quotes(name) + " stands where robot " + in_quotes(robot.name()) +
                                 " has " + in_quotes(joint.name));
  }
  if (k != found.size())
    object.fail(found[k]->offset, "robot " + in_quotes(robot.name()) + " has " + std::to_string(k) +
                                      " joints, not " + std::to_string(found.size()));
}

}  // namespace

std::string write_record_json(const Record& record) {
  JsonFields fields("record");
  fields.number("jounce_record", 1);
  fields.text("robot", record.robot().name());
  fields.lines("joints", joint_lines(record.robot()), 2);
  fields.any_numbers("t", record.t());
  for (const RecordPart& part : record_parts) {
    std::vector<std::string> rows;
    rows.reserve(static_cast<std::size_t>(record.size()));
    for (int i = 0; i < record.size(); ++i) rows.push_back(any_numbers((record.*part.row)(i)));
    fields.lines(part.name, rows, 2);
  }
  return fields.on_lines(0) + "\n";
}

Record read_record_json(const Robot& robot, std::string_view text, const std::string& origin) {
  const SourceText source(text, origin, record_limit);
  const JsonValue root = parse_json(source);
  JsonContext context{source};
  JsonObject object(context, root, "record");
  object.whole_number("jounce_record", 1, 1);
  check_joints(object, robot);
  const std::vector<double> t = object.any_numbers("t");
  std::array<std::vector<const JsonValue*>, 4> rows;
  for (std::size_t p = 0; p < rows.size(); ++p) {
    rows[p] = object.lists(record_parts[p].name);
    if (rows[p].size() != t.size())
      object.fail(object.offset(), in_quotes(record_parts[p].name) + " has " +
                                       std::to_string(rows[p].size()) + " rows, \"t\" has " +
                                       std::to_string(t.size()));
  }
  Record record(robot);
  record.reserve(int(t.size()));
  for (std::size_t i = 0; i < t.size(); ++i) {
    std::array<std::vector<double>, 4> x;
    for (std::size_t p = 0; p < x.size(); ++p)
      x[p] = object.any_numbers_of(*rows[p][i], record_parts[p].name);
    try {
      record.add(t[i], x[0], x[1], x[2], x[3]);
    } catch (const InputError& error) {
      object.fail(rows[0][i]->offset, error.what());
    }
  }
  return record;
}

}  // namespace jounce::io

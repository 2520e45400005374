// SPDX-License-Identifier: BSD-3-Clause
// The bundled robots: a URDF or JSON text of models/ and what the files beside it add.
#include "io/builtin.hpp"

#include <algorithm>
#include <array>
#include <jounce/error.hpp>
#include <utility>

#include "io/json_object.hpp"
#include "io/names.hpp"

namespace jounce {
namespace {

constexpr std::array<std::string_view, 9> robots = {"planar_2r", "puma560",  "arm7",
                                                    "quadruped", "humanoid", "aerial_manipulator",
                                                    "four_bar",  "five_bar", "stewart"};

}  // namespace

std::span<const std::string_view> builtin_robots() { return robots; }

namespace io {
namespace {

/// A robot that stands on nothing: its first link floats.
void add_free_base(RobotDescription& robot) {
  JointDescription base;
  base.name = "base";
  base.child = robot.links.at(0).name;
  base.geometry.kind = JointKind::free;
  robot.joints.insert(robot.joints.begin(), std::move(base));
}

/// NAME_motors.json: armature, damping and friction by joint; they replace those of the URDF.
void add_motors(JsonContext& context, const JsonValue& root, RobotDescription& robot) {
  JsonObject motors(context, root, "motors");
  for (JointDescription& joint : robot.joints) {
    const JsonValue* const value = motors.find(joint.name);
    if (value == nullptr) continue;
    JsonObject motor(context, *value, "motor of joint " + in_quotes(joint.name));
    joint.properties.armature = motor.list("armature");
    joint.properties.damping = motor.list("damping");
    joint.properties.friction = motor.list("friction");
    motor.finish();
  }
  motors.finish();
}

/// NAME_loop.json: the joints at which the robot was cut open, where it is closed, its motors.
void add_loops(JsonContext& context, const JsonValue& root, RobotDescription& robot) {
  JsonObject file(context, root, "loops");
  file.find("convention");
  JsonObject closed(context, file.need("closed_configuration"), "closed configuration");
  JsonObject motors(context, file.need("actuated"), "actuated joints");
  for (JointDescription& joint : robot.joints) {
    joint.closed = closed.list(joint.name);
    joint.actuated = motors.flag(joint.name);
  }
  closed.finish();
  motors.finish();
  for (const JsonValue* value : file.objects("loops")) {
    JsonObject object(context, *value, "loop");
    robot.loops.push_back(read_loop(object));
    object.finish();
  }
  file.finish();
}

using Addition = void (*)(JsonContext&, const JsonValue&, RobotDescription&);

/// Reads the file beside a robot, where there is one.
void add_file(const std::string& file, Addition add, Loaded& loaded) {
  const std::string_view text = embedded_text(file);
  if (text.empty()) return;
  const SourceText source(text, "builtin:" + file);
  JsonContext context{source};
  add(context, parse_json(source), loaded.robot);
}

}  // namespace

std::string_view embedded_text(std::string_view name) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.name == name) return file.text;
  return {};
}

Loaded read_builtin(const std::string& name, const ReadOptions& options) {
  if (std::find(robots.begin(), robots.end(), name) == robots.end()) {
    const std::vector<std::string> names(robots.begin(), robots.end());
    std::string known;
    for (const std::string& robot : names) known += (known.empty() ? "" : ", ") + robot;
    throw InputError("builtin:" + name + ": there is no bundled robot " + in_quotes(name) +
                     nearest_name(name, names) + "; there are " + known);
  }
  const std::string origin = "builtin:" + name;
  const std::string_view urdf = embedded_text(name + ".urdf");
  Loaded loaded = urdf.empty() ? read_json(embedded_text(name + ".json"), origin, options)
                               : read_urdf(urdf, origin, options);
  if (name == "quadruped" || name == "humanoid" || name == "aerial_manipulator")
    add_free_base(loaded.robot);
  add_file(name + "_motors.json", add_motors, loaded);
  add_file(name + "_loop.json", add_loops, loaded);
  return loaded;
}

}  // namespace io
}  // namespace jounce

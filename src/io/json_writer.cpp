// SPDX-License-Identifier: BSD-3-Clause
// Writes robots in Jounce's JSON format (docs/robot_json.md); defaults are left out.
#include <jounce/error.hpp>
#include <jounce/io.hpp>
#include <variant>

#include "io/json_text.hpp"
#include "io/source_text.hpp"
#include "numbers.hpp"

namespace jounce {
namespace io {
namespace {

struct SolidWriter {
  JsonFields& fields;
  const std::string& who;

  void operator()(const Box& box) const {
    fields.numbers("box", {box.size.x, box.size.y, box.size.z});
  }
  void operator()(const Sphere& sphere) const {
    JsonFields solid(who + ": sphere");
    solid.number("radius", sphere.radius);
    fields.add("sphere", solid.on_one_line());
  }
  void operator()(const Cylinder& c) const { round("cylinder", c.radius, c.length); }
  void operator()(const Capsule& c) const { round("capsule", c.radius, c.length); }
  void operator()(const Mesh& mesh) const {
    JsonFields solid(who + ": mesh");
    solid.text("file", mesh.file);
    solid.vec3_unless("scale", mesh.scale, {1, 1, 1});
    fields.add("mesh", solid.on_one_line());
  }
  void round(const char* kind, double radius, double length) const {
    JsonFields solid(who + ": " + kind);
    solid.number("radius", radius);
    solid.number("length", length);
    fields.add(kind, solid.on_one_line());
  }
};

std::vector<std::string> shapes_json(const std::vector<Shape>& shapes, const std::string& who) {
  std::vector<std::string> entries;
  for (const Shape& shape : shapes) {
    JsonFields fields(who);
    if (!shape.name.empty()) fields.text("name", shape.name);
    fields.placement("placement", shape.placement);
    std::visit(SolidWriter{fields, who}, shape.geometry);
    if (shape.colour) fields.numbers("colour", *shape.colour);
    entries.push_back(fields.on_one_line());
  }
  return entries;
}

std::string link_json(const LinkDescription& link) {
  const std::string who = "link " + in_quotes(link.name);
  JsonFields fields(who);
  fields.text("name", link.name);
  fields.number_unless("mass", link.mass, 0);
  fields.vec3_unless("com", link.com, {});
  const Sym3<double>& I = link.I_com;
  fields.numbers_unless_zero("inertia", {I.xx, I.xy, I.yy, I.xz, I.yz, I.zz});
  fields.lines("visual", shapes_json(link.visual, who + ": visual"), 6);
  fields.lines("collision", shapes_json(link.collision, who + ": collision"), 6);
  return fields.on_lines(4);
}

void add_geometry(JsonFields& fields, const JointGeometry& geometry, const std::string& who) {
  if (geometry.kind == JointKind::custom)
    throw InputError(who + ": kind custom is a function and cannot be written");
  fields.text("kind", name(geometry.kind));
  fields.placement("placement", geometry.placement);
  fields.vectors("axes", geometry.axes);
  if (geometry.kind == JointKind::helical) fields.number_unless("pitch", geometry.pitch, 0);
  std::string parts;
  for (const JointGeometry& part : geometry.parts) {
    JsonFields one(who + ": part");
    add_geometry(one, part, who + ": part");
    parts += (parts.empty() ? "" : ", ") + one.on_one_line();
  }
  if (!parts.empty()) fields.add("parts", "[" + parts + "]");
}

void add_properties(JsonFields& fields, const JointProperties& p) {
  fields.list("lower", p.lower, -infinity);
  fields.list("upper", p.upper, infinity);
  fields.list("velocity", p.velocity_limit, infinity);
  fields.list("effort", p.effort_limit, infinity);
  fields.list("armature", p.armature);
  for (const ResistanceInfo& one : resistances) fields.list(one.name, p.*one.of_joint);
  fields.list("stiffness", p.stiffness);
  if (!p.stiffness.empty()) fields.list("rest", p.rest);
}

std::string joint_json(const JointDescription& joint) {
  const std::string who = "joint " + in_quotes(joint.name);
  JsonFields fields(who);
  fields.text("name", joint.name);
  if (!joint.parent.empty()) fields.text("parent", joint.parent);
  fields.text("child", joint.child);
  add_geometry(fields, joint.geometry, who);
  fields.placement("child_placement", joint.child_placement);
  add_properties(fields, joint.properties);
  if (joint.actuated) fields.add("actuated", *joint.actuated ? "true" : "false");
  fields.list("closed", joint.closed);
  if (joint.mimic) {
    JsonFields mimic(who + ": mimic");
    mimic.text("leader", joint.mimic->leader);
    mimic.number_unless("multiplier", joint.mimic->multiplier, 1);
    mimic.number_unless("offset", joint.mimic->offset, 0);
    fields.add("mimic", mimic.on_one_line());
  }
  return fields.on_lines(4);
}

std::string frame_json(const FrameDescription& frame) {
  JsonFields fields("frame " + in_quotes(frame.name));
  fields.text("name", frame.name);
  fields.text("link", frame.link);
  fields.placement("placement", frame.placement);
  return fields.on_one_line();
}

template <class Description>
void add_ends(JsonFields& fields, const Description& one) {
  if (!one.link_1.empty()) fields.text("link_1", one.link_1);
  if (!one.link_2.empty()) fields.text("link_2", one.link_2);
  fields.placement("placement_1", one.placement_1);
  fields.placement("placement_2", one.placement_2);
}

std::string loop_json(const LoopDescription& loop) {
  JsonFields fields("loop " + in_quotes(loop.name));
  if (loop.kind == LoopKind::custom)
    throw InputError("loop " + in_quotes(loop.name) +
                     ": kind custom is a function and cannot be written");
  fields.text("name", loop.name);
  fields.text("kind", name(loop.kind));
  if (loop.kind == LoopKind::gear) {
    std::vector<std::string> joints;
    for (const TiedJoint& joint : loop.joints) {
      JsonFields one("loop " + in_quotes(loop.name) + ": joint");
      one.text("name", joint.name);
      one.number_unless("ratio", joint.ratio, 1);
      joints.push_back(one.on_one_line());
    }
    fields.lines("joints", joints, 6);
    fields.number_unless("offset", loop.offset, 0);
    return fields.on_lines(4);
  }
  add_ends(fields, loop);
  if (loop.kind == LoopKind::distance) fields.number_unless("length", loop.length, 0);
  if (loop.kind == LoopKind::rolling) fields.number_unless("radius", loop.radius, 0);
  return fields.on_lines(4);
}

std::string bushing_json(const BushingDescription& bushing) {
  JsonFields fields("bushing " + in_quotes(bushing.name));
  fields.text("name", bushing.name);
  add_ends(fields, bushing);
  fields.numbers_unless_zero("stiffness", {bushing.stiffness.begin(), bushing.stiffness.end()});
  fields.numbers_unless_zero("damping", {bushing.damping.begin(), bushing.damping.end()});
  return fields.on_lines(4);
}

template <class Part>
std::vector<std::string> each(const std::vector<Part>& parts, std::string (*json)(const Part&)) {
  std::vector<std::string> entries;
  entries.reserve(parts.size());
  for (const Part& part : parts) entries.push_back(json(part));
  return entries;
}

}  // namespace
}  // namespace io

std::string write_json(const RobotDescription& robot) {
  io::JsonFields fields("robot " + io::in_quotes(robot.name));
  fields.number("jounce", 1);
  fields.text("name", robot.name);
  fields.vec3_unless("gravity", robot.gravity, {0, 0, -9.81});
  fields.lines("links", io::each(robot.links, io::link_json), 2);
  fields.lines("joints", io::each(robot.joints, io::joint_json), 2);
  fields.lines("frames", io::each(robot.frames, io::frame_json), 2);
  fields.lines("loops", io::each(robot.loops, io::loop_json), 2);
  fields.lines("bushings", io::each(robot.bushings, io::bushing_json), 2);
  return fields.on_lines(0) + "\n";
}

}  // namespace jounce

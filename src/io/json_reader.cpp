// SPDX-License-Identifier: BSD-3-Clause
// Reads robots in Jounce's JSON format (docs/robot_json.md). Every number keeps its bits.
//
// It checks what one value or one name can tell; Robot (model/robot.hpp) checks the whole.
#include <algorithm>
#include <cmath>
#include <jounce/io.hpp>
#include <utility>

#include "io/json_object.hpp"
#include "io/json_shapes.hpp"
#include "io/names.hpp"
#include "io/number_text.hpp"
#include "model/cut_graph.hpp"
#include "model/robot_data.hpp"
#include "numbers.hpp"

namespace jounce {
namespace io {
namespace {

class JsonReader {
 public:
  JsonReader(Diagnostics& diagnostics, const ReadOptions& options)
      : context_{diagnostics.source(), &diagnostics},
        diagnostics_(diagnostics),
        options_(options),
        meshes_(diagnostics, options),
        links_(diagnostics.source(), "link"),
        joints_(diagnostics.source(), "joint"),
        frames_(diagnostics.source(), "frame"),
        loops_(diagnostics.source(), "loop"),
        bushings_(diagnostics.source(), "bushing") {}

  Loaded read(const JsonValue& root) {
    JsonObject object(context_, root, "robot");
    check_version(object);
    robot_.name = object.name("name");
    object.set_who("robot " + in_quotes(robot_.name));
    object.find("about");  // for people
    robot_.gravity = object.vec3_or("gravity", robot_.gravity);
    read_all(object, "links", &JsonReader::read_link);
    read_all(object, "joints", &JsonReader::read_joint);
    read_all(object, "frames", &JsonReader::read_frame);
    read_all(object, "loops", &JsonReader::read_loop);
    read_all(object, "bushings", &JsonReader::read_bushing);
    for (const Leader& leader : leaders_)
      diagnostics_.attempt(
          [&] { joints_.require(leader.name, leader.offset, leader.who + ": mimic"); });
    object.finish();
    std::vector<Place> joint_places = joints_.places();
    if (!diagnostics_.has_faults()) cut_graph(joint_places);
    const NameTable* const tables[] = {&links_, &joints_, &frames_, &loops_, &bushings_};
    diagnostics_.check(robot_, tables, !diagnostics_.has_faults());
    return {std::move(robot_), diagnostics_.take(), links_.places(), std::move(joint_places),
            std::move(cuts_)};
  }

 private:
  /// The objects of a list, each by itself: one that is at fault does not hide the others.
  void read_all(JsonObject& object, std::string_view key,
                void (JsonReader::*read_one)(const JsonValue&)) {
    for (const JsonValue* value : object.objects(key))
      diagnostics_.attempt([&] { (this->*read_one)(*value); });
  }

  /// Joints that close loops become loops, at the places of the others.
  void cut_graph(std::vector<Place>& places) {
    std::vector<std::string> names;
    for (const JointDescription& joint : robot_.joints) names.push_back(joint.name);
    std::vector<RefusedCut> refused;
    CutGraph found = cut_loops(std::move(robot_), refused);
    robot_ = std::move(found.robot);
    cuts_ = std::move(found.cuts);
    const auto offset = [&](const std::string& name) { return joints_.offset(name); };
    for (const RefusedCut& one : refused) diagnostics_.fault(offset(one.joint), one.what);
    for (const CutJoint& one : cuts_) {
      const std::string who = "joint " + in_quotes(one.joint);
      diagnostics_.attempt([&] { loops_.add(one.joint, offset(one.joint)); });
      diagnostics_.add(
          FindingKind::cut_loop, offset(one.joint),
          who + " closes a loop: cut there, it is a loop of kind " + jounce::name(one.kind), "",
          one.joint);
      if (!one.lost.empty())
        diagnostics_.add(FindingKind::not_applied, offset(one.joint),
                         who + ": " + one.lost + ", which a loop has not", "", one.joint);
    }
    size_t next = 0;
    for (size_t k = 0; k < names.size() && next < robot_.joints.size(); ++k)
      if (robot_.joints[next].name == names[k]) places[next++] = places[k];
    places.resize(robot_.joints.size());
  }

  void check_version(JsonObject& object) {
    if (object.find("jounce") == nullptr)
      object.fail(object.offset(), "key \"jounce\", the version of the format, is missing");
    const double version = object.number("jounce");
    if (version != 1)
      object.fail(object.need("jounce").offset,
                  "version " + number_text(version) + " of the format, this library reads 1");
  }

  /// Reads the name, which starts all later messages, and puts it in its table.
  std::string read_name(JsonObject& object, NameTable& table) {
    std::string name = object.name("name");
    object.set_who(object.who() + " " + in_quotes(name));
    table.add(name, object.need("name").offset);
    return name;
  }

  void read_link(const JsonValue& value) {
    JsonObject object(context_, value, "link");
    LinkDescription link;
    link.name = read_name(object, links_);
    link.mass = object.number_or("mass", 0);
    if (link.mass < 0)
      object.fail(object.need("mass").offset, "mass " + number_text(link.mass) + " is negative");
    link.com = object.vec3_or("com", {});
    if (object.find("inertia") != nullptr) {
      const std::vector<double> I = object.numbers("inertia", 6);
      link.I_com = {I[0], I[1], I[2], I[3], I[4], I[5]};
    }
    for (const JsonValue* shape : object.objects("visual"))
      link.visual.push_back(read_shape(context_, *shape, object.who() + ": visual", meshes_));
    for (const JsonValue* shape : object.objects("collision"))
      link.collision.push_back(read_shape(context_, *shape, object.who() + ": collision", meshes_));
    object.finish();
    robot_.links.push_back(std::move(link));
  }

  void read_joint(const JsonValue& value) {
    JsonObject object(context_, value, "joint");
    JointDescription joint;
    joint.name = read_name(object, joints_);
    joint.parent = object.text_or("parent", "");
    if (!joint.parent.empty()) require_link(object, "parent", joint.parent);
    joint.child = object.name("child");
    require_link(object, "child", joint.child);
    if (joint.parent == joint.child)
      object.fail(value.offset, "parent and child are both link " + in_quotes(joint.child));
    joint.geometry = read_geometry(object);
    joint.child_placement = object.placement("child_placement");
    joint.properties = read_properties(object);
    joint.actuated = object.flag("actuated");
    joint.closed = object.list("closed");
    if (const JsonValue* mimic = object.find("mimic")) read_mimic(*mimic, object.who(), joint);
    object.finish();
    robot_.joints.push_back(std::move(joint));
  }

  void require_link(JsonObject& object, std::string_view key, const std::string& link) {
    links_.require(link, object.need(key).offset, object.who() + ": " + std::string(key));
  }

  JointGeometry read_geometry(JsonObject& object) {
    JointGeometry geometry;
    geometry.kind = read_kind(object);
    geometry.placement = object.placement("placement");
    geometry.axes = read_axes(object, geometry.kind);
    geometry.pitch = object.number_or("pitch", 0);
    if (geometry.kind != JointKind::helical) {
      geometry.pitch = 0;
      object.leave("pitch");
    }
    for (const JsonValue* part : object.objects("parts")) {
      JsonObject part_object(context_, *part, object.who() + ": part");
      geometry.parts.push_back(read_geometry(part_object));
      part_object.finish();
    }
    const bool composite = geometry.kind == JointKind::composite;
    if (composite && geometry.parts.empty())
      object.fail(object.offset(), "kind composite needs \"parts\"");
    if (!composite && !geometry.parts.empty())
      object.fail(object.need("parts").offset,
                  std::string("kind ") + jounce::name(geometry.kind) + " has no parts");
    return geometry;
  }

  std::vector<Vec3<double>> read_axes(JsonObject& object, JointKind kind) {
    std::vector<Vec3<double>> axes;
    const JsonValue* const value = object.find("axes");
    if (value != nullptr && value->kind != JsonValue::Kind::array)
      object.fail(value->offset,
                  std::string("\"axes\" must be a list, found ") + describe(value->kind));
    const std::size_t found = value == nullptr ? 0 : value->items().size();
    const std::size_t needed = axes_needed(kind);
    if (found != needed)
      object.fail(value == nullptr ? object.offset() : value->offset,
                  std::string("kind ") + jounce::name(kind) + " needs " + std::to_string(needed) +
                      (needed == 1 ? " axis" : " axes") + ", found " + std::to_string(found));
    for (std::size_t k = 0; k < found; ++k) {
      const std::vector<double> a = object.numbers_of(value->items()[k], "axes", 3);
      const Vec3<double>& axis = axes.emplace_back(Vec3<double>{a[0], a[1], a[2]});
      const double length = std::hypot(axis.x, axis.y, axis.z);
      if (!(std::abs(length - 1) < 1e-6))
        object.fail(value->items()[k].offset, "axis " + short_text(axis) + " has length " +
                                                  number_text(length) + ", needs 1");
    }
    return axes;
  }

  JointProperties read_properties(JsonObject& object) {
    JointProperties p;
    p.lower = object.list("lower", -infinity);
    p.upper = object.list("upper", infinity);
    p.velocity_limit = object.list("velocity", infinity);
    p.effort_limit = object.list("effort", infinity);
    p.armature = object.list("armature");
    for (const ResistanceInfo& one : resistances) p.*one.of_joint = object.list(one.name);
    p.stiffness = object.list("stiffness");
    p.rest = object.list("rest");
    if (p.stiffness.empty()) {
      p.rest.clear();
      object.leave("rest");
    }
    for (std::size_t k = 0; k < std::min(p.lower.size(), p.upper.size()); ++k)
      if (p.lower[k] > p.upper[k])
        object.fail(object.need("lower").offset, "lower limit " + number_text(p.lower[k]) +
                                                     " lies above upper limit " +
                                                     number_text(p.upper[k]));
    return p;
  }

  void read_mimic(const JsonValue& value, const std::string& who, JointDescription& joint) {
    JsonObject object(context_, value, who + ": mimic");
    Mimic mimic{object.name("leader"), object.number_or("multiplier", 1),
                object.number_or("offset", 0)};
    if (mimic.leader == joint.name) context_.source.fail(value.offset, who + " mimics itself");
    if (options_.couple_mimic)
      leaders_.push_back({mimic.leader, who, object.need("leader").offset});
    object.finish();
    if (options_.couple_mimic) joint.mimic = std::move(mimic);
  }

  void read_frame(const JsonValue& value) {
    JsonObject object(context_, value, "frame");
    FrameDescription frame;
    frame.name = read_name(object, frames_);
    frame.link = object.name("link");
    require_link(object, "link", frame.link);
    frame.placement = object.placement("placement");
    object.finish();
    robot_.frames.push_back(std::move(frame));
  }

  void read_loop(const JsonValue& value) {
    JsonObject object(context_, value, "loop");
    read_name(object, loops_);
    robot_.loops.push_back(io::read_loop(object));
    require_ends(object, robot_.loops.back());
    for (const TiedJoint& joint : robot_.loops.back().joints)
      joints_.require(joint.name, object.need("joints").offset, object.who());
    object.finish();
  }

  void read_bushing(const JsonValue& value) {
    JsonObject object(context_, value, "bushing");
    read_name(object, bushings_);
    robot_.bushings.push_back(io::read_bushing(object));
    require_ends(object, robot_.bushings.back());
    object.finish();
  }

  template <class Description>
  void require_ends(JsonObject& object, const Description& one) {
    if (!one.link_1.empty()) require_link(object, "link_1", one.link_1);
    if (!one.link_2.empty()) require_link(object, "link_2", one.link_2);
  }

  struct Leader {
    std::string name, who;
    std::size_t offset;
  };

  JsonContext context_;
  Diagnostics& diagnostics_;
  const ReadOptions& options_;
  MeshFinder meshes_;
  NameTable links_, joints_, frames_, loops_, bushings_;
  std::vector<Leader> leaders_;
  RobotDescription robot_;
  std::vector<CutJoint> cuts_;
};

}  // namespace
}  // namespace io

Loaded read_json(std::string_view text, const std::string& origin, const ReadOptions& options) {
  const io::SourceText source(text, origin);
  const ReadOptions checked = io::checked_options(options);
  io::Diagnostics diagnostics(source, checked);
  return diagnostics.read(
      [&] { return io::JsonReader(diagnostics, checked).read(io::parse_json(source)); });
}

}  // namespace jounce

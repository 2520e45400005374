// SPDX-License-Identifier: BSD-3-Clause
// Joints of URDF: kinds, ends, axes, limits, friction, mimics, and the rotors of their motors.
//
// Beside the six types of the specification those of Bullet (spherical) and of Drake are read
// (<drake:joint>: ball, screw, universal).
#include "io/urdf_joints.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "io/number_text.hpp"
#include "model/robot_data.hpp"
#include "numbers.hpp"

namespace jounce::io {
namespace {

constexpr std::array<std::pair<std::string_view, JointKind>, 10> joint_types = {
    {{"revolute", JointKind::revolute},
     {"continuous", JointKind::revolute},
     {"prismatic", JointKind::prismatic},
     {"fixed", JointKind::fixed},
     {"floating", JointKind::free},
     {"planar", JointKind::planar},
     {"spherical", JointKind::spherical},
     {"ball", JointKind::spherical},
     {"screw", JointKind::helical},
     {"universal", JointKind::universal}}};

bool has_one_axis(const JointDescription& joint) {
  const JointKind kind = joint.geometry.kind;
  return kind == JointKind::revolute || kind == JointKind::prismatic || kind == JointKind::helical;
}

}  // namespace

UrdfJoints::UrdfJoints(XmlReader& xml, const ReadOptions& options, RobotDescription& robot,
                       NameTable& links)
    : xml_(xml),
      diagnostics_(xml.diagnostics()),
      options_(options),
      robot_(robot),
      links_(links),
      names_(xml.source(), "joint") {}

bool UrdfJoints::is_joint(pugi::xml_node node) {
  const std::string_view name = node.name();
  return name == "joint" || name == "drake:joint";
}

void UrdfJoints::read(pugi::xml_node node) {
  JointDescription joint;
  const bool whole = diagnostics_.attempt([&] {
    joint.name = xml_.name(node, "name", "");
    const std::string who = "joint " + in_quotes(joint.name);
    names_.add(joint.name, xml_.offset(node));
    xml_.expect(node, who, {"name", "type", "actuated"},
                {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "drake:mimic",
                 "drake:screw_thread_pitch"});
    read_parts(node, joint, who);
  });
  complete_ = complete_ && whole;
  if (!whole) return;
  joint_at_.emplace(joint.name, robot_.joints.size());
  robot_.joints.push_back(std::move(joint));
}

void UrdfJoints::read_parts(pugi::xml_node node, JointDescription& joint, const std::string& who) {
  bool whole = diagnostics_.attempt([&] { read_type(node, joint, who); });
  diagnostics_.attempt([&] { joint.geometry.placement = xml_.origin(node, who); });
  whole &= diagnostics_.attempt([&] { joint.parent = end_link(node, "parent", who); });
  whole &= diagnostics_.attempt([&] { joint.child = end_link(node, "child", who); });
  complete_ = complete_ && whole;
  if (!whole) return;
  if (joint.parent == joint.child)
    xml_.fail(node, who + ": parent and child are both link " + in_quotes(joint.parent));
  diagnostics_.attempt([&] { joint.actuated = xml_.flag(node, "actuated", who); });
  read_moving(node, joint, who);
}

void UrdfJoints::read_moving(pugi::xml_node node, JointDescription& joint, const std::string& who) {
  const bool one_axis = has_one_axis(joint);
  const JointKind kind = joint.geometry.kind;
  if (one_axis || kind == JointKind::planar)
    diagnostics_.attempt([&] { read_axis(node, joint, who); });
  else leave_children(node, "axis", who);
  if (kind == JointKind::universal) joint.geometry.axes = {{1, 0, 0}, {0, 1, 0}};
  if (kind == JointKind::helical) diagnostics_.attempt([&] { read_pitch(node, joint, who); });
  diagnostics_.attempt([&] { read_dynamics(node, joint, who); });
  if (!one_axis) {
    leave_children(node, "limit", who);
    for (const pugi::xml_node mimic : node.children("mimic"))
      xml_.leave(mimic, who, FindingKind::not_applied);
    return;
  }
  diagnostics_.attempt([&] { read_limit(node, joint, who); });
  diagnostics_.attempt([&] { read_mimic(node, joint, who); });
}

void UrdfJoints::read_type(pugi::xml_node node, JointDescription& joint, const std::string& who) {
  const std::string type = xml_.name(node, "type", who);
  std::string known;
  for (const auto& [name, kind] : joint_types) {
    if (type == name) return void(joint.geometry.kind = kind);
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  xml_.fail(node, "type", who + ": type " + in_quotes(type) + " is not one of " + known);
}

std::string UrdfJoints::end_link(pugi::xml_node joint, const char* end, const std::string& who) {
  const pugi::xml_node node = xml_.needed_child(joint, end, who);
  xml_.expect(node, who, {"link"});
  std::string link = xml_.name(node, "link", who);
  if (link == "world" && end == std::string_view("parent") && !links_.contains(link))
    imply_world(node);
  links_.require(link, xml_.offset(node), who + ": " + end);
  return link;
}

/// The ground, which some programs need not be told of.
void UrdfJoints::imply_world(pugi::xml_node node) {
  links_.add("world", xml_.offset(node));
  robot_.links.emplace_back().name = "world";
  xml_.warn(FindingKind::world, node,
            "link \"world\" is not defined: taken as a root without mass");
}

/// Makes the axis of unit length; an axis that is one to rounding keeps its bits.
void UrdfJoints::read_axis(pugi::xml_node joint, JointDescription& result, const std::string& who) {
  result.geometry.axes = {{1, 0, 0}};
  const pugi::xml_node node = xml_.child(joint, "axis", who);
  if (!node) return;
  xml_.expect(node, who, {"xyz"});
  const Vec3<double> axis = xml_.vec3(node, "xyz", who);
  const double length = std::hypot(axis.x, axis.y, axis.z);
  const auto text = [&] { return who + ": axis " + short_text(axis); };
  if (!(length > 0) || !std::isfinite(length)) xml_.fail(node, "xyz", text() + " has no direction");
  result.geometry.axes = {axis};
  if (std::abs(length - 1) > 4e-16)
    result.geometry.axes = {{axis.x / length, axis.y / length, axis.z / length}};
  if (std::abs(length - 1) > 1e-3)
    xml_.warn(FindingKind::axis, node,
              text() + " has length " + number_text(length) + ", brought to 1");
}

/// Drake gives metres per turn.
void UrdfJoints::read_pitch(pugi::xml_node joint, JointDescription& result,
                            const std::string& who) {
  const pugi::xml_node node = xml_.needed_child(joint, "drake:screw_thread_pitch", who);
  xml_.expect(node, who, {"value"});
  result.geometry.pitch = xml_.number(node, "value", who) / (2 * std::numbers::pi);
}

void UrdfJoints::read_limit(pugi::xml_node joint, JointDescription& result,
                            const std::string& who) {
  const pugi::xml_node node = xml_.child(joint, "limit", who);
  if (!node) return;
  xml_.expect(node, who, {"lower", "upper", "effort", "velocity", "drake:acceleration"});
  JointProperties& p = result.properties;
  if (node.attribute("effort")) p.effort_limit = {xml_.number_or(node, "effort", 0, who)};
  if (node.attribute("velocity")) p.velocity_limit = {xml_.number_or(node, "velocity", 0, who)};
  if (joint.attribute("type").value() == std::string_view("continuous")) return;
  if (!node.attribute("lower") && !node.attribute("upper")) return;
  const double lower = xml_.number_or(node, "lower", 0, who);
  const double upper = xml_.number_or(node, "upper", 0, who);
  if (lower > upper)
    return xml_.warn(FindingKind::limits, node,
                     who + ": lower limit " + number_text(lower) + " lies above upper limit " +
                         number_text(upper) + ": there are no position limits");
  p.lower = {lower};
  p.upper = {upper};
}

/// Viscous damping acts on every coordinate alike; Coulomb friction needs the one axis.
void UrdfJoints::read_dynamics(pugi::xml_node joint, JointDescription& result,
                               const std::string& who) {
  const pugi::xml_node node = xml_.child(joint, "dynamics", who);
  if (!node) return;
  xml_.expect(node, who, {"damping", "friction"});
  const JointKind kind = result.geometry.kind;
  const bool damped =
      has_one_axis(result) || kind == JointKind::spherical || kind == JointKind::universal;
  const bool rubs = !is_zero_text(node.attribute("friction").as_string("0"));
  if (!damped || (rubs && !has_one_axis(result))) {
    const bool says = rubs || !is_zero_text(node.attribute("damping").as_string("0"));
    return xml_.leave(
        node, who,
        says && kind != JointKind::fixed ? FindingKind::not_applied : FindingKind::unused);
  }
  const auto nv = std::size_t(joint_nv(result.geometry));
  if (node.attribute("damping"))
    result.properties.damping.assign(nv, xml_.number_or(node, "damping", 0, who));
  if (node.attribute("friction"))
    result.properties.friction.assign(nv, xml_.number_or(node, "friction", 0, who));
}

void UrdfJoints::read_mimic(pugi::xml_node joint, JointDescription& result,
                            const std::string& who) {
  const char* const tag = joint.child("mimic") ? "mimic" : "drake:mimic";
  const pugi::xml_node node = xml_.child(joint, tag, who);
  if (!node) return;
  xml_.expect(node, who, {"joint", "multiplier", "offset"});
  Mimic mimic{xml_.name(node, "joint", who), xml_.number_or(node, "multiplier", 1, who),
              xml_.number_or(node, "offset", 0, who)};
  if (mimic.leader == result.name) xml_.fail(node, "joint", who + " mimics itself");
  leaders_.push_back({mimic.leader, who, xml_.offset(node), robot_.joints.size()});
  if (options_.couple_mimic) result.mimic = std::move(mimic);
}

void UrdfJoints::check_leaders() {
  const FindingKind missing = options_.couple_mimic ? FindingKind::fault : FindingKind::mimic;
  for (const Leader& leader : leaders_)
    if (!diagnostics_.attempt(
            [&] { names_.require(leader.name, leader.offset, leader.who + ": mimic"); }, missing))
      robot_.joints.at(leader.follower).mimic.reset();
}

/// <transmission><joint name=""/><actuator><drake:rotor_inertia value=""/>...: the rotor turns
/// gear_ratio times as fast as the joint.
void UrdfJoints::read_transmission(pugi::xml_node node) {
  const pugi::xml_node actuator = node.child("actuator");
  const pugi::xml_node rotor = actuator.child("drake:rotor_inertia");
  if (!rotor) return xml_.leave(node, "robot " + in_quotes(robot_.name));
  const std::string joint = node.child("joint").attribute("name").value();
  const std::string who = "transmission of joint " + in_quotes(joint);
  const auto found = joint_at_.find(joint);
  diagnostics_.attempt([&] {
    const pugi::xml_node gear = actuator.child("drake:gear_ratio");
    const double ratio = gear ? xml_.number(gear, "value", who) : 1;
    const double armature = xml_.number(rotor, "value", who) * ratio * ratio;
    if (armature < 0) xml_.fail(rotor, "value", who + ": rotor inertia is negative");
    if (found == joint_at_.end() || !has_one_axis(robot_.joints[found->second]))
      return xml_.leave(rotor, who, FindingKind::not_applied);
    robot_.joints[found->second].properties.armature = {armature};
  });
}

void UrdfJoints::leave_children(pugi::xml_node joint, const char* name, const std::string& who) {
  for (const pugi::xml_node node : joint.children(name)) xml_.leave(node, who);
}

}  // namespace jounce::io

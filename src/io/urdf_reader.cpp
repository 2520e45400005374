// SPDX-License-Identifier: BSD-3-Clause
// Reads URDF (wiki.ros.org/urdf/XML). It checks what one element or one name can tell; Robot
// (model/robot.hpp) checks the whole.
//
// Departures from the specification: a revolute or prismatic joint whose <limit> gives neither
// lower nor upper has no position limits (the specification: 0 and 0); one of the two alone leaves
// the other at 0, as specified. <limit> itself, ixy, ixz and iyz may be left out. <capsule> is
// read. What a kind of joint has no use for (an axis of a fixed joint) is ignored and reported.
#include <array>
#include <cmath>
#include <jounce/io.hpp>
#include <map>
#include <utility>

#include "io/names.hpp"
#include "io/number_text.hpp"
#include "io/strict.hpp"
#include "io/urdf_shapes.hpp"
#include "io/xml_reader.hpp"

namespace jounce {
namespace io {
namespace {

class UrdfReader {
 public:
  UrdfReader(XmlReader& xml, const ReadOptions& options)
      : xml_(xml),
        options_(options),
        links_(xml.source(), "link"),
        joints_(xml.source(), "joint"),
        shapes_(xml, options) {}

  Loaded read() {
    const pugi::xml_node root = xml_.root();
    robot_.name = xml_.name(root, "name", "");
    xml_.expect(root, "robot " + in_quotes(robot_.name), {"name"}, {"link", "joint", "material"});
    for (const pugi::xml_node node : root.children("link")) read_link(node);
    for (const pugi::xml_node node : root.children("joint")) read_joint(node);
    check_leaders();
    return {std::move(robot_), xml_.take_ignored()};
  }

 private:
  void read_link(pugi::xml_node node) {
    LinkDescription link;
    link.name = xml_.name(node, "name", "");
    const std::string who = "link " + in_quotes(link.name);
    links_.add(link.name, xml_.offset(node));
    xml_.expect(node, who, {"name"}, {"inertial", "visual", "collision"});
    if (const pugi::xml_node inertial = xml_.child(node, "inertial", who))
      read_inertial(inertial, link, who);
    for (const pugi::xml_node visual : node.children("visual"))
      link.visual.push_back(shapes_.visual(visual, who));
    for (const pugi::xml_node collision : node.children("collision"))
      link.collision.push_back(shapes_.collision(collision, who));
    robot_.links.push_back(std::move(link));
  }

  void read_inertial(pugi::xml_node node, LinkDescription& link, const std::string& who) {
    xml_.expect(node, who, {}, {"origin", "mass", "inertia"});
    const pugi::xml_node mass = xml_.needed_child(node, "mass", who);
    xml_.expect(mass, who, {"value"});
    link.mass = xml_.number(mass, "value", who);
    if (link.mass < 0)
      xml_.fail(mass, "value", who + ": mass " + number_text(link.mass) + " is negative");
    const pugi::xml_node inertia = xml_.needed_child(node, "inertia", who);
    xml_.expect(inertia, who, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"});
    const Sym3<double> I{
        xml_.number(inertia, "ixx", who),       xml_.number_or(inertia, "ixy", 0, who),
        xml_.number(inertia, "iyy", who),       xml_.number_or(inertia, "ixz", 0, who),
        xml_.number_or(inertia, "iyz", 0, who), xml_.number(inertia, "izz", who)};
    const pugi::xml_node origin = node.child("origin");
    const SE3<double> T = xml_.origin(node, who);
    link.com = T.p;
    link.I_com = origin.attribute("rpy") ? congruence(T.R.m, I) : I;
  }

  void read_joint(pugi::xml_node node) {
    JointDescription joint;
    joint.name = xml_.name(node, "name", "");
    const std::string who = "joint " + in_quotes(joint.name);
    joints_.add(joint.name, xml_.offset(node));
    xml_.expect(node, who, {"name", "type"},
                {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"});
    const std::string type = read_type(node, joint, who);
    joint.geometry.placement = xml_.origin(node, who);
    joint.parent = end_link(node, "parent", who);
    joint.child = end_link(node, "child", who);
    if (joint.parent == joint.child)
      xml_.fail(node, who + ": parent and child are both link " + in_quotes(joint.parent));
    const bool one_dof = type == "revolute" || type == "continuous" || type == "prismatic";
    if (one_dof || type == "planar") read_axis(node, joint, who);
    else ignore_child(node, "axis", who);
    if (one_dof) {
      read_limit(node, joint, type == "continuous", who);
      read_dynamics(node, joint, who);
      read_mimic(node, joint, who);
    } else {
      for (const char* useless : {"limit", "dynamics", "mimic"}) ignore_child(node, useless, who);
    }
    robot_.joints.push_back(std::move(joint));
  }

  std::string read_type(pugi::xml_node node, JointDescription& joint, const std::string& who) {
    constexpr std::array<std::pair<std::string_view, JointKind>, 6> types = {
        {{"revolute", JointKind::revolute},
         {"continuous", JointKind::revolute},
         {"prismatic", JointKind::prismatic},
         {"fixed", JointKind::fixed},
         {"floating", JointKind::free},
         {"planar", JointKind::planar}}};
    const std::string type = xml_.name(node, "type", who);
    for (const auto& [name, kind] : types)
      if (type == name) return joint.geometry.kind = kind, type;
    xml_.fail(node, "type",
              who + ": type " + in_quotes(type) +
                  " is not one of revolute, continuous, prismatic, fixed, floating, planar");
  }

  std::string end_link(pugi::xml_node joint, const char* end, const std::string& who) {
    const pugi::xml_node node = xml_.needed_child(joint, end, who);
    xml_.expect(node, who, {"link"});
    std::string link = xml_.name(node, "link", who);
    links_.require(link, xml_.offset(node), who + ": " + end);
    return link;
  }

  /// Makes the axis of unit length; an axis that is one to rounding keeps its bits.
  void read_axis(pugi::xml_node joint, JointDescription& result, const std::string& who) {
    Vec3<double> axis{1, 0, 0};
    if (const pugi::xml_node node = xml_.child(joint, "axis", who)) {
      xml_.expect(node, who, {"xyz"});
      axis = xml_.vec3(node, "xyz", who);
      const double length = std::hypot(axis.x, axis.y, axis.z);
      if (!(length > 0) || !std::isfinite(length))
        xml_.fail(node, "xyz",
                  who + ": axis " + triple_text(axis.x, axis.y, axis.z) + " has no direction");
      if (std::abs(length - 1) > 4e-16) axis = {axis.x / length, axis.y / length, axis.z / length};
    }
    result.geometry.axes = {axis};
  }

  void read_limit(pugi::xml_node joint, JointDescription& result, bool continuous,
                  const std::string& who) {
    const pugi::xml_node node = xml_.child(joint, "limit", who);
    if (!node) return;
    xml_.expect(node, who, {"lower", "upper", "effort", "velocity"});
    JointProperties& p = result.properties;
    if (node.attribute("effort")) p.effort_limit = {xml_.number(node, "effort", who)};
    if (node.attribute("velocity")) p.velocity_limit = {xml_.number(node, "velocity", who)};
    if (continuous) {
      xml_.ignore(node, "lower", who);
      xml_.ignore(node, "upper", who);
      return;
    }
    if (!node.attribute("lower") && !node.attribute("upper")) return;
    p.lower = {xml_.number_or(node, "lower", 0, who)};
    p.upper = {xml_.number_or(node, "upper", 0, who)};
    if (p.lower[0] > p.upper[0])
      xml_.fail(node, who + ": lower limit " + number_text(p.lower[0]) +
                          " lies above upper limit " + number_text(p.upper[0]));
  }

  void read_dynamics(pugi::xml_node joint, JointDescription& result, const std::string& who) {
    const pugi::xml_node node = xml_.child(joint, "dynamics", who);
    if (!node) return;
    xml_.expect(node, who, {"damping", "friction"});
    if (node.attribute("damping")) result.properties.damping = {xml_.number(node, "damping", who)};
    if (node.attribute("friction"))
      result.properties.friction = {xml_.number(node, "friction", who)};
  }

  void read_mimic(pugi::xml_node joint, JointDescription& result, const std::string& who) {
    const pugi::xml_node node = xml_.child(joint, "mimic", who);
    if (!node) return;
    xml_.expect(node, who, {"joint", "multiplier", "offset"});
    Mimic mimic{xml_.name(node, "joint", who), xml_.number_or(node, "multiplier", 1, who),
                xml_.number_or(node, "offset", 0, who)};
    if (mimic.leader == result.name) xml_.fail(node, "joint", who + " mimics itself");
    leaders_.push_back({mimic.leader, who, xml_.offset(node)});
    if (options_.couple_mimic) result.mimic = std::move(mimic);
  }

  void check_leaders() const {
    for (const Leader& leader : leaders_)
      joints_.require(leader.name, leader.offset, leader.who + ": mimic");
  }

  void ignore_child(pugi::xml_node joint, const char* name, const std::string& who) {
    for (const pugi::xml_node node : joint.children(name)) xml_.ignore(node, who);
  }

  struct Leader {
    std::string name, who;
    std::size_t offset;
  };

  XmlReader& xml_;
  const ReadOptions& options_;
  NameTable links_, joints_;
  UrdfShapes shapes_;
  std::vector<Leader> leaders_;
  RobotDescription robot_;
};

}  // namespace
}  // namespace io

Loaded read_urdf(std::string_view text, const std::string& origin, const ReadOptions& options) {
  const io::SourceText source(text, origin);
  io::XmlReader xml(source);
  const std::string root = xml.root().name();
  if (root != "robot")
    xml.fail(xml.root(), "the root element is <" + root + ">, URDF needs <robot>");
  return io::accepted(io::UrdfReader(xml, options).read(), origin, options);
}

}  // namespace jounce

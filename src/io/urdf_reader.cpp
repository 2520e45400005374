// SPDX-License-Identifier: BSD-3-Clause
// Reads URDF (wiki.ros.org/urdf/XML): what it is lenient about stands in docs/formats.md.
//
// It checks what one element or one name can tell, then the whole as Robot (model/robot.hpp) does.
//
// Departures from the specification: a revolute or prismatic joint whose <limit> gives neither
// lower nor upper has no position limits (the specification: 0 and 0); one of the two alone leaves
// the other at 0, as specified. <limit> itself, ixy, ixz and iyz may be left out. <capsule> is
// read. What a kind of joint has no use for (an axis of a fixed joint) is noted.
#include <filesystem>
#include <jounce/io.hpp>
#include <utility>

#include "io/number_text.hpp"
#include "io/urdf_joints.hpp"
#include "io/urdf_shapes.hpp"
#include "io/xacro.hpp"

namespace jounce {
namespace io {
namespace {

class UrdfReader {
 public:
  UrdfReader(XmlReader& xml, const ReadOptions& options)
      : xml_(xml),
        diagnostics_(xml.diagnostics()),
        links_(xml.source(), "link"),
        frames_(xml.source(), "frame"),
        loops_(xml.source(), "loop"),
        bushings_(xml.source(), "bushing"),
        joints_(xml, options, robot_, links_),
        shapes_(xml, options) {}

  Loaded read() {
    const pugi::xml_node root = xml_.root();
    diagnostics_.attempt([&] {
      robot_.name = robot_name(root);
      xml_.expect(
          root, "robot " + in_quotes(robot_.name), {"name"},
          {"link", "joint", "drake:joint", "material", "transmission", "frame", "loop", "bushing"});
    });
    shapes_.collect_materials();
    for (const pugi::xml_node node : root.children("link")) read_link(node);
    for (const pugi::xml_node node : root.children())
      if (UrdfJoints::is_joint(node)) joints_.read(node);
    for (const pugi::xml_node node : root.children("transmission")) joints_.read_transmission(node);
    for (const pugi::xml_node node : root.children("frame"))
      diagnostics_.attempt([&] { read_frame(node); }, FindingKind::not_applied);
    for (const pugi::xml_node node : root.children("loop"))
      complete_ &= diagnostics_.attempt([&] { read_loop(node); });
    for (const pugi::xml_node node : root.children("bushing"))
      complete_ &= diagnostics_.attempt([&] { read_bushing(node); });
    joints_.check_leaders();
    const NameTable* const tables[] = {&links_, &joints_.names(), &frames_, &loops_, &bushings_};
    diagnostics_.check(robot_, tables, complete_ && joints_.complete());
    return {std::move(robot_), diagnostics_.take(), links_.places(), joints_.names().places()};
  }

 private:
  std::string robot_name(pugi::xml_node root) {
    const char* const given = root.attribute("name").value();
    if (*given != '\0') return xml_.name(root, "name", "");
    std::string name = std::filesystem::path(xml_.source().origin()).stem().string();
    if (name.empty() || has_control_character(name)) name = "robot";
    xml_.warn(FindingKind::robot_name, root, "<robot> has no name: called " + in_quotes(name));
    return name;
  }

  void read_link(pugi::xml_node node) {
    LinkDescription link;
    const bool whole = diagnostics_.attempt([&] {
      link.name = xml_.name(node, "name", "");
      links_.add(link.name, xml_.offset(node));
      const std::string who = "link " + in_quotes(link.name);
      xml_.expect(node, who, {"name"}, {"inertial", "visual", "collision"});
      if (const pugi::xml_node inertial = xml_.child(node, "inertial", who))
        read_inertial(inertial, link, who);
      shapes_.read(node, link, who);
    });
    complete_ = complete_ && whole;
    if (whole) robot_.links.push_back(std::move(link));
  }

  void read_inertial(pugi::xml_node node, LinkDescription& link, const std::string& who) {
    SE3<double> T;
    diagnostics_.attempt([&] {
      xml_.expect(node, who, {}, {"origin", "mass", "inertia"});
      T = xml_.origin(node, who);
    });
    link.com = T.p;
    const pugi::xml_node mass = xml_.child(node, "mass", who);
    if (!mass.attribute("value"))
      return xml_.warn(FindingKind::incomplete, node,
                       who + ": <inertial> has no <mass value=\"\">: no mass and no inertia");
    diagnostics_.attempt([&] { read_mass(mass, link, who); });
    const pugi::xml_node inertia = xml_.child(node, "inertia", who);
    const bool whole =
        inertia.attribute("ixx") && inertia.attribute("iyy") && inertia.attribute("izz");
    if (!whole)
      return xml_.warn(FindingKind::incomplete, inertia ? inertia : node,
                       who + (inertia ? ": <inertia> needs ixx, iyy and izz: a point mass"
                                      : ": <inertial> has no <inertia>: a point mass"));
    diagnostics_.attempt([&] {
      const Sym3<double> I = read_inertia(inertia, who);
      link.I_com = node.child("origin").attribute("rpy") ? congruence(T.R.m, I) : I;
    });
  }

  void read_mass(pugi::xml_node node, LinkDescription& link, const std::string& who) {
    xml_.expect(node, who, {"value"});
    const double mass = xml_.number(node, "value", who);
    if (mass < 0) xml_.fail(node, "value", who + ": mass " + number_text(mass) + " is negative");
    link.mass = mass;
  }

  Sym3<double> read_inertia(pugi::xml_node node, const std::string& who) {
    xml_.expect(node, who, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"});
    return {xml_.number_or(node, "ixx", 0, who), xml_.number_or(node, "ixy", 0, who),
            xml_.number_or(node, "iyy", 0, who), xml_.number_or(node, "ixz", 0, who),
            xml_.number_or(node, "iyz", 0, who), xml_.number_or(node, "izz", 0, who)};
  }

  /// Drake's: <frame name="" link="" xyz="" rpy=""/>.
  void read_frame(pugi::xml_node node) {
    FrameDescription frame;
    frame.name = xml_.name(node, "name", "");
    const std::string who = "frame " + in_quotes(frame.name);
    xml_.expect(node, who, {"name", "link", "xyz", "rpy"});
    frame.link = xml_.name(node, "link", who);
    links_.require(frame.link, xml_.offset(node), who);
    frame.placement = xml_.placement(node, who);
    if (links_.contains(frame.name)) xml_.fail(node, who + " has the name of a link");
    frames_.add(frame.name, xml_.offset(node));
    robot_.frames.push_back(std::move(frame));
  }

  /// Ours: <loop name="" kind=""> with <link_1 link=""> and <link_2 link="">, an <origin> in each;
  /// of a gear with <joint name="" ratio=""/> for each joint.
  void read_loop(pugi::xml_node node) {
    LoopDescription loop;
    loop.name = xml_.name(node, "name", "");
    const std::string who = "loop " + in_quotes(loop.name);
    loops_.add(loop.name, xml_.offset(node));
    bool whole = diagnostics_.attempt([&] { read_loop_kind(node, loop, who); });
    if (loop.kind != LoopKind::gear) whole &= read_ends(node, who, loop);
    complete_ = complete_ && whole;
    if (whole) robot_.loops.push_back(std::move(loop));
  }
  void read_loop_kind(pugi::xml_node node, LoopDescription& loop, const std::string& who) {
    const std::string text = xml_.name(node, "kind", who);
    const std::optional<LoopKind> kind = loop_kind(text);
    if (!kind)
      xml_.fail(node, "kind", who + ": kind " + in_quotes(text) + " is not one of " + loop_kinds());
    loop.kind = *kind;
    if (loop.kind == LoopKind::gear) {
      read_gear(node, who, loop);
    } else if (loop.kind == LoopKind::distance) {
      xml_.expect(node, who, {"name", "kind", "length"}, {"link_1", "link_2"});
      loop.length = xml_.number(node, "length", who);
    } else if (loop.kind == LoopKind::rolling) {
      xml_.expect(node, who, {"name", "kind", "radius"}, {"link_1", "link_2"});
      loop.radius = xml_.number(node, "radius", who);
    } else {
      xml_.expect(node, who, {"name", "kind"}, {"link_1", "link_2"});
    }
  }
  void read_gear(pugi::xml_node node, const std::string& who, LoopDescription& loop) {
    xml_.expect(node, who, {"name", "kind", "offset"}, {"joint"});
    loop.offset = xml_.number_or(node, "offset", 0, who);
    for (const pugi::xml_node joint : node.children("joint")) {
      xml_.expect(joint, who, {"name", "ratio"});
      const std::string name = xml_.name(joint, "name", who);
      joints_.names().require(name, xml_.offset(joint), who);
      loop.joints.push_back({name, xml_.number_or(joint, "ratio", 1, who)});
    }
  }
  /// Ours: <bushing name="" stiffness="" damping=""> with six numbers each, and ends as a loop has.
  void read_bushing(pugi::xml_node node) {
    BushingDescription bushing;
    bushing.name = xml_.name(node, "name", "");
    const std::string who = "bushing " + in_quotes(bushing.name);
    bushings_.add(bushing.name, xml_.offset(node));
    xml_.expect(node, who, {"name", "stiffness", "damping"}, {"link_1", "link_2"});
    for (const auto& [key, to] :
         {std::pair("stiffness", &bushing.stiffness), std::pair("damping", &bushing.damping)})
      if (node.attribute(key)) xml_.numbers(node, key, *to, who);
    const bool whole = read_ends(node, who, bushing);
    complete_ = complete_ && whole;
    if (whole) robot_.bushings.push_back(std::move(bushing));
  }
  /// What a loop or a bushing joins; whether both links were found.
  template <class Description>
  bool read_ends(pugi::xml_node node, const std::string& who, Description& to) {
    const bool first =
        diagnostics_.attempt([&] { read_end(node, "link_1", who, to.link_1, to.placement_1); });
    const bool second =
        diagnostics_.attempt([&] { read_end(node, "link_2", who, to.link_2, to.placement_2); });
    return first && second;
  }
  void read_end(pugi::xml_node of, const char* end, const std::string& who, std::string& link,
                SE3<double>& placement) {
    const pugi::xml_node node = xml_.needed_child(of, end, who);
    xml_.expect(node, who, {"link"}, {"origin"});
    diagnostics_.attempt([&] { placement = xml_.origin(node, who); });
    link = xml_.name(node, "link", who);
    links_.require(link, xml_.offset(node), who + ": " + end);
  }

  XmlReader& xml_;
  Diagnostics& diagnostics_;
  RobotDescription robot_;
  NameTable links_, frames_, loops_, bushings_;
  UrdfJoints joints_;
  UrdfShapes shapes_;
  bool complete_ = true;  ///< whether every link was read
};

/// What other formats of robots are called.
std::string about_root(const std::string& root) {
  std::string message = "the root element is <" + root + ">, URDF needs <robot>";
  if (root == "sdf") return message + "; SDF is not read: convert it to URDF with a tool for SDF";
  if (root == "mujoco")
    return message + "; MJCF is not read: convert it to URDF with a tool for MJCF";
  return message;
}

Loaded read_xml_robot(Diagnostics& diagnostics, const ReadOptions& options) {
  XmlReader xml(diagnostics);
  if (const XacroMark mark = xacro_mark(xml))
    diagnostics.source().fail(mark.offset, xacro_advice(diagnostics.source().origin()));
  const std::string root = xml.root().name();
  if (root != "robot") xml.fail(xml.root(), about_root(root));
  return UrdfReader(xml, options).read();
}

}  // namespace
}  // namespace io

Loaded read_urdf(std::string_view text, const std::string& origin, const ReadOptions& options) {
  const io::SourceText source(text, origin);
  const ReadOptions checked = io::checked_options(options);
  io::Diagnostics diagnostics(source, checked);
  return diagnostics.read([&] { return io::read_xml_robot(diagnostics, checked); });
}

}  // namespace jounce

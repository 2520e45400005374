// SPDX-License-Identifier: BSD-3-Clause
// Writes robots as URDF; what URDF cannot say is an error that names it, or is left out.
//
// A rotation matrix becomes roll, pitch, yaw in this order: yaw from its first column, then pitch
// and roll from the matrix turned back by yaw. All three are well conditioned together, also where
// pitch is 90 degrees and yaw alone means nothing.
#include <cmath>
#include <jounce/error.hpp>
#include <jounce/io.hpp>
#include <limits>
#include <utility>
#include <variant>

#include "io/number_text.hpp"
#include "io/source_text.hpp"
#include "numbers.hpp"

namespace jounce {
namespace io {
namespace {

Vec3<double> rpy_from_rotation(const SO3<double>& R) {
  const auto& [a, b, c] = R.m.row;
  const double yaw = std::atan2(b.x, a.x);
  const double cy = std::cos(yaw), sy = std::sin(yaw);
  const double pitch = std::atan2(-c.x, cy * a.x + sy * b.x);
  const double roll = std::atan2(sy * a.z - cy * b.z, cy * b.y - sy * a.y);
  return {roll, pitch, yaw};
}

bool is_zero(const Vec3<double>& v) { return v.x == 0 && v.y == 0 && v.z == 0; }

bool is_identity(const SE3<double>& T) { return is_zero(T.p) && is_zero(rpy_from_rotation(T.R)); }

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') result += "&amp;";
    else if (c == '<') result += "&lt;";
    else if (c == '>') result += "&gt;";
    else if (c == '"') result += "&quot;";
    else result += c;
  }
  return result;
}

class UrdfWriter {
 public:
  UrdfWriter(const RobotDescription& robot, bool lossy) : robot_(robot), lossy_(lossy) {}

  std::string write() {
    who_ = "robot " + in_quotes(robot_.name);
    const Vec3<double>& g = robot_.gravity;
    if (g.x != 0 || g.y != 0 || g.z != -9.81) lose("gravity " + short_text(g));
    line(0, "<?xml version=\"1.0\"?>");
    line(0, "<robot" + text("name", robot_.name) + ">");
    for (const LinkDescription& link : robot_.links) write_link(link);
    for (const JointDescription& joint : robot_.joints) write_joint(joint);
    for (const FrameDescription& frame : robot_.frames) {
      who_ = "frame " + in_quotes(frame.name);
      lose("frames");
    }
    for (const LoopDescription& loop : robot_.loops) {
      who_ = "loop " + in_quotes(loop.name);
      write_loop(loop);
    }
    for (const BushingDescription& bushing : robot_.bushings) {
      who_ = "bushing " + in_quotes(bushing.name);
      write_bushing(bushing);
    }
    line(0, "</robot>");
    return std::move(out_);
  }

 private:
  /// What URDF cannot say.
  void lose(const std::string& what) const {
    if (!lossy_) throw InputError(who_ + ": URDF has no " + what);
  }

  void line(int indent, const std::string& text) {
    out_.append(std::size_t(indent), ' ').append(text) += '\n';
  }

  std::string text(const char* attribute, const std::string& value) const {
    if (has_control_character(value))
      throw InputError(who_ + ": " + attribute + " " + in_quotes(value) +
                       " has a control character");
    return " " + std::string(attribute) + "=\"" + escaped(value) + "\"";
  }

  std::string numbers(const char* attribute, std::initializer_list<double> values) const {
    std::string list;
    for (const double value : values) {
      if (!std::isfinite(value))
        throw InputError(who_ + ": " + attribute + " is not a finite number");
      list += (list.empty() ? "" : " ") + number_text(value);
    }
    return " " + std::string(attribute) + "=\"" + list + "\"";
  }

  std::string vector(const char* attribute, const Vec3<double>& v) const {
    return numbers(attribute, {v.x, v.y, v.z});
  }

  void write_origin(int indent, const SE3<double>& T) {
    if (!is_identity(T))
      line(indent, "<origin" + vector("xyz", T.p) + vector("rpy", rpy_from_rotation(T.R)) + "/>");
  }

  void write_link(const LinkDescription& link) {
    who_ = "link " + in_quotes(link.name);
    line(2, "<link" + text("name", link.name) + ">");
    const Sym3<double>& I = link.I_com;
    const bool massless = link.mass == 0 && is_zero(link.com) && is_zero({I.xx, I.yy, I.zz}) &&
                          is_zero({I.xy, I.xz, I.yz});
    if (!massless) {
      line(4, "<inertial>");
      line(6, "<origin" + vector("xyz", link.com) + "/>");
      line(6, "<mass" + numbers("value", {link.mass}) + "/>");
      line(6, "<inertia" + numbers("ixx", {I.xx}) + numbers("ixy", {I.xy}) +
                  numbers("ixz", {I.xz}) + numbers("iyy", {I.yy}) + numbers("iyz", {I.yz}) +
                  numbers("izz", {I.zz}) + "/>");
      line(4, "</inertial>");
    }
    for (const Shape& shape : link.visual) write_shape("visual", shape);
    for (const Shape& shape : link.collision) write_shape("collision", shape);
    line(2, "</link>");
  }

  void write_shape(const std::string& tag, const Shape& shape) {
    line(4, "<" + tag + (shape.name.empty() ? "" : text("name", shape.name)) + ">");
    write_origin(6, shape.placement);
    line(6, "<geometry>" +
                std::visit([&](const auto& solid) { return solid_tag(solid); }, shape.geometry) +
                "</geometry>");
    if (shape.colour && shape.colour->size() == 4) {
      const std::vector<double>& c = *shape.colour;
      const std::string rgba = numbers("rgba", {c[0], c[1], c[2], c[3]});
      if (tag == "visual")
        line(6, "<material name=" + rgba.substr(6) + "><color" + rgba + "/></material>");
      else lose("colour of a collision shape");
    }
    line(4, "</" + tag + ">");
  }

  std::string solid_tag(const Box& box) const { return "<box" + vector("size", box.size) + "/>"; }
  std::string solid_tag(const Sphere& sphere) const {
    return "<sphere" + numbers("radius", {sphere.radius}) + "/>";
  }
  std::string solid_tag(const Cylinder& c) const {
    return "<cylinder" + numbers("radius", {c.radius}) + numbers("length", {c.length}) + "/>";
  }
  std::string solid_tag(const Capsule& c) const {
    return "<capsule" + numbers("radius", {c.radius}) + numbers("length", {c.length}) + "/>";
  }
  std::string solid_tag(const Mesh& mesh) const {
    const bool scaled = mesh.scale.x != 1 || mesh.scale.y != 1 || mesh.scale.z != 1;
    return "<mesh" + text("filename", mesh.file) + (scaled ? vector("scale", mesh.scale) : "") +
           "/>";
  }

  void write_joint(const JointDescription& joint) {
    who_ = "joint " + in_quotes(joint.name);
    if (joint.parent.empty()) return lose("joint to the world");
    const JointGeometry& geometry = joint.geometry;
    const char* const type = joint_type(joint);
    const bool fixed = std::string_view(type) == "fixed";
    if (!fixed && !is_identity(joint.child_placement)) lose("child placement");
    const std::string motor =
        joint.actuated ? text("actuated", *joint.actuated ? "true" : "false") : "";
    if (!joint.closed.empty()) lose("closed position");
    line(2, "<joint" + text("name", joint.name) + text("type", type) + motor + ">");
    write_origin(4, fixed ? geometry.placement * joint.child_placement : geometry.placement);
    line(4, "<parent" + text("link", joint.parent) + "/>");
    line(4, "<child" + text("link", joint.child) + "/>");
    if (!fixed && geometry.axes.size() == 1)
      line(4, "<axis" + vector("xyz", geometry.axes[0]) + "/>");
    write_properties(joint);
    line(2, "</joint>");
  }

  /// An extension of ours.
  void write_loop(const LoopDescription& loop) {
    if (loop.kind == LoopKind::custom) return lose("loop that is a function");
    std::string opening = "<loop" + text("name", loop.name) + text("kind", name(loop.kind));
    if (loop.kind == LoopKind::gear) {
      line(2, opening + numbers("offset", {loop.offset}) + ">");
      for (const TiedJoint& joint : loop.joints)
        line(4, "<joint" + text("name", joint.name) + numbers("ratio", {joint.ratio}) + "/>");
      return line(2, "</loop>");
    }
    if (loop.kind == LoopKind::distance) opening += numbers("length", {loop.length});
    if (loop.kind == LoopKind::rolling) opening += numbers("radius", {loop.radius});
    write_between(opening, "loop", loop);
  }
  void write_bushing(const BushingDescription& bushing) {
    const auto six = [this](const char* attribute, const std::array<double, 6>& x) {
      return numbers(attribute, {x[0], x[1], x[2], x[3], x[4], x[5]});
    };
    write_between("<bushing" + text("name", bushing.name) + six("stiffness", bushing.stiffness) +
                      six("damping", bushing.damping),
                  "bushing", bushing);
  }
  /// An element with the ends of a loop or a bushing.
  template <class Description>
  void write_between(const std::string& opening, const std::string& tag, const Description& one) {
    if (one.link_1.empty() || one.link_2.empty()) return lose(tag + " to the world");
    line(2, opening + ">");
    write_end("link_1", one.link_1, one.placement_1);
    write_end("link_2", one.link_2, one.placement_2);
    line(2, "</" + tag + ">");
  }
  void write_end(const std::string& end, const std::string& link, const SE3<double>& T) {
    line(4, "<" + end + text("link", link) + ">");
    write_origin(6, T);
    line(4, "</" + end + ">");
  }

  /// A joint that URDF does not have is frozen.
  const char* joint_type(const JointDescription& joint) const {
    const JointProperties& p = joint.properties;
    switch (joint.geometry.kind) {
      case JointKind::fixed:
        return "fixed";
      case JointKind::revolute:
        return is_limited(p) ? "revolute" : "continuous";
      case JointKind::circle:
        return "continuous";
      case JointKind::prismatic:
        return "prismatic";
      case JointKind::planar:
        return "planar";
      case JointKind::free:
        return "floating";
      default:
        lose(std::string("joint of kind ") + name(joint.geometry.kind));
        return "fixed";
    }
  }

  static bool is_limited(const JointProperties& p) {
    return (p.lower.size() == 1 && std::isfinite(p.lower[0])) ||
           (p.upper.size() == 1 && std::isfinite(p.upper[0]));
  }

  void write_properties(const JointDescription& joint) {
    const JointProperties& p = joint.properties;
    if (!p.armature.empty()) lose("armature");
    if (!p.drag.empty()) lose("drag");
    if (!p.stiffness.empty() || !p.rest.empty()) lose("spring");
    const JointKind kind = joint.geometry.kind;
    if (kind != JointKind::revolute && kind != JointKind::prismatic && kind != JointKind::circle) {
      if (!p.lower.empty() || !p.upper.empty() || !p.velocity_limit.empty() ||
          !p.effort_limit.empty() || !p.damping.empty() || !p.friction.empty() || joint.mimic)
        lose(std::string("limits, damping, friction or mimic of kind ") + name(kind));
      return;
    }
    std::string limit = is_limited(p) ? position_limits(p) : "";
    limit += property("effort", p.effort_limit) + property("velocity", p.velocity_limit);
    if (!limit.empty()) line(4, "<limit" + limit + "/>");
    const std::string dynamics = property("damping", p.damping) + property("friction", p.friction);
    if (!dynamics.empty()) line(4, "<dynamics" + dynamics + "/>");
    if (joint.mimic) write_mimic(*joint.mimic);
  }

  void write_mimic(const Mimic& mimic) {
    for (const JointDescription& joint : robot_.joints)
      if (joint.name == mimic.leader && joint.parent.empty())
        return lose("mimic of a joint to the world");
    line(4, "<mimic" + text("joint", mimic.leader) + numbers("multiplier", {mimic.multiplier}) +
                numbers("offset", {mimic.offset}) + "/>");
  }

  std::string position_limits(const JointProperties& p) const {
    const auto bound = [&](const std::vector<double>& values, double largest) {
      if (values.size() == 1 && std::isfinite(values[0])) return values[0];
      lose("joint with one position limit only");
      return largest;
    };
    const double far = std::numeric_limits<double>::max();
    return numbers("lower", {bound(p.lower, -far)}) + numbers("upper", {bound(p.upper, far)});
  }

  /// One number; an infinite one is a limit that is not there.
  std::string property(const char* attribute, const std::vector<double>& values) const {
    if (values.empty() || std::isinf(values[0])) return "";
    return numbers(attribute, {values[0]});
  }

  const RobotDescription& robot_;
  bool lossy_;
  std::string who_, out_;
};

}  // namespace
}  // namespace io

std::string write_urdf(const RobotDescription& robot, bool lossy) {
  return io::UrdfWriter(robot, lossy).write();
}

}  // namespace jounce

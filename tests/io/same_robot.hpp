// SPDX-License-Identifier: BSD-3-Clause
// Whether two robot descriptions are the same: names, structure, and numbers to a tolerance or to
// the bit.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <jounce/model/description.hpp>
#include <string>
#include <variant>
#include <vector>

namespace jounce::test {

/// Walks two descriptions side by side and remembers the first difference.
class RobotComparison {
 public:
  /// Tolerance 0: the same bits.
  explicit RobotComparison(double tolerance) : tolerance_(tolerance) {}

  /// Where they differ first, or an empty text.
  std::string difference(const RobotDescription& a, const RobotDescription& b) {
    text("robot", a.name, b.name);
    vec3("gravity", a.gravity, b.gravity);
    list("links", a.links, b.links, [&](const auto& x, const auto& y) { link(x, y); });
    list("joints", a.joints, b.joints, [&](const auto& x, const auto& y) { joint(x, y); });
    list("frames", a.frames, b.frames, [&](const auto& x, const auto& y) { frame(x, y); });
    list("loops", a.loops, b.loops, [&](const auto& x, const auto& y) { loop(x, y); });
    return found_;
  }

 private:
  void report(const std::string& what) {
    if (found_.empty()) found_ = where_ + ": " + what + " differs";
  }
  void text(const std::string& what, const std::string& a, const std::string& b) {
    if (a != b) report(what + " \"" + a + "\", \"" + b + "\"");
  }
  void number(const std::string& what, double a, double b) {
    const bool same = std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    const double scale = std::fmax(1, std::fmax(std::abs(a), std::abs(b)));
    if (!same && !(tolerance_ > 0 && std::abs(a - b) <= tolerance_ * scale))
      report(what + " " + std::to_string(a) + ", " + std::to_string(b));
  }
  void vec3(const std::string& what, const Vec3<double>& a, const Vec3<double>& b) {
    number(what, a.x, b.x), number(what, a.y, b.y), number(what, a.z, b.z);
  }
  void pose(const std::string& what, const SE3<double>& a, const SE3<double>& b) {
    for (int k = 0; k < 3; ++k) vec3(what + " rotation", a.R.m.row[k], b.R.m.row[k]);
    vec3(what + " position", a.p, b.p);
  }
  template <class T, class Compare>
  void list(const std::string& what, const std::vector<T>& a, const std::vector<T>& b,
            Compare compare) {
    if (a.size() != b.size()) return report("number of " + what);
    for (std::size_t k = 0; k < a.size(); ++k) compare(a[k], b[k]);
  }
  void numbers(const std::string& what, const std::vector<double>& a,
               const std::vector<double>& b) {
    list(what, a, b, [&](double x, double y) { number(what, x, y); });
  }

  void link(const LinkDescription& a, const LinkDescription& b) {
    where_ = "link " + a.name;
    text("name", a.name, b.name);
    number("mass", a.mass, b.mass);
    vec3("com", a.com, b.com);
    vec3("inertia", {a.I_com.xx, a.I_com.yy, a.I_com.zz}, {b.I_com.xx, b.I_com.yy, b.I_com.zz});
    vec3("inertia", {a.I_com.xy, a.I_com.xz, a.I_com.yz}, {b.I_com.xy, b.I_com.xz, b.I_com.yz});
    list("visual", a.visual, b.visual, [&](const auto& x, const auto& y) { shape(x, y); });
    list("collision", a.collision, b.collision, [&](const auto& x, const auto& y) { shape(x, y); });
  }
  void shape(const Shape& a, const Shape& b) {
    text("shape", a.name, b.name);
    pose("shape", a.placement, b.placement);
    if (a.colour.has_value() != b.colour.has_value()) report("colour");
    if (a.colour && b.colour) numbers("colour", *a.colour, *b.colour);
    if (a.geometry.index() != b.geometry.index()) return report("kind of shape");
    std::visit([&](const auto& x) { solid(x, std::get<std::decay_t<decltype(x)>>(b.geometry)); },
               a.geometry);
  }
  void solid(const Box& a, const Box& b) { vec3("box", a.size, b.size); }
  void solid(const Sphere& a, const Sphere& b) { number("radius", a.radius, b.radius); }
  void solid(const Mesh& a, const Mesh& b) {
    text("mesh", a.file, b.file);
    vec3("scale", a.scale, b.scale);
  }
  template <class Round>
  void solid(const Round& a, const Round& b) {
    number("radius", a.radius, b.radius), number("length", a.length, b.length);
  }

  void joint(const JointDescription& a, const JointDescription& b) {
    where_ = "joint " + a.name;
    text("name", a.name, b.name);
    text("parent", a.parent, b.parent);
    text("child", a.child, b.child);
    geometry(a.geometry, b.geometry);
    pose("child placement", a.child_placement, b.child_placement);
    properties(a.properties, b.properties);
    if (a.actuated != b.actuated) report("actuated");
    numbers("closed", a.closed, b.closed);
    if (a.mimic.has_value() != b.mimic.has_value()) return report("mimic");
    if (!a.mimic) return;
    text("leader", a.mimic->leader, b.mimic->leader);
    number("multiplier", a.mimic->multiplier, b.mimic->multiplier);
    number("offset", a.mimic->offset, b.mimic->offset);
  }
  void geometry(const JointGeometry& a, const JointGeometry& b) {
    if (a.kind != b.kind) report("kind");
    pose("placement", a.placement, b.placement);
    list("axes", a.axes, b.axes, [&](const auto& x, const auto& y) { vec3("axis", x, y); });
    number("pitch", a.pitch, b.pitch);
    list("parts", a.parts, b.parts, [&](const auto& x, const auto& y) { geometry(x, y); });
  }
  void properties(const JointProperties& a, const JointProperties& b) {
    numbers("lower", a.lower, b.lower);
    numbers("upper", a.upper, b.upper);
    numbers("velocity", a.velocity_limit, b.velocity_limit);
    numbers("effort", a.effort_limit, b.effort_limit);
    numbers("armature", a.armature, b.armature);
    for (const ResistanceInfo& one : resistances)
      numbers(one.name, a.*one.of_joint, b.*one.of_joint);
    numbers("stiffness", a.stiffness, b.stiffness);
    numbers("rest", a.rest, b.rest);
  }
  void frame(const FrameDescription& a, const FrameDescription& b) {
    where_ = "frame " + a.name;
    text("name", a.name, b.name);
    text("link", a.link, b.link);
    pose("placement", a.placement, b.placement);
  }
  void loop(const LoopDescription& a, const LoopDescription& b) {
    where_ = "loop " + a.name;
    text("name", a.name, b.name);
    text("link_1", a.link_1, b.link_1);
    text("link_2", a.link_2, b.link_2);
    pose("placement_1", a.placement_1, b.placement_1);
    pose("placement_2", a.placement_2, b.placement_2);
    if (a.kind != b.kind) report("kind");
    number("length", a.length, b.length);
    number("radius", a.radius, b.radius);
    number("offset", a.offset, b.offset);
    list("joints", a.joints, b.joints, [&](const auto& x, const auto& y) {
      text("joint", x.name, y.name);
      number("ratio", x.ratio, y.ratio);
    });
  }

  double tolerance_;
  std::string where_ = "robot", found_;
};

/// The first difference by more than `tolerance` (relative to the larger of 1 and the numbers), or
/// an empty text; by one bit where the tolerance is 0.
inline std::string difference(const RobotDescription& a, const RobotDescription& b,
                              double tolerance = 0) {
  return RobotComparison(tolerance).difference(a, b);
}

/// Numbers and files made by other programs; they lie beside the project or nowhere.
inline std::filesystem::path oracle_folder() {
  return std::filesystem::path(JOUNCE_SOURCE_FOLDER) / "../shared/oracle";
}

}  // namespace jounce::test

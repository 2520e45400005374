// SPDX-License-Identifier: BSD-3-Clause
// Random robots: whole numbers from splitmix64, divided once each.
#include <algorithm>
#include <jounce/error.hpp>
#include <jounce/model/custom.hpp>
#include <jounce/model/generate.hpp>
#include <numeric>

#include "model/robot_data.hpp"
#include "split_mix.hpp"

namespace jounce {
namespace {

/// The shape of a joint of the user's: an ellipse with half axes a and b, the link turning along.
std::shared_ptr<const CustomJoint> elliptic_joint(double a, double b) {
  return custom_joint<1>([a, b](const auto* q) {
    using Real = std::remove_cvref_t<decltype(q[0])>;
    const SinCos<Real> t = sincos(q[0]);
    const Real o(0), i(1);
    return SE3<Real>{{{{{t.cos, -t.sin, o}, {t.sin, t.cos, o}, {o, o, i}}}},
                     {t.cos * Real(a), t.sin * Real(b), o}};
  });
}
/// Two coordinates: an angle about z, and a displacement along x that lifts the link by b q^2.
std::shared_ptr<const CustomJoint> ramp_joint(double a, double b) {
  return custom_joint<2>([a, b](const auto* q) {
    using Real = std::remove_cvref_t<decltype(q[0])>;
    const SinCos<Real> t = sincos(q[0]);
    const Real o(0), i(1), x = q[1] + Real(a);
    return SE3<Real>{{{{{t.cos, -t.sin, o}, {t.sin, t.cos, o}, {o, o, i}}}},
                     {t.cos * x, t.sin * x, q[1] * q[1] * Real(b)}};
  });
}

class Generator {
 public:
  explicit Generator(const GeneratorOptions& options) : o_(options), random_(options.seed) {}

  RobotDescription run() {
    robot_.name = o_.name.empty() ? "random_" + std::to_string(o_.seed) : o_.name;
    robot_.links.push_back(link("base"));
    if (o_.free_base) {
      robot_.joints.emplace_back();
      robot_.joints[0].name = "base_joint";
      robot_.joints[0].child = "base";
      robot_.joints[0].geometry.kind = JointKind::free;
    }
    carriers_ = {"base"};
    for (int i = 1; i <= o_.bodies; ++i) add_body(i);
    robot_.frames.push_back({"tool", robot_.links.back().name, pose()});
    return std::move(robot_);
  }

 private:
  void add_body(int i) {
    const std::string number = std::to_string(i), child = "link_" + number;
    JointDescription joint;
    joint.name = "joint_" + number;
    joint.parent = carriers_[static_cast<size_t>(parent(i))];
    joint.child = child;
    joint.geometry = geometry(draw_kind());
    if (o_.child_placements && one_in(2)) joint.child_placement = pose();
    add_limits(joint);
    if (o_.passive) add_passive(joint);
    if (o_.mimic) couple(joint);
    robot_.links.push_back(link(child));
    robot_.joints.push_back(std::move(joint));
    carriers_.push_back(child);
    if (o_.fixed_links && one_in(4)) add_bracket(number, child);
  }

  /// A link on a fixed joint, which carries the links that follow.
  void add_bracket(const std::string& number, const std::string& on) {
    JointDescription joint;
    joint.name = "bracket_joint_" + number;
    joint.parent = on;
    joint.child = "bracket_" + number;
    joint.geometry = geometry(JointKind::fixed);
    robot_.links.push_back(link(joint.child));
    carriers_.back() = joint.child;
    robot_.joints.push_back(std::move(joint));
  }

  int parent(int i) {
    switch (o_.shape) {
      case TreeShape::chain:
        return i - 1;
      case TreeShape::branches:
        return i == 1 || branch(i) != branch(i - 1) ? 0 : i - 1;
      case TreeShape::binary_tree:
        return i / 2;
      case TreeShape::random_tree:
        return whole(0, i - 1);
    }
    return 0;
  }
  std::int64_t branch(int i) const {
    return (std::int64_t{i} - 1) * std::min(o_.branches, o_.bodies) / o_.bodies;
  }

  JointKind draw_kind() {
    if (o_.weights.empty())
      return o_.kinds[static_cast<size_t>(whole(0, static_cast<int>(o_.kinds.size()) - 1))];
    int at = whole(1, std::accumulate(o_.weights.begin(), o_.weights.end(), 0));
    size_t k = 0;
    while (at > o_.weights[k]) at -= o_.weights[k++];
    return o_.kinds[k];
  }

  int whole(int low, int high) { return random_.whole(low, high); }
  bool one_in(int n) { return whole(1, n) == 1; }
  /// Thousandths.
  double number(int low, int high) { return whole(low, high) / 1000.0; }
  double length(int low, int high) { return number(low, high) * o_.link_length; }
  Vec3<double> position(int size) {
    const double x = length(-size, size), y = length(-size, size), z = length(-size, size);
    return {x, y, z};
  }

  /// n R of a quaternion of whole numbers and squared length n.
  SO3<double> rotation() {
    int x = 0, y = 0, z = 0, w = 0, n = 0;
    while (n < 100 || n > 400) {  // in a shell: nearly uniform
      x = whole(-20, 20), y = whole(-20, 20), z = whole(-20, 20), w = whole(-20, 20);
      n = x * x + y * y + z * z + w * w;
    }
    const auto row = [n](int a, int b, int c) {
      const double length = n;
      return Vec3<double>{a / length, b / length, c / length};
    };
    return {{{row(n - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
              row(2 * (x * y + w * z), n - 2 * (x * x + z * z), 2 * (y * z - w * x)),
              row(2 * (x * z - w * y), 2 * (y * z + w * x), n - 2 * (x * x + y * y))}}};
  }
  SE3<double> pose() {
    const Vec3<double> p = position(1000);
    return {one_in(4) ? SO3<double>{} : rotation(), p};
  }

  Vec3<double> axis() {
    if (!one_in(3)) return rotation().m.row[2];
    const double sign = one_in(2) ? -1 : 1;
    const int k = whole(0, 2);
    return {k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0};
  }
  /// At least 30 degrees between one axis and the next.
  std::vector<Vec3<double>> axes(int count) {
    std::vector<Vec3<double>> list{axis()};
    while (static_cast<int>(list.size()) < count) {
      const Vec3<double> next = axis();
      const double cosine = dot(list.back(), next);
      if (cosine * cosine < 0.75) list.push_back(next);
    }
    return list;
  }

  JointGeometry geometry(JointKind kind, bool first_part = false) {
    JointGeometry joint;
    joint.kind = kind;
    if (!first_part) joint.placement = pose();
    if (const size_t count = axes_needed(kind); count > 0)
      joint.axes = axes(static_cast<int>(count));
    if (kind == JointKind::helical) joint.pitch = length(100, 500);
    if (kind == JointKind::composite) add_parts(joint);
    if (kind == JointKind::custom) joint.custom = custom();
    return joint;
  }

  std::shared_ptr<const CustomJoint> custom() {
    const double a = length(200, 800), b = length(200, 800);
    return one_in(2) ? elliptic_joint(a, b) : ramp_joint(a, b);
  }

  /// One to three parts with at most six coordinates, at least one of them moving.
  void add_parts(JointGeometry& joint) {
    static constexpr JointKind kinds[] = {
        JointKind::revolute,  JointKind::prismatic,   JointKind::helical,
        JointKind::universal, JointKind::planar,      JointKind::translational,
        JointKind::spherical, JointKind::cylindrical, JointKind::euler_ball,
        JointKind::fixed,     JointKind::free};
    const int wanted = whole(1, 3);
    while (static_cast<int>(joint.parts.size()) < wanted || joint_nv(joint) == 0) {
      const JointKind kind = kinds[whole(0, std::size(kinds) - 1)];
      joint.parts.push_back(geometry(kind, joint.parts.empty()));
      if (joint_nv(joint) > 6) joint.parts.pop_back();
      if (joint_nv(joint) == 6) return;
    }
  }

  void add_limits(JointDescription& joint) {
    if (!has_limits(joint)) return;
    JointProperties& p = joint.properties;
    const bool angle = joint.geometry.kind != JointKind::prismatic;
    p.lower = {angle ? number(-3000, -500) : length(-2000, -500)};
    p.upper = {angle ? number(500, 3000) : length(500, 2000)};
    p.velocity_limit = {number(1000, 5000)};
    p.effort_limit = {number(20000, 200000)};
  }
  static bool has_limits(const JointDescription& joint) {
    const JointKind kind = joint.geometry.kind;
    return kind == JointKind::revolute || kind == JointKind::prismatic ||
           kind == JointKind::helical;
  }

  void add_passive(JointDescription& joint) {
    JointProperties& p = joint.properties;
    const int nv = joint_nv(joint.geometry), nq = joint_nq(joint.geometry);
    for (int k = 0; k < nv; ++k) {
      p.armature.push_back(number(1, 200));
      p.damping.push_back(number(0, 2000));
      p.friction.push_back(number(0, 1000));
      p.stiffness.push_back(number(0, 20000));
      if (nq == nv) p.rest.push_back(number(-500, 500));
    }
  }

  void couple(JointDescription& joint) {
    if (!has_limits(joint)) return;
    if (leaders_.empty() || !one_in(4)) return leaders_.push_back(joint.name);
    const auto last = static_cast<int>(leaders_.size()) - 1;
    const double sign = one_in(2) ? -1 : 1;
    const std::string& leader = leaders_[static_cast<size_t>(whole(0, last))];
    joint.mimic = Mimic{leader, sign * number(500, 1500), number(-500, 500)};
  }

  /// Sigma = L L^T of whole numbers is the second moment per mass, I = tr(Sigma) 1 - Sigma.
  LinkDescription link(const std::string& name) {
    LinkDescription body;
    body.name = name;
    const int grams = whole(500, 5000);
    body.mass = grams / 1000.0;
    body.com = position(400);
    const std::int64_t a = whole(100, 300), b = whole(100, 300), c = whole(100, 300);
    const std::int64_t d = whole(-60, 60), e = whole(-60, 60), f = whole(-60, 60);
    const std::int64_t xx = a * a, xy = a * d, yy = b * b + d * d;
    const std::int64_t xz = a * e, yz = d * e + b * f, zz = c * c + e * e + f * f;
    const double scale = o_.link_length * o_.link_length;
    const auto entry = [&](std::int64_t x) { return static_cast<double>(grams * x) / 1e9 * scale; };
    body.I_com = {entry(yy + zz), entry(-xy), entry(xx + zz),
                  entry(-xz),     entry(-yz), entry(xx + yy)};
    return body;
  }

  const GeneratorOptions& o_;
  SplitMix random_;
  RobotDescription robot_;
  std::vector<std::string> carriers_;  ///< the link, or its bracket, that others hang on
  std::vector<std::string> leaders_;   ///< joints that a mimic joint may follow
};

void check(const GeneratorOptions& o) {
  const auto refuse = [](const std::string& what) { throw InputError("generate: " + what); };
  if (o.bodies < 0) refuse("bodies is " + std::to_string(o.bodies) + ", needs 0 or more");
  if (o.branches < 1) refuse("branches is " + std::to_string(o.branches) + ", needs 1 or more");
  if (o.kinds.empty()) refuse("kinds is empty, needs at least one kind of joint");
  if (!(o.link_length >= 1e-6 && o.link_length <= 1e6))
    refuse("link_length is " + std::to_string(o.link_length) + ", needs 1e-6 to 1e6");
  if (o.weights.empty()) return;
  if (o.weights.size() != o.kinds.size())
    refuse("weights has " + std::to_string(o.weights.size()) + " elements, kinds has " +
           std::to_string(o.kinds.size()));
  std::int64_t sum = 0;
  for (const int weight : o.weights) {
    if (weight < 0) refuse("weight " + std::to_string(weight) + " is negative");
    sum += weight;
  }
  if (sum < 1 || sum > 1000000)
    refuse("weights add up to " + std::to_string(sum) + ", needs 1 to 1000000");
}

}  // namespace

RobotDescription generate(const GeneratorOptions& options) {
  check(options);
  return Generator(options).run();
}

std::vector<JointKind> all_joint_kinds(bool with_fixed, bool with_custom) {
  std::vector<JointKind> kinds;
  for (int k = 0; k <= static_cast<int>(JointKind::custom); ++k) {
    const auto kind = static_cast<JointKind>(k);
    if (kind == JointKind::circle) continue;
    if ((kind != JointKind::fixed || with_fixed) && (kind != JointKind::custom || with_custom))
      kinds.push_back(kind);
  }
  return kinds;
}

RobotDescription generate_chain(int n) {
  GeneratorOptions options;
  options.name = "chain_" + std::to_string(n);
  options.bodies = n;
  return generate(options);
}

RobotDescription generate_benchmark_tree() {
  GeneratorOptions options;
  options.name = "tree_5x20";
  options.shape = TreeShape::branches;
  options.bodies = 100;
  options.branches = 5;
  options.free_base = true;
  return generate(options);
}

namespace {

LinkDescription bar(const std::string& name, double length) {
  LinkDescription link;
  link.name = name;
  link.mass = 0.5 + length;
  link.com = {length / 2, 0, 0};
  const double across = link.mass * length * length / 12 + 1e-4;
  link.I_com = {1e-4, 0, across, 0, 0, across};
  return link;
}
/// A joint along z with the name of the link that it carries.
JointDescription hinge(const std::string& name, const std::string& parent,
                       const SE3<double>& placement, double closed, bool motor) {
  JointDescription joint;
  joint.name = joint.child = name;
  joint.parent = parent;
  joint.geometry.kind = JointKind::revolute;
  joint.geometry.axes = {{0, 0, 1}};
  joint.geometry.placement = placement;
  joint.closed = {closed};
  joint.actuated = motor;
  return joint;
}

/// Bars of one linkage, and its angles where it is closed.
struct FourBar {
  static constexpr double crank = 0.1, coupler = 0.3, rocker = 0.2, ground = 0.3;
  static constexpr double crank_angle = 1.1;
  double coupler_angle, rocker_angle;  ///< to the ground

  FourBar() {
    const double x = crank * std::cos(crank_angle), y = crank * std::sin(crank_angle);
    const double d = std::hypot(ground - x, y);  // circles about both ends of it meet in the pin
    const double cosine = (d * d + coupler * coupler - rocker * rocker) / (2 * d * coupler);
    coupler_angle = std::atan2(-y, ground - x) + std::acos(cosine);
    rocker_angle = std::atan2(y + coupler * std::sin(coupler_angle),
                              x + coupler * std::cos(coupler_angle) - ground);
  }
};

}  // namespace

RobotDescription generate_four_bars(int n, int branches) {
  const FourBar four;
  const auto along = [](double length) { return SE3<double>{{}, {length, 0, 0}}; };
  RobotDescription robot;
  robot.name = "four_bars_" + std::to_string(n);
  robot.links.push_back(bar("base", four.ground));
  for (int i = 1; i <= n; ++i) {
    const auto numbered = [](const char* name, int k) { return name + std::to_string(k); };
    const std::string crank = numbered("crank_", i), coupler = numbered("coupler_", i);
    const std::string rocker = numbered("rocker_", i);
    const bool first = i <= branches;
    const std::string on = first ? "base" : numbered("coupler_", i - branches);
    const SE3<double> seat =
        along(first ? 0 : four.coupler) * exp(Twist<double>{{0.3 * i, 0.2, 0}, {}});
    robot.links.push_back(bar(crank, four.crank));
    robot.links.push_back(bar(coupler, four.coupler));
    robot.links.push_back(bar(rocker, four.rocker));
    robot.joints.push_back(hinge(crank, on, seat, four.crank_angle, true));
    robot.joints.push_back(
        hinge(coupler, crank, along(four.crank), four.coupler_angle - four.crank_angle, false));
    robot.joints.push_back(hinge(rocker, on, seat * along(four.ground), four.rocker_angle, false));
    robot.loops.push_back({numbered("pin_", i), coupler, rocker, along(four.coupler),
                           along(four.rocker), LoopKind::revolute, 0});
  }
  return robot;
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Cuts the cycles of a graph of joints.
#include <algorithm>
#include <cmath>
#include <jounce/error.hpp>
#include <jounce/model/cut_loops.hpp>
#include <map>
#include <optional>

#include "model/cut_graph.hpp"
#include "quotes.hpp"

namespace jounce {
namespace {

std::optional<LoopKind> loop_of_kind(const JointGeometry& g) {
  switch (g.kind) {
    case JointKind::fixed:
      return LoopKind::fixed;
    case JointKind::revolute:
    case JointKind::circle:
      return LoopKind::revolute;
    case JointKind::prismatic:
      return LoopKind::prismatic;
    case JointKind::cylindrical:
      return LoopKind::cylindrical;
    case JointKind::planar:
      return LoopKind::planar;
    case JointKind::spherical:
    case JointKind::euler_ball:
      return LoopKind::spherical;
    case JointKind::universal:  // a loop's axes are at right angles
      if (g.axes.size() == 2 && std::abs(dot(g.axes[0], g.axes[1])) <= 1e-12)
        return LoopKind::universal;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

/// The rotation with the axis as z and, of universal joints, the second axis as x.
SO3<double> axes_of(const JointGeometry& g) {
  if (g.axes.empty() || g.kind == JointKind::euler_ball) return {};
  const Vec3<double> z = g.axes[0] * (1 / norm(g.axes[0]));
  Vec3<double> x = std::abs(z.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  if (g.kind == JointKind::universal) x = g.axes[1];
  x = x - z * dot(z, x);
  x = x * (1 / norm(x));
  const Vec3<double> y = cross(z, x);
  SO3<double> R;
  R.m = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
  return R;
}

bool any(const std::vector<double>& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](double x) { return x != 0; });
}
/// What a joint has and a loop has not.
std::string lost_of(const JointProperties& p) {
  std::string list;
  const auto add = [&](bool there, const char* what) {
    if (there) list += (list.empty() ? "" : ", ") + std::string(what);
  };
  add(any(p.armature), "armature");
  add(any(p.damping), "damping");
  add(any(p.drag), "drag");
  add(any(p.friction), "friction");
  add(any(p.stiffness), "stiffness");
  add(!p.lower.empty() || !p.upper.empty(), "limits");
  return list;
}

LoopDescription as_loop(const JointDescription& joint, LoopKind kind) {
  const SE3<double> turned{axes_of(joint.geometry), {}};
  LoopDescription loop;
  loop.name = joint.name;
  loop.link_1 = joint.parent;
  loop.link_2 = joint.child;
  loop.placement_1 = joint.geometry.placement * turned;
  loop.placement_2 = inverse(joint.child_placement) * turned;
  loop.kind = kind;
  return loop;
}

class Cutter {
 public:
  explicit Cutter(const RobotDescription& graph) : graph_(graph) {
    for (const JointDescription& joint : graph.joints)
      if (joint.mimic) followed_.push_back(joint.mimic->leader);
    for (const LoopDescription& loop : graph.loops)
      for (const TiedJoint& tied : loop.joints) followed_.push_back(tied.name);
  }

  /// Which joints stay, one flag each.
  std::vector<bool> staying() const {
    Above above;
    for (size_t k = 0; k < graph_.joints.size(); ++k) {
      const auto [place, first] = above.emplace(graph_.joints[k].child, k);
      if (!first && bound(place->second) < bound(k)) place->second = k;
    }
    const bool rooted =
        std::any_of(graph_.links.begin(), graph_.links.end(), [&](const auto& link) {
          const auto place = above.find(link.name);
          return place == above.end() || graph_.joints[place->second].parent.empty();
        });
    if (!rooted && !graph_.links.empty()) above.erase(graph_.links.front().name);
    const bool cuts = above.size() < graph_.joints.size();
    for (size_t tries = 0; cuts && tries < graph_.joints.size() && open_ring(above);) ++tries;
    std::vector<bool> stays(graph_.joints.size());
    for (const auto& [link, joint] : above) stays[joint] = true;
    return stays;
  }

 private:
  using Above = std::map<std::string, size_t>;  ///< the joint that carries each link

  const std::string& parent(const Above& above, const std::string& link) const {
    return graph_.joints[above.at(link)].parent;
  }
  /// The links of a ring that the joints make, or none.
  std::vector<std::string> ring(const Above& above) const {
    std::map<std::string, size_t> seen;  // from which link downwards
    for (size_t start = 0; start < graph_.links.size(); ++start) {
      std::string link = graph_.links[start].name;
      while (above.count(link) > 0 && seen.emplace(link, start).second) link = parent(above, link);
      if (above.count(link) == 0 || seen.at(link) != start) continue;
      std::vector<std::string> found = {link};
      while (parent(above, found.back()) != link) found.push_back(parent(above, found.back()));
      return found;
    }
    return {};
  }
  /// Hangs a link of a ring on a joint from outside it, where the ring loses least; false where
  /// there is no ring, or no such joint.
  bool open_ring(Above& above) const {
    const std::vector<std::string> links = ring(above);
    const auto inside = [&](const std::string& link) {
      return std::find(links.begin(), links.end(), link) != links.end();
    };
    std::optional<size_t> best;
    const auto loss = [&](size_t k) { return bound(above.at(graph_.joints[k].child)) - bound(k); };
    for (size_t k = 0; k < graph_.joints.size(); ++k) {
      const JointDescription& joint = graph_.joints[k];
      if (inside(joint.child) && !inside(joint.parent) && (!best || loss(k) < loss(*best)))
        best = k;
    }
    if (best) above[graph_.joints[*best].child] = *best;
    return best.has_value();
  }

  /// How much a joint is in need of a coordinate of its own.
  int bound(size_t k) const {
    const JointDescription& joint = graph_.joints[k];
    const bool led =
        joint.mimic || std::find(followed_.begin(), followed_.end(), joint.name) != followed_.end();
    if (joint.parent.empty()) return 4;  // a base
    if (!loop_of_kind(joint.geometry)) return 3;
    return led ? 2 : joint.actuated.value_or(false) ? 1 : 0;
  }

  const RobotDescription& graph_;
  std::vector<std::string> followed_;  ///< joints that others mimic, or that loops tie
};

/// Why a joint cannot be cut, or nothing.
std::string refusal(const RobotDescription& graph, const JointDescription& joint) {
  const std::string where = "joint " + in_quotes(joint.name) + " closes a loop and ";
  const auto follows = [&](const JointDescription& other) {
    return other.mimic && other.mimic->leader == joint.name;
  };
  if (joint.parent.empty())
    return where + "hangs on the world: link " + in_quotes(joint.child) + " has two bases";
  if (!loop_of_kind(joint.geometry))
    return where + "is of kind " + name(joint.geometry.kind) +
           ", which no loop is: let another one close it";
  if (joint.mimic || std::any_of(graph.joints.begin(), graph.joints.end(), follows))
    return where + "mimics or is mimicked: a cut joint has no coordinate";
  for (const LoopDescription& loop : graph.loops)
    for (const TiedJoint& tied : loop.joints)
      if (tied.name == joint.name)
        return where + "is tied by loop " + in_quotes(loop.name) +
               ": a cut joint has no coordinate";
  if (joint.actuated.value_or(false))
    return where + "has a motor: a cut joint has no coordinate, let another one close it";
  return "";
}

}  // namespace

CutGraph cut_loops(RobotDescription graph, std::vector<RefusedCut>& refused) {
  CutGraph found;
  const std::vector<bool> stays = Cutter(graph).staying();
  std::vector<JointDescription> tree;
  for (size_t k = 0; k < stays.size(); ++k) {
    const JointDescription& joint = graph.joints[k];
    std::string why = stays[k] ? "" : refusal(graph, joint);
    if (stays[k]) {
      tree.push_back(joint);
    } else if (!why.empty()) {
      refused.push_back({joint.name, std::move(why)});
    } else {
      const LoopKind kind = *loop_of_kind(joint.geometry);
      found.cuts.push_back({joint.name, kind, lost_of(joint.properties)});
      graph.loops.push_back(as_loop(joint, kind));
    }
  }
  graph.joints = std::move(tree);
  found.robot = std::move(graph);
  return found;
}

CutGraph cut_loops(RobotDescription graph) {
  std::vector<RefusedCut> refused;
  CutGraph found = cut_loops(std::move(graph), refused);
  if (!refused.empty()) throw InputError("cut_loops: " + refused.front().what);
  return found;
}

}  // namespace jounce

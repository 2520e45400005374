// SPDX-License-Identifier: BSD-3-Clause
// Examines a robot that loads.
#include "apps/jounce/examine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <jounce/dynamics.hpp>
#include <jounce/model/singular_mass.hpp>
#include <unordered_map>

#include "numbers.hpp"
#include "quotes.hpp"

namespace jounce::app {
namespace {

constexpr int largest_for_matrices = 300;  // coordinates; the look at a matrix takes their cube

/// A corner-to-corner box in the axes of a link.
struct Bounds {
  Vec3<double> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};

  void add(const Vec3<double>& centre, const Vec3<double>& half) {
    low = {std::min(low.x, centre.x - half.x), std::min(low.y, centre.y - half.y),
           std::min(low.z, centre.z - half.z)};
    high = {std::max(high.x, centre.x + half.x), std::max(high.y, centre.y + half.y),
            std::max(high.z, centre.z + half.z)};
  }
  bool contains(const Vec3<double>& p, double margin) const {
    return p.x >= low.x - margin && p.x <= high.x + margin && p.y >= low.y - margin &&
           p.y <= high.y + margin && p.z >= low.z - margin && p.z <= high.z + margin;
  }
  double size() const { return std::max({high.x - low.x, high.y - low.y, high.z - low.z}); }
};

/// Half the edges of the box around a shape in its own axes; nothing for a mesh.
std::optional<Vec3<double>> half_edges(const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape.geometry))
    return Vec3<double>{box->size.x / 2, box->size.y / 2, box->size.z / 2};
  if (const auto* ball = std::get_if<Sphere>(&shape.geometry))
    return Vec3<double>{ball->radius, ball->radius, ball->radius};
  if (const auto* rod = std::get_if<Cylinder>(&shape.geometry))
    return Vec3<double>{rod->radius, rod->radius, rod->length / 2};
  if (const auto* rod = std::get_if<Capsule>(&shape.geometry))
    return Vec3<double>{rod->radius, rod->radius, rod->length / 2 + rod->radius};
  return std::nullopt;
}

/// The box around the collision shapes of a link; nothing where there is none or a mesh.
std::optional<Bounds> bounds_of(const LinkDescription& link) {
  Bounds bounds;
  for (const Shape& shape : link.collision) {
    const std::optional<Vec3<double>> half = half_edges(shape);
    if (!half) return std::nullopt;
    const auto& [a, b, c] = shape.placement.R.m.row;
    const auto reach = [&](const Vec3<double>& row) {
      return std::abs(row.x) * half->x + std::abs(row.y) * half->y + std::abs(row.z) * half->z;
    };
    bounds.add(shape.placement.p, {reach(a), reach(b), reach(c)});
  }
  if (link.collision.empty()) return std::nullopt;
  return bounds;
}

/// Joints that move no mass, by themselves or together.
std::vector<SingularCause> singular_causes_of(const Robot& robot) {
  if (robot.nv() > largest_for_matrices) return massless_joints(robot);
  try {
    const Eigen::MatrixXd M = Dynamics(robot).mass(robot.random(1));
    return singular_causes(robot, M.data(), nullptr, MassBounds(robot));
  } catch (const ComputationError&) {  // it overflows
    return massless_joints(robot);
  }
}

class Examination {
 public:
  Examination(const Robot& robot, const Loaded& loaded) : robot_(robot), loaded_(loaded) {
    for (size_t k = 0; k < loaded.joint_places.size(); ++k)
      places_.emplace(loaded.robot.joints[k].name, loaded.joint_places[k]);
  }

  std::vector<Finding> all() {
    find_centres();
    find_singular();
    return std::move(findings_);
  }

 private:
  void add(FindingKind kind, const Place& at, const std::string& name, std::string what) {
    const auto same = [&](const Finding& finding) { return finding.kind == kind; };
    auto found = std::find_if(findings_.begin(), findings_.end(), same);
    if (found == findings_.end())
      found = findings_.insert(findings_.end(), {kind, level(kind), "", 0, {}});
    if (++found->count <= ReadOptions().places)
      found->places.push_back({at.line, at.column, name, std::move(what)});
  }

  /// A joint of the robot in the file; joints beyond (the base of --base floating) have no place.
  Place place_of(const JointInfo& joint) const {
    const auto found = places_.find(joint.name);
    return found == places_.end() ? Place{} : found->second;
  }

  void find_centres() {
    for (size_t k = 0; k < loaded_.robot.links.size(); ++k) {
      const LinkDescription& link = loaded_.robot.links[k];
      const std::optional<Bounds> bounds = bounds_of(link);
      if (link.mass == 0 || !bounds || bounds->contains(link.com, 0.05 * bounds->size())) continue;
      add(FindingKind::com, k < loaded_.link_places.size() ? loaded_.link_places[k] : Place{},
          link.name,
          "link " + in_quotes(link.name) + ": com " + short_text(link.com) +
              " lies outside its collision shapes");
    }
  }

  /// Why forward dynamics fails, in its own words.
  void find_singular() {
    for (SingularCause& cause : singular_causes_of(robot_)) {
      const JointInfo* joint = nullptr;
      for (const size_t k : cause.joints)
        if (joint == nullptr || place_of(*joint).line == 0) joint = &robot_.joints()[k];
      add(cause.joints.size() == 1 ? FindingKind::massless : FindingKind::same_motion,
          place_of(*joint), joint->name, std::move(cause.text));
    }
  }

  const Robot& robot_;
  const Loaded& loaded_;
  std::unordered_map<std::string_view, Place> places_;  ///< of joints in the file
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> examine(const Robot& robot, const Loaded& loaded) {
  return Examination(robot, loaded).all();
}

}  // namespace jounce::app

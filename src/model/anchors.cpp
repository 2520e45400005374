// SPDX-License-Identifier: BSD-3-Clause
// Which bodies' origins serve others in sums over bodies (algorithm/origins.hpp).
//
// A joint that turns a subtree of mass m and radius of gyration r feels m r^2; seen from a distance
// D, rounding leaves m D^2 eps of it wrong. So a body whose joint turns gets an origin of its own
// where D can exceed a fixed multiple of r. D is at most the sum of the placements on the way, and
// of what joints that slide can travel: their limits, or any distance where there are none.
#include <algorithm>
#include <cmath>
#include <jounce/model/joint.hpp>

#include "model/robot_data.hpp"
#include "numbers.hpp"

namespace jounce {
namespace {

/// Largest distance from an anchor, in radii of gyration: some 3e-13 of an entry of M may be lost.
constexpr double far_away = 50;

/// How far the joint of body i can carry it from where its placements put it.
double travel(const Robot::Data& d, int i) {
  const Model<double>& m = d.system.tree;
  const JointInfo& joint = d.joints[static_cast<size_t>(i) - 1];  // one for every body
  const JointProperties& p =
      d.description.joints[static_cast<size_t>(joint.description)].properties;
  double sum = 0;
  for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) {
    const Part<double>& part = m.part[r];
    const int k = sliding_coordinate(part.kind);
    if (keeps_origin(part.kind)) continue;
    if (k < 0 || p.lower.empty() || p.upper.empty()) return infinity;
    const auto at = static_cast<size_t>(part.v - m.v_at[i] + k);
    const double range = std::max(std::abs(p.lower[at]), std::abs(p.upper[at]));
    sum += is_helical(part) ? range * std::abs(part.pitch) : range;
  }
  return sum;
}

/// The smallest radius of gyration that the joint of body i can turn G about; infinity where it
/// does not turn.
double radius(const Model<double>& m, int i, const Inertia<double>& G) {
  bool any = false;
  for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) any = any || !keeps_axes(m.part[r].kind);
  if (!any) return infinity;
  const Part<double>& first = m.part[m.part_at[i]];
  const bool about_z = m.constant_screws(i) && turns_about_z(first.kind);
  const double moment = about_z ? G.I.zz : std::min({G.I.xx, G.I.yy, G.I.zz});
  return std::sqrt(std::max(moment, 0.0) / G.mass);
}

}  // namespace

void find_anchors(Robot::Data& d) {
  Model<double>& m = d.system.tree;
  const auto bodies = static_cast<size_t>(m.bodies);
  std::vector<SE3<double>> T(bodies);
  std::vector<Inertia<double>> carried(d.G);
  std::vector<double> distance(bodies), served(bodies);  // from the anchor, and mass
  for (int i = m.bodies - 1; i > 0; --i) {
    const auto at = static_cast<size_t>(i), parent = static_cast<size_t>(m.parent[i]);
    for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) {
      T[at] = T[at] * m.part[r].placement;
      distance[at] += norm(m.part[r].placement.p);
    }
    carried[parent] = carried[parent] + push_forward(T[at], carried[at]);
  }
  d.anchor.assign(bodies, 0);
  for (int i = 1; i < m.bodies; ++i) {
    const auto at = static_cast<size_t>(i), parent = static_cast<size_t>(m.parent[i]);
    distance[at] += distance[parent] + travel(d, i);
    const bool own = m.parent[i] == 0 ||
                     (carried[at].mass > 0 && distance[at] > far_away * radius(m, i, carried[at]));
    if (own) distance[at] = 0;
    d.anchor[at] = own ? i : d.anchor[parent];
    m.anchors += own ? 1 : 0;
    served[static_cast<size_t>(d.anchor[at])] += m.G[i].mass;
  }
  m.anchor = d.anchor.data();
  m.centre = static_cast<int>(std::max_element(served.begin(), served.end()) - served.begin());
  if (m.centre == 0 && m.bodies > 1) m.centre = 1;  // no mass at all
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// The messages about results that are not finite, and the robots that cannot give any.
#include "finite_results.hpp"

#include <algorithm>

namespace jounce {
namespace {

bool within(double bound, std::span<const double> x) {
  return std::all_of(x.begin(), x.end(), [bound](double y) { return std::abs(y) <= bound; });
}
bool within(double bound, const Vec3<double>& x) { return dot(x, x) <= bound * bound; }
bool within(double bound, const Inertia<double>& G) {
  const double numbers[] = {G.mass, G.I.xx, G.I.xy, G.I.yy, G.I.xz, G.I.yz, G.I.zz};
  return within(bound, numbers) && within(bound, G.h);
}

/// ` (joint "elbow")` for a coordinate, counted by first(joint) and count(joint).
template <class First, class Count>
std::string of_joint(const Robot& robot, int coordinate, First first, Count count) {
  for (const JointInfo& joint : robot.joints())
    if (coordinate >= first(joint) && coordinate < first(joint) + count(joint))
      return " (joint \"" + joint.name + "\")";
  return "";
}
std::string of_velocity(const Robot& robot, int k) {
  return of_joint(
      robot, k, [](const JointInfo& joint) { return joint.v; },
      [](const JointInfo& joint) { return joint.nv; });
}
std::string of_position(const Robot& robot, int k) {
  return of_joint(
      robot, k, [](const JointInfo& joint) { return joint.q; },
      [](const JointInfo& joint) { return joint.nq; });
}

}  // namespace

bool moderate(const Robot& robot) {
  constexpr double length = 1e4, coefficient = 1e10;
  const Model<double>& m = robot.model();
  bool good = m.bodies <= 10000 && within(coefficient, m.gravity);
  for (int i = 1; i < m.bodies; ++i) good = good && !is_custom(m, i) && within(coefficient, m.G[i]);
  for (int r = 0; r < m.part_at[m.bodies]; ++r)
    good = good && within(length, m.part[r].placement.p) && std::abs(m.part[r].pitch) <= length;
  for (const FrameInfo& frame : robot.frames()) good = good && within(length, frame.offset.p);
  const Coupling<double>& c = robot.system().coupling;
  for (const double* numbers : {c.q_ratio, c.q_offset})  // ratios of velocities are those of q
    good = good && within(length, {numbers, static_cast<size_t>(c.tree_nq)});
  for (const BushingDescription& one : robot.bushings())
    good = good && within(length, one.placement_1.p) && within(length, one.placement_2.p) &&
           within(coefficient, one.stiffness) && within(coefficient, one.damping);
  const PassiveData& p = robot.passive();
  good = good && within(coefficient, p.stiffness) && within(coefficient, p.rest);
  for (const ResistanceInfo& one : resistances) good = good && within(coefficient, p.*one.of_robot);
  return good && within(coefficient, {m.armature, static_cast<size_t>(m.nv)});
}

void throw_not_finite(const Robot& robot, std::string_view caller, std::string_view result,
                      std::span<const double> x) {
  const auto bad = std::find_if(x.begin(), x.end(), [](double y) { return !std::isfinite(y); });
  const int k = static_cast<int>(bad - x.begin());
  throw_not_finite(caller,
                   std::string(result) + "[" + std::to_string(k) + "]" +
                       (x.size() == static_cast<size_t>(robot.nv()) ? of_velocity(robot, k)
                                                                    : of_position(robot, k)));
}
void throw_not_finite(std::string_view caller, std::string_view what) {
  throw ComputationError(std::string(caller) + ": " + std::string(what) + " is not finite");
}

}  // namespace jounce

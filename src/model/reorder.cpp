// SPDX-License-Identifier: BSD-3-Clause
// Joints in the order of a user's list, and the permutation of coordinates that belongs to it.
#include "model/edit.hpp"

namespace jounce {
namespace {

/// The joints of a list that names every joint with coordinates of its own once.
std::vector<const JointInfo*> listed_joints(const char* caller, const Robot& robot,
                                            const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, const JointInfo*> by_name;
  for (const JointInfo& joint : robot.joints()) by_name[joint.name] = &joint;
  std::unordered_map<const JointInfo*, bool> seen;
  std::vector<const JointInfo*> listed;
  for (const std::string& name : names) {
    const auto found = by_name.find(name);
    if (found == by_name.end())
      detail::find_named(caller, robot, "moving joint", name, robot.joints());
    const JointInfo* joint = found->second;
    const std::string where = std::string(caller) + ": " + detail::quoted("joint", name);
    if (joint->mimic) throw InputError(where + " is a mimic and has no coordinates of its own");
    if (seen[joint]) throw InputError(where + " is listed twice");
    seen[joint] = true;
    listed.push_back(joint);
  }
  for (const JointInfo& joint : robot.joints())
    if (!joint.mimic && !seen[&joint])
      throw InputError(std::string(caller) + ": " + detail::quoted("joint", joint.name) +
                       " is missing from the list");
  return listed;
}

Permutation permutation_of(const std::vector<const JointInfo*>& joints) {
  Permutation order;
  for (const JointInfo* joint : joints) {
    for (int k = 0; k < joint->nq; ++k) order.q.push_back(joint->q + k);
    for (int k = 0; k < joint->nv; ++k) order.v.push_back(joint->v + k);
  }
  return order;
}

void check_size(const char* what, size_t found, size_t needed) {
  if (found != needed)
    throw InputError(std::string("Permutation: ") + what + " has " + std::to_string(found) +
                     " elements, needs " + std::to_string(needed));
}

std::vector<double> apply(const char* what, const std::vector<int>& order,
                          std::span<const double> x) {
  check_size(what, x.size(), order.size());
  std::vector<double> y;
  y.reserve(x.size());
  for (const int k : order) y.push_back(x[static_cast<size_t>(k)]);
  return y;
}
std::vector<double> undo(const char* what, const std::vector<int>& order,
                         std::span<const double> y) {
  check_size(what, y.size(), order.size());
  std::vector<double> x(y.size());
  for (size_t k = 0; k < y.size(); ++k) x[static_cast<size_t>(order[k])] = y[k];
  return x;
}

/// Places in RobotDescription::joints: the listed joints, each after the fixed and mimic joints
/// that carry it; then what is left, as in the file.
std::vector<size_t> joint_order(const RobotDescription& robot,
                                const std::vector<const JointInfo*>& listed) {
  const detail::Tree tree(robot);
  std::vector<bool> placed(robot.joints.size(), false), wanted = placed;
  for (const JointInfo* joint : listed) wanted[static_cast<size_t>(joint->description)] = true;
  std::vector<size_t> order;
  for (const JointInfo* joint : listed) {
    std::vector<size_t> run{static_cast<size_t>(joint->description)};
    while (!robot.joints[run.back()].parent.empty()) {
      const int carrier = tree.above[tree.link.at(robot.joints[run.back()].parent)];
      if (carrier < 0 || placed[static_cast<size_t>(carrier)]) break;
      run.push_back(static_cast<size_t>(carrier));
      if (wanted[run.back()])
        throw InputError("reorder: " + detail::quoted("joint", joint->name) + " comes before \"" +
                         robot.joints[run.back()].name + "\", which carries it");
    }
    for (; !run.empty(); run.pop_back()) {
      order.push_back(run.back());
      placed[run.back()] = true;
    }
  }
  for (size_t k = 0; k < placed.size(); ++k)
    if (!placed[k]) order.push_back(k);
  return order;
}

}  // namespace

std::vector<double> Permutation::apply_q(const VectorArg& old_q) const {
  return apply("q", q, old_q);
}
std::vector<double> Permutation::apply_v(const VectorArg& old_v) const {
  return apply("v", v, old_v);
}
std::vector<double> Permutation::undo_q(const VectorArg& new_q) const {
  return undo("q", q, new_q);
}
std::vector<double> Permutation::undo_v(const VectorArg& new_v) const {
  return undo("v", v, new_v);
}

Permutation permutation(const Robot& robot, const std::vector<std::string>& joints) {
  return permutation_of(listed_joints("permutation", robot, joints));
}

Reordered reorder(const Robot& robot, const std::vector<std::string>& joints) {
  const auto listed = listed_joints("reorder", robot, joints);
  const RobotDescription& from = robot.description();
  RobotDescription description = from;
  description.joints.clear();
  for (const size_t k : joint_order(from, listed)) description.joints.push_back(from.joints[k]);
  return {Robot(std::move(description)), permutation_of(listed)};
}

}  // namespace jounce

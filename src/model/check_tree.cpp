// SPDX-License-Identifier: BSD-3-Clause
// Whether joints make one tree, and mimic joints follow others.
#include <algorithm>
#include <cmath>
#include <set>

#include "model/check.hpp"
#include "model/robot_data.hpp"

namespace jounce {
namespace {

size_t place_of(const NameIndex& index, const std::string& name) {
  return static_cast<size_t>(index.at(name));
}

void check_mimic(const RobotDescription& robot, const JointDescription& joint,
                 const NameIndex& joints, Notices& notices) {
  const std::string where = named("joint", joint.name);
  const auto leader = joints.find(joint.mimic->leader);
  if (leader == joints.end()) {
    std::vector<std::string> names;
    if (notices.faults() < Notices::most_shown) names = names_of(robot.joints);
    throw InputError(where + ": there is no joint " + in_quotes(joint.mimic->leader) +
                     " to mimic; nearest: " + nearest_names(joint.mimic->leader, names));
  }
  const JointDescription& other = robot.joints[static_cast<size_t>(leader->second)];
  if (&other == &joint) throw InputError(where + ": mimics itself");
  if (joint_nq(joint.geometry) != 1 || joint_nq(other.geometry) != 1)
    throw InputError(where + ": mimic needs one coordinate on both sides");
  if (!std::isfinite(joint.mimic->multiplier) || !std::isfinite(joint.mimic->offset))
    throw InputError(where + ": mimic multiplier and offset must be finite");
  if (other.mimic)
    notices.add({Subject::joint, joint.name, FindingKind::mimic_chain,
                 where + ": mimics " + in_quotes(other.name) + ", which follows " +
                     in_quotes(other.mimic->leader)});
}

/// Joints that follow one another in a ring, each ring named once.
void check_rings(const RobotDescription& robot, const NameIndex& joints, Notices& notices) {
  std::vector<int> seen(robot.joints.size(), -1);  // the walk that came by
  for (size_t start = 0; start < robot.joints.size(); ++start) {
    size_t at = start;
    while (seen[at] < 0 && robot.joints[at].mimic) {
      seen[at] = static_cast<int>(start);
      const auto leader = joints.find(robot.joints[at].mimic->leader);
      if (leader == joints.end() || static_cast<size_t>(leader->second) == at) break;
      at = static_cast<size_t>(leader->second);
      if (seen[at] != static_cast<int>(start)) continue;
      notices.fault(Subject::joint, robot.joints[at].name,
                    named("joint", robot.joints[at].name) + ": mimics " +
                        in_quotes(robot.joints[at].mimic->leader) +
                        ", which follows it: mimic joints in a ring");
      break;
    }
  }
}

/// The joint above every link, -1 for none; a fault where there are two.
std::vector<int> joints_above(const RobotDescription& robot, const NameIndex& links,
                              Notices& notices) {
  std::vector<int> above(robot.links.size(), -1);
  for (size_t k = 0; k < robot.joints.size(); ++k) {
    const JointDescription& joint = robot.joints[k];
    const auto need = [&](const std::string& link) {
      if (links.count(link) > 0) return true;
      notices.fault(Subject::joint, joint.name,
                    named("joint", joint.name) + ": " + no_link(link, robot, notices));
      return false;
    };
    if (!joint.parent.empty()) need(joint.parent);
    if (!need(joint.child)) continue;
    int& first = above[place_of(links, joint.child)];
    if (first >= 0)
      notices.fault(Subject::joint, joint.name,
                    named("link", joint.child) + " is the child of two joints, " +
                        in_quotes(robot.joints[static_cast<size_t>(first)].name) + " and " +
                        in_quotes(joint.name) + ": cut_loops makes a loop of one of them");
    first = static_cast<int>(k);
  }
  return above;
}

/// The links that hang on no other link.
std::vector<size_t> find_roots(const RobotDescription& robot, const std::vector<int>& above) {
  std::vector<size_t> roots;
  for (size_t k = 0; k < robot.links.size(); ++k)
    if (above[k] < 0 || robot.joints[static_cast<size_t>(above[k])].parent.empty())
      roots.push_back(k);
  return roots;
}

void say_roots(const RobotDescription& robot, const std::vector<size_t>& roots, Notices& notices) {
  constexpr size_t most = 5;
  std::string list;
  for (size_t k = 0; k < std::min(roots.size(), most); ++k)
    list += (k == 0 ? "" : (k + 1 == roots.size() ? " and " : ", ")) +
            in_quotes(robot.links[roots[k]].name);
  if (roots.size() > most) list += " and " + std::to_string(roots.size() - most) + " more";
  notices.fault(Subject::link, robot.links[roots[1]].name,
                (roots.size() == 2 ? "two" : std::to_string(roots.size())) + " roots: links " +
                    list + " have no parent");
}

/// Joints with parents first, else as in the file; those of cycles are left out.
std::vector<int> order_joints(const RobotDescription& robot, const NameIndex& links, int base,
                              size_t root) {
  std::vector<std::vector<int>> below(robot.links.size());
  for (size_t k = 0; k < robot.joints.size(); ++k)
    if (!robot.joints[k].parent.empty())
      below[place_of(links, robot.joints[k].parent)].push_back(static_cast<int>(k));
  std::vector<int> order;
  std::set<int> ready;  // joints whose parent is placed; the first of the file goes next
  if (base >= 0) ready.insert(base);
  else ready.insert(below[root].begin(), below[root].end());
  while (!ready.empty()) {
    const int next = *ready.begin();
    ready.erase(ready.begin());
    order.push_back(next);
    const size_t child = place_of(links, robot.joints[static_cast<size_t>(next)].child);
    ready.insert(below[child].begin(), below[child].end());
  }
  return order;
}

void say_cycle(const RobotDescription& robot, const std::vector<int>& order, Notices& notices) {
  std::vector<bool> used(robot.joints.size(), false);
  for (const int k : order) used[static_cast<size_t>(k)] = true;
  const auto missing = std::find(used.begin(), used.end(), false) - used.begin();
  const std::string& name = robot.joints[static_cast<size_t>(missing)].name;
  notices.fault(Subject::joint, name, named("joint", name) + " is part of a cycle");
}

}  // namespace

void check_mimics(const RobotDescription& robot, const NameIndex& joints, Notices& notices) {
  bool any = false;
  for (const JointDescription& joint : robot.joints) {
    if (!joint.mimic) continue;
    any = true;
    notices.attempt(Subject::joint, joint.name,
                    [&] { check_mimic(robot, joint, joints, notices); });
  }
  if (any) check_rings(robot, joints, notices);
}

std::vector<int> check_tree(const RobotDescription& robot, const NameIndex& links,
                            Notices& notices) {
  const size_t faults = notices.faults();
  const std::vector<int> above = joints_above(robot, links, notices);
  if (notices.faults() > faults) return {};
  const std::vector<size_t> roots = find_roots(robot, above);
  if (roots.size() > 1) say_roots(robot, roots, notices);
  if (roots.empty()) say_cycle(robot, {}, notices);
  if (roots.size() != 1) return {};
  std::vector<int> order = order_joints(robot, links, above[roots[0]], roots[0]);
  if (order.size() < robot.joints.size()) say_cycle(robot, order, notices);
  return order;
}

void compose_mimics(RobotDescription& robot) {
  NameIndex joints;
  for (size_t k = 0; k < robot.joints.size(); ++k)
    if (robot.joints[k].mimic) joints.emplace(robot.joints[k].name, static_cast<int>(k));
  std::vector<size_t> chain;  // from a follower up to the last that follows
  for (size_t k = 0; k < robot.joints.size(); ++k) {
    chain.clear();
    for (size_t at = k; robot.joints[at].mimic;) {
      chain.push_back(at);
      const auto leader = joints.find(robot.joints[at].mimic->leader);
      if (leader == joints.end()) break;
      at = static_cast<size_t>(leader->second);
    }
    for (size_t n = chain.size(); n-- > 1;) {  // q = m (M x + O) + o
      const Mimic& above = *robot.joints[chain[n]].mimic;
      Mimic& own = *robot.joints[chain[n - 1]].mimic;
      own = {above.leader, own.multiplier * above.multiplier,
             own.multiplier * above.offset + own.offset};
    }
  }
}

}  // namespace jounce

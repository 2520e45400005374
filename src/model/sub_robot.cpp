// SPDX-License-Identifier: BSD-3-Clause
// A robot cut out of another: a link with what it carries, or with the paths to some tips.
#include <algorithm>
#include <unordered_set>

#include "model/edit.hpp"

namespace jounce {
namespace {

/// [links] whether a link is `root` or carried by it.
std::vector<bool> links_below(const RobotDescription& robot, const detail::Tree& tree,
                              size_t root) {
  std::vector<std::vector<size_t>> carried(robot.links.size());
  for (const JointDescription& joint : robot.joints)
    if (!joint.parent.empty())
      carried[tree.link.at(joint.parent)].push_back(tree.link.at(joint.child));
  std::vector<bool> below(robot.links.size(), false);
  std::vector<size_t> open{root};
  while (!open.empty()) {
    const size_t link = open.back();
    open.pop_back();
    below[link] = true;
    open.insert(open.end(), carried[link].begin(), carried[link].end());
  }
  return below;
}

/// [links] whether a link lies between the root and a tip, both included.
std::vector<bool> links_to_tips(const Robot& robot, const detail::Tree& tree, size_t root,
                                const std::vector<std::string>& tips) {
  const RobotDescription& from = robot.description();
  std::vector<bool> below = links_below(from, tree, root);
  if (tips.empty()) return below;
  std::vector<bool> kept(from.links.size(), false);
  kept[root] = true;
  for (const std::string& tip : tips) {
    size_t link = detail::find_link("sub_robot", robot, tip);
    if (!below[link])
      throw InputError("sub_robot: " + detail::quoted("link", tip) + " is not carried by \"" +
                       from.links[root].name + "\"");
    while (!kept[link]) {
      kept[link] = true;
      link = tree.link.at(from.joints[static_cast<size_t>(tree.above[link])].parent);
    }
  }
  return kept;
}

/// A joint that mimics one that is not there.
void check_mimics(const RobotDescription& part) {
  std::unordered_set<std::string_view> joints;
  for (const JointDescription& joint : part.joints) joints.insert(joint.name);
  const auto cut_off = [&](const JointDescription& joint) {
    return joint.mimic && joints.count(joint.mimic->leader) == 0;
  };
  const auto found = std::find_if(part.joints.begin(), part.joints.end(), cut_off);
  if (found == part.joints.end()) return;
  const std::string& leader = found->mimic->leader;
  throw InputError("sub_robot: " + detail::quoted("joint", found->name) + " mimics \"" + leader +
                   "\", which is cut off; lock \"" + leader + "\" first");
}

/// A gear or function of joints, where all of them are there.
void add_tied(const LoopDescription& loop, const CutOptions& options, RobotDescription& part) {
  const auto there = [&](const TiedJoint& tied) {
    return std::any_of(part.joints.begin(), part.joints.end(),
                       [&](const JointDescription& joint) { return joint.name == tied.name; });
  };
  if (std::none_of(loop.joints.begin(), loop.joints.end(), there)) return;
  const auto gone = std::find_if_not(loop.joints.begin(), loop.joints.end(), there);
  if (gone == loop.joints.end()) return part.loops.push_back(loop);
  if (!options.drop_loops)
    throw InputError("sub_robot: " + detail::quoted("loop", loop.name) + " needs joint \"" +
                     gone->name + "\", which is cut off; set drop_loops to drop the loop");
}

std::string end_name(const std::string& link) {
  return link.empty() ? "the world" : "link \"" + link + "\"";
}

}  // namespace

Robot sub_robot(const Robot& robot, std::string_view root, const std::vector<std::string>& tips,
                const CutOptions& options) {
  const RobotDescription& from = robot.description();
  const detail::Tree tree(from);
  const size_t base = detail::find_link("sub_robot", robot, root);
  const std::vector<bool> kept = links_to_tips(robot, tree, base, tips);
  const auto has = [&](const std::string& link) {  // the world as long as the root stands on it
    if (link.empty()) return base == tree.root;
    const auto found = tree.link.find(link);
    return found != tree.link.end() && kept[found->second];
  };
  RobotDescription part{from.name, from.gravity, {}, {}, {}, {}, {}};
  for (const LinkDescription& link : from.links)
    if (has(link.name)) part.links.push_back(link);
  for (const JointDescription& joint : from.joints)
    if (has(joint.child) && joint.child != root) part.joints.push_back(joint);
  for (const FrameDescription& frame : from.frames)
    if (has(frame.link)) part.frames.push_back(frame);
  for (const LoopDescription& loop : from.loops) {
    if (!loop.joints.empty()) add_tied(loop, options, part);
    else if (has(loop.link_1) && has(loop.link_2)) part.loops.push_back(loop);
    else if ((has(loop.link_1) || has(loop.link_2)) && !options.drop_loops)
      throw InputError("sub_robot: " + detail::quoted("loop", loop.name) + " needs " +
                       end_name(has(loop.link_1) ? loop.link_2 : loop.link_1) +
                       ", which is cut off; set drop_loops to drop the loop");
  }
  for (const BushingDescription& bushing : from.bushings) {
    if (has(bushing.link_1) && has(bushing.link_2)) part.bushings.push_back(bushing);
    else if (has(bushing.link_1) || has(bushing.link_2))
      throw InputError("sub_robot: " + detail::quoted("bushing", bushing.name) + " holds " +
                       end_name(has(bushing.link_1) ? bushing.link_2 : bushing.link_1) +
                       ", which is cut off");
  }
  check_mimics(part);
  return Robot(std::move(part));
}

}  // namespace jounce

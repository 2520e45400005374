// SPDX-License-Identifier: BSD-3-Clause
// What the operations on robots share.
#include "model/edit.hpp"

#include <cmath>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/equations/coupling.hpp>
#include <jounce/model/workspace.hpp>

namespace jounce::detail {

std::string quoted(std::string_view what, std::string_view name) {
  return std::string(what) + " \"" + std::string(name) + "\"";
}

size_t find_link(std::string_view caller, const Robot& robot, std::string_view name) {
  return find_named(caller, robot, "link", name, robot.description().links);
}

void check_placement(std::string_view caller, const SE3<double>& T) {
  const auto& [a, b, c] = T.R.m.row;
  for (const Vec3<double>& row : {a, b, c, T.p})
    for (const double x : {row.x, row.y, row.z})
      if (!std::isfinite(x))
        throw InputError(std::string(caller) + ": the placement is not finite");
}

Mount find_mount(std::string_view caller, const Robot& robot, std::string_view link_or_frame) {
  const RobotDescription& from = robot.description();
  const size_t k = find_named(caller, robot, "link or frame", link_or_frame, robot.frames());
  if (k < from.links.size()) return {from.links[k].name, {}};
  const FrameDescription& frame = from.frames[k - from.links.size()];
  return {frame.link, frame.placement};
}

Tree::Tree(const RobotDescription& robot) : above(robot.links.size(), -1) {
  for (size_t k = 0; k < robot.links.size(); ++k) link[robot.links[k].name] = k;
  for (size_t k = 0; k < robot.joints.size(); ++k)
    above[link.at(robot.joints[k].child)] = static_cast<int>(k);
  const auto carried = [&](size_t k) {
    return above[k] >= 0 && !robot.joints[static_cast<size_t>(above[k])].parent.empty();
  };
  while (carried(root)) ++root;
}

std::vector<size_t> Tree::path_up(const RobotDescription& robot, size_t from) const {
  std::vector<size_t> path;
  while (from != root) {
    path.push_back(static_cast<size_t>(above[from]));
    from = link.at(robot.joints[path.back()].parent);
  }
  return path;
}

LinkMotion link_motion(const Robot& robot, FrameId link, const double* q, const double* v) {
  const Model<double>& m = robot.model();
  const Coupling<double>& c = robot.system().coupling;
  std::vector<double> tree_q(static_cast<size_t>(m.nq)), tree_v(static_cast<size_t>(m.nv));
  expand_positions(c, q, tree_q.data());
  expand(c, v, tree_v.data());
  WorkspaceStorage<double> storage(m);
  Workspace<double>& w = storage.view();
  const State<double> x{tree_q.data(), tree_v.data(), nullptr};
  forward_poses(m, x, w);
  w.V[0] = {};
  forward_twists(m, x, w);
  const FrameInfo& frame = robot.frame_info(link);
  return {w.pose[frame.body] * frame.offset, Ad_inv(frame.offset, w.V[frame.body])};
}

}  // namespace jounce::detail

// SPDX-License-Identifier: BSD-3-Clause
// jounce compute fk | jacobian | ik.
#include <jounce/group/matrices.hpp>

#include "apps/jounce/compute/quantity.hpp"

namespace jounce::app::quantity {
namespace {

Json pose_to_json(const SE3<double>& T) {
  const Quaternion<double> r = to_quaternion(T.R);
  Json rows = Json::array();
  const Mat4<double> m = to_matrix(T);
  for (int i = 0; i < 4; ++i) rows.push_back({m(i, 0), m(i, 1), m(i, 2), m(i, 3)});
  return {{"position", {T.p.x, T.p.y, T.p.z}},
          {"quaternion", {r.x, r.y, r.z, r.w}},
          {"matrix", std::move(rows)}};
}

/// "frame" of the state or --frame: one of them, or both the same.
FrameId goal_frame(const ComputeContext& c, JsonObject& state) {
  if (state.find("frame") == nullptr) {
    if (c.frame.empty()) state.fail(state.offset(), "\"frame\" is missing, and --frame too");
    return c.robot.frame(c.frame);
  }
  const std::string frame = state.name("frame");
  if (!c.frame.empty() && c.frame != frame)
    state.fail(state.need("frame").offset, "\"frame\" is " + io::in_quotes(frame) +
                                               ", but --frame is " + io::in_quotes(c.frame));
  return c.robot.frame(frame);
}

}  // namespace

Json fk(ComputeContext& c, JsonObject& state) {
  c.kinematics->at(coordinates(c, state));
  if (!c.frame.empty()) return pose_to_json(c.kinematics->pose(c.robot.frame(c.frame)));
  Json links = Json::object();
  const std::vector<LinkDescription>& known = c.robot.description().links;
  for (size_t k = 0; k < known.size(); ++k)  // the first frames are the links
    append(links, known[k].name, pose_to_json(c.kinematics->pose(FrameId(static_cast<int>(k)))));
  return {{"links", std::move(links)}};
}

Json jacobian(ComputeContext& c, JsonObject& state) {
  c.kinematics->at(coordinates(c, state));
  const Representation in = c.kind == "space"    ? Representation::space
                            : c.kind == "hybrid" ? Representation::hybrid
                                                 : Representation::body;
  return {{"frame", c.frame},
          {"jacobian", rows_of(c.kinematics->jacobian(c.robot.frame(c.frame), in))}};
}

/// Without a quaternion the orientation is free, without a position the position is.
Json ik(ComputeContext& c, JsonObject& state) {
  const bool with_position = state.find("position") != nullptr;
  const bool with_turn = state.find("quaternion") != nullptr;
  if (!with_position && !with_turn)
    state.fail(state.offset(), "\"position\" and \"quaternion\" are missing, one is needed");
  PoseGoal goal;
  goal.frame = goal_frame(c, state);
  goal.position_weight = with_position ? 1 : 0;
  goal.rotation_weight = with_turn ? 1 : 0;
  if (with_position) goal.pose.p = position_of(state);
  if (with_turn) goal.pose.R = rotation_of(state);
  const std::vector<double> guess =
      state.find("q") != nullptr ? coordinates(c, state) : c.robot.neutral();
  const IkResult found = c.ik->solve({goal}, guess);
  return {{"q", std::vector<double>(found.q.begin(), found.q.end())},
          {"converged", found.converged},
          {"residual", found.residual},
          {"iterations", found.iterations}};
}

}  // namespace jounce::app::quantity

// SPDX-License-Identifier: BSD-3-Clause
// jounce compute fk | jacobian | ik | ik-velocity | constrained-jacobian | constrained-ik.
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
/// Without a quaternion the orientation is free, without a position the position is.
PoseGoal goal_of(const ComputeContext& c, JsonObject& state) {
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
  return goal;
}
Json found_by(const IkReport& report, const Eigen::VectorXd& q) {
  return {{"q", to_json(q)},
          {"converged", report.converged},
          {"residual", report.residual},
          {"iterations", report.iterations}};
}

}  // namespace

Representation representation_of(const ComputeContext& c) {
  return c.kind == "space"    ? Representation::space
         : c.kind == "hybrid" ? Representation::hybrid
                              : Representation::body;
}

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
  const FrameId frame = c.robot.frame(c.frame);
  return {{"frame", c.frame},
          {"jacobian", rows_of(c.kinematics->jacobian(frame, representation_of(c)))}};
}

Json ik(ComputeContext& c, JsonObject& state) {
  const PoseGoal goal = goal_of(c, state);
  const std::vector<double> guess =
      state.find("q") != nullptr ? coordinates(c, state) : c.robot.neutral();
  const IkResult found = c.ik->solve({goal}, guess);
  return found_by(found, found.q);
}

/// Components of the twist that are null are free.
Json ik_velocity(ComputeContext& c, JsonObject& state) {
  const std::vector<double> q = coordinates(c, state);
  const JsonValue& given = state.need("twist");
  const std::vector<double> V =
      numbers_or_null(state, given, "\"twist\"", 6, [](int) { return false; });
  TwistGoal goal{c.robot.frame(c.frame), {{V[0], V[1], V[2]}, {V[3], V[4], V[5]}}};
  goal.in = representation_of(c);
  for (size_t k = 0; k < 6; ++k)
    goal.components[k] = given.items()[k].kind == JsonValue::Kind::number;
  const VelocityResult found = c.ik->velocity(q, {&goal, 1});
  return {{"v", to_json(found.v)}, {"error", found.primary_error}};
}

Json constrained_jacobian(ComputeContext& c, JsonObject& state) {
  const std::vector<double> q = coordinates(c, state);
  const FrameId frame = c.robot.frame(c.frame);
  std::unique_ptr<bool[]> flags;
  if (state.find("driven") != nullptr) flags = joint_flags(c.robot, state, "driven");
  const std::span<const bool> driven(flags.get(), flags ? size_t(c.robot.nv()) : 0);
  const Singularity found = c.closed->singularity(q, frame, driven);
  return {{"frame", c.frame},
          {"jacobian", rows_of(c.closed->jacobian(q, frame, representation_of(c), driven))},
          {"singular",
           {{"rows", found.rows},
            {"passive", found.passive},
            {"frame", found.frame},
            {"position", found.position}}},
          {"mobility", found.mobility},
          {"instantaneous", found.instantaneous}};
}

Json constrained_ik(ComputeContext& c, JsonObject& state) {
  const PoseGoal goal = goal_of(c, state);
  const std::vector<double> guess =
      state.find("q") != nullptr ? coordinates(c, state) : c.robot.closed();
  const ClosedIkResult found = c.closed->solve({goal}, guess);
  Json out = found_by(found, found.q);
  out["end"] = name(found.end);
  return out;
}

}  // namespace jounce::app::quantity

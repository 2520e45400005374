// SPDX-License-Identifier: BSD-3-Clause
// jounce compute fk | jacobian | ik.
#include <jounce/group/matrices.hpp>

#include "apps/jounce/compute/quantity.hpp"

namespace jounce::app {
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

/// --frame, else the link that comes last in the file.
FrameId chosen_frame(const ComputeContext& context) {
  if (!context.frame.empty()) return context.robot.frame(context.frame);
  return FrameId(static_cast<int>(context.robot.description().links.size()) - 1);
}

Json fk(ComputeContext& context, const Json& state) {
  context.dynamics.kinematics(numbers(state, "q"));
  if (!context.frame.empty())
    return pose_to_json(context.dynamics.pose(context.robot.frame(context.frame)));
  Json links = Json::object();
  for (const LinkDescription& link : context.robot.description().links)
    links[link.name] = pose_to_json(context.dynamics.pose(context.robot.frame(link.name)));
  return {{"links", std::move(links)}};
}

Json jacobian(ComputeContext& context, const Json& state) {
  context.dynamics.kinematics(numbers(state, "q"));
  const Representation in = context.kind == "space"    ? Representation::space
                            : context.kind == "hybrid" ? Representation::hybrid
                                                       : Representation::body;
  const FrameId frame = chosen_frame(context);
  return {{"frame", context.robot.frame_info(frame).name},
          {"jacobian", rows_of(context.dynamics.jacobian(frame, in))}};
}

Vec3<double> position_of(const Json& state) {
  const std::vector<double> p = numbers(state, "position");
  if (p.size() != 3)
    throw InputError("\"position\" has " + std::to_string(p.size()) + " elements, needs 3");
  return {p[0], p[1], p[2]};
}

Quaternion<double> quaternion_of(const Json& state) {
  const std::vector<double> r = numbers(state, "quaternion");
  if (r.size() != 4)
    throw InputError("\"quaternion\" has " + std::to_string(r.size()) + " elements, needs 4");
  const Quaternion<double> q{r[0], r[1], r[2], r[3]};
  const double length = std::sqrt(squared_norm(q));
  if (std::abs(length - 1) > 1e-6)
    throw InputError("\"quaternion\" has length " + std::to_string(length) + ", needs 1");
  return normalize(q);
}

/// Without a quaternion the orientation is free, without a position the position is.
Json ik(ComputeContext& context, const Json& state) {
  const bool with_position = state.contains("position"), with_turn = state.contains("quaternion");
  if (!with_position && !with_turn)
    throw InputError("\"position\" and \"quaternion\" are missing, one is needed");
  if (state.contains("frame") && !state["frame"].is_string())
    throw InputError("\"frame\" must be a name");
  PoseGoal goal;
  goal.frame = state.contains("frame") ? context.robot.frame(state["frame"].get<std::string>())
                                       : chosen_frame(context);
  goal.position_weight = with_position ? 1 : 0;
  goal.rotation_weight = with_turn ? 1 : 0;
  if (with_position) goal.pose.p = position_of(state);
  if (with_turn) goal.pose.R = to_rotation(quaternion_of(state));
  const std::vector<double> guess =
      state.contains("q") ? numbers(state, "q") : context.robot.neutral();
  const IkResult found = context.ik.solve({goal}, guess);
  return {{"q", std::vector<double>(found.q.begin(), found.q.end())},
          {"converged", found.converged},
          {"residual", found.residual},
          {"iterations", found.iterations}};
}

}  // namespace

std::span<const Quantity> kinematic_quantities() {
  static constexpr Quantity quantities[] = {{"fk", fk}, {"jacobian", jacobian}, {"ik", ik}};
  return quantities;
}

}  // namespace jounce::app

// SPDX-License-Identifier: BSD-3-Clause
// Robots that are built anew with one of their parameters changed.
#pragma once

#include <jounce/model/loop.hpp>
#include <jounce/model/robot.hpp>
#include <jounce/sensitivity.hpp>

namespace jounce::test {

inline void edit_inertia(LinkDescription& link, int component, double step) {
  double numbers[10];
  to_parameters(link_inertia(link), numbers);
  numbers[component] += step;
  const Inertia<double> G = inertia_from_parameters(numbers);
  link.mass = G.mass;
  link.com = G.h * (1 / G.mass);
  link.I_com = push_forward(SE3<double>{{}, -link.com}, G).I;
}

/// Where the spring of a joint is free, moved along one of its velocities.
inline void edit_rest(const RobotDescription& robot, JointDescription& joint, int component,
                      double step) {
  const Robot before(robot);
  const JointInfo& info = before.joint(joint.name);
  std::vector<double> q = before.neutral(), dv(size_t(before.nv()));
  if (!joint.properties.rest.empty())
    std::copy(joint.properties.rest.begin(), joint.properties.rest.end(), q.begin() + info.q);
  dv[size_t(info.v + component)] = step;
  std::vector<double> moved(q);
  before.integrate(q, dv, moved);
  joint.properties.rest.assign(moved.begin() + info.q, moved.begin() + info.q + info.nq);
}

/// The frames of a bushing or loop, moved along their own axes.
template <class Description>
void edit_frames(Description& one, const Parameter& p, ParameterKind first, double step) {
  double unit[6] = {};
  if (p.component < 6) unit[p.component] = step;
  const Twist<double> by{{unit[0], unit[1], unit[2]}, {unit[3], unit[4], unit[5]}};
  if (p.kind == first) one.placement_1 = one.placement_1 * exp(by);
  if (int(p.kind) == int(first) + 1) one.placement_2 = one.placement_2 * exp(by);
}
inline void edit_loop(LoopDescription& loop, const Parameter& p, double step) {
  edit_frames(loop, p, ParameterKind::loop_placement_1, step);
  if (p.kind == ParameterKind::loop_length) loop.length += step;
  if (p.kind == ParameterKind::loop_radius) loop.radius += step;
  if (p.kind == ParameterKind::loop_offset) loop.offset += step;
  if (p.kind == ParameterKind::loop_ratio) loop.joints.at(size_t(p.component)).ratio += step;
}

/// A robot with one parameter moved by `step`.
inline RobotDescription edited(RobotDescription robot, const Parameter& p, double step) {
  const RobotDescription before = robot;
  if (p.kind == ParameterKind::gravity) {
    (&robot.gravity.x)[p.component] += step;
    return robot;
  }
  for (LinkDescription& link : robot.links)
    if (link.name == p.name && p.kind == ParameterKind::inertia)
      edit_inertia(link, p.component, step);
  for (BushingDescription& bushing : robot.bushings) {
    if (bushing.name != p.name) continue;
    const auto k = size_t(p.component);
    if (p.kind == ParameterKind::bushing_stiffness) bushing.stiffness[k] += step;
    if (p.kind == ParameterKind::bushing_damping) bushing.damping[k] += step;
    edit_frames(bushing, p, ParameterKind::bushing_placement_1, step);
  }
  for (LoopDescription& loop : robot.loops)
    if (loop.name == p.name) edit_loop(loop, p, step);
  double unit[6] = {};
  if (p.component < 6) unit[p.component] = step;
  for (JointDescription& joint : robot.joints) {
    if (joint.name != p.name) continue;
    JointGeometry& g = joint.geometry;
    const auto grow = [&](std::vector<double>& numbers) {
      numbers.at(size_t(p.component)) += step;
    };
    const Vec3<double> w{unit[0], unit[1], unit[2]};
    if (p.kind == ParameterKind::placement)
      g.placement = g.placement * exp(Twist<double>{w, {unit[3], unit[4], unit[5]}});
    if (p.kind == ParameterKind::axis) g.axes[0] = exp(w) * g.axes[0];
    if (p.kind == ParameterKind::pitch) g.pitch += step;
    if (p.kind == ParameterKind::armature) grow(joint.properties.armature);
    if (p.kind == ParameterKind::stiffness) grow(joint.properties.stiffness);
    if (p.kind == ParameterKind::rest) edit_rest(before, joint, p.component, step);
    if (p.kind == ParameterKind::damping) grow(joint.properties.damping);
    if (p.kind == ParameterKind::friction) grow(joint.properties.friction);
    if (p.kind == ParameterKind::drag) grow(joint.properties.drag);
  }
  return robot;
}

/// Every parameter that the robot has, of its moving links and joints.
inline std::vector<Parameter> all_parameters(const Robot& robot) {
  std::vector<Parameter> all;
  const auto add = [&](ParameterKind kind, const std::string& name, int count) {
    for (int k = 0; k < count; ++k) all.push_back({kind, name, k});
  };
  add(ParameterKind::gravity, "", 3);
  for (const LinkDescription& link : robot.description().links)
    if (link.mass > 0) add(ParameterKind::inertia, link.name, 10);
  for (const BushingDescription& bushing : robot.bushings()) {
    add(ParameterKind::bushing_stiffness, bushing.name, 6);
    add(ParameterKind::bushing_damping, bushing.name, 6);
    add(ParameterKind::bushing_placement_1, bushing.name, 6);
    add(ParameterKind::bushing_placement_2, bushing.name, 6);
  }
  for (const LoopDescription& loop : robot.loops()) {
    if (has_frames(loop.kind)) {
      add(ParameterKind::loop_placement_1, loop.name, 6);
      add(ParameterKind::loop_placement_2, loop.name, 6);
    }
    if (loop.kind == LoopKind::distance) add(ParameterKind::loop_length, loop.name, 1);
    if (loop.kind == LoopKind::rolling) add(ParameterKind::loop_radius, loop.name, 1);
    if (loop.kind == LoopKind::gear) add(ParameterKind::loop_offset, loop.name, 1);
    for (size_t k = 0; loop.kind == LoopKind::gear && k < loop.joints.size(); ++k)
      if (!is_circle(robot.joint(loop.joints[k].name)))
        all.push_back({ParameterKind::loop_ratio, loop.name, int(k)});
  }
  for (const JointInfo& joint : robot.joints()) {
    const JointProperties& given = robot.description().joints[size_t(joint.description)].properties;
    add(ParameterKind::placement, joint.name, 6);
    const bool helical = joint.kind == JointKind::helical;
    if (helical) add(ParameterKind::pitch, joint.name, 1);
    if (helical || joint.kind == JointKind::revolute || joint.kind == JointKind::prismatic)
      add(ParameterKind::axis, joint.name, 3);
    if (joint.mimic) continue;
    if (!given.armature.empty()) add(ParameterKind::armature, joint.name, joint.nv);
    if (!given.damping.empty()) add(ParameterKind::damping, joint.name, joint.nv);
    if (!given.friction.empty()) add(ParameterKind::friction, joint.name, joint.nv);
    if (!given.drag.empty()) add(ParameterKind::drag, joint.name, joint.nv);
    if (!given.stiffness.empty()) add(ParameterKind::stiffness, joint.name, joint.nv);
    if (!given.stiffness.empty()) add(ParameterKind::rest, joint.name, joint.nv);
  }
  return all;
}

}  // namespace jounce::test

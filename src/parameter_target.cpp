// SPDX-License-Identifier: BSD-3-Clause
#include "parameter_target.hpp"

#include <jounce/equations/outside.hpp>
#include <jounce/model/loop.hpp>
#include <jounce/model/manifold.hpp>

#include "quotes.hpp"

namespace jounce {
namespace {

/// How many a kind has; `size` is that of the joint or gear.
int components(ParameterKind kind, int size) {
  switch (kind) {
    case ParameterKind::inertia:
      return 10;
    case ParameterKind::placement:
    case ParameterKind::wrench:
    case ParameterKind::bushing_stiffness:
    case ParameterKind::bushing_damping:
    case ParameterKind::bushing_placement_1:
    case ParameterKind::bushing_placement_2:
    case ParameterKind::loop_placement_1:
    case ParameterKind::loop_placement_2:
      return 6;
    case ParameterKind::axis:
    case ParameterKind::gravity:
      return 3;
    case ParameterKind::payload:
    case ParameterKind::pitch:
    case ParameterKind::loop_length:
    case ParameterKind::loop_radius:
    case ParameterKind::loop_offset:
      return 1;
    default:
      return size;
  }
}

/// The factor that has a velocity of the robot.
const Factor& factor_of(const System<double>& s, int velocity) {
  int k = s.factors - 1;
  while (s.factor[k].v > velocity) --k;
  return s.factor[k];
}

/// How far a joint with one velocity has moved along its screw.
double moved_by(const Factor& f, const double* q) {
  double start[2] = {}, moved = 0;
  neutral(f, start);
  difference(f, start, q + f.q, &moved);
  return moved;
}

void require(bool good, const Parameter& p, const char* what) {
  if (!good) throw InputError("Sensitivity: joint \"" + p.name + "\" " + what);
}

/// What a joint's placement, axis and pitch move.
void resolve_geometry(const Robot& robot, const JointInfo& joint, const Parameter& p,
                      ParameterTarget& to) {
  const JointDescription& given = robot.description().joints[size_t(joint.description)];
  const bool one_axis =
      is_revolute(joint) || is_prismatic(joint) || is_helical(joint) || is_circle(joint);
  if (p.kind == ParameterKind::placement) {
    SE3<double> parent;
    if (!given.parent.empty()) parent = robot.frame_info(robot.frame(given.parent)).offset;
    to.motion = Ad(parent * given.geometry.placement, unit_twist(p.component));
  } else if (p.kind == ParameterKind::axis) {
    require(one_axis, p, "has no single axis");
    const SE3<double> child = robot.frame_info(robot.frame(given.child)).offset;
    to.motion = Ad(child * inverse(given.child_placement), unit_twist(p.component));
  } else {
    require(is_helical(joint), p, "is not a helical joint");
    to.motion = {{0, 0, 0}, {0, 0, 1}};
  }
}

/// The stiffnesses of the spring whose rest it is.
void resolve_rest(const Robot& robot, const JointInfo& joint, const Parameter& p,
                  ParameterTarget& to) {
  const auto& stiffness =
      robot.description().joints[size_t(joint.description)].properties.stiffness;
  require(!stiffness.empty(), p, "has no spring");
  for (int k = 0; k < to.spring.nv; ++k) to.own[k] = stiffness[size_t(to.spring.v + k - joint.v)];
}

/// A unit of a wrench in the axes of a frame, or of an inertia about its origin.
void resolve_frame(const Robot& robot, const Parameter& p, ParameterTarget& to) {
  const FrameInfo& frame = robot.frame_info(robot.frame(p.name));
  to.body = frame.body;
  if (p.kind == ParameterKind::wrench) {
    const Twist<double> unit = unit_twist(p.component);
    to.F = seen_in_body(Wrench<double>{unit.w, unit.v}, Representation::body, frame.offset,
                        SE3<double>{});
  } else {
    double pi[10] = {};
    pi[p.component] = 1;
    to.dG = push_forward(frame.offset, inertia_from_parameters(pi));
  }
}

constexpr bool of_frame(ParameterKind kind) {
  return kind == ParameterKind::inertia || kind == ParameterKind::payload ||
         kind == ParameterKind::wrench;
}

/// The place of a bushing or loop among all.
template <class Description>
int place_of(const Robot& robot, std::span<const Description> all, const char* what,
             const std::string& name) {
  for (size_t k = 0; k < all.size(); ++k)
    if (all[k].name == name) return int(k);
  throw InputError("Sensitivity: robot " + in_quotes(robot.name()) + " has no " + what + " " +
                   in_quotes(name));
}

/// Refuses numbers that a loop of this kind has not.
void check_loop(const Robot& robot, const LoopDescription& loop, const Parameter& p) {
  const auto refuse = [&](const std::string& why) {
    throw InputError("Sensitivity: loop " + in_quotes(loop.name) + " " + why);
  };
  const auto needs = [&](LoopKind kind, const char* what) {
    if (loop.kind != kind)
      refuse("is of kind " + std::string(name(loop.kind)) + " and has no " + what);
  };
  if (p.kind == ParameterKind::loop_length) needs(LoopKind::distance, "length");
  else if (p.kind == ParameterKind::loop_radius) needs(LoopKind::rolling, "radius");
  else if (p.kind == ParameterKind::loop_offset) needs(LoopKind::gear, "offset");
  else if (p.kind == ParameterKind::loop_ratio) needs(LoopKind::gear, "ratios");
  else if (!has_frames(loop.kind))
    refuse("is of kind " + std::string(name(loop.kind)) + " and has no frames");
  if (p.kind != ParameterKind::loop_ratio || p.component < 0 ||
      p.component >= int(loop.joints.size()))
    return;
  const std::string& joint = loop.joints[size_t(p.component)].name;
  if (is_circle(robot.joint(joint)))
    refuse("cannot have another ratio of " + in_quotes(joint) +
           ", which returns after a full turn");
}

}  // namespace

Twist<double> unit_twist(int k) {
  double x[6] = {};
  x[k] = 1;
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

ParameterKind parameter_kind(const std::string& name) {
  constexpr const char* names[] = {"inertia",
                                   "payload",
                                   "placement",
                                   "axis",
                                   "pitch",
                                   "gravity",
                                   "wrench",
                                   "bushing_stiffness",
                                   "bushing_damping",
                                   "bushing_placement_1",
                                   "bushing_placement_2",
                                   "loop_placement_1",
                                   "loop_placement_2",
                                   "loop_length",
                                   "loop_radius",
                                   "loop_ratio",
                                   "loop_offset",
                                   "armature",
                                   "stiffness",
                                   "rest"};
  std::string known;
  for (size_t k = 0; k < std::size(names); ++k) {
    if (name == names[k]) return ParameterKind(k);
    known += std::string(names[k]) + ", ";
  }
  for (const ResistanceInfo& one : resistances) {
    if (name == one.name) return ParameterKind(std::size(names) + size_t(one.law));
    known += std::string(one.name) + ", ";
  }
  known.resize(known.size() - 2);
  throw InputError("Sensitivity: there is no kind of parameter " + in_quotes(name) +
                   "; there are " + known);
}

ParameterTarget resolve(const Robot& robot, const Parameter& p) {
  ParameterTarget to{.kind = p.kind, .component = p.component, .dG = {}, .motion = {}};
  const JointInfo* joint = nullptr;
  int size = 0;
  if (of_bushing(p.kind)) {
    to.bushing = place_of(robot, robot.bushings(), "bushing", p.name);
  } else if (of_loop(p.kind)) {
    to.loop = place_of(robot, robot.loops(), "loop", p.name);
    const LoopDescription& loop = robot.loops()[size_t(to.loop)];
    check_loop(robot, loop, p);
    size = int(loop.joints.size());
  } else if (!of_frame(p.kind) && p.kind != ParameterKind::gravity) {
    joint = &robot.joint(p.name);
    size = joint->nv;
  }
  const int known = components(p.kind, size);
  if (p.component < 0 || p.component >= known)
    throw InputError("Sensitivity: component " + std::to_string(p.component) + " of \"" + p.name +
                     "\", which has " + std::to_string(known));
  if (of_frame(p.kind)) {
    resolve_frame(robot, p, to);
  } else if (moves_joint(p.kind)) {
    to.body = joint->body;
    resolve_geometry(robot, *joint, p, to);
  } else if (joint != nullptr) {
    require(!joint->mimic, p, "follows another joint");
    to.coordinate = joint->v + p.component;
    to.spring = factor_of(robot.system(), to.coordinate);
    if (p.kind == ParameterKind::rest) resolve_rest(robot, *joint, p, to);
  }
  return to;
}

/// An axis that turns by the twist X: T = H e^X e^{S q} e^-X.
JointChange joint_change(const Model<double>& m, const Workspace<double>& w,
                         const ParameterTarget& t, const double* q) {
  if (t.kind == ParameterKind::placement) return {Ad_inv(w.T[t.body], t.motion), {}};
  const Twist<double> S = w.S[m.v_at[t.body]];
  const double moved = moved_by(part_factor(m, t.body, m.part_at[t.body]), q);
  if (t.kind == ParameterKind::pitch) return {t.motion * moved, t.motion};
  return {Ad(exp(S * -moved), t.motion) - t.motion, ad(t.motion, S)};
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// A slender link that bends, as a chain of rigid segments with springs between them.
//
//   const Robot swinging = jounce::with_flexible_link(arm, "boom", {.end = {2, 0, 0},
//                                                     .axis = {0, 1, 0}, .stiffness = 500});
// [Park] 1995, last sentence. The spring between two segments of length h stands for the bending of
// half of each, stiffness / h; that at the clamp for half a segment, 2 stiffness / h. Frequencies
// converge to those of Euler and Bernoulli's beam as 1 / segments^2.
#pragma once

#include <algorithm>
#include <cmath>
#include <jounce/model/robot.hpp>

namespace jounce {

struct Flexibility {
  Vec3<double> end;             ///< of the beam, which starts at the link's origin, in its frame
  Vec3<double> axis;            ///< it bends about this one, a unit vector normal to the beam
  double stiffness = 0;         ///< E I, N m^2
  double second_stiffness = 0;  ///< about the third direction; 0: it does not bend about that
  double damping = 0;           ///< of each spring, times its stiffness, s
  int segments = 20;
};

namespace detail::inline JOUNCE_ISA {

[[noreturn]] inline void refuse_beam(const std::string& link, const std::string& why) {
  throw InputError("with_flexible_link: link \"" + link + "\" " + why);
}

inline void check_beam(const std::string& link, const Flexibility& beam,
                       const LinkDescription& given) {
  const double length = norm(beam.end);
  if (!(length > 0) || !std::isfinite(length))
    refuse_beam(link, "needs an end away from its origin");
  if (!(std::abs(norm(beam.axis) - 1) < 1e-9) ||
      !(std::abs(dot(beam.axis, beam.end)) < 1e-9 * length))
    refuse_beam(link, "needs an axis of length 1 at right angles to its beam");
  if (!(beam.stiffness > 0) || !(beam.second_stiffness >= 0) || !(beam.damping >= 0))
    refuse_beam(link, "needs a positive stiffness, and no negative second one or damping");
  if (beam.segments < 1)
    refuse_beam(link, "has " + std::to_string(beam.segments) + " segments, needs 1 or more");
  if (!(given.mass > 0)) refuse_beam(link, "has no mass to spread");
  if (norm(given.com - beam.end * 0.5) > 1e-6 * length)
    refuse_beam(link, "has its centre of mass away from the middle of the beam");
}

/// A thin even rod from the segment's origin along `step`, with a share of the axial inertia.
inline LinkDescription segment_of(const LinkDescription& link, const Flexibility& beam, int k) {
  const Vec3<double> step = beam.end * (1.0 / beam.segments);
  const double h = norm(step), mass = link.mass / beam.segments, across = mass * h * h / 12;
  const Vec3<double> d = step * (1 / h);
  const double axial = dot(d, link.I_com * d) / beam.segments, less = axial - across;
  LinkDescription segment;
  segment.name = link.name + "_" + std::to_string(k + 1);
  segment.mass = mass;
  segment.com = step * 0.5;
  segment.I_com = {across + less * d.x * d.x, less * d.x * d.y, across + less * d.y * d.y,
                   less * d.x * d.z,          less * d.y * d.z, across + less * d.z * d.z};
  return segment;
}

inline JointDescription bend_of(const std::string& link, const Flexibility& beam, int k) {
  const Vec3<double> step = beam.end * (1.0 / beam.segments);
  const double h = norm(step), share = k == 0 ? 2 / h : 1 / h;  // half a segment at the clamp
  JointDescription joint;
  joint.name = link + "_bend_" + std::to_string(k + 1);
  joint.parent = k == 0 ? link : link + "_" + std::to_string(k);
  joint.child = link + "_" + std::to_string(k + 1);
  joint.geometry.placement.p = k == 0 ? Vec3<double>{} : step;
  joint.geometry.axes = {beam.axis};
  joint.geometry.kind = JointKind::revolute;
  joint.properties.stiffness = {beam.stiffness * share};
  if (beam.second_stiffness > 0) {
    joint.geometry.kind = JointKind::universal;
    joint.geometry.axes.push_back(cross(step * (1 / h), beam.axis));
    joint.properties.stiffness.push_back(beam.second_stiffness * share);
  }
  joint.actuated = false;
  if (beam.damping > 0)
    for (const double stiffness : joint.properties.stiffness)
      joint.properties.damping.push_back(beam.damping * stiffness);
  return joint;
}

/// Moves what sits on the link at `placement` to the segment that it lies on.
inline void move_to_segment(const std::string& link, const Flexibility& beam, std::string& owner,
                            SE3<double>& placement) {
  if (owner != link) return;
  const Vec3<double> step = beam.end * (1.0 / beam.segments);
  const double along = dot(placement.p, step) / dot(step, step);
  const int k = std::clamp(int(std::floor(along + 1e-9)), 0, beam.segments - 1);
  owner = link + "_" + std::to_string(k + 1);
  placement.p = placement.p - step * double(k);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// The link's mass spreads evenly over segments "LINK_1", "LINK_2", ... on joints "LINK_bend_1",
/// ...; the link itself stays as the clamp, without mass. Joints, frames, loops and bushings on the
/// link move to the segment that they lie on; shapes stay. InputError for a link that is not there,
/// whose centre of mass is not that of an even beam, or numbers that no beam has.
inline Robot with_flexible_link(const Robot& robot, const std::string& link,
                                const Flexibility& beam) {
  RobotDescription d = robot.description();
  const auto found = std::find_if(d.links.begin(), d.links.end(),
                                  [&](const LinkDescription& one) { return one.name == link; });
  if (found == d.links.end())
    throw InputError("with_flexible_link: robot \"" + robot.name() + "\" has no link \"" + link +
                     "\"");
  detail::check_beam(link, beam, *found);
  const LinkDescription whole = *found;
  found->mass = 0, found->com = {}, found->I_com = {};
  for (JointDescription& joint : d.joints)
    detail::move_to_segment(link, beam, joint.parent, joint.geometry.placement);
  for (FrameDescription& frame : d.frames)
    detail::move_to_segment(link, beam, frame.link, frame.placement);
  const auto move_ends = [&](auto& tied) {
    detail::move_to_segment(link, beam, tied.link_1, tied.placement_1);
    detail::move_to_segment(link, beam, tied.link_2, tied.placement_2);
  };
  std::for_each(d.loops.begin(), d.loops.end(), move_ends);
  std::for_each(d.bushings.begin(), d.bushings.end(), move_ends);
  for (int k = 0; k < beam.segments; ++k) {
    d.links.push_back(detail::segment_of(whole, beam, k));
    d.joints.push_back(detail::bend_of(link, beam, k));
  }
  return Robot(std::move(d));
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

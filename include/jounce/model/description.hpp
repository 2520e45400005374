// SPDX-License-Identifier: BSD-3-Clause
// A robot as its author describes it: links, joints and frames by name, in the author's frames.
//
// This is what readers produce, writers write and operations on robots change. Nothing in it has
// been checked; Robot (robot.hpp) checks and compiles it.
#pragma once

#include <array>
#include <concepts>
#include <jounce/group/inertia.hpp>
#include <jounce/model/joint_properties.hpp>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace jounce {

class CustomJoint;
class CustomConstraint;

/// The kinds of joint. Layout of (q | v): see docs/conventions.md.
enum class JointKind : unsigned char {
  fixed,          ///< no coordinate
  revolute,       ///< angle about the axis
  prismatic,      ///< displacement along the axis
  helical,        ///< angle; moves along the axis by pitch times the angle
  cylindrical,    ///< angle about and displacement along the axis
  universal,      ///< angle about the first axis, then about the second
  planar,         ///< x, y, theta in the plane normal to the axis | body omega, v_x, v_y
  translational,  ///< x, y, z
  spherical,      ///< quaternion x, y, z, w | body angular velocity
  euler_ball,     ///< three angles about three axes, one after the other | their rates
  free,           ///< position, quaternion x, y, z, w | body twist (omega, v)
  circle,         ///< cosine and sine of an angle about the axis | its rate
  composite,      ///< its parts, one after the other
  custom          ///< a function q -> SE3 of the user's
};

/// Whatever has a kind: JointGeometry, JointInfo, Part, Factor, ...
template <class Joint>
concept HasKind = requires(const Joint& joint) {
  { joint.kind } -> std::convertible_to<JointKind>;
};

inline namespace JOUNCE_ISA {

constexpr bool is_fixed(const HasKind auto& joint) { return joint.kind == JointKind::fixed; }
constexpr bool is_revolute(const HasKind auto& joint) { return joint.kind == JointKind::revolute; }
constexpr bool is_prismatic(const HasKind auto& joint) {
  return joint.kind == JointKind::prismatic;
}
constexpr bool is_helical(const HasKind auto& joint) { return joint.kind == JointKind::helical; }
constexpr bool is_planar(const HasKind auto& joint) { return joint.kind == JointKind::planar; }
constexpr bool is_spherical(const HasKind auto& joint) {
  return joint.kind == JointKind::spherical;
}
constexpr bool is_free(const HasKind auto& joint) { return joint.kind == JointKind::free; }
constexpr bool is_circle(const HasKind auto& joint) { return joint.kind == JointKind::circle; }
constexpr bool is_composite(const HasKind auto& joint) {
  return joint.kind == JointKind::composite;
}
constexpr bool is_custom(const HasKind auto& joint) { return joint.kind == JointKind::custom; }

}  // namespace JOUNCE_ISA

/// The geometry of one joint, or of one part of a composite joint.
struct JointGeometry {
  JointKind kind = JointKind::fixed;
  SE3<double> placement;             ///< joint frame in the frame before it (the parent link's)
  std::vector<Vec3<double>> axes;    ///< unit vectors in the joint frame: 1, 2 or 3, or none
  double pitch = 0;                  ///< helical: metres per radian
  std::vector<JointGeometry> parts;  ///< composite
  std::shared_ptr<const CustomJoint> custom;
};

/// q_follower = multiplier * q_leader + offset.
struct Mimic {
  std::string leader;
  double multiplier = 1;
  double offset = 0;
};

struct JointDescription {
  std::string name;
  std::string parent, child;  ///< links; an empty parent is the world
  JointGeometry geometry;
  SE3<double> child_placement;  ///< child link's frame in the moving joint frame; URDF: identity
  JointProperties properties;
  std::optional<Mimic> mimic;
  std::optional<bool> actuated;  ///< whether a motor drives it: see Robot::actuated
  std::vector<double> closed;    ///< q where all loops are closed, nq numbers; neutral when absent
};

struct Box {
  Vec3<double> size;
};
struct Cylinder {
  double radius = 0, length = 0;  ///< along z, centred
};
struct Sphere {
  double radius = 0;
};
struct Capsule {
  double radius = 0, length = 0;  ///< length of the cylindrical part, along z, centred
};
struct Mesh {
  std::string file;  ///< resolved where possible, else as written
  Vec3<double> scale{1, 1, 1};
};

/// A shape for a viewer or a collision checker; not used by dynamics.
struct Shape {
  std::string name;
  SE3<double> placement;
  std::variant<Box, Cylinder, Sphere, Capsule, Mesh> geometry;
  std::optional<std::vector<double>> colour;  ///< r, g, b, a
};

struct LinkDescription {
  std::string name;
  double mass = 0;
  Vec3<double> com;    ///< in the link's frame
  Sym3<double> I_com;  ///< about the centre of mass, in the link's axes
  std::vector<Shape> visual, collision;
};

/// A named frame on a link.
struct FrameDescription {
  std::string name;
  std::string link;
  SE3<double> placement;
};

/// What closes a loop between two frames: a joint, with axis z, or what a joint cannot say.
enum class LoopKind : unsigned char {
  fixed,        ///< the frames are one
  revolute,     ///< turns about z
  prismatic,    ///< slides along z
  cylindrical,  ///< turns about and slides along z
  universal,    ///< turns about z of the first frame and x of the second
  planar,       ///< moves in the plane normal to z
  spherical,    ///< turns in any way about the common origin
  point,        ///< the same: the origins are one
  orientation,  ///< moves in any way without turning
  distance,     ///< the origins are `length` apart: a rod with balls at its ends
  knife_edge,   ///< the second frame does not move along its own z
  rolling,      ///< a disc of `radius` about z of the second frame rolls on z = 0 of the first
  gear,         ///< the coordinates of `joints` times their ratios add up to `offset`
  custom        ///< C(q, t) = 0, a function of the user's
};

/// A joint that a gear or a constraint of the user's ties to others.
struct TiedJoint {
  std::string name;
  double ratio = 1;  ///< gear
};

/// A loop closure. Coordinates are those of the tree that is left without it; ConstrainedDynamics
/// closes it, all other doors leave it open.
struct LoopDescription {
  std::string name;
  std::string link_1, link_2;  ///< an empty one is the world
  SE3<double> placement_1, placement_2;
  LoopKind kind = LoopKind::fixed;
  double length = 0;              ///< distance
  double radius = 0;              ///< rolling
  std::vector<TiedJoint> joints;  ///< gear, custom; these have no links
  double offset = 0;              ///< gear
  std::shared_ptr<const CustomConstraint> custom;
};

/// A spring and damper between two frames in all six directions: with E the pose of frame 2 in
/// frame 1 it stores u^T K u / 2 and takes the power udot^T D udot, u = log E, K and D diagonal. It
/// is free where the frames are one.
struct BushingDescription {
  std::string name;
  std::string link_1, link_2;  ///< an empty one is the world
  SE3<double> placement_1, placement_2;
  std::array<double, 6> stiffness{}, damping{};  ///< about x, y, z, then along them
};

struct RobotDescription {
  std::string name;
  Vec3<double> gravity{0, 0, -9.81};
  std::vector<LinkDescription> links;
  std::vector<JointDescription> joints;
  std::vector<FrameDescription> frames;
  std::vector<LoopDescription> loops;
  std::vector<BushingDescription> bushings;
};

inline namespace JOUNCE_ISA {

/// The inertia of a link in its own frame.
inline Inertia<double> link_inertia(const LinkDescription& link) {
  return inertia_from_com(link.mass, SE3<double>{{}, link.com}, link.I_com);
}

}  // namespace JOUNCE_ISA

/// "revolute", "euler_ball", ...: the names of the JSON format and of messages.
const char* name(JointKind kind);
const char* name(LoopKind kind);

}  // namespace jounce

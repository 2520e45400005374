// SPDX-License-Identifier: BSD-3-Clause
// Operations that make a new robot from one or two others; what they take stays as it is.
//
// Shapes, named frames and loops come along, and joints keep their order where the tree allows it.
// Whatever cannot be done is an InputError that names the link, joint, frame or loop at fault.
#pragma once

#include <jounce/model/robot.hpp>
#include <jounce/vector_arg.hpp>
#include <map>
#include <optional>

namespace jounce {

/// A joint's name and its coordinates, laid out as in q.
using JointValues = std::map<std::string, std::vector<double>>;

/// The joints named become fixed at these values: their links stay, their limits, springs and
/// friction go. Joints that mimic one of them are locked at the value that follows from it.
/// (Not "lock": a call with a std::map would find std::lock as well.)
Robot lock_joints(const Robot& robot, const JointValues& values);

/// A tool or payload: a new link fixed to a link or frame, by a joint named after it
/// ("gripper" hangs on "gripper_joint"). `placement` is its frame in that link's or frame's.
Robot attach(const Robot& robot, std::string_view link_or_frame, const LinkDescription& payload,
             const SE3<double>& placement = {});

/// b carried by a link or frame of a. The names of b get the prefix. b's root hangs on `joint`,
/// which is fixed unless told otherwise and takes the place of b's own base joint, if it has one;
/// its parent and child are filled in, and an empty name becomes the root's with "_joint" behind.
/// `placement` is where that joint starts, in the link or frame of a. Name and gravity are a's.
Robot merge(const Robot& a, std::string_view link_or_frame, const Robot& b,
            const SE3<double>& placement = {}, const std::string& prefix = "",
            const JointDescription& joint = {});

struct CutOptions {
  bool drop_loops = false;  ///< a loop between what is kept and what is not goes; else an error
};

/// The link `root` as base, and all that it carries; with tips, only the paths from it to them.
/// Frames and loops whose links are all gone go with them.
Robot sub_robot(const Robot& robot, std::string_view root,
                const std::vector<std::string>& tips = {}, const CutOptions& options = {});

Robot with_gravity(const Robot& robot, const Vec3<double>& gravity);

/// How the root link moves in the world: by a joint named "base" (base_free, base_free_2, ... where
/// the robot has a joint of that name elsewhere), in place of the one it has. A fixed base without
/// a placement needs no joint and gets none.
Robot with_base(const Robot& robot, const JointGeometry& geometry);
/// The same for kinds that need no axis: JointKind::fixed, JointKind::free, ...
inline Robot with_base(const Robot& robot, JointKind kind) {
  JointGeometry geometry;
  geometry.kind = kind;
  return with_base(robot, geometry);
}

/// Coordinates in another order: new[k] = old[q[k]], and so for velocities, accelerations, forces.
struct Permutation {
  std::vector<int> q, v;

  std::vector<double> apply_q(const VectorArg& old_q) const;
  std::vector<double> apply_v(const VectorArg& old_v) const;
  std::vector<double> undo_q(const VectorArg& new_q) const;
  std::vector<double> undo_v(const VectorArg& new_v) const;
};

/// From the order of the robot to the order of a list that names every joint with coordinates of
/// its own once (mimic joints have none). Any order will do: that of a driver or of a log file.
Permutation permutation(const Robot& robot, const std::vector<std::string>& joints);

struct Reordered {
  Robot robot;
  Permutation permutation;  ///< from the coordinates of the old robot to those of the new one
};

/// The robot with its joints in the order of such a list, in which every joint comes after those
/// that carry it.
Reordered reorder(const Robot& robot, const std::vector<std::string>& joints);

/// Turns coordinates of a robot into those of a robot made from it by reroot.
class CoordinateMap {
 public:
  std::vector<double> q(const VectorArg& old_q) const;
  std::vector<double> v(const VectorArg& old_q, const VectorArg& old_v) const;

  /// A run of coordinates: copied, or those of a reversed part of a joint.
  struct Run {
    Factor old;
    int q_new = 0, v_new = 0;
    bool reversed = false;
  };
  /// A free base that moved to another link: its pose and twist follow from those of that link.
  struct FreeBase {
    FrameId link;  ///< of the old robot
    SE3<double> placement, child_placement;
    int q = 0, v = 0;  ///< of the new robot
  };
  CoordinateMap(Robot old_robot, std::vector<Run> runs, std::optional<FreeBase> base);

 private:
  void convert(const double* q, const double* v, double* new_q, double* new_v) const;

  Robot old_;
  std::vector<Run> runs_;
  std::optional<FreeBase> base_;
};

struct RerootOptions {
  std::optional<SE3<double>> placement;  ///< of the new root in the world, on a fixed base
  bool drop_properties = false;  ///< what a reversed joint cannot express goes; else an error
};

struct Rerooted {
  Robot robot;
  CoordinateMap coordinates;
  std::vector<std::string> dropped;  ///< for example: joint "hip": damping
};

/// The same mechanism with another link as root. The joints between the old and the new root turn
/// round, and every pose of one link in another stays what it was.
///
/// Revolute, prismatic, helical and cylindrical joints keep their coordinates (the axis turns
/// round). Those of universal joints, Euler balls and composites come in reverse order,
/// translational ones change sign, planar, spherical and free ones are those of the inverse pose.
/// Custom joints cannot turn round.
///
/// A fixed base: the new root's frame becomes the world's, or gets options.placement. A free base
/// moves to the new root, and poses in the world stay what they were. Any other base joint carries
/// the new root as it carried the old one.
Rerooted reroot(const Robot& robot, std::string_view link, const RerootOptions& options = {});

}  // namespace jounce

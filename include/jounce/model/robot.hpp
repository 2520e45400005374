// SPDX-License-Identifier: BSD-3-Clause
// A checked, compiled, immutable robot: the one noun that every computation starts from.
//
// A Robot is cheap to copy (copies share the data) and safe to share between threads.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <jounce/error.hpp>
#include <jounce/finding.hpp>
#include <jounce/model/system.hpp>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jounce {

/// A joint that moves, in the order of the coordinates.
struct JointInfo {
  std::string name;
  JointKind kind;
  int q = 0, nq = 0;  ///< its coordinates: q[q] ... q[q + nq - 1]; a mimic joint's are its leader's
  int v = 0, nv = 0;  ///< its velocities
  int body = 0;
  int description = 0;  ///< its place in RobotDescription::joints
  bool mimic = false;
};

/// A link or a named frame: where it sits on which body.
struct FrameInfo {
  std::string name;
  int body = 0;
  SE3<double> offset;  ///< pose in the body's internal frame
  int link = 0;        ///< the link it belongs to, in RobotDescription::links
};

/// Per velocity coordinate; infinite where there is no limit. A mimic joint's limits of position
/// and velocity bound its leader.
struct Limits {
  std::vector<double> lower, upper, velocity, effort;
};

class Robot {
 public:
  /// Checks and compiles. Throws InputError that names the links, joints and frames at fault.
  /// Inertias may be any finite ones: `check` tells which of them no rigid body has. A mimic of a
  /// mimic becomes one of the joint that both follow.
  explicit Robot(RobotDescription description);
  Robot(const Robot&) = default;
  Robot& operator=(const Robot&) = default;
  /// Moves share, as copies do: a robot that was moved from is still itself.
  Robot(Robot&& other) noexcept { data_ = other.data_; }
  Robot& operator=(Robot&& other) noexcept {
    data_ = other.data_;
    return *this;
  }
  ~Robot() = default;

  const std::string& name() const;
  int nq() const;
  int nv() const;
  int bodies() const;   ///< moving bodies and the ground
  double mass() const;  ///< of all moving bodies

  std::span<const JointInfo> joints() const;
  std::span<const FrameInfo> frames() const;  ///< the links in the order of the file, then frames
  /// The loops of the description. Coordinates and dynamics are those of the tree that is left
  /// when all of them are cut open; ConstrainedDynamics closes them.
  std::span<const LoopDescription> loops() const;
  /// The springs and dampers between links; they act wherever passive forces do.
  std::span<const BushingDescription> bushings() const;
  /// Which velocity coordinates motors drive: those of the joints that the description calls
  /// actuated; where it calls none so, all but those it says are not. A free joint has no motor.
  std::span<const bool> actuated() const;
  /// The configuration in which the description says that its loops are closed; neutral where it
  /// says nothing.
  std::vector<double> closed() const;
  /// InputError where the robot has no frame of this number.
  const FrameInfo& frame_info(FrameId id) const;

  /// By name; InputError lists the nearest names when there is none.
  FrameId frame(std::string_view name) const;
  const JointInfo& joint(std::string_view name) const;

  const Limits& limits() const;
  const PassiveData& passive() const;
  bool has_mimic() const;
  bool has_passive() const;  ///< damping, friction, springs or bushings anywhere
  bool has_springs() const;
  const RobotDescription& description() const;
  /// Physical consistency: the links whose inertias no rigid body has (FindingKind::inertia, all of
  /// them in `places`), or nothing. Forward dynamics may fail with such a link.
  std::vector<Finding> check() const;
  Vec3<double> gravity() const;

  /// The views that algorithms run on, and the tree alone; valid as long as any copy of this robot
  /// lives.
  const System<double>& system() const;
  const Model<double>& model() const;

  /// The zero configuration: zero angles and displacements, unit quaternions.
  std::vector<double> neutral() const;
  /// Uniform in the limits (angles without limits in [-pi, pi], positions in [-1, 1], rotations
  /// uniform); the same seed gives the same configuration everywhere.
  std::vector<double> random(std::uint64_t seed) const;
  void random(std::uint64_t seed, std::span<double> q) const;
  /// Quaternions brought to unit length. InputError where one is zero.
  void normalize(std::span<double> q) const;
  /// q moved along the tangent vector dv for unit time: q exp(dv), joint by joint. The angle of a
  /// planar joint grows by what dv says: it may leave [-pi, pi].
  void integrate(std::span<const double> q, std::span<const double> dv,
                 std::span<double> out) const;
  /// The tangent vector dv for which integrate(q0, dv) has the poses of q1. On planar, spherical
  /// and free joints it is the shortest: its angle is at most pi, so the angle of a planar joint
  /// may come back full turns away from that of q1.
  void difference(std::span<const double> q0, std::span<const double> q1,
                  std::span<double> dv) const;

  /// Refuses wrong sizes, NaN, infinity and quaternions off unit length by more than 1e-6.
  void check_q(std::string_view caller, std::string_view argument, std::span<const double> q) const;
  void check_v(std::string_view caller, std::string_view argument, std::span<const double> v) const;

  struct Data;

 private:
  std::shared_ptr<const Data> data_;
};

/// Reads and compiles: a file, or "builtin:NAME". Warnings and notes go without a word: read_robot
/// (io.hpp) lists them, load(path_or_name, {.strict = true}) refuses them.
Robot load(const std::string& path_or_name);

}  // namespace jounce

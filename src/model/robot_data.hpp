// SPDX-License-Identifier: BSD-3-Clause
// What a Robot owns.
#pragma once

#include <cmath>
#include <jounce/model/manifold.hpp>
#include <jounce/model/robot.hpp>
#include <jounce/model/system_storage.hpp>
#include <unordered_map>

namespace jounce {

/// Coordinates that have length 1 together.
struct UnitPlace {
  int q = 0, count = 0;  ///< the first, and how many
  int joint = 0;         ///< in Robot::joints()
};

struct Robot::Data {
  static const Data& of(const Robot& robot) { return *robot.data_; }

  RobotDescription description;
  int nq = 0, nv = 0;
  double mass = 0;
  std::vector<JointInfo> joints;
  std::vector<FrameInfo> frames;
  Limits limits;
  std::unique_ptr<bool[]> actuated;  ///< [nv]
  PassiveData passive;
  std::vector<UnitPlace> unit_places;
  std::unordered_map<std::string_view, size_t> joint_index, frame_index;  ///< places by name

  // Storage behind the views.
  CouplingStorage<double> coupling;
  std::vector<Factor> factor, spring;
  std::vector<FrameSeat<double>> seat;
  std::vector<int> parent, anchor, part_at, v_at, q_at, angle_q;
  std::vector<JointKind> kind;
  std::unique_ptr<bool[]> branching;
  std::vector<Part<double>> part;
  std::vector<const CustomJoint*> custom;
  std::vector<Inertia<double>> G;
  std::vector<double> tree_armature;  ///< per tree velocity
  std::vector<Bushing<double>> bushing;
  std::vector<int> bushing_way, bushing_body, bushing_velocity;  ///< of all bushings
  System<double> system;
};

/// Such coordinates in messages: "the quaternion of joint ... has length 2".
inline const char* unit_name(int count) { return count == 4 ? "quaternion" : "pair (cos, sin)"; }

/// Fills the compiled form of a checked description.
void compile(const std::vector<int>& order, Robot::Data& data);

/// Chooses the bodies whose origins serve others, and the model's centre, of a model that is else
/// compiled.
void find_anchors(Robot::Data& data);

/// Parts, one after the other, that move as a joint does; what is constant behind them is in rest.
struct PartList {
  std::vector<Part<double>> parts;
  SE3<double> rest;  ///< constant pose not yet given to a part

  void add(const JointGeometry& joint);
};

/// Writes the kind of every body's joint: that of its one part, or composite.
void list_kinds(Robot::Data& data);

/// A joint that holds; one about or along an axis through its placement's origin.
JointGeometry fixed_joint(const SE3<double>& placement);
JointGeometry revolute_joint(const Vec3<double>& axis);
JointGeometry prismatic_joint(const Vec3<double>& axis);
JointGeometry helical_joint(const Vec3<double>& axis, double pitch);

/// Whether any joint of a robot is said to have a motor, and then whether this one has one: see
/// Robot::actuated.
bool names_motors(const RobotDescription& robot);
bool has_motor(const JointDescription& joint, bool motors_named);

/// Coordinates and velocities of a joint.
int joint_nq(const JointGeometry& joint);
int joint_nv(const JointGeometry& joint);

/// How many axes a kind of joint is described by.
size_t axes_needed(JointKind kind);

/// A finite sum has finite terms: one pass without branches, in four sums, because one would wait
/// for its own last addition. Only a sum that is not finite takes a second look.
bool all_finite(std::span<const double> x);

/// Robot::difference without its checks.
void tangent_difference(const Robot& robot, const double* q0, const double* q1, double* dv);

/// Refuses wrong sizes, NaN and infinity; builds its message only then: good calls allocate
/// nothing.
void check_vector(std::string_view caller, std::string_view argument, std::span<const double> x,
                  int needed, const std::string& robot);

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

/// `"elbow", "elbow_2"`: the names nearest to a misspelt one, at most `count` of them.
std::string nearest_names(std::string_view wanted, const std::vector<std::string>& names,
                          size_t count = 3);

}  // namespace jounce

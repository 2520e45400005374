// SPDX-License-Identifier: BSD-3-Clause
// What acts in joints and what bounds them, as numbers. The laws are in equations/passive.hpp.
#pragma once

#include <iterator>
#include <vector>

namespace jounce {

/// Coulomb friction -f tanh(v / slip_speed) takes its sign within about this speed, rad/s or m/s.
inline constexpr double slip_speed = 0.01;

/// What acts in a joint and what bounds it: one number per velocity coordinate, or none at all.
struct JointProperties {
  std::vector<double> lower, upper;  ///< position limits, where q and v have the same size
  std::vector<double> velocity_limit, effort_limit;
  std::vector<double> armature;   ///< rotor inertia seen at the joint
  std::vector<double> damping;    ///< viscous: -d v
  std::vector<double> friction;   ///< Coulomb: -f tanh(v / slip_speed)
  std::vector<double> drag;       ///< quadratic: -c v |v|
  std::vector<double> stiffness;  ///< spring: -k (q - rest)
  std::vector<double> rest;       ///< spring's zero, nq numbers; neutral when absent
};

/// What acts in all joints of a robot, per velocity coordinate; zero where there is none. Those of
/// mimic joints act on their leaders and are in the leaders' numbers.
struct PassiveData {
  std::vector<double> armature, damping, friction, drag, stiffness;
  std::vector<double> rest;  ///< per position coordinate
};

/// What resists the velocity of a coordinate, whatever its position.
enum class Resistance : unsigned char { damping, friction, drag };

struct ResistanceInfo {
  Resistance law;
  const char* name;  ///< in robot files and in messages
  std::vector<double> JointProperties::*of_joint;
  std::vector<double> PassiveData::*of_robot;
  int power;  ///< of the speed that it grows with
};
/// All of them, in the order of the enumerators.
inline constexpr ResistanceInfo resistances[] = {
    {Resistance::damping, "damping", &JointProperties::damping, &PassiveData::damping, 1},
    {Resistance::friction, "friction", &JointProperties::friction, &PassiveData::friction, 0},
    {Resistance::drag, "drag", &JointProperties::drag, &PassiveData::drag, 2},
};

}  // namespace jounce

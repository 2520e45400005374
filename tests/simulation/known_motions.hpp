// SPDX-License-Identifier: BSD-3-Clause
// Robots in motion whose trajectories are known: starts, and states later.
//
// Computed in 113-bit numbers by Gragg's extrapolated midpoint rule, two step sizes apart by less
// than 1e-23; no actuators, no passive forces. Those of the pendulum were checked in 40 digits
// against its closed equations.
#pragma once

#include <jounce/io.hpp>
#include <jounce/model/robot.hpp>

namespace jounce::test {

struct KnownMotion {
  Robot robot;
  std::vector<double> q0, v0;
  double t;
  std::vector<double> q, v;  ///< at t
};

/// Two bars: mass 1, length 1, centre of mass at 1/2, inertia 1/16 about it, g = 157/16.
inline Robot double_pendulum() {
  RobotDescription d;
  d.name = "double_pendulum";
  d.gravity = {0, 0, -9.8125};
  for (int i = 0; i < 2; ++i) {
    LinkDescription link;
    link.name = "bar" + std::to_string(i + 1);
    link.mass = 1;
    link.com = {0, 0, -0.5};
    link.I_com = {0.0625, 0, 0.0625, 0, 0, 0.0625};
    d.links.push_back(link);
    JointDescription joint;
    joint.name = "hinge" + std::to_string(i + 1);
    joint.parent = i == 0 ? "" : "bar1";
    joint.child = link.name;
    joint.geometry.kind = JointKind::revolute;
    joint.geometry.axes = {{0, -1, 0}};
    if (i > 0) joint.geometry.placement.p = {0, 0, -1};
    d.joints.push_back(joint);
  }
  return Robot(d);
}

/// A body of mass 1 without gravity, inertia diag(1, 2, 3).
inline Robot free_body() {
  RobotDescription d;
  d.name = "free_body";
  d.gravity = {0, 0, 0};
  LinkDescription link;
  link.name = "body";
  link.mass = 1;
  link.I_com = {1, 0, 2, 0, 0, 3};
  d.links.push_back(link);
  JointDescription joint;
  joint.name = "free";
  joint.child = "body";
  joint.geometry.kind = JointKind::free;
  d.joints.push_back(joint);
  return Robot(d);
}

inline KnownMotion known_pendulum() {
  return {double_pendulum(),
          {1.5, 2.0},
          {0.0, 0.0},
          1.0,
          {-0.8058945867114308, -1.6746656212432869},
          {-3.8575032207425313, 4.265359965056924}};
}
/// The same, earlier.
inline KnownMotion known_pendulum_at_half() {
  return {double_pendulum(),
          {1.5, 2.0},
          {0.0, 0.0},
          0.5,
          {0.148395412272304, 1.7088882036110138},
          {-2.793081025962875, -6.461862867430214}};
}
/// The same, later.
inline KnownMotion known_pendulum_at_5() {
  return {double_pendulum(),
          {1.5, 2.0},
          {0.0, 0.0},
          5.0,
          {0.41387668234797853, 9.125202956178947},
          {-3.0568122484460205, 6.1545288620719525}};
}
/// About its middle axis.
inline KnownMotion known_body() {
  return {free_body(),
          {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0},
          {0.015625, 3.0, 0.015625, 0.125, 0.25, 0.5},
          2.0,
          {0.25, 0.5, 1.0, 0.020372955657964015, 0.14086811498292293, 0.020583114101361537,
           -0.9896046949528923},
          {-0.18189090258059376, 2.9945216379554545, 0.10578686385303715, 0.2510065909802711,
           0.23812873251348005, 0.4565253531141357}};
}
inline KnownMotion known_arm() {
  return {load("builtin:arm7"),
          {0.25, 1.5, -0.25, 0.5, 0.25, -0.5, 0.25},
          {0.5, 0.0, 0.25, 0.0, -0.25, 0.0, 0.5},
          0.5,
          {2.2911105467797332, 3.071917518168544, 2.0072107758766555, 1.0818206970567155,
           -0.5519345207865645, 0.11620032882712626, 0.9343387147405227},
          {30.12285221406212, 0.5437165429354197, 31.71960429929337, 9.354990947868133,
           -6.137768715902536, -12.413151331973955, 5.432038205003469}};
}
/// Tumbling in free fall.
inline KnownMotion known_quadruped() {
  return {load("builtin:quadruped"),
          {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.125, 0.75, -1.25, 0.125, 0.75, -1.25, 0.125, 0.75,
           -1.25, 0.125, 0.75, -1.25},
          {3.0, 1.0, -2.0, 0.5, 0.0, 1.0, -1.375, 1.25, -1.125, 1.5, -1.5, 1.125, -1.25, 1.375,
           -1.0, 1.0, -1.375, 1.25},
          0.5,
          {0.22268626153182594, 0.038067973884129046, -0.7630167833641534, 0.649330417842954,
           -0.19341009426901923, -0.5150171093755637, 0.5250903931221582, -0.08993189961394386,
           0.6294474582730655, 1.0553815927877201, -0.22321926242347698, 0.0031416093898688885,
           1.8941100879864048, -0.4092021204626707, 1.3923091139689256, 1.181843892060926,
           -0.9181257523577854, 0.782164185750321, 1.0513841127852641},
          {2.4838321587171457, -2.31757552470726, -1.2629691802461362, 1.8871435780469061,
           -3.4653216259413093, -0.8114713634662617, 3.3006964575121476, -2.7582746723514036,
           6.905179198064375, 0.41774735272638974, 0.9084600000441213, 2.9934140544794228,
           0.37464860426557833, 2.093286174950868, 5.526214497118878, -3.3123496806849517,
           2.6168217376512204, -0.3731169494118383}};
}

/// The same, earlier.
inline KnownMotion known_quadruped_at_quarter() {
  KnownMotion known = known_quadruped();
  known.t = 0.25;
  known.q = {
      0.11558945727675432,  0.00529471147811537,  -0.06828904156174283,  0.4129882771141343,
      0.010704347495184246, -0.27483443350326464, 0.868212032899764,     -0.22715450738958487,
      0.9888250866357883,   -0.9159467325190351,  -0.010381636153201345, 0.118437595523325,
      0.4763889040880162,   -0.3163937734513248,  1.1906346565296368,    -0.745891341769914,
      -0.1254577450215135,  0.41731195442683394,  0.15726849337253548};
  known.v = {4.022757096973506,   -0.8340611602103624, -2.1258234444747672, 0.7126682576793316,
             -0.8497705603117708, -1.151232325317973,  -1.2539597151769726, 0.18648920449275894,
             4.551146879055902,   -1.6867682570792644, -2.488640802526571,  9.331567251689835,
             -2.307351974231584,  1.2920515028459982,  6.038360993384263,   -2.7125792961012603,
             -0.6969851247888501, 7.547056580337151};
  return known;
}

/// The largest of what q and v are off, along the tangent.
inline double distance(const Robot& robot, std::span<const double> q, std::span<const double> v,
                       const KnownMotion& known) {
  std::vector<double> dq(known.v.size());
  robot.difference(known.q, q, dq);
  double worst = 0;
  for (size_t k = 0; k < dq.size(); ++k)
    worst = std::max({worst, std::abs(dq[k]), std::abs(v[k] - known.v[k])});
  return worst;
}

}  // namespace jounce::test

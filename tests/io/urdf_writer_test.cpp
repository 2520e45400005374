// SPDX-License-Identifier: BSD-3-Clause
// The URDF writer: what it writes reads back to 1e-14, and what URDF cannot say is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/error.hpp>
#include <jounce/io.hpp>
#include <jounce/model/robot.hpp>
#include <limits>

#include "io/same_robot.hpp"
#include "io/skipped.hpp"
#include "support/near.hpp"
#include "support/random.hpp"
#include "support/worse.hpp"

namespace jounce {
namespace {

using test::near;

RobotDescription two_links(JointKind kind) {
  RobotDescription robot;
  robot.name = "r";
  robot.links.resize(2);
  robot.links[0].name = "a";
  robot.links[1].name = "b";
  JointDescription joint;
  joint.name = "j";
  joint.parent = "a";
  joint.child = "b";
  joint.geometry.kind = kind;
  if (kind == JointKind::revolute || kind == JointKind::prismatic || kind == JointKind::planar)
    joint.geometry.axes = {{0, 0.6, 0.8}};
  robot.joints = {joint};
  return robot;
}

std::string refusal(const RobotDescription& robot) {
  try {
    write_urdf(robot);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

RobotDescription round_trip(const RobotDescription& robot) {
  const Loaded loaded = read_urdf(write_urdf(robot), "written");
  EXPECT_EQ(test::skipped(loaded).size(), 0u);
  return loaded.robot;
}

TEST(UrdfWriter, KindsThatUrdfHas) {
  for (const JointKind kind : {JointKind::fixed, JointKind::revolute, JointKind::prismatic,
                               JointKind::planar, JointKind::free}) {
    const RobotDescription robot = two_links(kind);
    EXPECT_EQ(test::difference(robot, round_trip(robot)), "") << name(kind);
  }
}

TEST(UrdfWriter, EverythingUrdfCanSay) {
  test::Random random(1);
  RobotDescription robot = two_links(JointKind::revolute);
  robot.name = "a \"quoted\" <&> name";
  JointDescription& joint = robot.joints[0];
  joint.geometry.placement = random.pose();
  joint.properties = {{-1.25}, {0.1}, {3}, {1e-3}, {}, {0.5}, {0.25}, {}, {}};
  joint.mimic = Mimic{"k", -0.5, 0.125};
  robot.links.push_back({"c"});
  robot.joints.push_back(joint);
  robot.joints[1].name = "k";
  robot.joints[1].parent = "b";
  robot.joints[1].child = "c";
  robot.joints[1].mimic.reset();
  LinkDescription& link = robot.links[1];
  link.mass = 2.5;
  link.com = {0.1, -0.2, 0.3};
  link.I_com = {1, 0.01, 2, -0.02, 0.03, 2.5};
  link.visual = {{"box", random.pose(), Box{{1, 2, 3}}, std::vector<double>{0.1, 0.2, 0.3, 1}},
                 {"", {}, Sphere{0.3}, std::nullopt},
                 {"", {}, Mesh{"package://p/m&n.stl", {1, 1, -1}}, std::nullopt}};
  link.collision = {{"", random.pose(), Cylinder{0.1, 0.2}, std::nullopt},
                    {"", {}, Capsule{0.1, 0.2}, std::nullopt}};
  EXPECT_EQ(test::difference(robot, round_trip(robot), 1e-14), "");
}

TEST(UrdfWriter, LoopsAndMotors) {
  test::Random random(5);
  RobotDescription robot = two_links(JointKind::revolute);
  robot.links.push_back({"c"});
  robot.joints.push_back(robot.joints[0]);
  robot.joints.push_back(robot.joints[0]);
  robot.links.push_back({"d"});
  for (size_t k = 1; k < 3; ++k) {
    robot.joints[k].name = "j" + std::to_string(k);
    robot.joints[k].child = robot.links[k + 1].name;
  }
  robot.joints[0].actuated = true;
  robot.joints[1].actuated = false;
  for (int k = 0; k < int(LoopKind::gear); ++k) {
    LoopDescription loop{"<" + std::to_string(k) + ">", "b", k % 2 == 0 ? "c" : "d"};
    loop.kind = LoopKind(k);
    loop.placement_1 = random.pose();
    if (k % 3 == 0) loop.placement_2 = random.pose();
    if (loop.kind == LoopKind::distance) loop.length = 0.1;
    if (loop.kind == LoopKind::rolling) loop.radius = 0.3;
    robot.loops.push_back(loop);
  }
  LoopDescription gear;
  gear.name = "gear", gear.kind = LoopKind::gear, gear.offset = 0.7;
  gear.joints = {{"j1", -1.5}, {"j2", 1}};
  robot.loops.push_back(gear);
  const RobotDescription back = round_trip(robot);
  EXPECT_EQ(test::difference(robot, back, 1e-14), "");
  EXPECT_EQ(back.loops[size_t(LoopKind::distance)].length, 0.1);
  EXPECT_EQ(back.loops[size_t(LoopKind::rolling)].radius, 0.3);
  EXPECT_EQ(back.joints[0].actuated, std::optional(true));
  EXPECT_EQ(back.joints[1].actuated, std::optional(false));
  EXPECT_EQ(back.joints[2].actuated, std::nullopt);
}

/// Pitch at +-90 degrees and ever closer to it, where yaw and roll turn about one axis.
TEST(UrdfWriter, RotationsReadBackAtAndNearPitchOf90Degrees) {
  double worst = 0;
  test::Random random(2);
  for (int k = 0; k < 4000; ++k) {
    const double sign = random.sign(), off = k % 8 == 0 ? 0 : random.log_uniform(1e-17, 1);
    const SO3<double> R = exp(Vec3<double>{0, 0, random.uniform(-4, 4)}) *
                          exp(Vec3<double>{0, sign * (test::pi / 2 - off), 0}) *
                          exp(Vec3<double>{random.uniform(-4, 4), 0, 0});
    RobotDescription robot = two_links(JointKind::fixed);
    robot.joints[0].geometry.placement = {R, {}};
    const SO3<double> S = round_trip(robot).joints[0].geometry.placement.R;
    for (int i = 0; i < 3; ++i) {
      const Vec3<double> d = R.m.row[i] - S.m.row[i];
      for (const double x : {d.x, d.y, d.z}) worst = test::worse(worst, std::abs(x));
    }
  }
  EXPECT_LT(worst, 2e-15);  // ten roundings of numbers below 1
}

TEST(UrdfWriter, RandomRotationsReadBack) {
  test::Random random(3);
  for (int k = 0; k < 2000; ++k) {
    RobotDescription robot = two_links(JointKind::fixed);
    robot.joints[0].geometry.placement = random.pose();
    EXPECT_EQ(test::difference(robot, round_trip(robot), 1e-14), "") << "case " << k;
  }
}

TEST(UrdfWriter, PlacementBehindAFixedJointIsMerged) {
  test::Random random(4);
  RobotDescription robot = two_links(JointKind::fixed);
  robot.joints[0].geometry.placement = random.pose();
  robot.joints[0].child_placement = random.pose();
  const SE3<double> whole = robot.joints[0].geometry.placement * robot.joints[0].child_placement;
  EXPECT_TRUE(near(round_trip(robot).joints[0].geometry.placement, whole, 1e-14));
}

TEST(UrdfWriter, InfiniteLimitsAreNoLimits) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  RobotDescription robot = two_links(JointKind::revolute);
  robot.joints[0].properties.lower = {-infinity};
  robot.joints[0].properties.upper = {infinity};
  robot.joints[0].properties.effort_limit = {infinity};
  EXPECT_EQ(test::difference(two_links(JointKind::revolute), round_trip(robot)), "");
  robot.joints[0].properties.upper = {1};
  EXPECT_EQ(refusal(robot), "joint \"j\": URDF has no joint with one position limit only");
  robot.joints[0].properties.lower = {};
  const double q = Robot(read_urdf(write_urdf(robot, true), "urdf").robot).random(1)[0];
  EXPECT_LE(q, 1);
  EXPECT_GE(q, -M_PI);                         // as without the limit that URDF had to be given
  robot.joints[0].properties.lower = {1e308};  // the open side: the largest number there is
  robot.joints[0].properties.upper = {};
  EXPECT_EQ(read_urdf(write_urdf(robot, true), "urdf").robot.joints[0].properties.lower[0], 1e308);
}

TEST(UrdfWriter, NamesWhatUrdfCannotSay) {
  const auto with = [](auto change) {
    RobotDescription robot = two_links(JointKind::revolute);
    change(robot, robot.joints[0]);
    return robot;
  };
  using R = RobotDescription&;
  using J = JointDescription&;
  const std::vector<std::pair<RobotDescription, std::string>> cases = {
      {two_links(JointKind::helical), "joint \"j\": URDF has no joint of kind helical"},
      {two_links(JointKind::cylindrical), "joint \"j\": URDF has no joint of kind cylindrical"},
      {two_links(JointKind::universal), "joint \"j\": URDF has no joint of kind universal"},
      {two_links(JointKind::translational), "joint \"j\": URDF has no joint of kind translational"},
      {two_links(JointKind::spherical), "joint \"j\": URDF has no joint of kind spherical"},
      {two_links(JointKind::euler_ball), "joint \"j\": URDF has no joint of kind euler_ball"},
      {two_links(JointKind::composite), "joint \"j\": URDF has no joint of kind composite"},
      {two_links(JointKind::custom), "joint \"j\": URDF has no joint of kind custom"},
      {with([](R, J j) { j.parent = ""; }), "joint \"j\": URDF has no joint to the world"},
      {with([](R, J j) { j.child_placement.p.x = 1; }), "joint \"j\": URDF has no child placement"},
      {with([](R, J j) { j.properties.armature = {1}; }), "joint \"j\": URDF has no armature"},
      {with([](R, J j) { j.properties.stiffness = {1}; }), "joint \"j\": URDF has no spring"},
      {with([](R r, J) {
         r.gravity = {0, 0, -1.62};
       }),
       "robot \"r\": URDF has no gravity (0,0,-1.62)"},
      {with([](R r, J) {
         r.frames = {{"f", "a", {}}};
       }),
       "frame \"f\": URDF has no frames"},
      {with([](R r, J) {
         r.loops = {{"l", "", "b", {}, {}}};
       }),
       "loop \"l\": URDF has no loop to the world"},
      {with([](R r, J) {
         r.loops = {{"l", "a", "", {}, {}}};
       }),
       "loop \"l\": URDF has no loop to the world"},
      {with([](R, J j) { j.closed = {0.5}; }), "joint \"j\": URDF has no closed position"},
      {with([](R, J j) {
         j.geometry.kind = JointKind::free;
         j.properties.damping = {1, 1, 1, 1, 1, 1};
       }),
       "joint \"j\": URDF has no limits, damping, friction or mimic of kind free"},
  };
  for (const auto& [robot, message] : cases) {
    EXPECT_EQ(refusal(robot), message);
    EXPECT_NO_THROW(read_urdf(write_urdf(robot, true), "lossy", {.fragment = true})) << message;
  }
}

TEST(UrdfWriter, RefusesWhatNoReaderCouldRead) {
  RobotDescription robot = two_links(JointKind::fixed);
  robot.links[0].mass = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(robot), "link \"a\": value is not a finite number");
  robot = two_links(JointKind::fixed);
  robot.links[0].name = "a\nb";
  EXPECT_EQ(refusal(robot), "link \"a?b\": name \"a?b\" has a control character");
}

}  // namespace
}  // namespace jounce

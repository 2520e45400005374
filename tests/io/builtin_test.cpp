// SPDX-License-Identifier: BSD-3-Clause
// The bundled robots load without a file, have what their page says, and survive round trips.
#include <gtest/gtest.h>

#include <jounce/error.hpp>
#include <jounce/io.hpp>
#include <jounce/model/robot.hpp>
#include <map>

#include "io/same_robot.hpp"
#include "support/near.hpp"

namespace jounce {
namespace {

RobotDescription builtin(const std::string& name) { return read_robot("builtin:" + name).robot; }

TEST(Builtin, NamesInTheOrderOfTheManual) {
  std::string names;
  for (const std::string_view name : builtin_robots()) names += std::string(name) + " ";
  EXPECT_EQ(names,
            "planar_2r puma560 arm7 quadruped humanoid aerial_manipulator four_bar five_bar "
            "stewart ");
}

struct Counts {
  std::size_t links, joints, moving, loops;
};

TEST(Builtin, CountsAndNothingIgnored) {
  const std::map<std::string_view, Counts> expected = {
      {"planar_2r", {3, 2, 2, 0}},   {"puma560", {7, 6, 6, 0}},
      {"arm7", {9, 8, 7, 0}},        {"quadruped", {17, 17, 13, 0}},
      {"humanoid", {33, 33, 33, 0}}, {"aerial_manipulator", {7, 7, 7, 0}},
      {"four_bar", {4, 3, 3, 1}},    {"five_bar", {5, 4, 4, 1}},
      {"stewart", {14, 13, 13, 5}}};
  for (const std::string_view name : builtin_robots()) {
    const Loaded loaded = read_robot("builtin:" + std::string(name));
    EXPECT_TRUE(loaded.findings.empty()) << name;
    EXPECT_EQ(loaded.robot.name, name);
    const Counts counts = expected.at(name);
    EXPECT_EQ(loaded.robot.links.size(), counts.links) << name;
    EXPECT_EQ(loaded.robot.joints.size(), counts.joints) << name;
    EXPECT_EQ(loaded.robot.loops.size(), counts.loops) << name;
    std::size_t moving = 0;
    for (const JointDescription& joint : loaded.robot.joints)
      moving += joint.geometry.kind == JointKind::fixed ? 0 : 1;
    EXPECT_EQ(moving, counts.moving) << name;
  }
}

TEST(Builtin, ReadsBackFromJsonToTheSameBits) {
  for (const std::string_view name : builtin_robots()) {
    const RobotDescription robot = builtin(std::string(name));
    EXPECT_EQ(test::difference(robot, read_json(write_json(robot), "json").robot), "") << name;
  }
}

TEST(Builtin, ReadsBackFromUrdf) {
  for (const char* name : {"planar_2r", "arm7"}) {
    const RobotDescription robot = builtin(name);
    EXPECT_EQ(test::difference(robot, read_urdf(write_urdf(robot), "urdf").robot, 1e-14), "")
        << name;
  }
}

TEST(Builtin, FreeBaseComesFirst) {
  for (const char* name : {"quadruped", "humanoid", "aerial_manipulator"}) {
    const RobotDescription robot = builtin(name);
    const JointDescription& base = robot.joints.at(0);
    EXPECT_EQ(base.name, "base");
    EXPECT_EQ(base.parent, "");
    EXPECT_EQ(base.child, robot.links.at(0).name);
    EXPECT_EQ(base.geometry.kind, JointKind::free);
    for (std::size_t k = 1; k < robot.joints.size(); ++k)
      EXPECT_NE(robot.joints[k].child, base.child);
  }
}

TEST(Builtin, MotorsOfThePumaReplaceItsDamping) {
  const RobotDescription robot = builtin("puma560");
  const JointProperties& p = robot.joints.at(1).properties;
  EXPECT_EQ(p.armature, std::vector<double>{4.71});
  EXPECT_EQ(p.damping, std::vector<double>{9.496868641825});
  EXPECT_EQ(p.friction, std::vector<double>{10.6197775});
}

TEST(Builtin, LoopsOfTheLinkages) {
  const LoopDescription four = builtin("four_bar").loops.at(0);
  EXPECT_EQ(four.link_1, "coupler");
  EXPECT_EQ(four.link_2, "rocker");
  EXPECT_EQ(four.kind, LoopKind::revolute);
  EXPECT_EQ(four.placement_1.p.x, 0.3);
  const Vec3<double> pin = four.placement_1.R * Vec3<double>{0, 0, 1};
  EXPECT_TRUE(test::near(pin, Vec3<double>{0, -1, 0}, 1e-15));
  EXPECT_EQ(builtin("five_bar").loops.at(0).link_2, "right_distal");
  const Robot stewart = load("builtin:stewart");
  EXPECT_EQ(stewart.loops().size(), 5u);
  EXPECT_EQ(stewart.loops()[0].name, "spherical_2");
  EXPECT_TRUE(load("builtin:arm7").loops().empty());
}

/// Motors stand where the loops leave as many degrees of freedom.
TEST(Builtin, MotorsAndClosedPositionsOfTheLinkages) {
  using Names = std::vector<std::string>;
  const auto motors = [](const Robot& robot) {
    Names names;
    for (const JointInfo& joint : robot.joints())
      if (robot.actuated()[size_t(joint.v)]) names.push_back(joint.name);
    return names;
  };
  EXPECT_EQ(motors(load("builtin:four_bar")), Names{"crank_joint"});
  EXPECT_EQ(motors(load("builtin:five_bar")),
            (Names{"left_proximal_joint", "right_proximal_joint"}));
  EXPECT_EQ(motors(load("builtin:stewart")),
            (Names{"leg_1", "leg_2", "leg_3", "leg_4", "leg_5", "leg_6"}));
  const Robot four = load("builtin:four_bar");
  EXPECT_EQ(four.closed()[size_t(four.joint("crank_joint").q)], M_PI / 2);
  EXPECT_EQ(four.description().joints.at(0).closed, std::vector<double>{M_PI / 2});
  EXPECT_EQ(load("builtin:arm7").closed(), load("builtin:arm7").neutral());
  EXPECT_EQ(motors(load("builtin:arm7")).size(), 7u);
  const Robot quadruped = load("builtin:quadruped");
  EXPECT_EQ(motors(quadruped).size() + 1, quadruped.joints().size()) << "its base has none";
}

/// At zero the platform is level, 0.5 m up, and every cut meets, with equal axes.
TEST(Builtin, StewartIsAtHomeAndClosedAtZero) {
  const RobotDescription robot = builtin("stewart");
  std::map<std::string, SE3<double>> pose = {{"base", {}}};
  for (const JointDescription& joint : robot.joints)
    pose[joint.child] = pose.at(joint.parent) * joint.geometry.placement * joint.child_placement;
  EXPECT_TRUE(test::near(pose.at("platform"), SE3<double>{{}, {0, 0, 0.5}}, 1e-14));
  for (const LoopDescription& loop : robot.loops) {
    EXPECT_EQ(loop.kind, LoopKind::spherical);
    EXPECT_TRUE(test::near(pose.at(loop.link_1) * loop.placement_1,
                           pose.at(loop.link_2) * loop.placement_2, 1e-14));
  }
  EXPECT_EQ(robot.joints[0].geometry.placement.p.x, 0.289778);
  EXPECT_EQ(robot.joints[0].geometry.kind, JointKind::universal);
}

TEST(Builtin, UnknownNamesListTheNearest) {
  const auto refusal = [](const std::string& name) {
    try {
      read_robot(name);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal("builtin:puma56"),
            "builtin:puma56: there is no bundled robot \"puma56\"; nearest: \"puma560\"; "
            "there are planar_2r, puma560, arm7, quadruped, humanoid, aerial_manipulator, "
            "four_bar, five_bar, stewart");
  EXPECT_EQ(refusal("puma560"),
            "puma560: cannot be read: No such file or directory; the bundled robot is "
            "builtin:puma560");
}

}  // namespace
}  // namespace jounce

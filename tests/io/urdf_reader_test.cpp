// SPDX-License-Identifier: BSD-3-Clause
// The URDF reader: every element, its defaults, what it ignores and reports, and foreign files.
#include <gtest/gtest.h>

#include <clocale>
#include <filesystem>
#include <jounce/error.hpp>
#include <jounce/io.hpp>

#include "io/same_robot.hpp"
#include "io/skipped.hpp"
#include "support/near.hpp"

namespace jounce {
namespace {

using test::near;

std::string in_robot(const std::string& body) {
  return "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n" + body + "\n</robot>\n";
}

JointDescription read_one_joint(const std::string& attributes, const std::string& body) {
  const std::string text = in_robot("<joint name=\"j\" " + attributes +
                                    "><parent link=\"a\"/><child link=\"b\"/>" + body + "</joint>");
  return read_urdf(text, "test").robot.joints.at(0);
}

TEST(UrdfReader, EveryTypeOfJoint) {
  const auto kind = [](const std::string& type) {
    return read_one_joint("type=\"" + type + "\"", "").geometry.kind;
  };
  EXPECT_EQ(kind("revolute"), JointKind::revolute);
  EXPECT_EQ(kind("continuous"), JointKind::revolute);
  EXPECT_EQ(kind("prismatic"), JointKind::prismatic);
  EXPECT_EQ(kind("fixed"), JointKind::fixed);
  EXPECT_EQ(kind("floating"), JointKind::free);
  EXPECT_EQ(kind("planar"), JointKind::planar);
}

TEST(UrdfReader, OriginTurnsByRollThenPitchThenYaw) {
  const JointDescription joint =
      read_one_joint("type='fixed'", "<origin rpy='0.1 -0.2 0.3' xyz='1 2 3'/>");
  const SO3<double> R =
      exp(Vec3<double>{0, 0, 0.3}) * exp(Vec3<double>{0, -0.2, 0}) * exp(Vec3<double>{0.1, 0, 0});
  EXPECT_TRUE(near(joint.geometry.placement, SE3<double>{R, {1, 2, 3}}, 1e-15));
}

TEST(UrdfReader, AxisIsXByDefaultAndBroughtToUnitLength) {
  const auto axis = [](const std::string& body) {
    return read_one_joint("type='revolute'", body).geometry.axes.at(0);
  };
  EXPECT_TRUE(near(axis(""), Vec3<double>{1, 0, 0}, 0));
  EXPECT_TRUE(near(axis("<axis xyz='0 3 4'/>"), Vec3<double>{0, 0.6, 0.8}, 1e-16));
  EXPECT_TRUE(near(axis("<axis xyz='0 0 -1.0005'/>"), Vec3<double>{0, 0, -1}, 0));
  EXPECT_TRUE(near(axis("<axis xyz='1e-200 0 0'/>"), Vec3<double>{1, 0, 0}, 0));
}

TEST(UrdfReader, LimitsAndDynamics) {
  const JointProperties p =
      read_one_joint("type='prismatic'",
                     "<limit lower='-1' upper='+2.5' effort='3' velocity='4e0'/>"
                     "<dynamics damping='0.5' friction='.25'/>")
          .properties;
  EXPECT_EQ(p.lower, std::vector<double>{-1});
  EXPECT_EQ(p.upper, std::vector<double>{2.5});
  EXPECT_EQ(p.effort_limit, std::vector<double>{3});
  EXPECT_EQ(p.velocity_limit, std::vector<double>{4});
  EXPECT_EQ(p.damping, std::vector<double>{0.5});
  EXPECT_EQ(p.friction, std::vector<double>{0.25});
  EXPECT_TRUE(p.armature.empty() && p.stiffness.empty() && p.rest.empty());
}

TEST(UrdfReader, PositionLimitsThatAreNotGiven) {
  const auto limits = [](const std::string& type, const std::string& limit) {
    return read_one_joint("type='" + type + "'", limit).properties;
  };
  EXPECT_TRUE(limits("revolute", "").lower.empty());
  EXPECT_TRUE(limits("revolute", "<limit effort='1' velocity='1'/>").upper.empty());
  EXPECT_EQ(limits("revolute", "<limit upper='1'/>").lower, std::vector<double>{0});
  EXPECT_EQ(limits("revolute", "<limit lower='-1'/>").upper, std::vector<double>{0});
  EXPECT_TRUE(limits("continuous", "<limit lower='0' upper='0'/>").lower.empty());
}

TEST(UrdfReader, MimicIsKeptOrDropped) {
  const std::string text = in_robot(
      "<link name='c'/>"
      "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
      "<mimic joint='k' multiplier='-2' offset='0.5'/></joint>"
      "<joint name='k' type='revolute'><parent link='b'/><child link='c'/></joint>");
  const auto joints = read_urdf(text, "test").robot.joints;
  ASSERT_TRUE(joints.at(0).mimic.has_value());
  EXPECT_EQ(joints[0].mimic->leader, "k");
  EXPECT_EQ(joints[0].mimic->multiplier, -2);
  EXPECT_EQ(joints[0].mimic->offset, 0.5);
  EXPECT_FALSE(joints[1].mimic.has_value());
  EXPECT_FALSE(read_urdf(text, "test", {.couple_mimic = false}).robot.joints[0].mimic.has_value());
}

TEST(UrdfReader, InertiaIsTurnedIntoTheAxesOfTheLink) {
  const Loaded loaded = read_urdf(
      "<robot name='r'><link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>"
      "<mass value='2'/><inertia ixx='1' iyy='2' izz='2.5' ixy='0.1' ixz='0.2' iyz='0.3'/>"
      "</inertial></link></robot>",
      "test");
  const LinkDescription& link = loaded.robot.links.at(0);
  EXPECT_EQ(link.mass, 2);
  EXPECT_TRUE(near(link.com, Vec3<double>{1, 2, 3}, 0));
  EXPECT_TRUE(near(link.I_com, Sym3<double>{2, -0.1, 1, -0.3, 0.2, 2.5}, 1e-15));
}

TEST(UrdfReader, LinkWithoutInertialHasNoMass) {
  const LinkDescription link =
      read_urdf(in_robot(""), "test", {.fragment = true}).robot.links.at(1);
  EXPECT_EQ(link.name, "b");
  EXPECT_EQ(link.mass, 0);
  EXPECT_TRUE(near(link.I_com, Sym3<double>{}, 0));
}

TEST(UrdfReader, ShapesAndColours) {
  const Loaded loaded = read_urdf(
      "<robot name='r'><material name='red'><color rgba='1 0 0 1'/></material><link name='a'>"
      "<visual name='v'><origin xyz='1 0 0'/><geometry><box size='1 2 3'/></geometry>"
      "<material name='red'/></visual>"
      "<visual><geometry><sphere radius='0.5'/></geometry>"
      "<material name='blue'><color rgba='0 0 1 0.5'/></material></visual>"
      "<visual><geometry><mesh filename='m.stl' scale='1 1 2'/></geometry>"
      "<material name='blue'/></visual>"
      "<collision><geometry><cylinder radius='1' length='2'/></geometry></collision>"
      "<collision><geometry><capsule radius='3' length='4'/></geometry></collision>"
      "</link></robot>",
      "test");
  EXPECT_TRUE(test::skipped(loaded).empty());
  const auto& [visual, collision] =
      std::tie(loaded.robot.links[0].visual, loaded.robot.links[0].collision);
  ASSERT_EQ(visual.size(), 3u);
  ASSERT_EQ(collision.size(), 2u);
  EXPECT_EQ(visual[0].name, "v");
  EXPECT_EQ(visual[0].placement.p.x, 1);
  EXPECT_EQ(std::get<Box>(visual[0].geometry).size.z, 3);
  EXPECT_EQ(visual[0].colour, (std::vector<double>{1, 0, 0, 1}));
  EXPECT_EQ(std::get<Sphere>(visual[1].geometry).radius, 0.5);
  EXPECT_EQ(visual[1].colour, (std::vector<double>{0, 0, 1, 0.5}));
  EXPECT_EQ(std::get<Mesh>(visual[2].geometry).file, "m.stl");
  EXPECT_EQ(std::get<Mesh>(visual[2].geometry).scale.z, 2);
  EXPECT_EQ(visual[2].colour, visual[1].colour);
  EXPECT_EQ(std::get<Cylinder>(collision[0].geometry).length, 2);
  EXPECT_EQ(std::get<Capsule>(collision[1].geometry).radius, 3);
}

TEST(UrdfReader, ReportsEverythingItIgnores) {
  const Loaded loaded = read_urdf(R"(<robot name="r" version="1.0">
  <gazebo reference="a"><deep><deeper/></deep></gazebo>
  <link name="a" type="laser">text
    <visual><geometry><box size="1 1 1" colour="red"/></geometry><material name="no"/></visual>
    <inertial><mass value="1" unit="kg"/><inertia ixx="1" iyy="1" izz="1"/><damping/></inertial>
    <sensor/>
  </link>
  <link name="b"/>
  <joint name="j" type="fixed">
    <parent link="a"/><child link="b"/><axis xyz="0 0 0"/><limit lower="9" upper="1"/>
    <origin xyz="0 0 0" quat="1 0 0 0"/>
    <calibration rising="0"/><safety_controller soft_lower="1"/>
  </joint>
  <transmission name="t"/>
</robot>)",
                                  "test");
  std::string report;
  for (const Remark& entry : test::skipped(loaded))
    report +=
        std::to_string(entry.line) + ":" + std::to_string(entry.column) + " " + entry.what + "\n";
  EXPECT_EQ(report,
            R"(1:17 attribute "version" of robot "r"
2:3 <gazebo> of robot "r"
3:18 attribute "type" of link "a"
3:31 text "text" in link "a"
4:41 attribute "colour" of <box> of link "a"
4:66 <material> of link "a"
5:31 attribute "unit" of <mass> of link "a"
5:76 <damping> of link "a"
6:5 <sensor> of link "a"
10:40 <axis> of joint "j"
10:59 <limit> of joint "j"
11:25 attribute "quat" of <origin> of joint "j"
12:5 <calibration> of joint "j"
12:30 <safety_controller> of joint "j"
14:3 <transmission> of robot "r"
)");
}

TEST(UrdfReader, KeepsTheOrderOfTheFile) {
  const Loaded loaded = read_urdf(
      "<robot name='r'>"
      "<joint name='z' type='fixed'><parent link='b'/><child link='c'/></joint>"
      "<joint name='a' type='fixed'><parent link='a'/><child link='b'/></joint>"
      "<link name='c'/><link name='a'/><link name='b'/></robot>",
      "test");
  EXPECT_EQ(loaded.robot.joints[0].name, "z");
  EXPECT_EQ(loaded.robot.joints[1].name, "a");
  EXPECT_EQ(loaded.robot.links[0].name, "c");
}

TEST(UrdfReader, EntitiesCommentsByteOrderMarkAndUnicode) {
  const Loaded loaded = read_urdf(
      "\xef\xbb\xbf<?xml version='1.0'?><!-- <joint> -->\n<robot name='&lt;r&#x3e;&amp;&quot;'>"
      "<link name='K\xc3\xb6rper'/></robot><!-- end -->",
      "test");
  EXPECT_EQ(loaded.robot.name, "<r>&\"");
  EXPECT_EQ(loaded.robot.links[0].name, "K\xc3\xb6rper");
}

TEST(UrdfReader, ReadsTheSameNumbersInEveryLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
    if (std::setlocale(LC_ALL, locale) == nullptr) continue;
    EXPECT_EQ(read_one_joint("type='revolute'", "<dynamics damping='1.5'/>").properties.damping[0],
              1.5);
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST(UrdfReader, RefusesTagsNestedAMillionDeep) {
  std::string text = "<robot name='r'>";
  for (int k = 0; k < 1000000; ++k) text += "<a>";
  EXPECT_THROW(read_urdf(text, "deep"), InputError);
  try {
    read_urdf(text, "deep");
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "deep:1:314: tags are nested more than 100 deep");
  }
}

TEST(UrdfReader, ReadsTagsNestedNinetyDeep) {
  std::string text = "<robot name='r'><gazebo>", tail;
  for (int k = 0; k < 90; ++k) text += "<a>", tail += "</a>";
  EXPECT_EQ(
      test::skipped(read_urdf(text + tail + "</gazebo><link name='a'/></robot>", "test")).size(),
      1u);
}

struct ForeignFile {
  const char* name;
  std::size_t links, joints, moving;
};

class ForeignUrdf : public testing::TestWithParam<ForeignFile> {};

/// The files of other projects that the oracle numbers were made from, where they are at hand.
TEST_P(ForeignUrdf, LoadsAndSurvivesTheRoundTrip) {
  const auto [name, links, joints, moving] = GetParam();
  const auto path = test::oracle_folder() / "urdf" / name;
  if (!std::filesystem::exists(path)) {
    std::printf("%s is not here: nothing compared\n", path.c_str());
    return;
  }
  const RobotDescription robot = read_robot(path.string()).robot;
  EXPECT_EQ(robot.links.size(), links);
  EXPECT_EQ(robot.joints.size(), joints);
  std::size_t not_fixed = 0;
  for (const JointDescription& joint : robot.joints)
    not_fixed += joint.geometry.kind != JointKind::fixed ? 1 : 0;
  EXPECT_EQ(not_fixed, moving);

  const RobotDescription again = read_json(write_json(robot), "json").robot;
  EXPECT_EQ(test::difference(robot, again), "");
  const RobotDescription urdf = read_urdf(write_urdf(again), "urdf").robot;
  EXPECT_EQ(test::difference(robot, urdf, 1e-14), "");
}

INSTANTIATE_TEST_SUITE_P(Oracle, ForeignUrdf,
                         testing::Values(ForeignFile{"panda7.urdf", 13, 12, 7},
                                         ForeignFile{"simple_humanoid.urdf", 31, 30, 29},
                                         ForeignFile{"solo12.urdf", 17, 16, 12},
                                         ForeignFile{"ur5_robot.urdf", 11, 10, 6}));

}  // namespace
}  // namespace jounce

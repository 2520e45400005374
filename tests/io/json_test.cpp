// SPDX-License-Identifier: BSD-3-Clause
// The JSON format: every field, defaults, the same bits after writing and reading, and reports.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <jounce/error.hpp>
#include <jounce/io.hpp>
#include <limits>

#include "io/same_robot.hpp"
#include "io/skipped.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce {
namespace {

using test::near;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Any finite number: all exponents, both signs of zero, the smallest and the largest.
double any_number(test::Random& random) {
  switch (random.bits() % 8) {
    case 0:
      return -0.0;
    case 1:
      return std::numeric_limits<double>::denorm_min() * random.sign();
    case 2:
      return std::numeric_limits<double>::max() * random.sign();
    case 3:
      return random.uniform(-1, 1);
    case 4:
      return double(random.bits());
    default: {
      double x = 0;
      do {
        const std::uint64_t bits = random.bits();
        std::memcpy(&x, &bits, sizeof x);
      } while (!std::isfinite(x));
      return x;
    }
  }
}

Vec3<double> any_vec3(test::Random& random) {
  return {any_number(random), any_number(random), any_number(random)};
}

SE3<double> any_pose(test::Random& random) { return {random.rotation(), any_vec3(random)}; }

JointGeometry any_geometry(test::Random& random, int depth) {
  constexpr int axes[] = {0, 1, 1, 1, 1, 2, 1, 0, 0, 3, 0, 1, 0};
  JointGeometry geometry;
  geometry.kind = JointKind(random.bits() % (depth == 0 ? 12 : 13));
  geometry.placement = any_pose(random);
  for (int k = 0; k < axes[int(geometry.kind)]; ++k) geometry.axes.push_back(random.unit_vec3());
  if (geometry.kind == JointKind::helical) geometry.pitch = any_number(random);
  if (geometry.kind == JointKind::composite)
    for (int k = 0; k < 3; ++k) geometry.parts.push_back(any_geometry(random, depth - 1));
  return geometry;
}

std::vector<double> any_list(test::Random& random) {
  std::vector<double> list(random.bits() % 4);
  for (double& x : list) x = any_number(random);
  return list;
}

Shape any_shape(test::Random& random) {
  Shape shape{"", any_pose(random), Sphere{std::abs(any_number(random))}, std::nullopt};
  const double a = std::abs(any_number(random)), b = std::abs(any_number(random));
  switch (random.bits() % 5) {
    case 0:
      shape.geometry = Box{{a, b, 1}};
      break;
    case 1:
      shape.geometry = Cylinder{a, b};
      break;
    case 2:
      shape.geometry = Capsule{a, b};
      break;
    case 3:
      shape.geometry = Mesh{"package://none/\xc3\xa9 \"m\".stl", any_vec3(random)};
      break;
    default:
      shape.name = "s";
      shape.colour = std::vector<double>{a, b, 0, 1};
  }
  return shape;
}

RobotDescription any_robot(std::uint64_t seed) {
  test::Random random(seed);
  RobotDescription robot;
  robot.name = "robot \\ \"" + std::to_string(seed) + "\"";
  robot.gravity = any_vec3(random);
  for (int k = 0; k < 5; ++k) {
    LinkDescription link{"link " + std::to_string(k), std::abs(any_number(random))};
    link.com = any_vec3(random);
    const Vec3<double> d = any_vec3(random), p = any_vec3(random);
    link.I_com = {d.x, p.x, d.y, p.y, p.z, d.z};
    link.visual = {any_shape(random), any_shape(random)};
    link.collision = {any_shape(random)};
    robot.links.push_back(link);
    JointDescription joint{"joint " + std::to_string(k), "", link.name};
    if (k > 0) joint.parent = robot.links[std::size_t(k) - 1].name;
    joint.geometry = any_geometry(random, 2);
    joint.child_placement = any_pose(random);
    JointProperties& p2 = joint.properties;
    p2.lower = {-infinity, -std::abs(any_number(random))};
    p2.upper = {infinity, std::abs(any_number(random))};
    p2.velocity_limit = {infinity};
    for (auto* list : {&p2.effort_limit, &p2.armature, &p2.damping, &p2.friction, &p2.drag,
                       &p2.stiffness, &p2.rest})
      *list = any_list(random);
    if (p2.stiffness.empty()) p2.rest.clear();
    if (k % 3 > 0) joint.actuated = k % 3 == 1;
    joint.closed = any_list(random);
    if (k > 0) joint.mimic = Mimic{"joint 0", any_number(random), any_number(random)};
    robot.joints.push_back(joint);
  }
  robot.frames = {{"tip", "link 4", any_pose(random)}, {"root", "link 0", {}}};
  for (int k = 0; k < int(LoopKind::custom); ++k) {  // a function cannot be written
    LoopDescription loop{"loop " + std::to_string(k), "link 0", "link 4", any_pose(random)};
    loop.kind = LoopKind(k);
    if (loop.kind == LoopKind::gear) {
      robot.loops.push_back({.name = loop.name, .kind = LoopKind::gear});
      robot.loops.back().joints = {{"joint 1", any_number(random)}, {"joint 3", 1}};
      robot.loops.back().offset = any_number(random);
      continue;
    }
    if (k % 3 == 1) loop.link_1 = "";  // the world
    if (k % 3 == 2) loop.link_2 = "", loop.placement_2 = any_pose(random);
    if (loop.kind == LoopKind::distance) loop.length = std::abs(any_number(random)) + 1e-300;
    if (loop.kind == LoopKind::rolling) loop.radius = std::abs(any_number(random)) + 1e-300;
    robot.loops.push_back(loop);
  }
  return robot;
}

TEST(Json, RandomRobotsReadBackToTheSameBits) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RobotDescription robot = any_robot(seed);
    const Loaded loaded = read_json(write_json(robot), "written", {.fragment = true});
    ASSERT_EQ(test::difference(robot, loaded.robot), "") << "seed " << seed;
    ASSERT_TRUE(test::skipped(loaded).empty());
    ASSERT_EQ(write_json(loaded.robot), write_json(robot));
  }
}

TEST(Json, DefaultsAreNotWritten) {
  RobotDescription robot;
  robot.name = "r";
  robot.links = {{"a"}};
  EXPECT_EQ(write_json(robot), R"({
  "jounce": 1,
  "name": "r",
  "links": [
    {
      "name": "a"
    }
  ]
}
)");
}

TEST(Json, ReadsByHandWrittenText) {
  const Loaded loaded = read_json(R"(
{ "jounce": 1, "name": "r", "about": "a test", "gravity": [0, 0, -1.62],
  "links": [{"name": "a"}, {"name": "b", "mass": 2, "com": [0, 0, 1],
             "inertia": [1, 0.1, 2, 0.2, 0.3, 2.5]}],
  "joints": [{"name": "j", "parent": "a", "child": "b", "kind": "helical", "pitch": 0.01,
    "axes": [[0, 0, 1]], "lower": -1, "upper": [1], "velocity": null, "damping": 0.5,
    "placement": {"position": [1, 2, 3], "quaternion": [0, 0, 0.6, 0.8]}}],
  "frames": [{"name": "tip", "link": "b"}]
})",
                                  "test");
  const RobotDescription& robot = loaded.robot;
  EXPECT_TRUE(loaded.findings.empty());
  EXPECT_EQ(robot.gravity.z, -1.62);
  EXPECT_EQ(robot.links[1].I_com.xz, 0.2);
  EXPECT_EQ(robot.links[1].I_com.yy, 2);
  const JointDescription& joint = robot.joints[0];
  EXPECT_EQ(joint.geometry.kind, JointKind::helical);
  EXPECT_EQ(joint.geometry.pitch, 0.01);
  EXPECT_EQ(joint.properties.lower, std::vector<double>{-1});
  EXPECT_EQ(joint.properties.upper, std::vector<double>{1});
  EXPECT_EQ(joint.properties.velocity_limit, std::vector<double>{infinity});
  EXPECT_EQ(joint.properties.damping, std::vector<double>{0.5});
  const SO3<double> R{{{{0.28, -0.96, 0}, {0.96, 0.28, 0}, {0, 0, 1}}}};
  EXPECT_TRUE(near(joint.geometry.placement, SE3<double>{R, {1, 2, 3}}, 1e-15));
  EXPECT_EQ(robot.frames[0].link, "b");
}

/// The example of docs/robot_json.md: its indented lines.
TEST(Json, TheManualsExampleIsARobot) {
  std::ifstream page(std::filesystem::path(JOUNCE_SOURCE_FOLDER) / "docs/robot_json.md");
  std::string text, line;
  while (std::getline(page, line))
    if (line.starts_with("    ")) text += line + "\n";
  const Loaded loaded = read_json(text, "docs/robot_json.md");
  EXPECT_TRUE(loaded.findings.empty());
  EXPECT_EQ(loaded.robot.joints.at(0).properties.upper, std::vector<double>{1.6});
}

TEST(Json, ReportsKeysItDoesNotKnow) {
  const Loaded loaded = read_json(R"({"jounce": 1, "name": "r", "colour": {"deep": [1]},
  "links": [{"name": "a", "weight": 3,
             "visual": [{"sphere": {"radius": 1, "radios": 2}, "material": "red"}]}, {"name": "b"}],
  "joints": [{"name": "j", "parent": "a", "child": "b", "kind": "fixed", "type": "fixed",
              "placement": {"xyz": [0, 0, 0]}}]})",
                                  "test");
  std::string report;
  for (const Remark& entry : test::skipped(loaded))
    report +=
        std::to_string(entry.line) + ":" + std::to_string(entry.column) + " " + entry.what + "\n";
  EXPECT_EQ(report, R"(1:28 key "colour" of robot "r"
2:27 key "weight" of link "a"
3:50 key "radios" of link "a": visual: sphere
3:64 key "material" of link "a": visual
4:74 key "type" of joint "j"
5:29 key "xyz" of joint "j": placement
)");
}

/// Keys that belong to another kind of joint, or to a spring that is not there.
TEST(Json, ReportsKeysThatSayNothing) {
  const auto ignored = [](const std::string& keys) {
    const Loaded loaded = read_json(R"({"jounce": 1, "name": "r", "links": [{"name": "a"}],
      "joints": [{"name": "j", "child": "a", "axes": [[0, 0, 1]], )" +
                                        keys + "}]}",
                                    "test");
    std::string all;
    for (const Remark& entry : test::skipped(loaded)) all += entry.what + ";";
    return all;
  };
  EXPECT_EQ(ignored(R"("kind": "helical", "pitch": 3)"), "");
  EXPECT_EQ(ignored(R"("kind": "revolute", "pitch": 3)"), R"(key "pitch" of joint "j";)");
  EXPECT_EQ(ignored(R"("kind": "revolute", "stiffness": 0, "rest": 1)"), "");
  EXPECT_EQ(ignored(R"("kind": "revolute", "rest": 1)"), R"(key "rest" of joint "j";)");
}

TEST(Json, MimicIsKeptOrDropped) {
  const std::string text = R"({"jounce": 1, "name": "r",
    "links": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
    "joints": [{"name": "j", "parent": "a", "child": "b", "kind": "revolute", "axes": [[0, 0, 1]],
                "mimic": {"leader": "k", "multiplier": 2}},
               {"name": "k", "parent": "b", "child": "c", "kind": "prismatic",
                "axes": [[0, 0, 1]]}]})";
  const auto mimic = read_json(text, "test").robot.joints[0].mimic;
  ASSERT_TRUE(mimic.has_value());
  EXPECT_EQ(mimic->leader, "k");
  EXPECT_EQ(mimic->multiplier, 2);
  EXPECT_EQ(mimic->offset, 0);
  EXPECT_FALSE(read_json(text, "test", {.couple_mimic = false}).robot.joints[0].mimic.has_value());
}

TEST(Json, CustomJointsCannotBeWritten) {
  const auto refusal = [](const RobotDescription& robot) {
    try {
      write_json(robot);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  RobotDescription robot;
  robot.name = "r";
  robot.joints.resize(1);
  robot.joints[0].name = "j";
  robot.joints[0].geometry.kind = JointKind::custom;
  EXPECT_EQ(refusal(robot), "joint \"j\": kind custom is a function and cannot be written");
  robot.joints[0].geometry.kind = JointKind::composite;
  robot.joints[0].geometry.parts.resize(1);
  robot.joints[0].geometry.parts[0].kind = JointKind::custom;
  EXPECT_EQ(refusal(robot), "joint \"j\": part: kind custom is a function and cannot be written");
  robot.joints.clear();
  robot.gravity.x = infinity;
  EXPECT_EQ(refusal(robot), "robot \"r\": gravity is not a finite number");
}

TEST(Json, RefusesValuesNestedAMillionDeep) {
  const std::string text = "{\"jounce\": " + std::string(1000000, '[');
  try {
    read_json(text, "deep");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "deep:1:111: values are nested more than 100 deep");
  }
}

}  // namespace
}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// What operations on robots refuse, with their exact messages.
#include <jounce/model/custom.hpp>
#include <limits>

#include "model/operations_support.hpp"

namespace jounce::test {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();
const double inf = std::numeric_limits<double>::infinity();

Robot arm() { return Robot(gripper_arm()); }

TEST(LockErrors, Messages) {
  const Robot robot = arm();
  const auto says = [&](const JointValues& values) {
    return error_of([&] { lock_joints(robot, values); });
  };
  EXPECT_EQ(
      says({{"elbov", {0}}}),
      "lock_joints: robot \"arm\" has no moving joint \"elbov\"; nearest: \"elbow\", \"grip\", "
      "\"neck\"");
  EXPECT_EQ(says({{"wrist", {}}}), "lock_joints: joint \"wrist\" is fixed already");
  EXPECT_EQ(says({{"elbow", {0, 1}}}),
            "lock_joints: joint \"elbow\": values has 2 elements, needs 1");
  EXPECT_EQ(says({{"elbow", {nan}}}), "lock_joints: joint \"elbow\": values[0] is NaN");
  EXPECT_EQ(says({{"elbow", {inf}}}), "lock_joints: joint \"elbow\": values[0] is infinite");
  EXPECT_EQ(
      says({{"neck", {0, 0, 0, 2}}}),
      "lock_joints: joint \"neck\": values: the quaternion of joint \"neck\" has length 2.000000, "
      "needs 1; use normalize");
  EXPECT_EQ(says({{"grip_2", {0}}}),
            "lock_joints: joint \"grip_2\" mimics \"grip\"; lock that one instead");
  EXPECT_EQ(
      says({{"grip", {0}}, {"grip_2", {0.2}}}),
      "lock_joints: joint \"grip_2\" mimics \"grip\" and follows at 0.100000, found 0.200000");
  EXPECT_EQ(says({{"grip", {0}}, {"grip_2", {}}}),
            "lock_joints: joint \"grip_2\": values has 0 elements, needs 1");
}

TEST(AttachErrors, Messages) {
  const Robot robot = arm();
  const auto says = [&](const char* at, const LinkDescription& payload, const SE3<double>& T = {}) {
    return error_of([&] { attach(robot, at, payload, T); });
  };
  EXPECT_EQ(says("tol", link_named("cup")),
            "attach: robot \"arm\" has no link or frame \"tol\"; nearest: \"tool\", \"fore\", "
            "\"eye\"");
  EXPECT_EQ(says("tool", link_named("")), "attach: the payload has no name");
  EXPECT_EQ(says("tool", link_named("hand")),
            "attach: robot \"arm\" already has a link or frame \"hand\"");
  EXPECT_EQ(says("tool", link_named("eye")),
            "attach: robot \"arm\" already has a link or frame \"eye\"");
  LinkDescription heavy = link_named("cup");
  heavy.mass = -1;
  EXPECT_EQ(says("tool", heavy), "link \"cup\": mass -1 must be finite and not negative");
  EXPECT_EQ(says("tool", link_named("cup"), {{}, {nan, 0, 0}}),
            "attach: the placement is not finite");
  const Robot full = attach(robot, "tool", link_named("cup"));
  EXPECT_EQ(error_of([&] { attach(full, "tool", link_named("cup")); }),
            "attach: robot \"arm\" already has a link or frame \"cup\"");
  RobotDescription taken = gripper_arm();
  taken.joints[0].name = "cup_joint";
  EXPECT_EQ(error_of([&] { attach(Robot(taken), "tool", link_named("cup")); }),
            "attach: robot \"arm\" already has a joint \"cup_joint\"");
}

TEST(MergeErrors, Messages) {
  const Robot robot = arm();
  const auto says = [&](const RobotDescription& other, const char* at, const char* prefix = "") {
    return error_of([&] { merge(robot, at, Robot(other), {}, prefix); });
  };
  EXPECT_EQ(says(gripper_arm(), "tol", "b_"),
            "merge: robot \"arm\" has no link or frame \"tol\"; nearest: \"tool\", \"fore\", "
            "\"eye\"");
  EXPECT_EQ(says(gripper_arm(), "tool"),
            "merge: both robots have a link \"base\"; give a prefix that keeps them apart");
  RobotDescription other{"other", {}, {link_named("cup"), link_named("lid")}};
  other.joints = {joint_named("elbow", "cup", "lid")};
  EXPECT_EQ(says(other, "tool"),
            "merge: both robots have a joint \"elbow\"; give a prefix that keeps them apart");
  other.joints[0].name = "hinge";
  other.frames = {{"eye", "lid", {}}};
  EXPECT_EQ(says(other, "tool"),
            "merge: both robots have a frame \"eye\"; give a prefix that keeps them apart");
  other.frames[0].name = "hand";
  EXPECT_EQ(
      says(other, "tool"),
      "merge: both robots have a link or frame \"hand\"; give a prefix that keeps them apart");
  other.frames.clear();
  other.links[1].name = other.joints[0].child = "eye";
  EXPECT_EQ(says(other, "tool"),
            "merge: both robots have a link or frame \"eye\"; give a prefix that keeps them apart");
  other.links[1].name = other.joints[0].child = "lid";
  other.loops = {{"hold", "cup", "lid", {}, {}, LoopKind::fixed}};
  EXPECT_EQ(says(other, "tool"),
            "merge: both robots have a loop \"hold\"; give a prefix that keeps them apart");
  EXPECT_EQ(says(other, "tool", "b_"), "");
  EXPECT_EQ(error_of([&] {
              merge(robot, "tool", robot, {{}, {0, inf, 0}}, "b_");
            }),
            "merge: the placement is not finite");
}

TEST(SubRobotErrors, Messages) {
  const Robot robot = arm();
  const auto says = [&](const char* root, const std::vector<std::string>& tips = {}) {
    return error_of([&] { sub_robot(robot, root, tips); });
  };
  EXPECT_EQ(says("hnd"),
            "sub_robot: robot \"arm\" has no link \"hnd\"; nearest: \"hand\", \"base\", \"fore\"");
  EXPECT_EQ(says("tool"),
            "sub_robot: robot \"arm\" has no link \"tool\"; nearest: \"fore\", \"base\", "
            "\"hand\"");
  EXPECT_EQ(says("upper", {"camera"}), "sub_robot: link \"camera\" is not carried by \"upper\"");
  EXPECT_EQ(says("upper", {"base"}), "sub_robot: link \"base\" is not carried by \"upper\"");
  EXPECT_EQ(says("upper", {"thumb"}),
            "sub_robot: robot \"arm\" has no link \"thumb\"; nearest: \"hand\", \"base\", "
            "\"upper\"");
  EXPECT_EQ(says("upper"),
            "sub_robot: loop \"cable\" needs link \"base\", which is cut off; set drop_loops to "
            "drop the loop");
  EXPECT_EQ(says("base", {"left"}),
            "sub_robot: loop \"hold\" needs link \"right\", which is cut off; set drop_loops to "
            "drop the loop");
  EXPECT_EQ(error_of([&] { sub_robot(robot, "base", {"right"}, {.drop_loops = true}); }),
            "sub_robot: joint \"grip_2\" mimics \"grip\", which is cut off; lock \"grip\" first");
}

TEST(RerootErrors, Messages) {
  const auto says = [&](const RobotDescription& robot, const RerootOptions& options = {},
                        const char* link = "hand") {
    return error_of([&] { reroot(Robot(robot), link, options); });
  };
  EXPECT_EQ(says(gripper_arm(), {}, "hnd"),
            "reroot: robot \"arm\" has no link \"hnd\"; nearest: \"hand\", \"base\", \"fore\"");
  RobotDescription robot = gripper_arm();
  robot.joints[1].geometry = {JointKind::custom};
  robot.joints[1].geometry.custom = custom_joint<1>([](const auto* q) {
    using Real = std::remove_cvref_t<decltype(q[0])>;
    return SE3<Real>{SO3<Real>{}, {q[0], Real(0), Real(0)}};
  });
  EXPECT_EQ(says(robot),
            "reroot: joint \"elbow\" is custom and cannot turn round; it lies between links "
            "\"upper\" and \"fore\"");
  EXPECT_EQ(says(robot, {}, "upper"), "");
  robot = with_base(arm(), JointKind::free).description();
  EXPECT_EQ(says(robot, {.placement = SE3<double>{}}),
            "reroot: a placement needs a fixed base, joint \"base\" is free");
  EXPECT_EQ(says(gripper_arm(), {.placement = SE3<double>{{}, {nan, 0, 0}}}),
            "reroot: the placement is not finite");
  robot.joints[0].properties.damping = {1, 1, 1, 0, 0, 0};
  EXPECT_EQ(says(robot),
            "reroot: joint \"base\": damping has no equal in the new robot; set drop_properties to "
            "drop it");
  robot = gripper_arm();
  robot.joints[0].geometry = {JointKind::spherical};
  robot.joints[0].properties.armature = {1, 1, 2};
  EXPECT_EQ(says(robot),
            "reroot: joint \"shoulder\": armature has no equal in the new robot; set "
            "drop_properties to drop it");
}

TEST(RerootErrors, Coordinates) {
  const Robot robot = arm();
  const CoordinateMap map = reroot(robot, "hand").coordinates;
  EXPECT_EQ(error_of([&] {
              map.q({0, 0});
            }),
            "CoordinateMap: q has 2 elements, robot \"arm\" needs 7");
  EXPECT_EQ(error_of([&] {
              map.v(robot.neutral(), {0, 0, nan, 0, 0, 0});
            }),
            "CoordinateMap: v[2] is NaN");
}

TEST(GravityErrors, Messages) {
  EXPECT_EQ(error_of([] { with_gravity(arm(), {0, nan, 0}); }), "with_gravity: gravity is NaN");
  EXPECT_EQ(error_of([] {
              with_gravity(arm(), {0, 0, inf});
            }),
            "with_gravity: gravity is infinite");
}

TEST(BaseErrors, Messages) {
  RobotDescription robot = gripper_arm();
  EXPECT_EQ(error_of([&] { with_base(Robot(robot), JointKind::revolute); }),
            "joint \"base\": a revolute joint needs 1 axis, found 0");
}

TEST(ReorderErrors, Messages) {
  const Robot robot = arm();
  const auto says = [&](const std::vector<std::string>& names) {
    return error_of([&] { reorder(robot, names); });
  };
  EXPECT_EQ(says({"elbow", "shoulder", "grip", "neck"}),
            "reorder: joint \"elbow\" comes before \"shoulder\", which carries it");
  EXPECT_EQ(says({"shoulder", "grip", "elbow", "neck"}),
            "reorder: joint \"grip\" comes before \"elbow\", which carries it");
  EXPECT_EQ(says({"shoulder", "elbow", "grip"}),
            "reorder: joint \"neck\" is missing from the list");
  EXPECT_EQ(says({"shoulder", "elbow", "grip", "elbow"}),
            "reorder: joint \"elbow\" is listed twice");
  EXPECT_EQ(says({"shoulder", "elbow", "grip_2", "neck"}),
            "reorder: joint \"grip_2\" is a mimic and has no coordinates of its own");
  EXPECT_EQ(says({"sholder"}),
            "reorder: robot \"arm\" has no moving joint \"sholder\"; nearest: \"shoulder\", "
            "\"elbow\", \"grip\"");
  EXPECT_EQ(error_of([&] { permutation(robot, {"shoulder"}); }),
            "permutation: joint \"elbow\" is missing from the list");
  const Permutation order = permutation(robot, {"neck", "grip", "elbow", "shoulder"});
  EXPECT_EQ(error_of([&] { order.apply_q({0, 0}); }), "Permutation: q has 2 elements, needs 7");
  EXPECT_EQ(error_of([&] { order.undo_v({0, 0}); }), "Permutation: v has 2 elements, needs 6");
}

}  // namespace
}  // namespace jounce::test

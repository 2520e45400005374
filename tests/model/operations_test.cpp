// SPDX-License-Identifier: BSD-3-Clause
// Lock, attach, merge, cut out, gravity and base: poses and inertias are those of the parts.
#include "model/operations_support.hpp"

namespace jounce::test {
namespace {

constexpr double tolerance = 1e-13;  // a product of at most ten poses of size one
constexpr std::uint64_t seeds = 40;

/// Coordinates of a robot whose joints are some of another's.
std::vector<double> q_by_name(const Robot& robot, const Robot& from, const std::vector<double>& q,
                              const std::string& prefix = "") {
  std::vector<double> own(size_t(robot.nq()));
  for (const JointInfo& joint : from.joints())
    for (const JointInfo& to : robot.joints())
      if (to.name == prefix + joint.name && !to.mimic)
        std::copy_n(q.begin() + joint.q, joint.nq, own.begin() + to.q);
  return own;
}

void expect_same_places(const Snapshot& actual, const Snapshot& expected, std::uint64_t seed) {
  for (size_t k = 0; k < actual.names.size(); ++k)
    expect_near(actual.pose[k], expected.pose_of(actual.names[k]), tolerance, seed);
}

TEST(Lock, KeepsPosesAndInertia) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Robot robot(random_tree(seed, true, seed % 3 == 0));
    const std::vector<double> q = robot.random(seed);
    Random rng(seed);
    JointValues values;
    for (const JointInfo& joint : robot.joints())
      if (!joint.mimic && rng.sign() > 0) values[joint.name] = values_of(joint, q);
    const Robot locked = lock_joints(robot, values);
    const Snapshot before = snapshot(robot, q);
    const Snapshot after = snapshot(locked, q_by_name(locked, robot, q));
    ASSERT_EQ(before.names, after.names);
    expect_same_places(after, before, seed);
    expect_near(total_inertia(locked, after), total_inertia(robot, before), tolerance, seed);
    for (const JointInfo& joint : locked.joints()) EXPECT_EQ(values.count(joint.name), 0u);
    for (const JointDescription& joint : locked.description().joints)
      if (values.count(joint.name) > 0) {
        EXPECT_EQ(joint.geometry.kind, JointKind::fixed);
        EXPECT_TRUE(joint.properties.lower.empty());
      }
  }
}

TEST(Lock, EveryKindAlone) {
  for (const JointKind kind : all_joint_kinds(false, true)) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      GeneratorOptions options;
      options.kinds = {kind};
      options.bodies = 2;
      options.child_placements = true;
      options.seed = seed;
      const Robot robot(generate(options));
      const std::vector<double> q = robot.random(seed);
      const Robot locked = lock_joints(robot, {{"joint_1", values_of(robot.joint("joint_1"), q)}});
      EXPECT_EQ(locked.nv(), robot.nv() - robot.joint("joint_1").nv) << name(kind);
      expect_same_places(snapshot(locked, q_by_name(locked, robot, q)), snapshot(robot, q), seed);
    }
  }
}

TEST(Lock, FollowerComesAlong) {
  const Robot robot(gripper_arm());
  const std::vector<double> q{0.1, 0.2, 0.3, 0, 0, 0, 1};
  for (const JointValues& values :
       {JointValues{{"grip", {0.3}}}, JointValues{{"grip", {0.3}}, {"grip_2", {-0.2}}}}) {
    const Robot locked = lock_joints(robot, values);
    EXPECT_FALSE(locked.has_mimic());
    EXPECT_EQ(locked.nv(), robot.nv() - 1);
    expect_same_places(snapshot(locked, {0.1, 0.2, 0, 0, 0, 1}), snapshot(robot, q), 0);
    EXPECT_EQ(locked.description().loops.size(), 2u);
  }
}

TEST(Lock, NormalisesAQuaternionWithinTolerance) {
  const Robot robot(gripper_arm());
  const double s = std::sqrt(0.5);
  const Robot locked = lock_joints(robot, {{"neck", {0, 0, s * (1 + 2e-7), s}}});
  const SE3<double> T = snapshot(locked, locked.neutral()).pose_of("camera");
  expect_near(T.R.m * transpose(T.R.m), Mat3<double>::identity(), tolerance);
}

TEST(Attach, AddsItsMassAtTheFrame) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Robot robot(random_tree(seed));
    Random rng(seed);
    const SE3<double> placement = rng.pose();
    LinkDescription payload = link_named("payload");
    payload.mass = 3;
    payload.com = rng.vec3();
    payload.visual.push_back({"shell", {}, Sphere{0.2}, {}});
    const Robot loaded = attach(robot, "tool", payload, placement);
    const std::vector<double> q = robot.random(seed);
    const Snapshot before = snapshot(robot, q), after = snapshot(loaded, q);
    const SE3<double> T = before.pose_of("tool") * placement;
    expect_near(after.pose_of("payload"), T, tolerance, seed);
    const Inertia<double> G = total_inertia(robot, before), H = total_inertia(loaded, after);
    expect_near(H.h * (1 / H.mass), (G.h + T * payload.com * 3) * (1 / (G.mass + 3)), tolerance,
                seed);
    EXPECT_EQ(loaded.nv(), robot.nv());
    EXPECT_EQ(loaded.description().links.back().visual.size(), 1u);
    EXPECT_EQ(loaded.description().joints.back().name, "payload_joint");
  }
}

TEST(Merge, PosesAreThoseOfTheParts) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Robot a(random_tree(seed)), b(random_tree(seed + 100, true, seed % 2 == 0));
    const SE3<double> placement = Random(seed).pose();
    const Robot both = merge(a, "tool", b, placement, "b_");
    const std::vector<double> qa = a.random(seed), qb = b.random(seed + 1);
    std::vector<double> q = q_by_name(both, a, qa);
    const std::vector<double> more = q_by_name(both, b, qb, "b_");
    for (size_t k = 0; k < q.size(); ++k) q[k] += more[k];
    const Snapshot sa = snapshot(a, qa), sb = snapshot(b, qb), all = snapshot(both, q);
    for (size_t k = 0; k < sa.names.size(); ++k)
      expect_near(all.pose_of(sa.names[k]), sa.pose[k], tolerance, seed);
    const SE3<double> root = sa.pose_of("tool") * placement * inverse(sb.pose_of("base"));
    for (size_t k = 0; k < sb.names.size(); ++k)
      expect_near(all.pose_of("b_" + sb.names[k]), root * sb.pose[k], tolerance, seed);
    EXPECT_EQ(both.name(), a.name());
    EXPECT_EQ(both.nv(), a.nv() + b.nv() - (seed % 2 == 0 ? 6 : 0));
  }
}

TEST(Merge, ByAJointOfTheUsers) {
  const Robot arm(gripper_arm());
  JointDescription joint = joint_named("swivel", "", "");
  joint.properties.damping = {0.5};
  const Robot both = merge(arm, "eye", arm, {{}, {1, 0, 0}}, "second_", joint);
  EXPECT_EQ(both.nv(), 2 * arm.nv() + 1);
  EXPECT_EQ(both.passive().damping[size_t(both.joint("swivel").v)], 0.5);
  std::vector<double> q = both.neutral();
  q[size_t(both.joint("swivel").q)] = 0.7;
  const SE3<double> eye{{}, {0.1, 0, 1}}, turn{exp(Vec3<double>{0, 0, 0.7}), {1, 0, 1}};
  expect_near(snapshot(both, q).pose_of("second_base"), eye * turn, tolerance);
  EXPECT_EQ(both.description().loops[2].name, "second_hold");
  EXPECT_EQ(both.description().loops[2].link_1, "second_left");
  EXPECT_EQ(both.joint("second_grip_2").q, both.joint("second_grip").q);
}

TEST(SubRobot, PosesRelativeToItsRoot) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const RobotDescription description = random_tree(seed, true, seed % 2 == 0);
    const Robot robot(description);
    const std::vector<double> q = robot.random(seed);
    const Snapshot all = snapshot(robot, q);
    for (const LinkDescription& root : description.links) {
      std::optional<Robot> part;
      const std::string error = error_of([&] { part = sub_robot(robot, root.name); });
      if (!part) {
        EXPECT_NE(error.find("which is cut off; lock"), std::string::npos) << error;
        continue;
      }
      const Snapshot own = snapshot(*part, q_by_name(*part, robot, q));
      for (size_t k = 0; k < own.names.size(); ++k)
        expect_near(own.pose[k], all.relative(all.at(root.name), all.at(own.names[k])), tolerance,
                    seed);
    }
  }
}

TEST(SubRobot, KeepsWhatTheRootCarries) {
  const Robot robot(gripper_arm());
  EXPECT_EQ(snapshot(sub_robot(robot, "hand"), {0}).names,
            (std::vector<std::string>{"hand", "left", "right", "tool"}));
  EXPECT_EQ(sub_robot(robot, "hand").description().loops.size(), 1u);
  const Robot one = sub_robot(robot, "fore", {"left"}, {.drop_loops = true});
  EXPECT_EQ(snapshot(one, {0}).names, (std::vector<std::string>{"fore", "hand", "left", "tool"}));
  EXPECT_TRUE(one.description().loops.empty());
  EXPECT_EQ(sub_robot(robot, "camera").nv(), 0);
  const Robot arms = sub_robot(robot, "base", {"fore", "camera", "upper"});
  EXPECT_EQ(arms.nv(), 5);
  EXPECT_EQ(arms.description().loops.size(), 1u);
}

TEST(WithGravity, ChangesNothingElse) {
  const Robot robot(gripper_arm()), moon = with_gravity(robot, {0, 0, -1.62});
  EXPECT_EQ(moon.gravity().z, -1.62);
  EXPECT_EQ(moon.model().gravity.z, -1.62);
  EXPECT_EQ(moon.nv(), robot.nv());
  EXPECT_EQ(robot.gravity().z, -9.81);
}

TEST(WithBase, FixedFreeOrAnyJoint) {
  const Robot robot(gripper_arm());
  const Robot flying = with_base(robot, JointKind::free);
  EXPECT_EQ(flying.nv(), robot.nv() + 6);
  EXPECT_EQ(flying.joints()[0].name, "base");
  EXPECT_EQ(with_base(flying, JointKind::fixed).nv(), robot.nv());
  EXPECT_EQ(with_base(flying, JointKind::fixed).description().joints.size(), 6u);
  JointGeometry track{JointKind::prismatic, {{}, {0, 0, 0.5}}, {{1, 0, 0}}};
  const Robot moving = with_base(flying, track);
  std::vector<double> q = moving.neutral();
  q[0] = 2;
  const Snapshot there = snapshot(moving, q), here = snapshot(robot, robot.neutral());
  for (size_t k = 0; k < here.names.size(); ++k)
    expect_near(there.pose[k], SE3<double>{{}, {2, 0, 0.5}} * here.pose[k], tolerance);
  const Robot bolted = with_base(moving, {JointKind::fixed, {{}, {0, 0, 0.5}}});
  EXPECT_EQ(bolted.nv(), robot.nv());
  EXPECT_EQ(snapshot(bolted, bolted.neutral()).pose_of("base").p.z, 0.5);
}

TEST(Reorder, RoundTrips) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Robot robot(random_tree(seed, true, seed % 2 == 0));
    std::vector<std::string> names;
    for (const JointInfo& joint : robot.joints())
      if (!joint.mimic) names.push_back(joint.name);
    Random rng(seed);
    for (size_t k = names.size(); k > 1; --k) std::swap(names[k - 1], names[rng.bits() % k]);
    const Permutation any = permutation(robot, names);
    const std::vector<double> q = robot.random(seed), v = random_v(robot, seed);
    EXPECT_EQ(any.undo_q(any.apply_q(q)), q);
    EXPECT_EQ(any.undo_v(any.apply_v(v)), v);
    std::optional<Reordered> made;
    const std::string error = error_of([&] { made = reorder(robot, names); });
    if (!made) {
      EXPECT_NE(error.find("which carries it"), std::string::npos) << error;
      continue;
    }
    size_t at = 0;
    for (const JointInfo& joint : made->robot.joints())
      if (!joint.mimic) {
        EXPECT_EQ(joint.name, names[at++]);
      }
    EXPECT_EQ(made->permutation.q, any.q);
    EXPECT_EQ(made->permutation.v, any.v);
    const Snapshot before = snapshot(robot, q, v);
    const Snapshot after = snapshot(made->robot, any.apply_q(q), any.apply_v(v));
    expect_same_places(after, before, seed);
    for (size_t k = 0; k < after.names.size(); ++k)
      expect_near(after.twist[k], before.twist[before.at(after.names[k])], tolerance, seed);
  }
}

TEST(Reorder, BranchesMayBeExchanged) {
  const Robot robot(gripper_arm());
  const auto [other, order] = reorder(robot, {"neck", "shoulder", "elbow", "grip"});
  EXPECT_EQ(other.joint("neck").q, 0);
  EXPECT_EQ(other.joint("shoulder").q, 4);
  EXPECT_EQ(order.q, (std::vector<int>{3, 4, 5, 6, 0, 1, 2}));
  EXPECT_EQ(order.v, (std::vector<int>{3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(order.apply_v({1, 2, 3, 4, 5, 6}), (std::vector<double>{4, 5, 6, 1, 2, 3}));
}

}  // namespace
}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// Reroot: relative poses and twists of all links stay, there and back, for every kind of joint.
#include "model/operations_support.hpp"

namespace jounce::test {
namespace {

constexpr double of_poses = 1e-13;  // reversed chains multiply the inverses of ten poses

void expect_same_relative_motion(const Snapshot& after, const Snapshot& before,
                                 std::uint64_t seed) {
  ASSERT_EQ(after.names, before.names);
  for (size_t a = 0; a < before.names.size(); ++a)
    for (size_t b = 0; b < before.names.size(); ++b) {
      expect_near(after.relative(a, b), before.relative(a, b), of_poses, seed);
      const Twist<double> X = after.relative_twist(a, b), Y = before.relative_twist(a, b);
      EXPECT_LE(norm(X.w - Y.w) + norm(X.v - Y.v), 100 * of_poses) << "seed " << seed;
    }
}

std::string root_of(const Robot& robot) {
  for (const LinkDescription& link : robot.description().links) {
    bool carried = false;
    for (const JointDescription& joint : robot.description().joints)
      carried = carried || (joint.child == link.name && !joint.parent.empty());
    if (!carried) return link.name;
  }
  return "";
}

/// To a link and back to the old root.
void check_reroot(const Robot& robot, const std::string& link, std::uint64_t seed) {
  SCOPED_TRACE(robot.name() + " at " + link);
  const std::vector<double> q = robot.random(seed), v = random_v(robot, seed);
  const Snapshot before = snapshot(robot, q, v);
  const Rerooted there = reroot(robot, link);
  EXPECT_EQ(root_of(there.robot), link);
  const std::vector<double> q_there = there.coordinates.q(q), v_there = there.coordinates.v(q, v);
  const Snapshot after = snapshot(there.robot, q_there, v_there);
  expect_same_relative_motion(after, before, seed);
  const size_t k = before.at(link);
  expect_near(total_inertia(there.robot, after, after.pose[k]),
              total_inertia(robot, before, before.pose[k]), of_poses, seed);
  const Rerooted back = reroot(there.robot, root_of(robot));
  const std::vector<double> q_back = back.coordinates.q(q_there);
  const Snapshot again = snapshot(back.robot, q_back, back.coordinates.v(q_there, v_there));
  expect_same_relative_motion(again, before, seed);
  for (size_t j = 0; j < before.names.size(); ++j)
    expect_near(again.pose[j], before.pose[j], of_poses, seed);
}

TEST(Reroot, RandomTreesAtEveryLink) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Robot robot(random_tree(seed, false, seed % 2 == 0));
    for (const LinkDescription& link : robot.description().links)
      check_reroot(robot, link.name, seed);
  }
}

TEST(Reroot, ChainsOfOneKind) {
  for (const JointKind kind : all_joint_kinds(true, false))
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      GeneratorOptions options;
      options.kinds = {kind};
      options.bodies = 3;
      options.child_placements = true;
      options.free_base = seed % 2 == 0;
      options.seed = seed;
      check_reroot(Robot(generate(options)), "link_3", seed);
    }
}

TEST(Reroot, NestedComposite) {
  Random rng(7);
  RobotDescription robot = gripper_arm();
  const auto part = [&](JointKind kind, std::vector<Vec3<double>> axes) {
    return JointGeometry{kind, rng.pose(), std::move(axes)};
  };
  JointGeometry inner{JointKind::composite, rng.pose()};
  inner.parts = {part(JointKind::fixed, {}), part(JointKind::planar, {rng.unit_vec3()}),
                 part(JointKind::universal, {{1, 0, 0}, {0, 1, 0}}), part(JointKind::fixed, {})};
  JointGeometry outer{JointKind::composite, rng.pose()};
  outer.parts = {inner, part(JointKind::prismatic, {rng.unit_vec3()}), part(JointKind::fixed, {})};
  robot.joints[0].geometry = outer;
  robot.joints[0].child_placement = rng.pose();
  check_reroot(Robot(robot), "hand", 7);
}

TEST(Reroot, FreeBaseKeepsTheWorld) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    RobotDescription description = random_tree(seed, false, true);
    description.joints[0].geometry.placement = rng.pose();
    description.joints[0].child_placement = rng.pose();
    const Robot robot(description);
    const std::vector<double> q = robot.random(seed), v = random_v(robot, seed);
    const Snapshot before = snapshot(robot, q, v);
    const Rerooted there = reroot(robot, "link_7");
    const Snapshot after = snapshot(there.robot, there.coordinates.q(q), there.coordinates.v(q, v));
    for (size_t k = 0; k < before.names.size(); ++k) {
      expect_near(after.pose[k], before.pose[k], of_poses, seed);
      expect_near(after.twist[k], before.twist[k], 10 * of_poses, seed);
    }
  }
}

TEST(Reroot, FixedBaseAndItsPlacement) {
  const SE3<double> place = Random(3).pose();
  RobotDescription standing = gripper_arm();
  standing.joints.push_back(joint_named("stand", "", "base", JointKind::fixed));
  for (const Robot& robot : {Robot(gripper_arm()), Robot(standing)}) {
    const Robot at_origin = reroot(robot, "hand").robot;
    expect_near(snapshot(at_origin, robot.neutral()).pose_of("hand"), SE3<double>{}, of_poses);
    const Robot placed = reroot(robot, "hand", {.placement = place}).robot;
    expect_near(snapshot(placed, robot.neutral()).pose_of("hand"), place, of_poses);
    const Robot same = reroot(robot, "base").robot;
    expect_near(snapshot(same, robot.neutral()).pose_of("tool"),
                snapshot(robot, robot.neutral()).pose_of("tool"), of_poses);
  }
}

TEST(Reroot, AnotherBaseJointCarriesTheNewRoot) {
  const Robot track = with_base(Robot(gripper_arm()), {JointKind::prismatic, {}, {{1, 0, 0}}});
  const Rerooted there = reroot(track, "hand");
  std::vector<double> q = track.neutral();
  q[0] = 2;
  const Snapshot s = snapshot(there.robot, there.coordinates.q(q));
  expect_near(s.pose_of("hand"), SE3<double>{{}, {2, 0, 0}}, of_poses);
}

TEST(Reroot, CoordinatesKeepTheirValues) {
  const Robot robot(gripper_arm());
  const Rerooted there = reroot(robot, "hand");
  EXPECT_EQ(there.robot.joint("elbow").nq, 1);
  const std::vector<double> q = there.coordinates.q({0.1, 0.2, 0.3, 0, 0, 0, 1});
  EXPECT_EQ(q[size_t(there.robot.joint("shoulder").q)], 0.1);
  EXPECT_EQ(q[size_t(there.robot.joint("elbow").q)], 0.2);
  EXPECT_EQ(q[size_t(there.robot.joint("grip").q)], 0.3);
  EXPECT_EQ(there.robot.description().loops.size(), 2u);
  EXPECT_EQ(there.robot.description().frames.size(), 2u);
}

/// sum x_k y_k^2.
double energy(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (size_t k = 0; k < x.size(); ++k) sum += x[k] * y[k] * y[k];
  return sum;
}

/// Random properties that every kind of joint below can keep when it turns round.
void add_properties(JointDescription& joint, int nv, const std::vector<double>& rest, Random& rng) {
  JointProperties& p = joint.properties;
  const bool ball = joint.geometry.kind == JointKind::spherical;
  for (int k = 0; k < nv; ++k) {
    const bool kept = joint.geometry.kind != JointKind::planar || k == 0;
    for (auto* values : {&p.armature, &p.damping, &p.stiffness})
      values->push_back(ball && k > 0 ? values->back() : kept ? rng.uniform(1, 2) : 0);
    if (!ball) p.friction.push_back(kept ? rng.uniform(1, 2) : 0);
  }
  p.rest = rest;
}

TEST(Reroot, PassiveForcesDoTheSameWork) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random rng(seed);
    GeneratorOptions options;
    options.kinds = {JointKind::revolute,      JointKind::universal, JointKind::euler_ball,
                     JointKind::translational, JointKind::planar,    JointKind::spherical,
                     JointKind::cylindrical,   JointKind::helical};
    options.bodies = 5;
    options.seed = seed;
    RobotDescription description = generate(options);
    const Robot plain(description);
    const std::vector<double> rest = plain.random(seed + 1000);
    for (const JointInfo& joint : plain.joints())
      add_properties(description.joints[size_t(joint.description)], joint.nv,
                     values_of(joint, rest), rng);
    const Robot robot(description);
    const Rerooted there = reroot(robot, "link_5");
    EXPECT_TRUE(there.dropped.empty());
    const std::vector<double> q = robot.random(seed), v = random_v(robot, seed);
    const std::vector<double> q2 = there.coordinates.q(q), v2 = there.coordinates.v(q, v);
    const PassiveData &a = robot.passive(), &b = there.robot.passive();
    std::vector<double> stretch(v.size()), stretch2(v.size());
    robot.difference(a.rest, q, stretch);
    there.robot.difference(b.rest, q2, stretch2);
    for (const auto& [x, y] : {std::pair{energy(a.armature, v), energy(b.armature, v2)},
                               {energy(a.damping, v), energy(b.damping, v2)},
                               {energy(a.friction, v), energy(b.friction, v2)},
                               {energy(a.stiffness, stretch), energy(b.stiffness, stretch2)}})
      EXPECT_NEAR(x, y, 1e-11 * (1 + std::abs(x))) << "seed " << seed;
  }
}

TEST(Reroot, LimitsTurnRound) {
  RobotDescription description = gripper_arm();
  description.joints[0].geometry = {JointKind::universal, {}, {{1, 0, 0}, {0, 1, 0}}};
  description.joints[0].properties = {.lower = {-1, -2}, .upper = {3, 4}, .effort_limit = {5, 6}};
  description.joints[1].geometry = {JointKind::translational};
  description.joints[1].properties = {.lower = {-1, -2, -3}, .velocity_limit = {7, 8, 9}};
  const Robot robot = reroot(Robot(description), "hand").robot;
  const std::vector<JointDescription>& joints = robot.description().joints;
  EXPECT_EQ(joints[0].properties.lower, (std::vector<double>{-2, -1}));
  EXPECT_EQ(joints[0].properties.upper, (std::vector<double>{4, 3}));
  EXPECT_EQ(joints[0].properties.effort_limit, (std::vector<double>{6, 5}));
  EXPECT_TRUE(joints[1].properties.lower.empty());
  EXPECT_EQ(joints[1].properties.upper, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(joints[1].properties.velocity_limit, (std::vector<double>{7, 8, 9}));
}

TEST(Reroot, DropsWhatCannotBeKept) {
  RobotDescription description = gripper_arm();
  description.joints[0].geometry = {JointKind::planar, {}, {{0, 0, 1}}};
  description.joints[0].properties = {
      .lower = {-1, -1, -2}, .upper = {1, 1, 3}, .damping = {1, 0, 2}};
  const Rerooted there = reroot(Robot(description), "hand", {.drop_properties = true});
  EXPECT_EQ(there.dropped, (std::vector<std::string>{"joint \"shoulder\": position limit",
                                                     "joint \"shoulder\": damping"}));
  const JointProperties& p = there.robot.description().joints[0].properties;
  EXPECT_EQ(p.lower[2], -3);
  EXPECT_EQ(p.upper[2], 2);
  EXPECT_EQ(p.damping, (std::vector<double>{1, 0, 0}));
}

}  // namespace
}  // namespace jounce::test

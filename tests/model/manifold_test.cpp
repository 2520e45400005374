// SPDX-License-Identifier: BSD-3-Clause
// The configuration manifold: neutral, random, normalize, integrate, difference, and its checks.
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/workspace.hpp>
#include <numbers>

#include "joint_reference.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Robot random_robot(std::uint64_t seed, std::vector<JointKind> kinds) {
  GeneratorOptions options;
  options.shape = TreeShape::random_tree;
  options.bodies = 1 + static_cast<int>(seed % 9);
  options.kinds = std::move(kinds);
  options.free_base = seed % 2 == 0;
  options.fixed_links = options.child_placements = options.mimic = true;
  options.seed = seed;
  return Robot(generate(options));
}
Robot robot_of_all_kinds(std::uint64_t seed) { return random_robot(seed, all_joint_kinds()); }
Robot ball() {
  GeneratorOptions options;
  options.name = "ball";
  options.bodies = 1;
  options.kinds = {JointKind::spherical};
  return Robot(generate(options));
}

/// Joint poses and screws at a configuration of the robot, mimic joints resolved.
struct Joints {
  WorkspaceStorage<double> storage;

  Joints(const Robot& robot, const std::vector<double>& q) : storage(robot.model()) {
    const Coupling<double>& c = robot.system().coupling;
    std::vector<double> all, v(static_cast<size_t>(robot.model().nv), 0.0);
    for (size_t k = 0; k < size_t(c.tree_nq); ++k)
      all.push_back(c.q_ratio[k] * q[static_cast<size_t>(c.q_source[k])] + c.q_offset[k]);
    forward_poses(robot.model(), State<double>{all.data(), v.data(), v.data()}, storage.view());
  }
  const SE3<double>& T(int body) const { return storage.view().T[body]; }
};
void expect_same_poses(const Robot& robot, const std::vector<double>& q,
                       const std::vector<double>& p, double tolerance, std::uint64_t seed) {
  const Joints a(robot, q), b(robot, p);
  for (int i = 1; i < robot.bodies(); ++i) {
    SCOPED_TRACE("body " + std::to_string(i));
    expect_near(a.T(i), b.T(i), tolerance, seed);
  }
}

std::vector<double> tangent(const Robot& robot, Random& random, double size) {
  auto v = random_numbers<double>(random, robot.nv());
  for (double& x : v) x *= size;
  return v;
}
std::vector<double> integrate(const Robot& robot, const std::vector<double>& q,
                              const std::vector<double>& v) {
  std::vector<double> p(q.size());
  robot.integrate(q, v, p);
  return p;
}
std::vector<double> difference(const Robot& robot, const std::vector<double>& q,
                               const std::vector<double>& p) {
  std::vector<double> v(static_cast<size_t>(robot.nv()));
  robot.difference(q, p, v);
  return v;
}
double length(const double* r) {
  return std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
}

TEST(Manifold, IntegratingTheDifferenceArrives) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Robot robot = robot_of_all_kinds(seed);
    const auto q = robot.random(seed), p = robot.random(seed + 1000);
    expect_same_poses(robot, integrate(robot, q, difference(robot, q, p)), p, 1e-12, seed);
  }
}

TEST(Manifold, DifferenceUndoesIntegrate) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Robot robot = robot_of_all_kinds(seed);
    Random random(seed);
    const auto q = robot.random(seed);
    for (const double size : {1.0, 1e-3, 1e-8}) {
      const auto v = tangent(robot, random, size);
      const auto w = difference(robot, q, integrate(robot, q, v));
      for (size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(w[k], v[k], 2e-14) << "seed " << seed;
    }
  }
}

TEST(Manifold, IntegratingNothingStays) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Robot robot = robot_of_all_kinds(seed);
    const auto q = robot.random(seed);
    const std::vector<double> zero(static_cast<size_t>(robot.nv()), 0.0);
    const auto p = integrate(robot, q, zero);
    for (size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(p[k], q[k], 3e-16) << "seed " << seed;
    for (const double x : difference(robot, q, q)) EXPECT_NEAR(x, 0, 1e-15) << "seed " << seed;
  }
}

TEST(Manifold, IntegratesInPlace) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Robot robot = robot_of_all_kinds(seed);
    Random random(seed);
    auto q = robot.random(seed);
    const auto v = tangent(robot, random, 1);
    const auto p = integrate(robot, q, v);
    robot.integrate(q, v, q);
    EXPECT_EQ(q, p) << "seed " << seed;
  }
}

/// A joint of constant screws moves along a constant twist, however far: T(q (+) v) = T(q) e^{S v}.
TEST(Manifold, ConstantScrewsAreFollowedExactly) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Robot robot = robot_of_all_kinds(seed);
    const Model<double>& m = robot.model();
    Random random(seed);
    const auto q = robot.random(seed), v = tangent(robot, random, 4);
    const Joints before(robot, q), after(robot, integrate(robot, q, v));
    for (const JointInfo& joint : robot.joints()) {
      if (joint.mimic || !m.constant_screws(joint.body)) continue;
      const Twist<double> Sv = part_twist(m.part[m.part_at[joint.body]], v.data() + joint.v);
      SCOPED_TRACE(name(joint.kind));
      expect_near(after.T(joint.body), before.T(joint.body) * exp(Sv), 1e-14, seed);
    }
  }
}

/// Where screws depend on q, T(q (+) h v) = T(q) e^{h S v} up to h^2.
TEST(Manifold, OtherScrewsAreFollowedToFirstOrder) {
  const double h = 1e-5;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Robot robot = robot_of_all_kinds(seed);
    const Model<double>& m = robot.model();
    Random random(seed);
    const auto q = robot.random(seed), v = tangent(robot, random, h);
    const Joints before(robot, q), after(robot, integrate(robot, q, v));
    for (const JointInfo& joint : robot.joints()) {
      if (joint.mimic) continue;
      Twist<double> Sv{};
      for (int k = 0; k < joint.nv; ++k)
        Sv += before.storage.view().S[m.v_at[joint.body] + k] * v[static_cast<size_t>(joint.v + k)];
      SCOPED_TRACE(name(joint.kind));
      expect_near(after.T(joint.body), before.T(joint.body) * exp(Sv), 20 * h * h, seed);
    }
  }
}

/// The difference is the shortest motion: full turns are left out, and the pose is reached.
TEST(Manifold, PlanarJointsGoTheShortWay) {
  const Robot robot = random_robot(9, {JointKind::planar});
  const double pi = std::numbers::pi;
  for (const double angle : {2 * pi - 1e-3, 2 * pi, 2 * pi + 1e-6, 3.2, pi, -100.0})
    for (const std::vector<double>& q :
         {std::vector<double>{0, 0, 0}, {0.1, 0.2, 0.3}, {-3, 2, -40 * pi}}) {
      const std::vector<double> p = {1, 0.5, angle};
      const auto v = difference(robot, q, p), back = integrate(robot, q, v);
      EXPECT_LE(std::abs(v[0]), pi) << angle;
      EXPECT_LE(std::hypot(v[1], v[2]), pi / 2 * std::hypot(1 - q[0], 0.5 - q[1]) + 1e-12);
      EXPECT_NEAR(back[0], p[0], 1e-14) << angle;
      EXPECT_NEAR(back[1], p[1], 1e-14) << angle;
      EXPECT_NEAR(std::sin(back[2]), std::sin(angle), 1e-13) << angle;
      EXPECT_NEAR(std::cos(back[2]), std::cos(angle), 1e-13) << angle;
    }
  for (const double angle : {1e15, -1e300})  // as many turns as a number can hold
    EXPECT_NEAR(std::remainder(difference(robot, {0, 0, 0}, {1, 0.5, angle})[0], 2 * pi),
                std::atan2(std::sin(angle), std::cos(angle)), 1e-15);
}

/// A quaternion and its opposite are one rotation.
TEST(Manifold, OppositeQuaternionsDoNotDiffer) {
  const Robot robot = ball();
  const auto q = robot.random(3);
  std::vector<double> opposite;
  for (const double x : q) opposite.push_back(-x);
  for (const double x : difference(robot, q, opposite)) EXPECT_NEAR(x, 0, 1e-15);
}

TEST(Manifold, NeutralIsZeroWithUnitQuaternions) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Robot robot = robot_of_all_kinds(seed);
    const auto q = robot.neutral();
    robot.check_q("test", "q", q);
    EXPECT_EQ(std::count(q.begin(), q.end(), 0.0) + std::count(q.begin(), q.end(), 1.0),
              robot.nq());
    Random random(seed);
    const auto back = difference(robot, q, integrate(robot, q, tangent(robot, random, 0)));
    for (const double x : back) EXPECT_EQ(x, 0) << "seed " << seed;
  }
  EXPECT_EQ(ball().neutral(), (std::vector<double>{0, 0, 0, 1}));
}

TEST(Manifold, RandomStaysWithinLimits) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Robot robot = robot_of_all_kinds(seed);
    const auto q = robot.random(seed);
    robot.check_q("test", "q", q);
    for (const JointInfo& joint : robot.joints()) {
      if (joint.mimic || joint.nq != joint.nv) continue;
      for (int k = 0; k < joint.nq; ++k) {
        EXPECT_GE(q[static_cast<size_t>(joint.q + k)],
                  robot.limits().lower[static_cast<size_t>(joint.v + k)]);
        EXPECT_LE(q[static_cast<size_t>(joint.q + k)],
                  robot.limits().upper[static_cast<size_t>(joint.v + k)]);
      }
    }
    EXPECT_EQ(q, robot.random(seed));
    EXPECT_TRUE(robot.nq() == 0 || q != robot.random(seed + 1)) << "seed " << seed;
  }
}

TEST(Manifold, RandomStaysWithinALimitOnOneSide) {
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic}) {
    GeneratorOptions options;
    options.bodies = 1;
    options.kinds = {kind};
    RobotDescription description = generate(options);
    JointProperties& p = description.joints[0].properties;
    p.lower = {5};
    p.upper = {};
    const Robot above(description);
    p.lower = {};
    p.upper = {-5};
    const Robot below(description);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      EXPECT_GE(above.random(seed)[0], 5) << name(kind);
      EXPECT_LE(below.random(seed)[0], -5) << name(kind);
    }
  }
}

TEST(Manifold, SpringsOfQuaternionsRestAtNeutral) {
  const Robot robot = ball();
  EXPECT_EQ(robot.passive().rest, robot.neutral());
}

TEST(Manifold, NormalizeBringsQuaternionsToUnitLength) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Robot robot = random_robot(seed, {JointKind::spherical, JointKind::free});
    Random random(seed);
    const auto p = robot.random(seed);
    auto q = p;
    for (const JointInfo& joint : robot.joints()) {
      const double scale = random.log_uniform(1e-3, 1e3);
      for (int k = joint.nq - 4; k < joint.nq; ++k) q[static_cast<size_t>(joint.q + k)] *= scale;
    }
    robot.normalize(q);
    for (const JointInfo& joint : robot.joints())
      EXPECT_NEAR(length(q.data() + joint.q + joint.nq - 4), 1, 5e-16);
    for (size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(q[k], p[k], 1e-15) << "seed " << seed;
  }
}

TEST(Manifold, NormalizesTheShortestAndTheLongest) {
  const Robot robot = ball();
  for (const double size : {5e-324, 1e-200, 1e-160, 1e160, 1e308}) {
    std::vector<double> q = {size, -size, size, size};
    robot.normalize(q);
    EXPECT_EQ(q, (std::vector<double>{0.5, -0.5, 0.5, 0.5})) << size;
  }
}

TEST(Manifold, NormalizeRefusesWhatHasNoDirection) {
  const Robot robot = ball();
  const std::string what = "normalize: the quaternion of joint \"joint_1\" has no direction";
  std::vector<double> zero(4), bad = {0, not_a_number, 0, 0}, far = {infinity, 0, 0, 0};
  EXPECT_EQ(message([&] { robot.normalize(zero); }), what);
  EXPECT_EQ(message([&] { robot.normalize(bad); }), "normalize: q[1] is NaN");
  EXPECT_EQ(message([&] { robot.normalize(far); }), "normalize: q[0] is infinite");
  std::vector<double> q(3);
  EXPECT_EQ(message([&] { robot.normalize(q); }),
            "normalize: q has 3 elements, robot \"ball\" needs 4");
}

TEST(Manifold, WrongSizes) {
  const Robot robot = ball();
  std::vector<double> three(3), four = robot.neutral();
  EXPECT_EQ(message([&] { robot.integrate(three, three, four); }),
            "integrate: q has 3 elements, robot \"ball\" needs 4");
  EXPECT_EQ(message([&] { robot.integrate(four, four, four); }),
            "integrate: dv has 4 elements, robot \"ball\" needs 3");
  EXPECT_EQ(message([&] { robot.integrate(four, three, three); }),
            "integrate: out has 3 elements, robot \"ball\" needs 4");
  EXPECT_EQ(message([&] { robot.difference(three, four, three); }),
            "difference: q0 has 3 elements, robot \"ball\" needs 4");
  EXPECT_EQ(message([&] { robot.difference(four, three, three); }),
            "difference: q1 has 3 elements, robot \"ball\" needs 4");
  EXPECT_EQ(message([&] { robot.difference(four, four, four); }),
            "difference: dv has 4 elements, robot \"ball\" needs 3");
}

TEST(Manifold, ChecksOfTheFrontDoor) {
  const Robot robot = ball();
  using Numbers = std::vector<double>;
  const auto q = [&](const Numbers& x) {
    return message([&] { robot.check_q("inverse", "q", x); });
  };
  const auto v = [&](const Numbers& x) {
    return message([&] { robot.check_v("inverse", "a", x); });
  };
  EXPECT_EQ(q({0, 0, 0, 1}), "no error");
  EXPECT_EQ(q({0, 0, 0, 1 + 0.9e-6}), "no error");
  EXPECT_EQ(q({0, 0, 1}), "inverse: q has 3 elements, robot \"ball\" needs 4");
  EXPECT_EQ(q({0, 0, not_a_number, 1}), "inverse: q[2] is NaN");
  EXPECT_EQ(q({0, infinity, 0, 1}), "inverse: q[1] is infinite");
  EXPECT_EQ(q({-infinity, not_a_number, 0, 1}), "inverse: q[0] is infinite");
  EXPECT_EQ(q({0, 0, 0, 1.1}),
            "inverse: q: the quaternion of joint \"joint_1\" has length 1.100000, needs 1; "
            "use normalize");
  EXPECT_EQ(q({0, 0, 0, 1 + 1.2e-6}),
            "inverse: q: the quaternion of joint \"joint_1\" has length 1.000001, needs 1; "
            "use normalize");
  EXPECT_EQ(v({1, 2, 3}), "no error");
  EXPECT_EQ(v({1, 2}), "inverse: a has 2 elements, robot \"ball\" needs 3");
  EXPECT_EQ(v({1, not_a_number, 3}), "inverse: a[1] is NaN");
  EXPECT_EQ(v({1, 2, -infinity}), "inverse: a[2] is infinite");
}

/// The length of a quaternion that overflows when squared is still reported, not accepted.
TEST(Manifold, HugeQuaternionIsRefused) {
  const Robot robot = ball();
  const std::vector<double> huge = {1e200, 0, 0, 0};
  EXPECT_NE(message([&] { robot.check_q("inverse", "q", huge); }), "no error");
}

}  // namespace
}  // namespace jounce::test

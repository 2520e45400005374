// SPDX-License-Identifier: BSD-3-Clause
// Kinematics of robots with every kind of joint, against the reference algorithms, finite
// differences and each other; on the instruction set that JOUNCE_ISA selects.
#include <gtest/gtest.h>

#include <functional>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/derivatives.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/group/eigen.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/model/custom.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/operations.hpp>
#include <jounce/model/workspace.hpp>
#include <jounce/series.hpp>

#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random.hpp"
#include "support/within.hpp"

namespace jounce {
namespace {

using test::message;
using test::near;
using test::within;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr std::uint64_t seeds = 60;

Robot random_robot(std::uint64_t seed) {
  return Robot(generate({.shape = TreeShape(seed % 4),
                         .bodies = 3 + int(seed % 9),
                         .branches = 2,
                         .kinds = all_joint_kinds(),
                         .free_base = seed % 3 == 0,
                         .mimic = seed % 2 == 0,
                         .fixed_links = true,
                         .child_placements = true,
                         .seed = seed}));
}

Vector random_vector(test::Random& rng, int n) {
  Vector x(n);
  for (double& value : x) value = rng.uniform(-1, 1);
  return x;
}

/// A robot, a state of it, and its Kinematics at that state.
struct Case {
  explicit Case(std::uint64_t seed)
      : robot(random_robot(seed)),
        rng(seed),
        kinematics(robot),
        q(Vector::Map(robot.random(seed).data(), robot.nq())) {
    v = random_vector(rng, robot.nv());
    a = random_vector(rng, robot.nv());
    kinematics.at(q, v, a);
    frame = FrameId(int(seed % robot.frames().size()));
  }
  /// q moved by h along the direction d.
  Vector moved(const Vector& d, double h) const {
    Vector to(robot.nq());
    const Vector step = h * d;
    robot.integrate({q.data(), size_t(q.size())}, {step.data(), size_t(step.size())},
                    {to.data(), size_t(to.size())});
    return to;
  }

  Robot robot;
  test::Random rng;
  Kinematics kinematics;
  Vector q, v, a;
  FrameId frame{};
};

/// To `tolerance` of the largest entry, or of 1.
testing::AssertionResult close(double tolerance, const Matrix& x, const Matrix& y, const Case& c) {
  return within(tolerance * std::max({1.0, test::largest(x), test::largest(y)}), x, y, c);
}

TEST(Kinematics, PosesEqualTheReference) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Robot robot(random_robot(2 * seed + 1));  // without mimic joints
    const std::vector<double> q = robot.random(seed), zero(size_t(robot.nv()));
    WorkspaceStorage<double> storage(robot.model());
    forward_poses(robot.model(), {q.data(), zero.data(), zero.data()}, storage.view());
    Kinematics kinematics(robot);
    kinematics.at(q);
    for (const FrameInfo& frame : robot.frames())
      EXPECT_TRUE(near(kinematics.pose(robot.frame(frame.name)),
                       storage.view().pose[frame.body] * frame.offset, 1e-13, seed));
  }
}

TEST(Kinematics, JacobianTimesVelocityIsTheTwist) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Case c(seed);
    Kinematics& k = c.kinematics;
    const FrameId f = c.frame;
    EXPECT_TRUE(close(1e-12, k.jacobian_body(f) * c.v, to_eigen(k.twist_body(f)), c));
    EXPECT_TRUE(close(1e-12, k.jacobian_space(f) * c.v, to_eigen(k.twist_space(f)), c));
    EXPECT_TRUE(close(1e-12, k.jacobian_hybrid(f) * c.v, to_eigen(k.twist_hybrid(f)), c));
  }
}

TEST(Kinematics, AccelerationIsJacobianTimesAccelerationPlusRateTimesVelocity) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Case c(seed);
    Kinematics& k = c.kinematics;
    const FrameId f = c.frame;
    const Vector &a = c.a, &v = c.v;
    EXPECT_TRUE(close(1e-12, k.jacobian_body(f) * a + k.jacobian_body_rate(f) * v,
                      to_eigen(k.spatial_acceleration_body(f)), c));
    EXPECT_TRUE(close(1e-12, k.jacobian_space(f) * a + k.jacobian_space_rate(f) * v,
                      to_eigen(k.spatial_acceleration_space(f)), c));
    EXPECT_TRUE(close(1e-12, k.jacobian_hybrid(f) * a + k.jacobian_hybrid_rate(f) * v,
                      to_eigen(k.classical_acceleration_hybrid(f)), c));
  }
}

/// log(T^-1 T') / h in the middle of a step: the body twist up to h^2.
TEST(Kinematics, JacobianAndItsRateAgreeWithDifferences) {
  const double h = 1e-5;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Case c(seed);
    Kinematics other(c.robot);
    const Matrix J = c.kinematics.jacobian_body(c.frame);
    for (int k = 0; k < c.robot.nv(); ++k) {
      const Vector e = Vector::Unit(c.robot.nv(), k);
      const SE3<double> before = other.at(c.moved(e, -h)).pose(c.frame);
      const SE3<double> after = other.at(c.moved(e, h)).pose(c.frame);
      const Twist<double> X = log(inverse_times(before, after));
      EXPECT_TRUE(close(1e-8, to_eigen(X) / (2 * h), J.col(k), c)) << "coordinate " << k;
    }
    for (const Representation in :
         {Representation::body, Representation::space, Representation::hybrid}) {
      const Matrix rate = c.kinematics.jacobian_rate(c.frame, in);
      const Matrix after = other.at(c.moved(c.v, h)).jacobian(c.frame, in);
      const Matrix before = other.at(c.moved(c.v, -h)).jacobian(c.frame, in);
      EXPECT_TRUE(close(1e-7, (after - before) / (2 * h), rate, c));
    }
  }
}

TEST(Kinematics, CentreOfMass) {
  const double h = 1e-5;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Case c(seed);
    Kinematics &k = c.kinematics, other(c.robot);
    EXPECT_TRUE(close(1e-12, k.com_jacobian() * c.v, to_eigen(k.com_velocity()), c));
    Vec3<double> sum{};
    for (const LinkDescription& link : c.robot.description().links) {
      const FrameId frame = c.robot.frame(link.name);
      if (c.robot.frame_info(frame).body > 0) sum += (k.pose(frame) * link.com) * link.mass;
    }
    EXPECT_TRUE(near(k.com(), sum * (1 / c.robot.mass()), 1e-12, seed));
    const Vec3<double> after = other.at(c.moved(c.v, h), c.v + h * c.a).com_velocity();
    const Vec3<double> before = other.at(c.moved(c.v, -h), c.v - h * c.a).com_velocity();
    const Vec3<double> acceleration = k.com_acceleration();
    EXPECT_TRUE(within(1e-6 * (1 + norm(acceleration)), to_eigen((after - before) * (0.5 / h)),
                       to_eigen(acceleration), c));
  }
}

/// A robot on a moving base is one with a free joint below its root that moves so.
TEST(Kinematics, MovingBase) {
  for (std::uint64_t seed = 1; seed < seeds; seed += 3) {
    Case c(seed);  // has a fixed base
    const Robot floating = with_base(c.robot, JointKind::free);
    Kinematics on_free_joint(floating);
    const Twist<double> V_0 = c.rng.twist(), Vdot_0 = c.rng.twist();
    const int nv = c.robot.nv(), nq = c.robot.nq();
    Vector q(nq + 7), v(nv + 6), a(nv + 6);
    q << 0, 0, 0, 0, 0, 0, 1, c.q;
    v << to_eigen(V_0), c.v;
    a << to_eigen(Vdot_0), c.a;
    on_free_joint.at(q, v, a);
    c.kinematics.at(c.q, c.v, c.a, Ground<double>{V_0, Vdot_0});
    EXPECT_TRUE(
        near(c.kinematics.twist_body(c.frame), on_free_joint.twist_body(c.frame), 1e-12, seed));
    EXPECT_TRUE(near(c.kinematics.spatial_acceleration_body(c.frame),
                     on_free_joint.spatial_acceleration_body(c.frame), 1e-12, seed));
  }
}

TEST(Dynamics, NothingOfTheSurroundingsIsRemembered) {
  const Robot arm = load("builtin:arm7");
  Dynamics dynamics(arm);
  const Vector q = Vector::Constant(7, 0.3), v = Vector::Constant(7, 0.2), a = -v;
  const OutsideWrench<double> push{arm.frame("flange"), {{1, 2, 3}, {4, 5, 6}}};
  const Vector before = dynamics.inverse(q, v, a);
  const Vector around = dynamics.inverse(q, v, a,
                                         {.wrenches = {&push, 1},
                                          .ground = Ground<double>{{{0, 0, 1}, {}}, {}},
                                          .passive = false,
                                          .gravity = false});
  EXPECT_GT((around - before).cwiseAbs().maxCoeff(), 1);
  EXPECT_EQ(dynamics.inverse(q, v, a), before);
}

TEST(Dynamics, WithoutGravity) {
  const Robot arm = load("builtin:arm7");
  Dynamics dynamics(arm);
  const Vector q = Vector::Constant(7, 0.3), v = Vector::Constant(7, 0.2), a = -v;
  RobotDescription description = arm.description();
  description.gravity = {};
  Dynamics floating{Robot(description)};
  const Surroundings weightless{.gravity = false};
  const Vector tau = floating.inverse(q, v, a);
  EXPECT_TRUE(within(1e-14, dynamics.inverse(q, v, a, weightless), tau, arm, 0));
  EXPECT_TRUE(within(1e-11, dynamics.forward(q, v, tau, weightless), a, arm, 0));
  const Matrix dq = Derivatives(arm).inverse(q, v, a, weightless).dq;
  EXPECT_TRUE(within(1e-14, dq, Derivatives(floating.robot()).inverse(q, v, a).dq, arm, 0));
  EXPECT_EQ(dynamics.power_balance(q, v, a, weightless).potential_rate, 0);
  EXPECT_NEAR(dynamics.power_balance(q, v, a, weightless).residual(), 0, 1e-14);
  Matrix motion(7, 4);
  motion << v, a, v, a;
  const Matrix taus = Series(arm, 2).inverse(q, motion, {.gravity = false});
  EXPECT_TRUE(within(1e-13, taus, Series(floating.robot(), 2).inverse(q, motion), arm, 0));
}

TEST(Kinematics, ManipulabilityAndItsGradient) {
  const Robot arm = load("builtin:arm7");
  const FrameId flange = arm.frame("flange");
  Kinematics kinematics(arm), other(arm);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Vector q = Vector::Map(arm.random(seed).data(), 7);
    const Matrix J = kinematics.at(q).jacobian_hybrid(flange), J_T = J.transpose();
    EXPECT_NEAR(kinematics.manipulability(flange),
                std::sqrt(test::symmetric_eigenvalues(test::product(J, J_T)).prod()), 1e-12);
    const Vector gradient = kinematics.manipulability_gradient(flange);
    for (int k = 0; k < 7; ++k) {
      const Vector step = 1e-5 * Vector::Unit(7, k);
      const double up = other.at(q + step).manipulability(flange);
      const double down = other.at(q - step).manipulability(flange);
      EXPECT_NEAR(gradient[k], (up - down) / 2e-5, 1e-8) << seed;
    }
    EXPECT_EQ(kinematics.jacobian_hybrid(flange), J);  // the state is as it was
  }
}

/// The last joint, as one whose screws change with its own coordinates.
RobotDescription with_custom_joint(RobotDescription robot) {
  const auto pose = [](const auto* q) {
    using Real = std::decay_t<decltype(*q)>;
    return exp(Twist<Real>{{q[0], 0.5 * q[1], sin(q[0]) * q[1]}, {sin(q[1]), q[0], q[1]}});
  };
  JointDescription& last = robot.joints.back();
  last = {.name = last.name, .parent = last.parent, .child = last.child};
  last.geometry = {.kind = JointKind::custom, .custom = custom_joint<2>(pose)};
  return robot;
}

/// With joints of every kind, mimic joints and a custom one.
TEST(Kinematics, GradientOfManipulabilityOfAnyRobot) {
  int looked = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Robot robot = random_robot(seed);
    if (seed % 2 == 1) robot = Robot(with_custom_joint(robot.description()));
    const std::vector<double> q = robot.random(seed);
    Kinematics kinematics(robot), other(robot);
    const FrameId frame{int(robot.description().links.size()) - 1};
    const Vector gradient = kinematics.at(q).manipulability_gradient(frame);
    const double scale = 1 + kinematics.manipulability(frame) + gradient.cwiseAbs().sum();
    std::vector<double> dv(size_t(robot.nv())), moved = q;
    for (int k = 0; k < robot.nv(); ++k) {
      double change = 0;
      for (const double step : {1e-5, -1e-5}) {
        dv[size_t(k)] = step;
        robot.integrate(q, dv, moved);
        change += other.at(moved).manipulability(frame) / (2 * step);
      }
      dv[size_t(k)] = 0;
      EXPECT_NEAR(gradient[k], change, 1e-7 * scale) << "seed " << seed << ", velocity " << k;
    }
    if (kinematics.manipulability(frame) > 0) ++looked;
  }
  EXPECT_GT(looked, 10);
}

TEST(Kinematics, NullSpaceProjector) {
  const Robot arm = load("builtin:arm7");
  const FrameId flange = arm.frame("flange");
  Kinematics kinematics(arm);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    kinematics.at(arm.random(seed));
    const Matrix N = kinematics.null_space_projector(flange), J = kinematics.jacobian_body(flange);
    EXPECT_LT((J * N).norm(), 1e-9);
    EXPECT_LT((N * N - N).norm(), 1e-9);
    EXPECT_LT((N - N.transpose()).norm(), 1e-9);
    EXPECT_NEAR(N.trace(), 1, 1e-9);
  }
}

TEST(Kinematics, MimicJointsMoveWithTheirLeader) {
  for (std::uint64_t seed = 0; seed < seeds; seed += 2) {
    const Robot coupled = random_robot(seed);
    RobotDescription description = coupled.description();
    for (JointDescription& joint : description.joints) joint.mimic.reset();
    const Robot independent{description};
    const std::vector<double> q = coupled.random(seed);
    const Coupling<double>& c = coupled.system().coupling;
    std::vector<double> all(size_t(independent.nq()));
    for (size_t k = 0; k < all.size(); ++k)
      all[k] = c.q_ratio[k] * q[size_t(c.q_source[k])] + c.q_offset[k];
    Kinematics one(coupled), two(independent);
    one.at(q), two.at(all);
    for (const FrameInfo& frame : coupled.frames())
      EXPECT_TRUE(near(one.pose(coupled.frame(frame.name)), two.pose(coupled.frame(frame.name)),
                       1e-13, seed));
  }
}

/// Vectors of no numbers are given all the same.
TEST(Kinematics, OfARobotWithoutCoordinates) {
  const Robot post(generate({.bodies = 2, .kinds = {JointKind::fixed}}));
  ASSERT_EQ(post.nv(), 0);
  const FrameId top = FrameId(int(post.frames().size()) - 1);
  const Vector none(0);
  Kinematics kinematics(post);
  kinematics.at(none, none);
  EXPECT_TRUE(near(kinematics.twist_hybrid(top), Twist<double>{}, 0));
  EXPECT_EQ(kinematics.jacobian_body_rate(top).cols(), 0);
  test::Random rng(1);
  const Twist<double> V = rng.twist(), Vdot = rng.twist();
  kinematics.at(none, none, none, Ground<double>{V, Vdot});
  EXPECT_TRUE(near(kinematics.twist_space(top), V, 1e-15));
  EXPECT_TRUE(near(kinematics.spatial_acceleration_space(top), Vdot, 1e-15));
}

TEST(Kinematics, RefusesQuaternionsGroundsAndFramesThatAreNone) {
  Kinematics k(load("builtin:quadruped"));
  std::vector<double> q = k.robot().neutral(), v(18);
  const std::string name = "robot \"" + k.robot().name() + "\"";
  EXPECT_EQ(message([&] {
              k.at(q, v, v, Ground<double>{{{NAN, 0, 0}, {}}, {}});
            }),
            "at: the ground's motion is not finite");
  q[6] = 1.001;
  EXPECT_EQ(message([&] { k.at(q); }),
            "at: q: the quaternion of joint \"base\" has length 1.001000, needs 1; use normalize");
  k.at(k.robot().neutral());
  EXPECT_EQ(message([&] { (void)k.pose(FrameId(999)); }).substr(0, 36),
            (name + " has no frame number 999").substr(0, 36));
  EXPECT_EQ(message([&] { (void)k.robot().frame("trunkk"); }).substr(0, 30),
            (name + " has no link or frame").substr(0, 30));
}

TEST(Kinematics, FramesByName) {
  Kinematics k(load("builtin:arm7"));
  k.at(k.robot().random(1), k.robot().random(2), k.robot().random(3));
  const FrameId flange = k.robot().frame("flange");
  const std::string name = "flange";
  EXPECT_EQ(norm(k.pose("flange").p - k.pose(flange).p), 0);
  EXPECT_EQ(norm(k.twist_hybrid(name).v - k.twist_hybrid(flange).v), 0);
  EXPECT_EQ(norm(k.classical_acceleration_body(name).v - k.classical_acceleration_body(flange).v),
            0);
  EXPECT_EQ((k.jacobian_body(name) - k.jacobian_body(flange)).norm(), 0);
  EXPECT_EQ((k.jacobian_space_rate("flange") - k.jacobian_space_rate(flange)).norm(), 0);
  EXPECT_EQ(k.manipulability("flange"), k.manipulability(flange));
  EXPECT_EQ((k.null_space_projector("flange") - k.null_space_projector(flange)).norm(), 0);
  for (const auto& ask : {std::function<void()>([&] { (void)k.pose("flang"); }),
                          std::function<void()>([&] { (void)k.jacobian_body("flang"); })})
    EXPECT_NE(message(ask).find("has no link or frame \"flang\"; nearest: \"flange\""),
              std::string::npos)
        << message(ask);
}

TEST(Robot, MovedFromIsStillItself) {
  Robot arm = load("builtin:arm7");
  const Robot other = std::move(arm);
  EXPECT_EQ(arm.nv(), 7);  // NOLINT: that it may be used is what is tested
  EXPECT_EQ(arm.name(), "arm7");
  Robot third = load("builtin:puma560");
  third = std::move(arm);
  EXPECT_EQ(arm.nv(), third.nv());  // NOLINT
  EXPECT_EQ(&arm.model(), &other.model());
}

}  // namespace
}  // namespace jounce

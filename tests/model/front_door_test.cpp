// SPDX-License-Identifier: BSD-3-Clause
// Dynamics: kinematics of robots with every kind of joint, against the reference
// algorithms, finite differences and each other; on the instruction set that JOUNCE_ISA selects.
#include <gtest/gtest.h>

#include <functional>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/group/eigen.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/operations.hpp>
#include <jounce/model/workspace.hpp>

#include "support/allocation_guard.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce {
namespace {

using test::message;
using test::near;
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

/// A robot, a state of it, and its Dynamics after kinematics(q, v, a).
struct Case {
  explicit Case(std::uint64_t seed)
      : robot(random_robot(seed)),
        rng(seed),
        dynamics(robot),
        q(Vector::Map(robot.random(seed).data(), robot.nq())) {
    v = random_vector(rng, robot.nv());
    a = random_vector(rng, robot.nv());
    dynamics.kinematics(q, v, a);
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
  Dynamics dynamics;
  Vector q, v, a;
  FrameId frame{};
};

double relative(const Matrix& x, const Matrix& y) {
  return test::largest(x - y) / std::max({1.0, test::largest(x), test::largest(y)});
}

TEST(FrontDoor, PosesEqualTheReference) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Robot robot(random_robot(2 * seed + 1));  // without mimic joints
    const std::vector<double> q = robot.random(seed), zero(size_t(robot.nv()));
    WorkspaceStorage<double> storage(robot.model());
    forward_poses(robot.model(), {q.data(), zero.data(), zero.data()}, storage.view());
    Dynamics dynamics(robot);
    dynamics.kinematics(q);
    for (const FrameInfo& frame : robot.frames())
      EXPECT_TRUE(near(dynamics.pose(robot.frame(frame.name)),
                       storage.view().pose[frame.body] * frame.offset, 1e-13, seed));
  }
}

TEST(FrontDoor, JacobianTimesVelocityIsTheTwist) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Case c(seed);
    Dynamics& d = c.dynamics;
    EXPECT_LT(relative(d.jacobian_body(c.frame) * c.v, to_eigen(d.twist_body(c.frame))), 1e-12)
        << seed;
    EXPECT_LT(relative(d.jacobian_space(c.frame) * c.v, to_eigen(d.twist_space(c.frame))), 1e-12)
        << seed;
    EXPECT_LT(relative(d.jacobian_hybrid(c.frame) * c.v, to_eigen(d.twist_hybrid(c.frame))), 1e-12)
        << seed;
  }
}

TEST(FrontDoor, AccelerationIsJacobianTimesAccelerationPlusRateTimesVelocity) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Case c(seed);
    Dynamics& d = c.dynamics;
    const FrameId f = c.frame;
    const auto sum = [&](const Matrix& J, const Matrix& rate) -> Vector {
      return J * c.a + rate * c.v;
    };
    EXPECT_LT(relative(sum(Matrix(d.jacobian_body(f)), Matrix(d.jacobian_body_rate(f))),
                       to_eigen(d.spatial_acceleration_body(f))),
              1e-12)
        << seed;
    EXPECT_LT(relative(sum(Matrix(d.jacobian_space(f)), Matrix(d.jacobian_space_rate(f))),
                       to_eigen(d.spatial_acceleration_space(f))),
              1e-12)
        << seed;
    EXPECT_LT(relative(sum(Matrix(d.jacobian_hybrid(f)), Matrix(d.jacobian_hybrid_rate(f))),
                       to_eigen(d.classical_acceleration_hybrid(f))),
              1e-12)
        << seed;
  }
}

/// log(T^-1 T') / h in the middle of a step: the body twist up to h^2.
TEST(FrontDoor, JacobianAndItsRateAgreeWithDifferences) {
  const double h = 1e-5;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Case c(seed);
    Dynamics other(c.robot);
    const Matrix J = c.dynamics.jacobian_body(c.frame);
    for (int k = 0; k < c.robot.nv(); ++k) {
      const Vector e = Vector::Unit(c.robot.nv(), k);
      other.kinematics(c.moved(e, -h));
      const SE3<double> before = other.pose(c.frame);
      other.kinematics(c.moved(e, h));
      const Twist<double> X = log(inverse_times(before, other.pose(c.frame)));
      EXPECT_LT(relative(to_eigen(X) / (2 * h), J.col(k)), 1e-8) << seed << " " << k;
    }
    for (const Representation in :
         {Representation::body, Representation::space, Representation::hybrid}) {
      const Matrix rate = c.dynamics.jacobian_rate(c.frame, in);
      other.kinematics(c.moved(c.v, h));
      const Matrix after = other.jacobian(c.frame, in);
      other.kinematics(c.moved(c.v, -h));
      EXPECT_LT(relative((after - Matrix(other.jacobian(c.frame, in))) / (2 * h), rate), 1e-7)
          << seed;
    }
  }
}

TEST(FrontDoor, CentreOfMass) {
  const double h = 1e-5;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Case c(seed);
    Dynamics other(c.robot);
    const Com<double> com = c.dynamics.com();
    EXPECT_LT(relative(c.dynamics.com_jacobian() * c.v, to_eigen(com.velocity)), 1e-12) << seed;
    Vec3<double> sum{};
    for (const LinkDescription& link : c.robot.description().links) {
      const FrameId frame = c.robot.frame(link.name);
      if (c.robot.frame_info(frame).body > 0)
        sum += (c.dynamics.pose(frame) * link.com) * link.mass;
    }
    EXPECT_TRUE(near(com.position, sum * (1 / c.robot.mass()), 1e-12, seed));
    other.kinematics(c.moved(c.v, h), c.v + h * c.a);
    const Vec3<double> after = other.com().velocity;
    other.kinematics(c.moved(c.v, -h), c.v - h * c.a);
    const Vec3<double> rate = (after - other.com().velocity) * (0.5 / h);
    EXPECT_LT(norm(rate - com.acceleration), 1e-6 * (1 + norm(com.acceleration))) << seed;
  }
}

/// A robot on a moving base is one with a free joint below its root that moves so.
TEST(FrontDoor, MovingBase) {
  for (std::uint64_t seed = 1; seed < seeds; seed += 3) {
    Case c(seed);  // has a fixed base
    const Robot floating = with_base(c.robot, JointKind::free);
    Dynamics on_free_joint(floating);
    const Twist<double> V_0 = c.rng.twist(), Vdot_0 = c.rng.twist();
    const int nv = c.robot.nv(), nq = c.robot.nq();
    Vector q(nq + 7), v(nv + 6), a(nv + 6);
    q << 0, 0, 0, 0, 0, 0, 1, c.q;
    v << to_eigen(V_0), c.v;
    a << to_eigen(Vdot_0), c.a;
    on_free_joint.kinematics(q, v, a);
    c.dynamics.kinematics(c.q, c.v, c.a, Ground<double>{V_0, Vdot_0});
    EXPECT_TRUE(
        near(c.dynamics.twist_body(c.frame), on_free_joint.twist_body(c.frame), 1e-12, seed));
    EXPECT_TRUE(near(c.dynamics.spatial_acceleration_body(c.frame),
                     on_free_joint.spatial_acceleration_body(c.frame), 1e-12, seed));
  }
}

TEST(FrontDoor, PosesAloneForgetTheLastVelocity) {
  Case c(5);
  ASSERT_GT(norm(c.dynamics.com().velocity), 0);
  c.dynamics.kinematics(c.q);
  EXPECT_EQ(norm(c.dynamics.com().velocity), 0);
  EXPECT_EQ(norm(c.dynamics.twist_body(c.frame).w), 0);
}

TEST(FrontDoor, NothingOfTheSurroundingsIsRemembered) {
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
  EXPECT_EQ(Vector(dynamics.inverse(q, v, a)), before);
}

TEST(FrontDoor, WithoutGravity) {
  const Robot arm = load("builtin:arm7");
  Dynamics dynamics(arm);
  const Vector q = Vector::Constant(7, 0.3), v = Vector::Constant(7, 0.2), a = -v;
  RobotDescription description = arm.description();
  description.gravity = {};
  Dynamics floating{Robot(description)};
  const Surroundings weightless{.gravity = false};
  const Vector tau = floating.inverse(q, v, a);
  EXPECT_LE((dynamics.inverse(q, v, a, weightless) - tau).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE((dynamics.forward(q, v, tau, weightless) - a).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LE((dynamics.inverse_derivatives(q, v, a, weightless).dtau_dq -
             floating.inverse_derivatives(q, v, a).dtau_dq)
                .cwiseAbs()
                .maxCoeff(),
            1e-14);
  EXPECT_EQ(dynamics.power_balance(q, v, a, weightless).potential_rate, 0);
  EXPECT_NEAR(dynamics.power_balance(q, v, a, weightless).residual(), 0, 1e-14);
  Matrix motion(7, 4);
  motion << v, a, v, a;
  EXPECT_LE(
      (dynamics.inverse_series(q, motion, {.gravity = false}) - floating.inverse_series(q, motion))
          .cwiseAbs()
          .maxCoeff(),
      1e-13);
}

TEST(FrontDoor, ManipulabilityAndItsGradient) {
  const Robot arm = load("builtin:arm7");
  const FrameId flange = arm.frame("flange");
  Dynamics dynamics(arm), other(arm);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Vector q = Vector::Map(arm.random(seed).data(), 7);
    dynamics.kinematics(q);
    const Matrix J = dynamics.jacobian_hybrid(flange);
    const Matrix J_T = J.transpose();
    EXPECT_NEAR(dynamics.manipulability(flange),
                std::sqrt(test::symmetric_eigenvalues(test::product(J, J_T)).prod()), 1e-12);
    const Vector gradient = dynamics.manipulability_gradient(flange);
    for (int k = 0; k < 7; ++k) {
      const Vector step = 1e-5 * Vector::Unit(7, k);
      other.kinematics(q + step);
      const double up = other.manipulability(flange);
      other.kinematics(q - step);
      EXPECT_NEAR(gradient[k], (up - other.manipulability(flange)) / 2e-5, 1e-8) << seed;
    }
    EXPECT_LT(relative(Matrix(dynamics.jacobian_hybrid(flange)), J), 1e-15);  // state restored
  }
}

TEST(FrontDoor, GradientLeavesTheStateAsItWas) {
  Case c(7);
  const Twist<double> V = c.dynamics.twist_body(c.frame);
  c.dynamics.manipulability_gradient(c.frame);
  EXPECT_TRUE(near(c.dynamics.twist_body(c.frame), V, 1e-15, 7));
  c.dynamics.kinematics(c.q);
  const Twist<double> at_rest = c.dynamics.twist_body(c.frame);
  c.dynamics.manipulability_gradient(c.frame);
  EXPECT_TRUE(near(c.dynamics.twist_body(c.frame), at_rest, 1e-15, 7));
}

TEST(FrontDoor, NullSpaceProjector) {
  const Robot arm = load("builtin:arm7");
  const FrameId flange = arm.frame("flange");
  Dynamics dynamics(arm);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    dynamics.kinematics(arm.random(seed));
    const Matrix N = dynamics.null_space_projector(flange), J = dynamics.jacobian_body(flange);
    EXPECT_LT((J * N).norm(), 1e-9);
    EXPECT_LT((N * N - N).norm(), 1e-9);
    EXPECT_LT((N - N.transpose()).norm(), 1e-9);
    EXPECT_NEAR(N.trace(), 1, 1e-9);
  }
}

TEST(FrontDoor, MimicJointsMoveWithTheirLeader) {
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
    Dynamics one(coupled), two(independent);
    one.kinematics(q);
    two.kinematics(all);
    for (const FrameInfo& frame : coupled.frames())
      EXPECT_TRUE(near(one.pose(coupled.frame(frame.name)), two.pose(coupled.frame(frame.name)),
                       1e-13, seed));
  }
}

TEST(FrontDoor, AllocatesNothing) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Case c(seed);
    Dynamics& d = c.dynamics;
    test::NoAllocation scope;
    d.kinematics(c.q);
    d.kinematics(c.q, c.v, c.a);
    d.jacobian_body(c.frame);
    d.jacobian_hybrid_rate(c.frame);
    d.com();
    d.com_jacobian();
    d.manipulability_gradient(c.frame);
    d.null_space_projector(c.frame);
    d.classical_acceleration_hybrid(c.frame);
  }
}

TEST(FrontDoor, RefusesBadInput) {
  Dynamics d(load("builtin:quadruped"));
  std::vector<double> q = d.robot().neutral(), v(18);
  const std::vector<double> short_q(5);
  const std::string name = "robot \"" + d.robot().name() + "\"";
  EXPECT_EQ(message([&] { d.kinematics(short_q); }),
            "kinematics: q has 5 elements, " + name + " needs 19");
  EXPECT_EQ(message([&] {
              d.kinematics(q, v, v, Ground<double>{{{NAN, 0, 0}, {}}, {}});
            }),
            "kinematics: the ground's motion is not finite");
  v[3] = NAN;
  EXPECT_EQ(message([&] { d.kinematics(q, v); }), "kinematics: v[3] is NaN");
  v[3] = -INFINITY;
  EXPECT_EQ(message([&] { d.kinematics(q, v); }), "kinematics: v[3] is infinite");
  q[6] = 1.001;
  EXPECT_EQ(message([&] { d.kinematics(q); }),
            "kinematics: q: the quaternion of joint \"base\" has length 1.001000, needs 1; use "
            "normalize");
  EXPECT_EQ(message([&] { (void)d.pose(FrameId(999)); }).substr(0, 36),
            (name + " has no frame number 999").substr(0, 36));
  EXPECT_EQ(message([&] { (void)d.robot().frame("trunkk"); }).substr(0, 30),
            (name + " has no link or frame").substr(0, 30));
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

// SPDX-License-Identifier: BSD-3-Clause
// A link of springs and segments against the beam of Euler and Bernoulli.
#include <jounce/derivatives.hpp>
#include <jounce/model/flexible_link.hpp>

#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/within.hpp"

namespace jounce::test {
namespace {

constexpr double length = 1.5, mass = 0.6, bending = 40;

RobotDescription cantilever() {
  RobotDescription d;
  d.name = "cantilever";
  d.gravity = {};
  d.links.push_back({.name = "wall"});
  LinkDescription beam{.name = "beam"};
  beam.mass = mass;
  beam.com = {length / 2, 0, 0};
  beam.I_com = {0, 0, mass * length * length / 12, 0, 0, mass * length * length / 12};
  d.links.push_back(beam);
  JointDescription clamp;
  clamp.name = "clamp";
  clamp.parent = "wall";
  clamp.child = "beam";
  d.joints.push_back(clamp);
  d.frames.push_back({"tip", "beam", SE3<double>{{}, {length, 0, 0}}});
  d.frames.push_back({"middle", "beam", SE3<double>{{}, {length / 2, 0.1, 0}}});
  return d;
}

Flexibility bending_with(int segments) {
  Flexibility beam;
  beam.end = {length, 0, 0};
  beam.axis = {0, 0, 1};
  beam.stiffness = bending;
  beam.segments = segments;
  return beam;
}

/// The roots of cos(x) cosh(x) = -1, by bisection.
double root_of_cantilever(int k) {
  double low = (k + 0.3) * M_PI, high = (k + 0.8) * M_PI;
  const auto f = [](double x) { return std::cos(x) + 1 / std::cosh(x); };
  for (int step = 0; step < 80; ++step) {
    const double middle = (low + high) / 2;
    ((f(low) > 0) == (f(middle) > 0) ? low : high) = middle;
  }
  return low;
}

/// Circular frequencies of the chain, least first: K x = w^2 M x with K from the derivatives.
Eigen::VectorXd frequencies(int segments) {
  const Robot robot = with_flexible_link(Robot(cantilever()), "beam", bending_with(segments));
  Derivatives derivatives(robot);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(robot.nv());
  const InverseDerivatives at = derivatives.inverse(robot.neutral(), zero, zero);
  const Eigen::MatrixXd K = at.dq, M = at.da;
  const Eigen::MatrixXd L = Eigen::LLT<Eigen::MatrixXd>(M).matrixL();
  const auto lower = L.triangularView<Eigen::Lower>();
  const Eigen::MatrixXd half = lower.solve(K), both = lower.solve(half.transpose());
  return symmetric_eigenvalues((both + both.transpose()) / 2).cwiseSqrt();
}

/// The first three to 1 % with twenty segments, and a fourth of the error with twice as many.
TEST(FlexibleLink, HasTheFrequenciesOfACantilever) {
  const double unit = std::sqrt(bending * length / mass) / (length * length);
  double error[3][3];
  for (int n = 0; n < 3; ++n) {
    const Eigen::VectorXd found = frequencies(10 << n);
    for (int k = 0; k < 3; ++k) {
      const double root = root_of_cantilever(k);
      error[n][k] = std::abs(found[k] / (root * root * unit) - 1);
    }
  }
  EXPECT_NEAR(root_of_cantilever(0), 1.8751040687119611, 1e-12);
  for (int k = 0; k < 3; ++k) {
    EXPECT_LT(error[1][k], 0.01) << k;
    EXPECT_NEAR(std::log2(error[0][k] / error[1][k]), 2, 0.1) << k;
    EXPECT_NEAR(std::log2(error[1][k] / error[2][k]), 2, 0.05) << k;
  }
}

/// A force at the tip bends it by F L^3 / (3 E I): the springs, halved at the clamp, are those of
/// the trapezoidal rule, exact to (h / L)^2 / 2.
TEST(FlexibleLink, BendsAsABeamUnderAForceAtItsTip) {
  const Robot robot = with_flexible_link(Robot(cantilever()), "beam", bending_with(20));
  Kinematics kinematics(robot);
  const FrameId tip = robot.frame("tip");
  const Eigen::MatrixXd J = kinematics.at(robot.neutral()).jacobian_hybrid(tip);
  double slope = 0;
  for (int k = 0; k < robot.nv(); ++k)
    slope += J(4, k) * J(4, k) / robot.passive().stiffness[size_t(k)];
  EXPECT_NEAR(slope / (length * length * length / (3 * bending)), 1, 0.5 / 400 + 1e-4);
}

TEST(FlexibleLink, KeepsMassFramesAndTheStraightRobot) {
  const Robot rigid(cantilever());
  Flexibility beam = bending_with(7);
  beam.second_stiffness = 3;
  beam.damping = 0.01;
  const Robot bent = with_flexible_link(rigid, "beam", beam);
  EXPECT_EQ(bent.nv(), 14);
  EXPECT_NEAR(bent.mass(), mass, 1e-15);
  Kinematics before(rigid), after(bent);
  before.at(rigid.neutral()), after.at(bent.neutral());
  for (const char* name : {"tip", "middle", "beam"})
    EXPECT_LT(norm(before.pose(rigid.frame(name)).p - after.pose(bent.frame(name)).p), 1e-15)
        << name;
  const JointInfo& joint = bent.joint("beam_bend_2");
  EXPECT_NEAR(bent.passive().stiffness[size_t(joint.v)], bending * 7 / length, 1e-10);
  EXPECT_NEAR(bent.passive().stiffness[size_t(joint.v + 1)], 3 * 7 / length, 1e-12);
  EXPECT_NEAR(bent.passive().damping[size_t(joint.v)], 0.01 * bending * 7 / length, 1e-12);
}

TEST(FlexibleLink, RefusesWhatNoBeamHas) {
  const Robot robot(cantilever());
  const auto told = [&](auto change, const char* link = "beam") {
    Flexibility beam = bending_with(4);
    change(beam);
    return message([&] { with_flexible_link(robot, link, beam); });
  };
  const std::string who = "with_flexible_link: link \"beam\" ";
  EXPECT_EQ(told([](auto&) {}, "boom"),
            "with_flexible_link: robot \"cantilever\" has no link \"boom\"");
  EXPECT_EQ(told([](auto& b) { b.end = {}; }), who + "needs an end away from its origin");
  EXPECT_EQ(told([](auto& b) {
              b.axis = {1, 0, 0};
            }),
            who + "needs an axis of length 1 at right angles to its beam");
  EXPECT_EQ(told([](auto& b) { b.stiffness = 0; }),
            who + "needs a positive stiffness, and no negative second one or damping");
  EXPECT_EQ(told([](auto& b) { b.segments = 0; }), who + "has 0 segments, needs 1 or more");
  EXPECT_EQ(told([](auto& b) {
              b.end = {1, 0, 0};
            }),
            who + "has its centre of mass away from the middle of the beam");
  EXPECT_EQ(told([](auto&) {}, "wall"), "with_flexible_link: link \"wall\" has no mass to spread");
}

}  // namespace
}  // namespace jounce::test

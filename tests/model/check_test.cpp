// SPDX-License-Identifier: BSD-3-Clause
// What Robot refuses, all of it at once, and what it accepts and tells when asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <jounce/dynamics.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/operations.hpp>
#include <limits>

namespace jounce {
namespace {

RobotDescription chain(int bodies) {
  GeneratorOptions options;
  options.bodies = bodies;
  return generate(options);
}

std::string refusal(const RobotDescription& robot) {
  try {
    const Robot made(robot);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Check, InertiasThatNoBodyHasAreAcceptedAndTold) {
  RobotDescription description = chain(3);
  EXPECT_TRUE(Robot(description).check().empty());
  description.links[1].I_com = {0.1, 0, 0.2, 0, 0, 1};
  description.links[2].I_com = {0.1, 0.4, 0.2, 0, 0, 0.2};
  description.links[3].mass = 0;
  const std::vector<Finding> findings = Robot(description).check();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::inertia);
  EXPECT_EQ(findings[0].level, Level::warning);
  EXPECT_EQ(findings[0].count, 3u);
  ASSERT_EQ(findings[0].places.size(), 3u);
  EXPECT_EQ(findings[0].places[0].name, description.links[1].name);
  EXPECT_EQ(
      findings[0].places[0].what,
      "link \"link_1\": inertia violates the triangle inequality (principal moments 0.1, 0.2, "
      "1)");
  EXPECT_EQ(findings[0].places[1].what.substr(0, 50),
            "link \"link_2\": inertia is not positive definite (p");
  EXPECT_EQ(findings[0].places[2].what, "link \"link_3\": has inertia but no mass");
}

/// Inverse dynamics is linear in the inertias: those of no body need no other text.
TEST(Check, LevelsOfFindings) {
  const auto is_note = [](FindingKind kind) {
    return kind == FindingKind::axis || kind == FindingKind::mimic_chain ||
           kind == FindingKind::cut_loop || kind == FindingKind::mesh ||
           kind == FindingKind::unknown || kind == FindingKind::unused;
  };
  for (int k = 0; k <= int(FindingKind::unused); ++k) {
    const auto kind = FindingKind(k);
    const Level needed = kind == FindingKind::fault ? Level::fault
                         : is_note(kind)            ? Level::note
                                                    : Level::warning;
    EXPECT_EQ(level(kind), needed) << name(kind);
    EXPECT_EQ(is_told({kind, level(kind), "", 1, {}}),
              needed != Level::note || kind == FindingKind::unknown)
        << name(kind);
    EXPECT_TRUE(is_told({kind, Level::fault, "", 1, {}})) << name(kind);
  }
}

TEST(Check, InverseDynamicsTakesAnyInertia) {
  RobotDescription odd = chain(3), plus = odd, minus = odd;
  const Sym3<double> change{-2, 0.3, 1, 0.2, -0.1, 3};
  const auto add = [](Sym3<double>& I, const Sym3<double>& d, double s) {
    I = {I.xx + s * d.xx, I.xy + s * d.xy, I.yy + s * d.yy,
         I.xz + s * d.xz, I.yz + s * d.yz, I.zz + s * d.zz};
  };
  add(odd.links[2].I_com, change, 1);
  add(plus.links[2].I_com, change, 0.5);
  const Robot robot(odd), half(plus), none(minus);
  ASSERT_FALSE(robot.check().empty());
  const std::vector<double> q = robot.random(3), v = {0.3, -0.4, 0.5}, a = {1, 2, -1};
  const Eigen::VectorXd x = Dynamics(robot).inverse(q, v, a), y = Dynamics(half).inverse(q, v, a);
  const Eigen::VectorXd z = Dynamics(none).inverse(q, v, a);
  for (Eigen::Index k = 0; k < 3; ++k) EXPECT_NEAR(x[k] - y[k], y[k] - z[k], 1e-13);
}

TEST(Check, AllFaultsAtOnce) {
  RobotDescription robot = chain(3);
  robot.links[1].mass = -1;
  robot.links[2].com = {std::numeric_limits<double>::quiet_NaN(), 0, 0};
  robot.joints[0].geometry.axes = {{0, 0, 2}};
  robot.joints[2].child = "nowhere";
  EXPECT_EQ(refusal(robot),
            "link \"link_1\": mass -1 must be finite and not negative\n"
            "link \"link_2\": com (nan,0,0) is not finite\n"
            "joint \"joint_1\": axis (0,0,2) has length 2, needs 1\n"
            "joint \"joint_3\": there is no link \"nowhere\"; nearest: \"base\", \"link_1\", "
            "\"link_2\"");
}

TEST(Check, TwentyFaultsThenACount) {
  RobotDescription robot = chain(30);
  for (LinkDescription& link : robot.links) link.mass = -1;
  const std::string message = refusal(robot);
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 20);
  EXPECT_TRUE(message.ends_with("\nand 11 more faults")) << message;
}

TEST(Check, Trees) {
  RobotDescription robot = chain(3);
  robot.joints[1].parent = "link_3";
  EXPECT_EQ(refusal(robot), "joint \"joint_2\" is part of a cycle");
  robot = chain(3);
  robot.joints.erase(robot.joints.begin() + 1);
  EXPECT_EQ(refusal(robot), "two roots: links \"base\" and \"link_2\" have no parent");
  robot.joints.clear();
  EXPECT_EQ(refusal(robot),
            "4 roots: links \"base\", \"link_1\", \"link_2\" and \"link_3\" have no parent");
  robot = chain(3);
  robot.joints[2].child = "link_1";
  EXPECT_EQ(refusal(robot),
            "link \"link_1\" is the child of two joints, \"joint_1\" and \"joint_3\": cut_loops "
            "makes a loop of one of them");
}

/// A joint that follows a follower moves as one that follows the first by the product.
TEST(Check, MimicsOfMimicsAreComposed) {
  RobotDescription chained = chain(4), direct = chained;
  chained.joints[1].mimic = Mimic{"joint_3", 2, 0.125};
  chained.joints[3].mimic = Mimic{"joint_2", 3, 0.25};
  direct.joints[1].mimic = Mimic{"joint_3", 2, 0.125};
  direct.joints[3].mimic = Mimic{"joint_3", 6, 0.625};
  const Robot robot(chained), other(direct);
  ASSERT_EQ(robot.nv(), 2);
  const std::vector<double> q = {0.3, -0.7}, v = {1, 2}, a = {-1, 0.5};
  EXPECT_EQ(Dynamics(robot).inverse(q, v, a), Dynamics(other).inverse(q, v, a));
  chained.joints[2].mimic = Mimic{"joint_4", 1, 0};
  EXPECT_EQ(refusal(chained),
            "joint \"joint_2\": mimics \"joint_3\", which follows it: mimic joints in a ring");
}

/// The same in the order of the file that composes the last first.
TEST(Check, MimicsAreComposedInAnyOrder) {
  RobotDescription chained = chain(4), direct = chained;
  const double multiplier[] = {-2, 0.5, 3}, offset[] = {0.25, 1, -0.5};
  double scale = 1, shift = 0;
  for (size_t k = 3; k-- > 0;) {
    chained.joints[k].mimic = Mimic{chained.joints[k + 1].name, multiplier[k], offset[k]};
    scale *= multiplier[k], shift = multiplier[k] * shift + offset[k];
    direct.joints[k].mimic = Mimic{"joint_4", scale, shift};
  }
  const Robot robot(chained);
  ASSERT_EQ(robot.nv(), 1);
  EXPECT_EQ(Dynamics(robot).inverse({0.3}, {2}, {-1}),
            Dynamics(Robot(direct)).inverse({0.3}, {2}, {-1}));
}

TEST(Check, InertiasMayBeRounded) {
  RobotDescription description = chain(1);
  const auto told = [&](double zz) {
    description.links[1].I_com = {0.5, 0, 0.5, 0, 0, zz};
    return !Robot(description).check().empty();
  };
  EXPECT_FALSE(told(1 + 0.9e-6));
  EXPECT_TRUE(told(1 + 1.1e-6));
}

TEST(Check, ABaseFindsItsName) {
  RobotDescription description = chain(2);
  description.joints[1].name = "base";
  const Robot robot(description);
  EXPECT_EQ(with_base(robot, JointKind::fixed).nv(), 2);
  EXPECT_EQ(with_base(robot, JointKind::free).joints()[0].name, "base_free");
  description.joints[0].name = "base_free";
  EXPECT_EQ(with_base(Robot(description), JointKind::free).joints()[0].name, "base_free_2");
}

}  // namespace
}  // namespace jounce

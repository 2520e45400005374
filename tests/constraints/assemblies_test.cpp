// SPDX-License-Identifier: BSD-3-Clause
// All assemblies of mechanisms: four- and five-bars against 50 digits and against Newton's method,
// which knows nothing of triangles.
#include <gtest/gtest.h>

#include <jounce/assemblies.hpp>
#include <jounce/jounce.hpp>
#include <numbers>

#include "constraints/mechanisms.hpp"
#include "support/message.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

using Numbers = std::vector<double>;

/// The largest difference of angles, whole turns left out.
double angles_apart(const Numbers& a, const Numbers& b) {
  double most = 0;
  for (size_t k = 0; k < a.size(); ++k)
    most = std::max(most, std::abs(std::remainder(a[k] - b[k], 2 * std::numbers::pi)));
  return most;
}
bool holds(const Assemblies& all, const Numbers& q, double tolerance) {
  return std::ranges::any_of(all.q,
                             [&](const Numbers& one) { return angles_apart(one, q) < tolerance; });
}
double open_by(ConstrainedDynamics& dyn, const Numbers& q) {
  return dyn.closure(q).cwiseAbs().maxCoeff();
}

struct Known {
  Numbers q;  ///< motors, passive angles anything
  double discriminant;
  Numbers one, other;
};

/// The dense geometry in 50 digits, rounded.
void expect_known(ConstrainedDynamics& dyn, const Known& known) {
  const Assemblies all = assemblies(dyn, known.q);
  EXPECT_TRUE(all.complete);
  EXPECT_NEAR(all.discriminant, known.discriminant, 1e-14);
  ASSERT_EQ(all.q.size(), 2u);
  EXPECT_TRUE(holds(all, known.one, 1e-14));
  EXPECT_TRUE(holds(all, known.other, 1e-14));
  for (const Numbers& q : all.q) {
    EXPECT_LE(open_by(dyn, q), 1e-15);
    for (const double x : q) EXPECT_LE(std::abs(x), std::numbers::pi);
  }
}

TEST(Assemblies, FiveBarFromItsMotors) {
  ConstrainedDynamics dyn(load("builtin:five_bar"));
  const Known cases[] = {{{2, 0.3, 1, -0.4},
                          0.6770191374064628,
                          {2, -1.0187957003519148, 1, 1.0732881017505773},
                          {2, -3.068304551839216, 1, -3.1603883539417077}},
                         {{0.3, 0, 2.5, 0},
                          1.324278545559156,
                          {0.3, -2.53688141791938, 2.5, -3.917118046274734},
                          {0.3, 1.4244746073150591, 2.5, -1.595288764329587}},
                         {{3.1, 2, 0.05, -1},
                          0.08337881401302431,
                          {3.1, -2.5730502733637644, 0.05, 2.571108552839178},
                          {3.1, -3.620484100750615, 0.05, -2.6646429269535576}}};
  for (const Known& known : cases) expect_known(dyn, known);
}

TEST(Assemblies, FourBarFromItsCrank) {
  ConstrainedDynamics dyn(load("builtin:four_bar"));
  const Known cases[] = {{{1.5707963267948966, 0.1, 0.2},
                          0.2441522491349481,
                          {1.5707963267948966, -0.9272952180016122, 2.214297435588181},
                          {1.5707963267948966, -2.651635327336065, -2.651635327336065}},
                         {{0.4, 1, 2},
                          0.5540812097226608,
                          {0.4, 0.596152777096526, 2.1611637863825157},
                          {0.4, -1.612916661506756, -2.377927670792746}},
                         {{-2, 0, 0},
                          0.1708529671277505,
                          {-2, 2.942784308949285, 2.6928885681150523},
                          {-2, 1.423004587704143, -2.3270996714616246}}};
  for (const Known& known : cases) expect_known(dyn, known);
}

TEST(Assemblies, TheNearestComesFirst) {
  ConstrainedDynamics dyn(load("builtin:five_bar"));
  for (const Numbers& q : assemblies(dyn, {2, 0.3, 1, -0.4}).q)
    EXPECT_LE(angles_apart(assemblies(dyn, q).q.at(0), q), 1e-14);
}

/// Any two coordinates may be the driven ones; then pivots lie on one side of the cut, or on both.
TEST(Assemblies, NewtonFindsTheSame) {
  const Robot robot = load("builtin:five_bar");
  ConstrainedDynamics dyn(robot);
  Random rng(5);
  int found = 0;
  for (int first = 0; first < 4; ++first)
    for (int second = first + 1; second < 4; ++second) {
      bool kept[4] = {};
      kept[first] = kept[second] = true;
      Numbers q{2, -1.0187957003519148, 1, 1.0732881017505773};
      for (double& x : q) x += rng.uniform(-0.2, 0.2);
      const Assemblies all = assemblies(dyn, q, kept);
      EXPECT_TRUE(all.complete);
      found += int(all.q.size());
      for (const Numbers& one : all.q) {
        EXPECT_LE(open_by(dyn, one), 1e-14);
        EXPECT_EQ(one[size_t(first)], q[size_t(first)]);
        EXPECT_EQ(one[size_t(second)], q[size_t(second)]);
      }
      for (int start = 0; start < 30; ++start) {
        Numbers guess = q;
        for (int k = 0; k < 4; ++k)
          if (!kept[k]) guess[size_t(k)] = rng.uniform(-3, 3);
        const Assembly newton = dyn.assemble(guess, kept);
        if (!newton.converged) continue;
        EXPECT_TRUE(holds(all, {newton.q.begin(), newton.q.end()}, 1e-6)) << first << second;
      }
    }
  EXPECT_GE(found, 10);
}

TEST(Assemblies, BarsThatDoNotMeetTellByHowMuch) {
  RobotDescription wide = parallelogram(0.5);
  wide.joints[2].geometry.placement = at(0.45);  // coupler and rocker reach over 0.4
  ConstrainedDynamics dyn{Robot(wide)};
  const bool crank[] = {true, false, false};
  EXPECT_EQ(assemblies(dyn, {0.9, 0, 0}, crank).q.size(), 2u);
  const Assemblies none = assemblies(dyn, {1, 0, 0}, crank);
  EXPECT_TRUE(none.complete);
  EXPECT_TRUE(none.q.empty());
  EXPECT_LT(none.discriminant, 0);
  EXPECT_EQ(none.worst_loop, 0);
}

TEST(Assemblies, BarsInLineMeetOnce) {
  // coupler 0.3 and rocker 0.1 stretched over the 0.4 between the crank's end and the rocker's pin
  RobotDescription line = parallelogram(0.5);
  line.joints[2].geometry.placement = at(0.5);
  ConstrainedDynamics dyn{Robot(line)};
  const bool crank[] = {true, false, false};
  const Assemblies one = assemblies(dyn, {0, 0.4, 0.3}, crank);
  EXPECT_TRUE(one.complete);
  EXPECT_NEAR(one.discriminant, 0, 1e-15);
  ASSERT_EQ(one.q.size(), 1u);
  EXPECT_LE(angles_apart(one.q[0], {0, 0, std::numbers::pi}), 1e-7);
}

/// Each four-bar of a row closes in two ways.
TEST(Assemblies, LoopsOfTheirOwnMultiply) {
  RobotDescription two = parallelogram(0.5);
  RobotDescription other = parallelogram(0.5);
  for (LinkDescription& link : other.links) link.name += "_2";
  for (JointDescription& joint : other.joints) {
    joint.name += "_2";
    joint.child += "_2";
    joint.parent = joint.parent == "ground" ? "rocker" : joint.parent + "_2";
    two.joints.push_back(joint);
  }
  for (size_t k = 1; k < other.links.size(); ++k) two.links.push_back(other.links[k]);
  two.loops.push_back({"pin_2", "coupler_2", "rocker_2", at(0.3), at(0.1), LoopKind::revolute, 0});
  const Robot robot(two);
  ConstrainedDynamics dyn(robot);
  const bool cranks[] = {true, false, false, true, false, false};
  const Assemblies all = assemblies(dyn, {0.5, 0, 0, 0.7, 0, 0}, cranks);
  EXPECT_TRUE(all.complete);
  ASSERT_EQ(all.q.size(), 4u);
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_LE(open_by(dyn, all.q[k]), 1e-15);
    for (size_t j = 0; j < k; ++j) EXPECT_GT(angles_apart(all.q[j], all.q[k]), 0.1);
  }
}

TEST(Assemblies, SlidersMeetBarsOnALine) {
  ConstrainedDynamics dyn{Robot(slider_crank(0.7))};
  const bool crank[] = {true, false, false}, slider[] = {false, false, true};
  const Assemblies all = assemblies(dyn, {0.7, 0.1, 0.2}, crank);
  EXPECT_TRUE(all.complete);
  EXPECT_NEAR(all.discriminant, 1 - std::pow(std::sin(0.7) / 3, 2), 1e-15);
  ASSERT_EQ(all.q.size(), 2u);  // the slider in front of the crank and behind it
  for (const Numbers& q : all.q) EXPECT_LE(open_by(dyn, q), 1e-15);
  EXPECT_NEAR(all.q[0][2] + all.q[1][2], 2 * 0.1 * std::cos(0.7), 1e-15);
  EXPECT_TRUE(holds(all, {0.7, -0.7 - std::asin(std::sin(0.7) / 3), all.q[0][2]}, 1e-14) ||
              holds(all, {0.7, -0.7 - std::asin(std::sin(0.7) / 3), all.q[1][2]}, 1e-14));
  const Assemblies back = assemblies(dyn, {0, 0, all.q[0][2]}, slider);  // crank up and down
  EXPECT_TRUE(back.complete);
  ASSERT_EQ(back.q.size(), 2u);
  EXPECT_TRUE(holds(back, all.q[0], 1e-13));
  EXPECT_NEAR(back.q[0][0] + back.q[1][0], 0, 1e-14);
  RobotDescription shorter = slider_crank(0.2);
  shorter.loops[0].placement_1 = at(0.05);  // a rod of 0.05 on a crank of 0.1
  ConstrainedDynamics stuck{Robot(shorter)};
  const Assemblies none = assemblies(stuck, {1.5, 0, 0}, crank);
  EXPECT_TRUE(none.complete && none.q.empty());
  EXPECT_NEAR(none.discriminant, 1 - std::pow(2 * std::sin(1.5), 2), 1e-14);
}

TEST(Assemblies, OthersByManyStartsWithoutPromise) {
  const Robot robot(bennett(0.9));
  ConstrainedDynamics dyn(robot);
  const bool crank[] = {true, false, false};
  const Assemblies all = assemblies(dyn, {0.9, 0, 0}, crank, {.starts = 40});
  EXPECT_FALSE(all.complete);
  EXPECT_EQ(all.starts, 40);
  EXPECT_TRUE(holds(all, robot.closed(), 1e-6));
  for (size_t k = 0; k < all.q.size(); ++k) {
    EXPECT_LE(open_by(dyn, all.q[k]), 1e-12);
    for (size_t j = 0; j < k; ++j) EXPECT_GT(angles_apart(all.q[j], all.q[k]), 1e-6);
  }
}

TEST(Assemblies, WorkingModesOfAFiveBar) {
  const Robot robot = load("builtin:five_bar");
  ConstrainedDynamics dyn(robot);
  Kinematics kinematics(robot);
  const Numbers q{2, -1.0187957003519148, 1, 1.0732881017505773};
  const LoopDescription& loop = robot.loops()[0];
  const auto tip = [&](const Numbers& at_q) {
    kinematics.at(at_q);
    return (kinematics.pose(robot.frame(loop.link_1)) * loop.placement_1).p;
  };
  const Vec3<double> wanted = tip(q) + Vec3<double>{0.02, 0, -0.03};
  const Assemblies modes = working_modes(dyn, 0, wanted, q);
  EXPECT_TRUE(modes.complete);
  ASSERT_EQ(modes.q.size(), 4u);
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_LE(open_by(dyn, modes.q[k]), 1e-14);
    EXPECT_LE(norm(tip(modes.q[k]) - wanted), 1e-14);
    for (size_t j = 0; j < k; ++j) EXPECT_GT(angles_apart(modes.q[j], modes.q[k]), 0.1);
    // its motors alone lead back to it: it is one of their assemblies
    EXPECT_TRUE(holds(assemblies(dyn, modes.q[k]), modes.q[k], 1e-13));
  }
  EXPECT_LE(angles_apart(working_modes(dyn, 0, tip(q), q).q.at(0), q), 1e-14);
  const Assemblies far = working_modes(dyn, 0, wanted + Vec3<double>{2, 0, 0}, q);
  EXPECT_TRUE(far.q.empty());
  EXPECT_LT(far.discriminant, 0);
  // its own shoulder
  kinematics.at(q);
  const Assemblies root = working_modes(dyn, 0, kinematics.pose(robot.frame("left_proximal")).p, q);
  EXPECT_TRUE(root.q.empty());
  EXPECT_LT(root.discriminant, 0);
  // off its plane
  EXPECT_TRUE(working_modes(dyn, 0, wanted + Vec3<double>{0, 0.1, 0}, q).q.empty());
}

TEST(Assemblies, Refusals) {
  ConstrainedDynamics five_bar(load("builtin:five_bar")), arm(load("builtin:planar_2r"));
  ConstrainedDynamics stewart(load("builtin:stewart"));
  const Numbers q(4);
  const bool one[] = {true, false, false, false}, few[] = {true};
  EXPECT_EQ(message([&] {
              assemblies(arm, {0, 0});
            }),
            "assemblies: robot \"planar_2r\" has no loops");
  EXPECT_EQ(message([&] { assemblies(five_bar, q, one); }),
            "assemblies: the loops of robot \"five_bar\" leave 1 more coordinates free than are "
            "kept: keep as many more");
  EXPECT_EQ(message([&] { assemblies(five_bar, q, few); }),
            "assemblies: kept has 1 elements, robot \"five_bar\" needs 4");
  EXPECT_EQ(message([&] { assemblies(five_bar, q, {}, {.starts = 0}); }),
            "assemblies: starts is 0, needs at least 1");
  EXPECT_EQ(message([&] { working_modes(five_bar, 1, {}, q); }),
            "working_modes: robot \"five_bar\" has no loop number 1, it has 1");
  EXPECT_EQ(message([&] {
              working_modes(five_bar, 0, {NAN, 0, 0}, q);
            }),
            "working_modes: point is not finite: (nan,0,0)");
  EXPECT_EQ(message([&] { working_modes(stewart, 0, {}, stewart.robot().closed()); }),
            "working_modes: loop \"spherical_2\" is not closed by two arms of two parallel hinges "
            "each");
}

}  // namespace
}  // namespace jounce::test

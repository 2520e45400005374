// SPDX-License-Identifier: BSD-3-Clause
// Surveys of methods, of branches and of sensors; claims of [Xie].
#include <gtest/gtest.h>

#include <algorithm>
#include <jounce/stewart/branch_survey.hpp>
#include <jounce/stewart/extra_sensors.hpp>
#include <jounce/stewart/method_survey.hpp>
#include <jounce/stewart/xie_claims.hpp>
#include <set>

#include "stewart/platforms.hpp"
#include "support/message.hpp"
#include "support/near.hpp"

namespace jounce::test {
namespace {

TEST(MethodSurvey, ParametersMoveByThemselves) {
  for (const auto family : {SurveyFamily::semi_regular, SurveyFamily::general}) {
    const MethodSurvey s = survey_methods(family, 150);
    ASSERT_EQ(s.samples(), 150);
    ASSERT_EQ(s.columns.size(), s.parameters.size());
    for (size_t i = 0; i < s.columns.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        // Drawn ones: 0.33 is four standard deviations. The distance follows from all, none rules
        // it.
        EXPECT_LT(std::abs(correlation_of(s.columns[i], s.columns[j])),
                  i + 1 < s.columns.size() ? 0.33 : 0.9)
            << s.parameters[i] << ", " << s.parameters[j];
  }
}

/// The verdict on iterations turns round with the step factor.
TEST(MethodSurvey, FullStepsTurnTheVerdictOnIterations) {
  const MethodSurvey s = survey_methods(SurveyFamily::semi_regular, 200);
  const size_t lm = s.variant("LM-SE(3) cm tau 1e-6"), full = s.variant("GN-SE(3) alpha 1"),
               short_steps = s.variant("GN-SE(3) alpha 0.9");
  EXPECT_LT(s.fewer_iterations(lm, full).high, 0.5);
  EXPECT_GT(s.fewer_iterations(lm, short_steps).low, 0.5);
  EXPECT_LT(s.mean_iterations(full).high, s.mean_iterations(short_steps).low);
  EXPECT_EQ(s.success(s.variant("GN-SE(3) alpha 0.9 printed")).value, 0);
  EXPECT_GT(s.endless, 3 * 200 * 0.95);
  const Estimate a = s.advantage(lm, full), b = s.advantage(full, lm);
  EXPECT_EQ(a.value, -b.value);
  EXPECT_NEAR(a.low, -b.high, 1e-15);
  EXPECT_NEAR(a.value, s.success(lm).value - s.success(full).value, 1e-12);
}

/// A run of the survey is one that a user can repeat: same seed, same numbers.
TEST(MethodSurvey, IsTheSameForASeed) {
  const MethodSurvey one = survey_methods(SurveyFamily::general, 10, 3),
                     two = survey_methods(SurveyFamily::general, 20, 3);
  for (size_t k = 0; k < one.variants.size(); ++k)
    EXPECT_TRUE(
        std::equal(one.iterations[k].begin(), one.iterations[k].end(), two.iterations[k].begin()));
  std::set<std::string> names;
  for (const MethodVariant& variant : one.variants) names.insert(variant.name);
  EXPECT_EQ(names.size(), one.variants.size());
  EXPECT_EQ(one.variants.size(), 9u + 48u);
  EXPECT_EQ(message([] { survey_methods(SurveyFamily::general, 1); }),
            "stewart survey: there are 1 samples, needs 2 at least");
  EXPECT_EQ(message([&] { one.variant("GN"); }), "stewart survey: there is no variant \"GN\"");
}

TEST(BranchSurvey, SharesAddUpAndNearPosesAreFound) {
  for (const auto family :
       {BranchFamily::table_1, BranchFamily::semi_regular, BranchFamily::general}) {
    const BranchSurvey s = survey_branches({.family = family, .samples = 12, .starts = 2});
    EXPECT_GT(s.branches, 12);
    for (size_t m = 0; m < 6; ++m) {
      ASSERT_EQ(s.near_pose[m].size(), 12u);
      for (const auto* all : {&s.near_pose[m], &s.near_branch[m]})
        for (const BranchShares& share : *all)
          EXPECT_NEAR(share.right + share.caught + share.nowhere, 1, 1e-12);
      EXPECT_GT(s.right(m, false).value, 0.5);
      EXPECT_GT(s.caught(m, true).value, 0.5);
      EXPECT_EQ(s.caught_more(m, m, true).value, 0);
    }
  }
  // Very near a pose every method finds it, and very near a branch every method is caught.
  const BranchSurvey near = survey_branches({.samples = 10, .turn = 1e-3, .offset = 1e-3});
  for (size_t m = 0; m < 6; ++m) {
    EXPECT_NEAR(near.right(m, false).value, 1, 1e-12);
    EXPECT_NEAR(near.caught(m, true).value, 1, 1e-12);
  }
}

TEST(BranchSurvey, RefusesBadOptions) {
  EXPECT_EQ(message([] { survey_branches({.samples = 1}); }),
            "stewart branches: there are 1 samples, needs 2 at least");
  EXPECT_EQ(message([] { survey_branches({.starts = 0}); }),
            "stewart branches: there are 0 starts, needs 1 at least");
  EXPECT_EQ(message([] { survey_branches({.turn = 4}); }),
            "stewart branches: turn is 4 rad, needs (0, 3.1]");
  EXPECT_EQ(message([] { survey_branches({.offset = -1}); }),
            "stewart branches: offset is -1, needs a positive number");
}

TEST(PoseSensor, LeavesTheTruePoseAndFewOthers) {
  const Stewart s = dietmaier_platform();
  const AllPoses all = all_poses(s, dietmaier_lengths);
  ASSERT_EQ(all.poses.size(), 40u);
  // A seventh leg parallel to the first says nothing new; one elsewhere tells most poses apart.
  const PoseSensor leg = PoseSensor::length(s.base()[0], s.platform()[0]);
  EXPECT_EQ(poses_with_readings(s, all, {{leg, dietmaier_lengths[0], 1e-6}}).size(), 40u);
  EXPECT_EQ(poses_with_readings(s, all, {}).size(), 40u);
  const PoseSensor seventh = PoseSensor::length({0.3, 0.4, -0.2}, {0.1, -0.5, 0.6});
  const SE3<double> home = all.poses[0].pose;
  for (size_t k = 0; k < 40; ++k)
    for (const PoseSensor& sensor :
         {seventh, PoseSensor::inclination({0, 0, 1}, {0.2, 0, 1}),
          PoseSensor::first_angle(2, home), PoseSensor::second_angle(2, home)}) {
      const SE3<double>& T = all.poses[k].pose;
      const auto left = poses_with_readings(s, all, {{sensor, sensor.reading(s, T), 1e-4}});
      ASSERT_GE(left.size(), 1u);
      EXPECT_LT(left.size(), 5u);
      EXPECT_TRUE(std::any_of(left.begin(), left.end(), [&](const AssemblyMode& mode) {
        return norm(log(inverse_times(mode.pose, T)).w) < 1e-9;
      }));
    }
}

/// Readings written out in other words.
TEST(PoseSensor, Readings) {
  const Stewart s = paper_platform();
  const SE3<double> home{{}, {0, 0, 50}}, T = home * SE3<double>{exp(Vec3<double>{0.3, 0, 0}), {}};
  EXPECT_NEAR(PoseSensor::inclination({0, 0, 2}, {0, 0, 5}).reading(s, T), 0.3, 1e-15);
  EXPECT_NEAR(PoseSensor::length({0, 0, 10}, {0, 0, 0}).reading(s, T), 40, 1e-12);
  EXPECT_NEAR(PoseSensor::first_angle(3, home).reading(s, home), 0, 1e-14);
  const LegAngles angles = s.joint_angles(T, s.mounts_at(home))[3];
  EXPECT_EQ(PoseSensor::first_angle(3, home).reading(s, T), angles.first);
  EXPECT_EQ(PoseSensor::second_angle(3, home).reading(s, T), angles.second);
  const double turn = 2 * pi;
  EXPECT_NEAR(PoseSensor::first_angle(3, home).apart(0.1, turn + 0.1), 0, 1e-14);
  EXPECT_NEAR(PoseSensor::length({}, {1, 0, 0}).apart(0.1, 7), 6.9, 1e-14);
  EXPECT_EQ(message([&] { PoseSensor::first_angle(6, home); }),
            "stewart sensor: leg is 6, needs 0 to 5");
  EXPECT_EQ(message([&] {
              PoseSensor::inclination({}, {1, 0, 0});
            }),
            "stewart sensor: the direction is zero, needs a length");
  EXPECT_EQ(message([&] {
              poses_with_readings(s, {}, {{PoseSensor::length({}, {}), 1, 0}});
            }),
            "stewart sensor: accuracy is 0, needs a positive number");
  EXPECT_EQ(message([&] { survey_sensors(s, {}); }),
            "stewart sensor: there are no poses to tell apart");
}

TEST(PoseSensor, SurveyCounts) {
  const Stewart s = dietmaier_platform();
  const AllPoses all = all_poses(s, dietmaier_lengths);
  for (const SensorSurvey& survey : survey_sensors(s, all, 1e-3, 20)) {
    EXPECT_EQ(survey.poses, 40);
    EXPECT_GE(survey.remaining.value, 1);
    EXPECT_LT(survey.remaining.value, 1.5) << survey.sensor;
    EXPECT_GT(survey.unique.value, 0.8);
    EXPECT_GE(survey.most, 1);
  }
  for (const SensorSurvey& survey : survey_sensors(s, all, 100, 2)) {  // blind
    EXPECT_EQ(survey.remaining.value, 40);
    EXPECT_EQ(survey.unique.value, 0);
  }
}

int reproduced(const std::vector<XieClaim>& claims) {
  return static_cast<int>(
      std::count_if(claims.begin(), claims.end(), [](const XieClaim& c) { return c.reproduced; }));
}

/// The poses that PHCpack finds for the lengths as printed have these heights.
TEST(XieClaims, DataAsPrinted) {
  const auto claims = xie_data_claims(xie_experiment());
  ASSERT_EQ(claims.size(), 6u);
  EXPECT_EQ(claims[0].found,
            "legs 1 to 5 agree to 0.00004 cm, leg 6 is 51.9910 cm, printed 4.0000 more");
  EXPECT_NE(claims[1].found.find("49.770, 29.750, -29.750, -49.770"), std::string::npos);
  EXPECT_EQ(reproduced(claims), 3);  // q_S1, q_S2, one branch above the base
}

TEST(XieClaims, EveryRunIsInOneRangeAndOneShare) {
  const XieExperiment x = xie_experiment();
  for (const auto method : {StewartMethod::gauss_newton, StewartMethod::levenberg_marquardt})
    for (const XieCell& cell : xie_table(x, method)) {
      int runs = 0, percent = 0;
      for (const auto outcome : {XieOutcome::true_pose, XieOutcome::branch, XieOutcome::other_pose,
                                 XieOutcome::nowhere}) {
        int inside = 0;
        for (const FactorRange& range : cell.ranges(outcome)) {
          EXPECT_LE(range.first, range.last);
          inside += range.runs;
        }
        EXPECT_EQ(2 * inside, cell.percent(outcome));  // of 50 runs
        EXPECT_EQ(cell.mean_iterations(outcome) > 0, inside > 0);
        runs += inside, percent += cell.percent(outcome);
      }
      EXPECT_EQ(runs, 50);
      EXPECT_EQ(percent, 100);
    }
}

TEST(XieClaims, CountsOfTextAndAlgorithms) {
  const XieExperiment x = xie_experiment();
  const auto newton = xie_table(x, StewartMethod::gauss_newton);
  const auto damped = xie_table(x, StewartMethod::levenberg_marquardt);
  const auto text = xie_text_claims(newton, damped);
  EXPECT_EQ(text.size(), 28u);
  std::string not_found;
  for (const XieClaim& claim : text)
    if (!claim.reproduced) not_found += claim.claim + "\n";
  EXPECT_EQ(not_found,
            "GN-Quat from start 2 always reaches T_s\n"
            "GN-Quat from starts 3 and 5 reaches q_C, slower at some larger alpha\n"
            "GN-SE(3) from start 4 reaches q_C for alpha 0.60 to 0.84\n"
            "LM-Quat from start 1 reaches no solution for any tau (Table 3 has 4 % to q_C)\n"
            "starts 1, 4, 5 suit GN-SE(3) (and 3) [half of the runs or more]\n"
            "SE(3) leaves more space for the initial guess [from no start fewer runs to q_C]\n");
  const auto algorithms = xie_algorithm_claims(x);
  EXPECT_EQ(reproduced(algorithms), 3);  // not Algorithm A1 as printed
  EXPECT_EQ(algorithms[0].found, "750 of 750 runs come to a loop that never ends, 0 to q_C");
}

/// The readings of Algorithm A1 by their cells; computed once by another program.
TEST(XieClaims, ReadingsOfTheLineSearch) {
  const auto variants = xie_variants(xie_experiment(), StewartMethod::gauss_newton);
  const int equal[] = {9, 9, 3,
                       3, 9, 9};  // and the first may have a tenth, which hangs on rounding
  for (size_t k = 0; k < std::size(equal); ++k) {
    EXPECT_GE(variants[k].equal(), equal[k]) << variants[k].name;
    EXPECT_LE(variants[k].equal(), equal[k] + (k == 0 ? 1 : 0)) << variants[k].name;
  }
  EXPECT_EQ(variants[1].cells[5].percent(XieOutcome::true_pose), 60);
  EXPECT_EQ(variants[5].cells[4].percent(XieOutcome::true_pose), 0);
  const XieCell& cell = variants[0].cells[11];  // GN-SE(3) from start 4
  EXPECT_EQ(xie_reason(cell, 11, variants, {0, 0}),
            "none of 12 variants has it: they give 0 to 0 %");
  EXPECT_EQ(xie_reason(variants[0].cells[10], 10, variants, {0, 0}),
            "the paper's with: T_s counted too");
}

TEST(XieClaims, ExperimentAsPrintedAndInOtherUnits) {
  const XieExperiment x = xie_experiment(), printed = xie_experiment({true, true});
  EXPECT_EQ(printed.lengths[5], 55.9910);
  expect_near(printed.starts[1].R, exp(Vec3<double>{0, 0, 140 * pi / 180}) * x.starts[1].R, 1e-14);
  const XieExperiment metres = in_unit(x, 0.01);
  const SixNumbers L = metres.platform.lengths(metres.branch_pose);
  for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(L[i], 0.01 * x.lengths[i], 1e-13);
  EXPECT_EQ(message([&] { in_unit(x, 0); }),
            "stewart in_unit: factor is 0, needs a positive number below 1e50");
}

}  // namespace
}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// Geometries and arguments that are refused, and with which words.
#include <gtest/gtest.h>

#include <jounce/error.hpp>
#include <limits>

#include "stewart/platforms.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

std::string refusal_of(const SixPoints& base, const SixPoints& platform) {
  return message([&] { Stewart(base, platform); });
}

const std::string singular =
    "stewart geometry: architecturally singular: the legs' lines span 5 dimensions in every pose, "
    "6 are needed; the platform moves while its legs are locked";

TEST(StewartGeometry, RefusesPointsThatAreNotFinite) {
  const Stewart s = paper_platform();
  SixPoints bad = s.base();
  bad[3].y = nan;
  EXPECT_EQ(refusal_of(bad, s.platform()), "stewart geometry: base point 4 is not finite");
  EXPECT_EQ(refusal_of(s.base(), bad), "stewart geometry: platform point 4 is not finite");
  bad[3].y = 1e200;
  EXPECT_EQ(refusal_of(bad, s.platform()), "stewart geometry: base point 4 is larger than 1e100");
}

TEST(StewartGeometry, RefusesCoincidentAndCollinearPoints) {
  const Stewart s = paper_platform();
  SixPoints one, line = s.platform();
  one.fill({1, 2, 3});
  for (size_t i = 0; i < 6; ++i) line[i] = Vec3<double>{1, 2, 3} * double(i) + one[i];
  EXPECT_EQ(refusal_of(one, s.platform()), "stewart geometry: all base points coincide");
  EXPECT_EQ(refusal_of(s.base(), line), "stewart geometry: all platform points lie on one line");
  SixPoints base = s.base(), platform = s.platform();
  base[4] = base[1], platform[4] = platform[1];
  EXPECT_EQ(refusal_of(base, platform), "stewart geometry: legs 2 and 5 join the same two points");
}

/// Metres beside millimetres; a cable robot with a small platform is taken.
TEST(StewartGeometry, RefusesUnitsThatDoNotMatch) {
  const Stewart s = paper_platform();
  SixPoints small = s.platform(), large = s.base();
  for (Vec3<double>& x : small) x = x * 1e-3;
  for (Vec3<double>& x : large) x = x * 1e3;
  EXPECT_EQ(refusal_of(s.base(), small),
            "stewart geometry: the base is 1500 times as large as the platform, at most 300 times "
            "is taken; are both in one unit?");
  EXPECT_EQ(refusal_of(small, large),
            "stewart geometry: the platform is 1.5e+06 times as large as the base, at most 300 "
            "times is taken; are both in one unit?");
  for (Vec3<double>& x : small) x = x * 10;
  EXPECT_EQ(refusal_of(s.base(), small), "no error");
}

/// Planar bases and platforms are fine; a pose in which all legs lie in one plane is singular.
TEST(StewartGeometry, PlanarPlatformsAreFineOutOfTheirPlane) {
  const Stewart s = paper_platform();
  EXPECT_EQ(refusal_of(s.base(), s.platform()), "no error");
  EXPECT_EQ(s.singularity_distance({{}, {1, 2, 0}}), 0);
  EXPECT_EQ(message([&] {
              s.leg_forces({{}, {1, 2, 0}}, {{}, {0, 0, 1}});
            }),
            "stewart leg_forces: the pose is singular");
}

/// Similar hexagons (Ma and Angeles 1991), six base points on one conic with their affine images,
/// four legs through one point.
TEST(StewartGeometry, NamesArchitecturallySingularPlatforms) {
  const Stewart s = paper_platform();
  SixPoints half = s.base();
  for (Vec3<double>& x : half) x = x * 0.5;
  EXPECT_EQ(generic_rank(s.base(), half), 5);
  EXPECT_EQ(refusal_of(s.base(), half), singular);
  SixPoints fan = s.base();
  fan[1] = fan[2] = fan[3] = fan[0];
  EXPECT_EQ(refusal_of(fan, s.platform()), singular);
}

TEST(StewartGeometry, AcceptsSpecialFamilies) {
  const auto ring = [](double radius, double offset) {
    SixPoints points;
    for (size_t i = 0; i < 6; ++i) {
      const double angle = (60 * double(i) + (i % 2 ? -offset : offset)) * pi / 180;
      points[i] = {radius * std::cos(angle), radius * std::sin(angle), 0};
    }
    return points;
  };
  EXPECT_EQ(refusal_of(ring(3, 10), ring(2, 20)), "no error");   // 6-6, semi-regular
  EXPECT_EQ(refusal_of(ring(3, 10), ring(2, 30)), "no error");   // 6-3: points meet in pairs
  EXPECT_EQ(refusal_of(ring(3, -30), ring(2, 30)), "no error");  // 3-3: octahedral
  Random random(1);
  for (int k = 0; k < 50; ++k)
    EXPECT_EQ(generic_rank(random_points(random, 1), random_points(random, 0)), 6);
}

/// Rank and refusals do not depend on the unit.
TEST(StewartGeometry, DoesNotDependOnTheUnit) {
  const Stewart s = paper_platform();
  for (const double unit : {1e-6, 1e6}) {
    SixPoints base = s.base(), platform = s.platform(), half = s.base();
    for (size_t i = 0; i < 6; ++i) {
      base[i] = base[i] * unit, platform[i] = platform[i] * unit, half[i] = half[i] * unit * 0.5;
    }
    EXPECT_EQ(refusal_of(base, platform), "no error");
    EXPECT_EQ(refusal_of(base, half), singular);
  }
}

TEST(StewartGeometry, CallsRefuseWhatIsNotAPoseOrNotFinite) {
  const Stewart s = paper_platform();
  SE3<double> T = pose_of(0, 0, 50, 0, 0, 0), bad = T;
  bad.p.z = nan;
  EXPECT_EQ(message([&] { s.lengths(bad); }), "stewart lengths: the pose is not finite");
  bad = T, bad.R.m.row[1].y = nan;
  EXPECT_EQ(message([&] { s.rates(bad, {}); }), "stewart rates: the pose is not finite");
  bad = T, bad.R.m.row[1].y = 1.1;
  EXPECT_EQ(message([&] { s.jacobian_body(bad); }),
            "stewart jacobian_body: the pose's rotation is not a rotation matrix");
  bad = T, bad.R.m.row[2].z = -1;  // a mirror image
  EXPECT_EQ(message([&] { s.jacobian_space(bad); }),
            "stewart jacobian_space: the pose's rotation is not a rotation matrix");
  bad = T, bad.p.x = 1e200;
  EXPECT_EQ(message([&] { s.lengths(bad); }),
            "stewart lengths: the pose's position is larger than 1e100");
  const Twist<double> V{{nan, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(message([&] { s.rates(T, V); }), "stewart rates: the twist is not finite");
  EXPECT_EQ(message([&] { s.accelerations(T, {}, V); }),
            "stewart accelerations: the twist's derivative is not finite");
  EXPECT_EQ(message([&] {
              s.twist(T, {0, 0, nan, 0, 0, 0});
            }),
            "stewart twist: the rates are not finite");
  EXPECT_EQ(message([&] {
              s.leg_forces(T, {{0, 0, 0}, {0, 0, nan}});
            }),
            "stewart leg_forces: the wrench is not finite");
  EXPECT_EQ(message([&] {
              s.platform_wrench(T, {nan, 0, 0, 0, 0, 0});
            }),
            "stewart platform_wrench: the forces are not finite");
  EXPECT_EQ(message([&] {
              s.stiffness(T, {nan, 0, 0, 0, 0, 0});
            }),
            "stewart stiffness: the legs' stiffnesses are not finite");
}

}  // namespace
}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// Inertias that no rigid body has: kept, refused or replaced by the nearest one.
#include <gtest/gtest.h>

#include <jounce/error.hpp>
#include <jounce/io.hpp>
#include <jounce/model/robot.hpp>

#include "io/skipped.hpp"
#include "support/random.hpp"

namespace jounce {
namespace {

RobotDescription with_inertia(const Sym3<double>& I, double mass = 1) {
  RobotDescription robot;
  robot.name = "r";
  robot.links.resize(1);
  robot.links[0].name = "a";
  robot.links[0].mass = mass;
  robot.links[0].I_com = I;
  return robot;
}

Loaded repaired(const Sym3<double>& I, double mass = 1) {
  return read_urdf(write_urdf(with_inertia(I, mass)), "r.urdf", {.inertia = InertiaPolicy::repair});
}

/// The second moment of mass about the com, the part of the pseudo-inertia that changes.
Sym3<double> second_moment(const Sym3<double>& I) {
  const double half = (I.xx + I.yy + I.zz) / 2;
  return {half - I.xx, -I.xy, half - I.yy, -I.xz, -I.yz, half - I.zz};
}

/// u^T S u.
double along(const Sym3<double>& S, const Vec3<double>& u) { return dot(u, S * u); }

/// sum of products of entries, as matrices.
double inner(const Sym3<double>& a, const Sym3<double>& b) {
  return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + 2 * (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}

/// P is the nearest point of a convex cone to S where (S - P, P) = 0 and (S - P, Y) <= 0 for every
/// Y of it. The cone's edges are the second moments of mass on a line: u u^T.
TEST(BadInertia, RepairFindsTheNearestThatABodyHas) {
  test::Random random(7);
  int changed = 0;
  for (int k = 0; k < 200; ++k) {
    const auto x = [&] { return random.uniform(-1, 1); };
    const Sym3<double> I{x() + 0.5, x(), x() + 0.5, x(), x(), x() + 0.5};
    RobotDescription robot = with_inertia(I, 2.5);
    robot.links[0].com = {x(), x(), x()};
    const Loaded loaded =
        read_urdf(write_urdf(robot), "r.urdf", {.inertia = InertiaPolicy::repair});
    const LinkDescription& link = loaded.robot.links.at(0);
    const Sym3<double> P = second_moment(link.I_com), rest = second_moment(I) - P;
    EXPECT_TRUE(Robot(loaded.robot).check().empty());
    EXPECT_EQ(link.mass, 2.5);
    EXPECT_EQ(norm(link.com - robot.links[0].com), 0);
    EXPECT_NEAR(inner(rest, P), 0, 1e-14);
    for (int n = 0; n < 50; ++n) {
      const Vec3<double> u = random.unit_vec3();
      EXPECT_LE(along(rest, u), 1e-14);
      EXPECT_GE(along(P, u), -1e-14);
    }
    changed += loaded.findings.empty() ? 0 : 1;
  }
  EXPECT_GT(changed, 100);
}

TEST(BadInertia, RepairSaysWhatChanged) {
  EXPECT_EQ(test::told(repaired({0.1, 0, 0.2, 0, 0, 0.9})),
            "warning inertia: link \"a\": inertia violates the triangle inequality (principal "
            "moments 0.1, 0.2, 0.9); its inertia 0.1, 0, 0.2, 0, 0, 0.9 (xx, xy, yy, xz, yz, zz) "
            "becomes 0.4, 0, 0.5, 0, 0, 0.9\n");
  EXPECT_EQ(repaired({1, 0, 1, 0, 0, 1}, 0).robot.links.at(0).I_com.xx, 0);
  const Sym3<double> sound = repaired({1, 0.25, 1, 0, 0, 1}).robot.links.at(0).I_com;
  EXPECT_EQ(sound.xy, 0.25);
}

TEST(BadInertia, StrictMeansStrictAndExcludesRepair) {
  const std::string text = write_urdf(with_inertia({0.1, 0, 0.2, 0, 0, 1}));
  EXPECT_EQ(read_urdf(text, "r").robot.links.at(0).I_com.zz, 1);
  EXPECT_THROW(read_urdf(text, "r", {.inertia = InertiaPolicy::strict}), FileError);
  EXPECT_THROW(read_urdf(text, "r", {.strict = true}), FileError);
  try {
    read_urdf(text, "r", {.strict = true, .inertia = InertiaPolicy::repair});
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "strict reading refuses inertias that no rigid body has, and repair changes them: "
                 "needs one of both");
  }
}

TEST(BadInertia, JsonIsReadTheSameWay) {
  const std::string text = write_json(with_inertia({0.1, 0, 0.2, 0, 0, 1}));
  const Loaded loaded = read_json(text, "r.json");
  ASSERT_EQ(loaded.findings.size(), 1u);
  EXPECT_EQ(loaded.findings[0].places.at(0).line, 6);
  EXPECT_THROW(read_json(text, "r.json", {.strict = true}), FileError);
}

}  // namespace
}  // namespace jounce

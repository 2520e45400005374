// SPDX-License-Identifier: BSD-3-Clause
// Wrenches from outside on the bodies they act on, and how they turn.
#include <jounce/equations/outside.hpp>

#include "group/kinds.hpp"
#include "matrices/cases.hpp"
#include "support/near.hpp"

namespace jounce::test {
namespace {

/// A wrench does the same power on a body in whatever frame both are seen: twists are those of
/// docs/conventions.md, written out here.
TEST(Outside, DoesTheSamePowerInEveryRepresentation) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Random rng(seed);
      const SE3<Real> pose = rng.pose<Real>();
      const auto offset = rng.pose<Plain<Real>>();
      const Twist<Real> V = rng.twist<Real>();  // of the body, in its frame
      const Wrench<Real> F = rng.wrench<Real>();
      const SE3<Real> T = pose * offset;
      const Twist<Real> body = Ad_inv(offset, V), space = Ad(T, body),
                        hybrid{T.R * body.w, T.R * body.v};
      const double tolerance = rounding<Real>(1000);
      const Real scale(1);  // of the products that are summed, which may cancel
      const auto power = [&](Representation in) {
        return dot(seen_in_body(F, in, offset, pose), V) + scale;
      };
      expect_near(power(Representation::body), dot(F, body) + scale, tolerance, seed);
      expect_near(power(Representation::space), dot(F, space) + scale, tolerance, seed);
      expect_near(power(Representation::hybrid), dot(F, hybrid) + scale, tolerance, seed);
    }
  });
}

/// A force at a point does the power of that point's velocity, however it is told.
TEST(Outside, AForceAtAPointMovesThatPoint) {
  Case c(11);
  const FrameId frame = FrameId(int(c.robot.description().links.size()) - 1);
  Kinematics kinematics(c.robot);
  kinematics.at(c.q, c.v);
  const SE3<double> T = kinematics.pose(frame);
  const Twist<double> V = kinematics.twist_hybrid(frame);
  const Vec3<double> arm{0.3, -0.2, 0.5}, force{2, 1, -3}, at = T.R * arm;
  const double power = dot(force, V.v + cross(V.w, at));
  const Vector without = c.dynamics.inverse(c.q, c.v, c.a);
  const OutsideWrench<double> ways[] = {force_at(frame, arm, inverse_times(T.R, force)),
                                        force_at(frame, at, force, Representation::hybrid),
                                        force_at(frame, T.p + at, force, Representation::space)};
  for (const OutsideWrench<double>& one : ways) {
    const Vector with = c.dynamics.inverse(c.q, c.v, c.a, {.wrenches = {&one, 1}});
    EXPECT_NEAR((without - with).dot(c.v), power, 1e-11 * (1 + without.norm()));
  }
}

/// Wrenches on the same body add, those on others do not touch it.
TEST(Outside, AddsWrenchesBodyByBody) {
  Case c(7);
  WorkspaceStorage<double> storage(c.robot.model());
  const Vector q = tree_q(c.robot, c.q), v = Vector::Zero(c.robot.model().nv);
  forward_poses(c.robot.model(), State<double>{q.data(), v.data(), v.data()}, storage.view());
  std::vector<Wrench<double>> alone(size_t(c.robot.bodies())), together(alone);
  for (int k = 0; k < int(c.robot.frames().size()); ++k) {
    const OutsideWrench<double> one{FrameId(k), c.rng.wrench(), Representation(k % 3)};
    const std::span<const OutsideWrench<double>> wrenches(&one, 1);
    std::vector<Wrench<double>> found(alone.size());
    add_outside(c.robot.system(), wrenches, storage.view(), found.data());
    add_outside(c.robot.system(), wrenches, storage.view(), together.data());
    const int body = c.robot.frames()[size_t(k)].body;
    for (size_t i = 0; i < found.size(); ++i) {
      if (int(i) != body) {
        EXPECT_EQ(norm(found[i].m) + norm(found[i].f), 0);
      }
      alone[i] += found[i];
    }
  }
  for (size_t i = 0; i < alone.size(); ++i) EXPECT_TRUE(near(together[i], alone[i], 1e-13));
}

}  // namespace
}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// The spatial form of [Ali] and hybrid frames against body frames, and what the paper says of them.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <jounce/algorithm/hybrid_frames.hpp>
#include <jounce/algorithm/spatial_frame.hpp>
#include <jounce/error.hpp>
#include <jounce/io.hpp>
#include <jounce/model/product_of_exponentials.hpp>
#include <jounce/paper/spatial_rates.hpp>
#include <jounce/world_series.hpp>
#include <memory>

#include "series/series_case.hpp"
#include "support/allocation_guard.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/near.hpp"
#include "support/within.hpp"

namespace jounce {
namespace {

using Eigen::MatrixXd;
constexpr WorldFrames both_frames[] = {WorldFrames::spatial, WorldFrames::hybrid};

/// A tree of every kind of joint but custom ones, floating or not, in random motion.
struct WorldCase {
  WorldCase(std::uint64_t seed, int order, double distance = 0)
      : robot(with_sound(seed)), q(robot.random(seed)), rng(seed) {
    motion = test::random_columns(rng, robot.nv(), order + 2);
    taus = test::random_columns(rng, robot.nv(), order + 1);
    if (distance > 0) q[0] += distance, q[1] -= distance, q[2] += distance / 2;
    for (int j = 0; j < robot.nv(); j += 2) flags[size_t(j)] = true;
    push(order);
  }
  static Robot with_sound(std::uint64_t seed) {
    return Robot(test::with_sound_composites(generate({.shape = TreeShape(seed % 4),
                                                       .bodies = 2 + int(seed % 6),
                                                       .branches = 2,
                                                       .kinds = all_joint_kinds(true, false),
                                                       .free_base = seed % 3 != 0,
                                                       .fixed_links = true,
                                                       .child_placements = seed % 2 == 0,
                                                       .passive = seed % 5 == 0,
                                                       .seed = seed})));
  }
  /// Wrenches in all three frames, one derivative short, and torques at the joints.
  void push(int order) {
    const Representation in[] = {Representation::body, Representation::hybrid,
                                 Representation::space};
    for (size_t n = 0; n < 3; ++n) {
      for (int k = 0; k < order; ++k) pushes[n].push_back(rng.wrench());
      const int frames = int(robot.frames().size());
      external.push_back({FrameId(int(rng.uniform(0, frames))), pushes[n], in[n]});
    }
    torques = test::random_columns(rng, robot.nv(), order);
  }
  SeriesSurroundings around() const { return {.wrenches = external, .joint_torques = torques}; }
  std::span<const bool> prescribed() const { return {flags.get(), size_t(robot.nv())}; }

  Robot robot;
  std::vector<double> q;
  test::Random rng;
  MatrixXd motion, taus, torques;
  std::vector<Wrench<double>> pushes[3];
  std::vector<OutsideWrenchSeries> external;
  std::unique_ptr<bool[]> flags = std::make_unique<bool[]>(size_t(robot.nv()));
};

/// Other frames, inertias that move instead of screws that do not: rounding of the largest wrench
/// inside, which high derivatives of passive forces make large.
TEST(WorldSeries, InverseEqualsBodyFrames) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const int order = seed % 5 == 0 ? 2 : seed % 4 == 1 ? 24 : 6;
    const WorldCase c(seed, order);
    const MatrixXd expected = Series(c.robot, order).inverse(c.q, c.motion, c.around());
    for (const WorldFrames frames : both_frames) {
      const MatrixXd found = WorldSeries(c.robot, order, frames).inverse(c.q, c.motion, c.around());
      const double most = order > 6 ? 1e-10 : 1e-11;  // of four times as many terms
      EXPECT_LE(test::column_error(found, expected), most) << seed << " " << int(frames);
    }
  }
}

/// Forward and hybrid by their residual: what they find, given to Series::inverse, returns the
/// forces, up to rounding of the largest wrench inside the robot.
TEST(WorldSeries, ForwardAndHybridReturnTheForces) {
  constexpr int order = 4;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const WorldCase c(seed, order);
    Series body(c.robot, order);
    for (const WorldFrames frames : both_frames) {
      WorldSeries world(c.robot, order, frames);
      const MatrixXd motion = world.forward(c.q, c.motion.col(0), c.taus, c.around());
      const HybridSeriesResult mixed =
          world.hybrid(c.prescribed(), c.q, c.motion, c.taus, c.around());
      const HybridSeriesResult expected =
          body.hybrid(c.prescribed(), c.q, c.motion, c.taus, c.around());
      const MatrixXd back = body.inverse(c.q, motion, c.around());
      for (int k = 0; k <= order; ++k) {
        const double size = 1 + test::largest(motion.leftCols(k + 2));
        EXPECT_TRUE(test::within(1e-10 * size, back.col(k), c.taus.col(k), seed)) << k;
        const double mixed_size = 1 + test::largest(MatrixXd(expected.motion.leftCols(k + 2)));
        EXPECT_TRUE(test::within(1e-9 * mixed_size, mixed.motion.col(k + 1),
                                 expected.motion.col(k + 1), seed))
            << k;
        EXPECT_TRUE(test::within(1e-9 * mixed_size, mixed.taus.col(k), expected.taus.col(k), seed))
            << k;
      }
    }
  }
}

/// The base's right-invariant twists by KinematicSeries, from poses of Taylor numbers, in; joint
/// forces do not notice, and the power of the base's wrench is the same in either frame.
TEST(WorldSeries, TheBasesOwnTwistInAndWrenchOut) {
  constexpr int order = 4;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    if (seed % 3 == 0) continue;  // not floating
    const WorldCase c(seed, order);
    KinematicSeries kinematics(c.robot, order + 1);
    kinematics.at(c.q, c.motion);
    const MatrixXd expected = Series(c.robot, order).inverse(c.q, c.motion, {.passive = false});
    for (const WorldFrames frames : both_frames) {
      const Representation in =
          frames == WorldFrames::spatial ? Representation::space : Representation::hybrid;
      const JointInfo& base = c.robot.joints()[0];
      ASSERT_EQ(base.kind, JointKind::free);
      const FrameId link =
          c.robot.frame(c.robot.description().joints[size_t(base.description)].child);
      const Vec3<double> off = c.robot.frame_info(link).offset.p;
      if (frames == WorldFrames::hybrid && dot(off, off) > 0) continue;  // at another point
      MatrixXd motion = c.motion;
      for (int k = 0; k <= order + 1; ++k) {
        const Twist<double> V = kinematics.twist(link, in, k);
        motion.col(k).head(6) << V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z;
      }
      const MatrixXd found = WorldSeries(c.robot, order, frames, BaseFrame::own)
                                 .inverse(c.q, motion, {.passive = false});
      const int joints = c.robot.nv() - 6;
      EXPECT_LE(test::column_error(found.bottomRows(joints), expected.bottomRows(joints)), 1e-11);
      const double power = found.col(0).head(6).dot(motion.col(0).head(6));
      EXPECT_NEAR(power, expected.col(0).head(6).dot(c.motion.col(0).head(6)),
                  1e-12 * (1 + test::largest(expected)));
    }
  }
}

/// Constraint wrenches of every order: order 0 is Dynamics', the next ones its rate along the
/// motion by differences; in the ground frame W_1 is the spatial wrench that the paper's form
/// finds.
TEST(JointWrenchSeries, AreThoseOfDynamicsAndTheirRates) {
  constexpr double h = 1e-4;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const WorldCase c(seed, 2);
    Dynamics dynamics(c.robot);
    Series series(c.robot, 2);
    const auto at = [&](double t) {  // the state a moment later
      std::vector<double> q(c.q.size());
      const Eigen::VectorXd v0 = c.motion.col(0), a0 = c.motion.col(1);
      MatrixXd later = c.motion;
      later.col(0) += t * a0 + t * t / 2 * c.motion.col(2) + t * t * t / 6 * c.motion.col(3);
      later.col(1) += t * c.motion.col(2) + t * t / 2 * c.motion.col(3);
      later.col(2) += t * c.motion.col(3);
      const Eigen::VectorXd step = t * v0 + t * t / 2 * a0 + t * t * t / 6 * c.motion.col(2);
      c.robot.integrate(c.q, {step.data(), size_t(step.size())}, q);
      return std::pair(q, later);
    };
    for (const Representation in :
         {Representation::body, Representation::hybrid, Representation::space}) {
      const JointWrenchSeries found = series.joint_wrenches(c.q, c.motion, in);
      const JointWrenches now = dynamics.joint_wrenches(c.q, c.motion.col(0), c.motion.col(1), in);
      const auto [q_after, after] = at(h);
      const auto [q_before, before] = at(-h);
      const JointWrenchSeries next = series.joint_wrenches(q_after, after, in),
                              last = series.joint_wrenches(q_before, before, in);
      for (int j = 0; j <= int(c.robot.joints().size()); ++j) {
        const bool ground = j == int(c.robot.joints().size());
        const auto of = [&](const JointWrenchSeries& x, int k) {
          return ground ? x.ground(k) : x(j, k);
        };
        test::expect_near(of(found, 0), ground ? now.ground : now.joints[size_t(j)], 1e-11, seed);
        const double size = 1 + test::largest(test::parts_of(of(found, 0))) +
                            test::largest(test::parts_of(of(found, 2)));
        for (int k = 0; k < 2; ++k) {
          const Wrench<double> rate = (of(next, k) - of(last, k)) * (0.5 / h);
          const Wrench<double> off = rate - of(found, k + 1);
          EXPECT_LE(test::largest(test::parts_of(off)), 1e-5 * size) << seed << " " << k;
        }
      }
    }
  }
}
TEST(JointWrenchSeries, OfTheBaseInTheGroundFrameAreThePapers) {
  constexpr int order = 4;
  const Robot robot = load("builtin:aerial_manipulator");
  test::Random rng(3);
  const std::vector<double> q = robot.random(3);
  const MatrixXd motion = test::random_columns(rng, robot.nv(), order + 2);
  MatrixXd nu = motion;
  KinematicSeries kinematics(robot, order + 1);
  kinematics.at(q, motion);
  for (int k = 0; k <= order + 1; ++k) {
    const Twist<double> V = kinematics.twist(robot.frame("base"), Representation::space, k);
    nu.col(k).head(6) << V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z;
  }
  const MatrixXd taus =
      WorldSeries(robot, order, WorldFrames::spatial, BaseFrame::own).inverse(q, nu);
  const JointWrenchSeries found =
      Series(robot, order).joint_wrenches(q, motion, Representation::space);
  for (int k = 0; k <= order; ++k) {
    const Wrench<double>& W = found(0, k);
    const Eigen::VectorXd six =
        (Eigen::VectorXd(6) << W.m.x, W.m.y, W.m.z, W.f.x, W.f.y, W.f.z).finished();
    EXPECT_TRUE(test::within(1e-12 * test::largest(six), six, taus.col(k).head(6))) << k;
  }
}

/// Algorithm 1, positions: F_j = F_p exp(Y_j q_j), C_j = F_j A_j, S_j = Ad_{F_j} Y_j against poses
/// and screws of the joints one after the other.
TEST(WorldSeries, ProductOfExponentialsGivesPosesAndScrews) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const WorldCase c(seed, 1);
    const Model<double>& m = c.robot.model();
    const HomeScrews home = home_screws(c.robot);
    WorldStorage<double, SpatialFrame> by_joints(m, 1), by_screws(m, 1);
    start_world_series(m, c.q.data(), by_joints.view());
    start_by_exponentials(m, home.Y.data(), home.A.data(), c.q.data(), by_screws.view());
    for (int i = 1; i < m.bodies; ++i) {
      test::expect_near(by_screws.view().pose[i][0], by_joints.view().pose[i][0], 1e-13, seed);
      test::expect_near(by_screws.view().G[i], by_joints.view().G[i], 1e-12, seed);
    }
    for (int j = 0; j < m.nv; ++j)
      test::expect_near(by_screws.view().S[j][0], by_joints.view().S[j][0], 1e-13, seed);
  }
}

/// (8) of a revolute, a helical and a prismatic joint, against what turns and slides there.
TEST(WorldSeries, HomeScrewsFromAxisAndPoint) {
  const Vec3<double> axis{0.6, 0, 0.8}, point{1, -2, 0.5};
  const Twist<double> Y = home_screw(axis, point, 0.1);
  const Vec3<double> moved = exp(Y * 0.7) * point;  // the point goes along the axis alone
  test::expect_near(moved, point + axis * 0.07, 1e-14, 0);
  test::expect_near(exp(home_screw(axis) * 0.7) * point, point + axis * 0.7, 1e-15, 0);
  const Robot aerial = load("builtin:aerial_manipulator");
  const HomeScrews home = home_screws(aerial);
  for (const Twist<double>& one : std::span(home.Y).subspan(6)) {
    EXPECT_NEAR(dot(one.w, one.w), 1, 1e-15);
    EXPECT_NEAR(dot(one.w, one.v), 0, 1e-15);  // no pitch
  }
}

/// Positions are differences of neighbours in body and hybrid frames; in one frame inertias of 1e10
/// m^2 cancel. A push along a line fixed in the ground is given about the far origin, and has lost
/// 1e5 m times rounding when it arrives.
TEST(WorldSeries, FarAwayTheSpatialFormLosesMore) {
  for (const std::uint64_t seed : {1, 2, 4, 7}) {
    const WorldCase here(seed, 3), there(seed, 3, 1e5);
    const MatrixXd expected = Series(here.robot, 3).inverse(here.q, here.motion);
    const auto error = [&](WorldFrames frames) {
      const MatrixXd found = WorldSeries(there.robot, 3, frames).inverse(there.q, there.motion);
      return test::column_error(found, expected);
    };
    EXPECT_LE(error(WorldFrames::hybrid), 1e-12) << seed;
    EXPECT_GE(error(WorldFrames::spatial), 1e-9) << seed;
    EXPECT_LE(error(WorldFrames::spatial), 1) << seed;
  }
}

/// Lemma 2: the base's wrench of order r changes with its acceleration of order r by the same
/// matrix MA at every order, when the forces of the joints are held. Forward dynamics answers with
/// its inverse, column by column; it is the articulated inertia of the base.
TEST(WorldSeries, ArticulatedInertiaIsTheSameAtEveryOrder) {
  constexpr int order = 5;
  for (const std::uint64_t seed : {1, 2, 4, 5, 7, 8}) {
    const WorldCase c(seed, order);
    for (const WorldFrames frames : both_frames) {
      WorldSeries world(c.robot, order, frames, BaseFrame::own);
      const MatrixXd before = world.forward(c.q, c.motion.col(0), c.taus);
      MatrixXd first;
      for (int r = 0; r <= order; ++r) {
        MatrixXd answer(6, 6);
        for (int k = 0; k < 6; ++k) {
          MatrixXd taus = c.taus;
          taus(k, r) += 1e6;  // far above the rounding of what is already there
          const MatrixXd after = world.forward(c.q, c.motion.col(0), taus.leftCols(r + 1));
          answer.col(k) = (after.col(r + 1) - before.col(r + 1)).head(6) / 1e6;
        }
        if (r == 0) first = answer;
        const double size = 1e-15 * test::largest(MatrixXd(before.col(r + 1)));
        EXPECT_TRUE(test::within((1e-9 + size) * test::largest(first), answer, first, seed)) << r;
      }
    }
  }
}

/// Component by component: the k-th derivative of the spatial twist of a body of the model.
Eigen::VectorXd spatial_twist(KinematicSeries& kinematics, int body, int k) {
  const auto& frames = kinematics.robot().frames();
  size_t n = 0;
  while (frames[n].body != body) ++n;
  const Twist<double> V = kinematics.twist(FrameId(int(n)), Representation::space, k);
  return (Eigen::VectorXd(6) << V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z).finished();
}

/// Proposition 1 of orders 0 and 1 with wrenches from outside, against recursions in body frames.
TEST(WorldSeries, ClosedFormsOfOrdersZeroAndOne) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const WorldCase c(seed, 1);
    const Model<double>& m = c.robot.model();
    test::Random rng(seed);
    const Wrench<double> push[] = {rng.wrench(), rng.wrench()};
    const auto last = FrameId(int(c.robot.frames().size()) - 1);
    const int body = c.robot.frame_info(last).body;
    std::vector<SpatialWrench> applied;
    if (body > 0) applied.push_back({body, push[0], push[1]});
    const OutsideWrenchSeries outside{last, push, Representation::space};
    const SeriesSurroundings around{.wrenches = {&outside, body > 0 ? size_t(1) : 0},
                                    .passive = false};
    const SpatialRates s = spatial_rates(c.robot, c.q, c.motion.col(0), c.motion.col(1), applied);
    MatrixXd nu(m.nv, 3);
    nu << s.nu, s.nudot, c.motion.col(2);
    KinematicSeries kinematics(c.robot, 2);
    kinematics.at(c.q, c.motion);
    if (m.bodies > 1 && is_free_base(m, 1)) nu.col(2).head(6) = spatial_twist(kinematics, 1, 2);
    const MatrixXd expected =
        WorldSeries(c.robot, 1, WorldFrames::spatial, BaseFrame::own).inverse(c.q, nu, around);
    const double size = test::largest(expected) + test::largest(s.M());
    EXPECT_TRUE(test::within(1e-12 * size, s.tau(), expected.col(0), seed));
    EXPECT_TRUE(test::within(1e-12 * size, s.tau_rate(nu.col(2)), expected.col(1), seed));
    const MatrixXd skew = s.Mdot() - 2 * s.C();  // Lemma 1
    EXPECT_LE(test::largest(skew + skew.transpose()), 1e-12 * size) << seed;
  }
}

/// (32)-(40): stacked twists and their derivatives, against KinematicSeries body by body.
TEST(WorldSeries, StackedKinematicsToOrderThree) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const WorldCase c(seed, 1);
    const SpatialRates s = spatial_rates(c.robot, c.q, c.motion.col(0), c.motion.col(1));
    KinematicSeries kinematics(c.robot, 2);
    kinematics.at(c.q, c.motion);
    Eigen::VectorXd nuddot = c.motion.col(2);
    if (c.robot.bodies() > 1 && is_free_base(c.robot.model(), 1))
      nuddot.head(6) = spatial_twist(kinematics, 1, 2);
    const Eigen::VectorXd stacked[] = {s.VV(), s.VVdot(), s.VVddot(nuddot)};
    for (const FrameInfo& frame : c.robot.frames())
      for (int k = 0; k < 3 && frame.body > 0; ++k) {
        const Eigen::VectorXd& all = stacked[k];
        EXPECT_TRUE(test::within(1e-12 * (1 + test::largest(all)),
                                 all.segment(6 * (frame.body - 1), 6),
                                 spatial_twist(kinematics, frame.body, k), seed));
      }
  }
}

TEST(WorldSeries, CallsDoNotAllocate) {
  const WorldCase c(7, 4);
  MatrixXd taus = c.taus, motion = c.motion;
  for (const WorldFrames frames : both_frames) {
    WorldSeries world(c.robot, 4, frames);
    const test::NoAllocation guard;
    world.inverse(c.q, c.motion, c.around(), into(taus));
    world.forward(c.q, c.motion.col(0), c.taus, c.around(), into(motion));
    world.hybrid(c.prescribed(), c.q, c.motion, c.taus, c.around(), into(motion), into(taus));
    EXPECT_EQ(guard.count(), 0);
  }
}

TEST(WorldSeries, RefusesBadInput) {
  const Robot arm = load("builtin:planar_2r");
  using test::message;
  EXPECT_EQ(message([&] { WorldSeries(arm, -1); }), "WorldSeries: order is -1, needs 0 or more");
  WorldSeries world(arm, 1);
  const std::vector<double> q{0.1, 0.2};
  EXPECT_EQ(message([&] { world.inverse(q, MatrixXd::Zero(2, 1)); }),
            "inverse_series: motion has 1 column, needs 2 or more");
  EXPECT_EQ(
      message([&] { world.inverse(q, MatrixXd::Zero(2, 4)); }),
      "inverse_series: order is 2, above the highest there is room for, 1: make it with order 2");
  const Twist<double> still[1] = {};
  EXPECT_EQ(message([&] { world.inverse(q, MatrixXd::Zero(2, 2), {.ground = still}); }),
            "inverse_series: the ground moves, needs Series, in body frames");
  const Robot coupled(generate({.bodies = 4, .mimic = true, .seed = 3}));
  ASSERT_TRUE(coupled.has_mimic());
  EXPECT_EQ(message([&] { WorldSeries(coupled, 1); }),
            "WorldSeries: robot \"" + coupled.name() +
                "\" has mimic joints, needs Series, in body frames");
  const SpatialWrench none{.body = 3};
  EXPECT_EQ(message([&] {
              spatial_rates(arm, q, q, q, {&none, 1});
            }),
            "spatial_rates: a wrench on body 3, robot \"planar_2r\" has bodies 1 to 2");
}

}  // namespace
}  // namespace jounce

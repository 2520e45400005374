// SPDX-License-Identifier: BSD-3-Clause
// One robot, many threads: each with doors of its own, or clones of one, all get the same.
#include <gtest/gtest.h>

#include <jounce/closed_kinematics.hpp>
#include <jounce/constrained_derivatives.hpp>
#include <jounce/constrained_sensitivity.hpp>
#include <jounce/constrained_series.hpp>
#include <jounce/constrained_wrenches.hpp>
#include <jounce/geometry_sensitivity.hpp>
#include <jounce/inverse_kinematics.hpp>
#include <jounce/io.hpp>
#include <jounce/mass_factors.hpp>
#include <jounce/minimum_motion.hpp>
#include <jounce/regressor.hpp>
#include <jounce/simulation_gradient.hpp>
#include <jounce/world_series.hpp>
#include <thread>

namespace jounce {
namespace {

struct Outcome {
  double pose = 0, jacobian = 0, ik = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome compute(const Robot& robot, std::uint64_t seed) {
  Kinematics kinematics(robot);
  InverseKinematics ik(robot);
  const FrameId flange = robot.frame("flange");
  Outcome outcome;
  for (std::uint64_t k = 0; k < 20; ++k) {
    kinematics.at(robot.random(seed + k));
    outcome.pose += kinematics.pose(flange).p.x;
    outcome.jacobian += kinematics.jacobian_space(flange).norm();
    outcome.ik += ik.solve({{flange, kinematics.pose(flange)}}, robot.neutral()).q.norm();
  }
  return outcome;
}

TEST(Threads, ShareOneRobot) {
  const Robot robot = load("builtin:arm7");
  constexpr size_t threads = 4;
  Outcome outcome[threads];
  std::vector<std::thread> pool;
  for (size_t k = 0; k < threads; ++k)
    pool.emplace_back([&, k] { outcome[k] = compute(robot, 100 * (k % 2)); });
  for (std::thread& thread : pool) thread.join();
  EXPECT_TRUE(outcome[0] == outcome[2]);
  EXPECT_TRUE(outcome[1] == outcome[3]);
  EXPECT_FALSE(outcome[0] == outcome[1]);
}

/// A door and its clones give the same, each in a thread of its own.
template <class Door, class Ask>
void expect_same(Door door, const Ask& ask) {
  const Eigen::VectorXd alone = ask(door);
  std::vector<Eigen::VectorXd> found(3);
  std::vector<std::thread> pool;
  for (Eigen::VectorXd& one : found)
    pool.emplace_back([&ask, &one, own = clone(door)]() mutable { one = ask(own); });
  for (std::thread& thread : pool) thread.join();
  for (const Eigen::VectorXd& one : found) EXPECT_EQ((one - alone).norm(), 0);
}

TEST(Threads, ClonesOfDoors) {
  const Robot arm = load("builtin:arm7"), linkage = load("builtin:five_bar");
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(7, -1, 1), v = 2 * q, a = 3 * q;
  expect_same(Dynamics(arm), [&](Dynamics& d) -> Eigen::VectorXd { return d.forward(q, v, a); });
  expect_same(Kinematics(arm), [&](Kinematics& k) -> Eigen::VectorXd {
    return k.at(q).jacobian_body("flange").col(3);
  });
  expect_same(MassFactors(arm),
              [&](MassFactors& m) -> Eigen::VectorXd { return m.at(q).solve(v); });
  Series series(arm, 2);
  EXPECT_EQ(clone(series).order(), 2);
  const Eigen::MatrixXd motion = Eigen::MatrixXd::Random(7, 4);
  expect_same(std::move(series),
              [&](Series& s) -> Eigen::VectorXd { return s.inverse(q, motion).col(2); });
  ConstrainedDynamics closed(linkage);
  EXPECT_EQ(clone(closed).rank(), closed.rank());
  expect_same(std::move(closed), [&](ConstrainedDynamics& d) -> Eigen::VectorXd {
    const Eigen::VectorXd at = d.assemble(linkage.closed()).q;
    return d.forward(at, Eigen::VectorXd::Zero(4), Eigen::VectorXd::Ones(4)).a;
  });
}

using Eigen::VectorXd;

VectorXd column(const dense::Matrix& x) { return VectorXd::Map(x.data(), x.rows * x.columns); }

TEST(Threads, ClonesOfDoorsWithOptions) {
  const Robot arm = load("builtin:arm7");
  const VectorXd q = VectorXd::LinSpaced(7, -1, 1), v = 2 * q, a = 3 * q;
  Regressor regressor(arm, {.armature = true});
  EXPECT_EQ(clone(regressor).columns(), regressor.columns());
  expect_same(std::move(regressor),
              [&](Regressor& r) -> VectorXd { return r.force(q, v, a).col(35); });
  const std::vector<Parameter> by = {{ParameterKind::inertia, "link_3"}};
  expect_same(Sensitivity(arm, by),
              [&](Sensitivity& s) -> VectorXd { return s.force(q, v, a).col(0); });
  expect_same(GeometrySensitivity(arm, by),
              [&](GeometrySensitivity& s) -> VectorXd { return column(s.christoffel(q)); });
  MinimumMotion least(arm, {.control_points = 9});
  EXPECT_EQ(clone(least).options().control_points, 9);
  expect_same(std::move(least),
              [&](MinimumMotion& m) -> VectorXd { return column(m.line(q, v).control); });
  const Robot drone = load("builtin:aerial_manipulator");
  const VectorXd at = VectorXd::Map(drone.random(1).data(), drone.nq());
  const Eigen::MatrixXd motion = Eigen::MatrixXd::Random(drone.nv(), 3);
  for (const WorldFrames frames : {WorldFrames::spatial, WorldFrames::hybrid})
    for (const BaseFrame base : {BaseFrame::body, BaseFrame::own})
      expect_same(WorldSeries(drone, 1, frames, base),
                  [&](WorldSeries& s) -> VectorXd { return s.inverse(at, motion).col(1); });
}

TEST(Threads, ClonesOfDoorsWithLoops) {
  const Robot linkage = load("builtin:five_bar");
  const int n = linkage.nv();
  const VectorXd q = VectorXd::Map(linkage.closed().data(), n), still = VectorXd::Zero(n),
                 tau = VectorXd::Ones(n);
  expect_same(ClosedKinematics(linkage),
              [&](ClosedKinematics& k) -> VectorXd { return k.motion(q).col(0); });
  expect_same(ConstrainedDerivatives(linkage), [&](ConstrainedDerivatives& d) -> VectorXd {
    return d.forward(q, still, tau).da_dq.col(1);
  });
  const std::vector<Parameter> by = {{ParameterKind::inertia, linkage.description().links[1].name}};
  expect_same(ConstrainedSensitivity(linkage, by), [&](ConstrainedSensitivity& s) -> VectorXd {
    return s.forward(q, still, tau).dx_dp.col(0);
  });
  expect_same(ConstrainedSeries(linkage, 1), [&](ConstrainedSeries& s) -> VectorXd {
    return s.forward(q, still, Eigen::MatrixXd::Ones(n, 2)).motion.col(2);
  });
  const std::vector<double> lambda(size_t(ConstrainedDynamics(linkage).rows()), 1.0);
  expect_same(ConstrainedWrenches(linkage), [&](ConstrainedWrenches& w) -> VectorXd {
    return VectorXd::Constant(1, w.joint_wrenches(q, still, still, lambda).joints[0].f.x);
  });
}

/// What a run comes to, with a command, a controller, stops and an event that were said before.
TEST(Threads, ClonesOfSimulations) {
  const Robot arm = load("builtin:planar_2r");
  Simulation simulation(arm, {.integrator = Integrator::dopri5, .tol = 1e-9});
  simulation.command(arm.joints()[0].name, Command::force([](double t) { return std::sin(t); }));
  simulation.controller([](double, std::span<const double>, std::span<const double> v) {
    return VectorXd(-0.5 * VectorXd::Map(v.data(), 2));
  });
  simulation.wrench(arm.frames().back().name, [](double, auto, auto) {
    return Wrench<double>{{0, 0, 0}, {1, 0, 0}};
  });
  simulation.gravity([](double t) { return Vec3<double>{0, 0, -9.81 * (1 + 0.1 * t)}; });
  simulation.event("half", [](const Moment& m) { return m.t - 0.5; }, {.stop = true});
  const VectorXd q = VectorXd::Constant(2, 0.3), v = VectorXd::Zero(2);
  expect_same(std::move(simulation), [&](Simulation& own) -> VectorXd {
    SimulationState x = own.start(q, v);
    own.run(x, 1.0);
    EXPECT_NEAR(x.t, 0.5, 1e-9);  // the event was carried over
    return VectorXd::Map(x.q.data(), 2);
  });
  SimulationGradient gradient(arm, {.parameters = {{ParameterKind::inertia, "link_2"}}});
  expect_same(std::move(gradient), [&](SimulationGradient& own) -> VectorXd {
    own.simulate(q, v, VectorXd::Constant(20, 0.01), Eigen::MatrixXd::Ones(2, 1));
    return own.adjoint(q, q).parameters;
  });
}

}  // namespace
}  // namespace jounce

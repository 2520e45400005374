// SPDX-License-Identifier: BSD-3-Clause
// Custom joints against the built-in kinds: the same pose, written as a function, must give the
// same dynamics, derivatives and series of every order.
#include <jounce/any_number.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/second_derivatives.hpp>
#include <jounce/series_derivatives.hpp>
#include <thread>

#include "joint_reference.hpp"

namespace jounce::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The joint's pose as a function of the user's.
std::shared_ptr<const CustomJoint> as_function(const JointGeometry& joint) {
  const auto pose = [&](const auto* q) { return described_motion(joint, q); };
  switch (joint_nv(joint)) {
    case 1:
      return custom_joint<1>(pose);
    case 2:
      return custom_joint<2>(pose);
    case 3:
      return custom_joint<3>(pose);
    default:
      return nullptr;
  }
}

/// A tree of joints whose v is dq/dt, without friction, which would hide all else in high orders,
/// and the same with functions in their places.
struct Twins {
  explicit Twins(std::uint64_t seed, int bodies = 6) {
    using K = JointKind;
    RobotDescription robot =
        generate({.bodies = bodies,
                  .kinds = {K::revolute, K::prismatic, K::helical, K::cylindrical, K::universal,
                            K::translational, K::euler_ball},
                  .seed = seed});
    built_in = std::make_unique<Dynamics>(Robot(robot));
    for (JointDescription& joint : robot.joints)
      joint.geometry = {JointKind::custom,          joint.geometry.placement, {}, 0, {},
                        as_function(joint.geometry)};
    custom = std::make_unique<Dynamics>(Robot(robot));
    const int nv = custom->robot().nv();
    Random rng(seed);
    for (VectorXd* x : {&q, &v, &a, &tau}) {
      x->resize(nv);
      for (double& number : *x) number = rng.number<double>();
    }
    motion.resize(nv, 26);
    for (double& number : motion.reshaped()) number = rng.number<double>();
  }

  std::unique_ptr<Dynamics> built_in, custom;
  VectorXd q, v, a, tau;
  MatrixXd motion;
};

void expect_same(const MatrixXd& found, const MatrixXd& needed, double tolerance,
                 const char* what) {
  EXPECT_LE((found - needed).cwiseAbs().maxCoeff(), tolerance * (1 + needed.cwiseAbs().maxCoeff()))
      << what;
}

TEST(CustomJoint, HasTheDynamicsOfTheBuiltInKind) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    Twins t(seed);
    expect_same(t.custom->inverse(t.q, t.v, t.a), t.built_in->inverse(t.q, t.v, t.a), 1e-13,
                "inverse");
    expect_same(t.custom->forward(t.q, t.v, t.tau), t.built_in->forward(t.q, t.v, t.tau), 1e-10,
                "forward");
    const auto found = Derivatives(t.custom->robot()).inverse(t.q, t.v, t.a);
    const auto needed = Derivatives(t.built_in->robot()).inverse(t.q, t.v, t.a);
    expect_same(found.dq, needed.dq, 1e-12, "dq");
    expect_same(found.dv, needed.dv, 1e-12, "dv");
    expect_same(found.da, needed.da, 1e-12, "da");
  }
}

TEST(CustomJoint, HasTheSecondDerivativesOfTheBuiltInKind) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    Twins t(seed, 4);
    const auto found = SecondDerivatives(t.custom->robot()).inverse(t.q, t.v, t.a);
    const auto needed = SecondDerivatives(t.built_in->robot()).inverse(t.q, t.v, t.a);
    for (int l = 0; l < t.q.size(); ++l) {
      expect_same(found.dqdq.slice(l), needed.dqdq.slice(l), 1e-11, "dqdq");
      expect_same(found.dqdv.slice(l), needed.dqdv.slice(l), 1e-11, "dqdv");
      expect_same(found.dvdv.slice(l), needed.dvdv.slice(l), 1e-11, "dvdv");
      expect_same(found.dadq.slice(l), needed.dadq.slice(l), 1e-11, "dadq");
    }
  }
}

/// Column by column: every order to its own size.
TEST(CustomJoint, HasTheSeriesOfTheBuiltInKindToOrder24) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    Twins t(seed);
    Series custom(t.custom->robot(), 24), built_in(t.built_in->robot(), 24);
    const MatrixXd found = custom.inverse(t.q, t.motion);
    const MatrixXd needed = built_in.inverse(t.q, t.motion);
    for (int r = 0; r <= 24; ++r) expect_same(found.col(r), needed.col(r), 1e-11, "inverse_series");
    // back again, where the mass matrix costs each order digits: as many as forces that are off by
    // some forty units in the last place, of either sign
    const MatrixXd taus = needed.leftCols(9);
    const MatrixXd back = custom.forward(t.q, t.motion.col(0), taus);
    MatrixXd off = taus;
    for (Eigen::Index k = 0; k < off.size(); ++k) off(k) *= k % 2 == 0 ? 1 + 1e-14 : 1 - 1e-14;
    const MatrixXd lost =
        built_in.forward(t.q, t.motion.col(0), off) - built_in.forward(t.q, t.motion.col(0), taus);
    for (int r = 0; r <= 9; ++r)
      EXPECT_LE((back.col(r) - t.motion.col(r)).cwiseAbs().maxCoeff(),
                lost.col(r).cwiseAbs().maxCoeff() + 1e-13)
          << r;
  }
}

TEST(CustomJoint, HasTheSeriesDerivativesOfTheBuiltInKindToOrder20) {
  for (const int order : {3, 6, 20}) {
    SCOPED_TRACE(order);
    Twins t(std::uint64_t(order), 4);
    SeriesDerivatives custom(t.custom->robot(), order), built_in(t.built_in->robot(), order);
    const auto found = custom.inverse(t.q, t.motion.leftCols(order + 2));
    const auto needed = built_in.inverse(t.q, t.motion.leftCols(order + 2));
    for (int r = 0; r <= order; ++r)
      for (int s = 0; s <= r + 2; ++s) expect_same(found(r, s), needed(r, s), 1e-11, "force");
  }
}

/// Kinds of number, nested ones among them, that no joint knows of.
template <class Real>
void expect_same_on(const Twins& t, double tolerance) {
  const Robot custom = t.custom->robot(), built_in = t.built_in->robot();
  Random rng(7);
  std::vector<Real> q, v, a;
  for (int k = 0; k < t.q.size(); ++k)
    for (std::vector<Real>* x : {&q, &v, &a}) x->push_back(rng.number<Real>());
  const auto compare = [&](std::span<const Real> found, std::span<const Real> needed) {
    std::vector<double> x, y;
    for (const Real& number : found)
      for (const double part : parts_of(number)) x.push_back(part);
    for (const Real& number : needed)
      for (const double part : parts_of(number)) y.push_back(part);
    EXPECT_TRUE(near_parts(x, y, tolerance, 7));
  };
  std::vector<Real> tau = v, needed_tau = v;
  BasicDynamics<Real>(custom).inverse(q, v, a, into(tau));
  BasicDynamics<Real>(built_in).inverse(q, v, a, into(needed_tau));
  compare(tau, needed_tau);
  const size_t n = v.size() * v.size();
  const auto found = BasicDerivatives<Real>(custom).inverse(q, v, a),
             needed = BasicDerivatives<Real>(built_in).inverse(q, v, a);
  compare({found.dq.data(), n}, {needed.dq.data(), n});
  compare({found.dv.data(), n}, {needed.dv.data(), n});
}
TEST(CustomJoint, RunsOnEveryKindOfNumber) {
  const Twins t(5, 4);
  expect_same_on<float>(t, 2e-5);
  expect_same_on<Pack<double, 8>>(t, 1e-13);
  expect_same_on<Dual<double, 11>>(t, 1e-12);
  expect_same_on<Taylor<double, 9>>(t, 1e-11);
  expect_same_on<Taylor<Pack<double, 8>, 2>>(t, 1e-12);
  expect_same_on<Dual<Dual<double, 2>, 2>>(t, 1e-12);
  expect_same_on<Dual<Taylor<double, 3>, 2>>(t, 1e-12);
}

RobotDescription one_joint(std::shared_ptr<const CustomJoint> function) {
  RobotDescription robot{.name = "one"};
  robot.links = {{.name = "frame"}, {.name = "body", .mass = 1, .I_com = {1, 0, 1, 0, 0, 1}}};
  JointDescription joint{.name = "joint", .parent = "frame", .child = "body"};
  joint.geometry = {.kind = JointKind::custom, .custom = std::move(function)};
  robot.joints = {joint};
  return robot;
}
template <class Real>
SE3<Real> lifted(const Real& height) {
  return {SO3<Real>{}, {Real(0), Real(0), height}};
}

TEST(CustomJoint, RunsItsFunctionOnceAndThrowsWhatItThrows) {
  int runs = 0;
  const auto function = custom_joint<1>([&](const auto* q) { return ++runs, lifted(sin(q[0])); });
  EXPECT_EQ(runs, 1);
  const Robot robot(one_joint(function));
  const std::vector<double> q = {0.3}, v = {2.0}, a = {-1.0};
  Derivatives(robot).inverse(q, v, a);
  Series(robot, 16).inverse(q, MatrixXd::Ones(1, 18));
  EXPECT_EQ(runs, 1);
  struct Unwilling {};
  EXPECT_THROW(custom_joint<1>([](const auto* x) { return throw Unwilling(), lifted(x[0]); }),
               Unwilling);
}

/// m (h' a + h'' v^2 + g) h' of a body that a function lifts by h(q), which bends at 1.
TEST(CustomJoint, SelectsWithoutBranches) {
  Dynamics dynamics{Robot(one_joint(custom_joint<1>(
      [](const auto* q) { return lifted(select(q[0] < 1, q[0] * q[0], 2 * q[0] - 1)); })))};
  const double v = 1.5, a = 0.7, g = 9.81;
  for (const double q : {0.4, 1.6}) {
    const double slope = q < 1 ? 2 * q : 2, bend = q < 1 ? 2 : 0;
    const VectorXd tau = dynamics.inverse(std::vector{q}, std::vector{v}, std::vector{a});
    EXPECT_NEAR(tau[0], (slope * a + bend * v * v + g) * slope, 1e-14) << q;
  }
}

/// One joint, many threads: nothing in it changes.
TEST(CustomJoint, IsSharedByThreads) {
  const Twins t(3);
  const VectorXd alone = t.custom->inverse(t.q, t.v, t.a);
  std::vector<std::thread> threads;
  std::vector<double> apart(4);
  for (double& error : apart)
    threads.emplace_back([&] {
      Dynamics dynamics(t.custom->robot());
      for (int k = 0; k < 2000; ++k)
        error = std::max(error, (dynamics.inverse(t.q, t.v, t.a) - alone).cwiseAbs().maxCoeff());
    });
  for (std::thread& one : threads) one.join();
  for (const double error : apart) EXPECT_EQ(error, 0);
}

}  // namespace
}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// Accuracy where bodies are far apart, far from the ground's origin, or many: entries of every
// result, each relative to itself, against the recursions in body frames on 64-bit significands.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/algorithm/articulated_solve.hpp>
#include <jounce/algorithm/crba.hpp>
#include <jounce/algorithm/mass_matrix.hpp>
#include <jounce/derivatives.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/io.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/model_storage.hpp>
#include <jounce/model/workspace.hpp>
#include <jounce/regressor.hpp>
#include <jounce/second_derivatives.hpp>

#include "support/dense.hpp"
#include "support/far_robots.hpp"
#include "support/within.hpp"

namespace jounce::test {
namespace {

using Wide = long double;
using WideMatrix = Eigen::Matrix<Wide, Eigen::Dynamic, Eigen::Dynamic>;
using Matrix = Eigen::MatrixXd;
using Numbers = std::vector<double>;

/// The recursions in body frames on any kind of number.
template <class Real>
struct BodyFrames {
  explicit BodyFrames(const Robot& robot)
      : constants(robot.model()), storage(constants.view()), F_ext(size(model().bodies)) {}

  static size_t size(int n) { return static_cast<size_t>(n); }
  const Model<Wide>& model() const { return constants.view(); }
  static std::vector<Real> wide(const Numbers& x) { return {x.begin(), x.end()}; }
  State<Real> state(const std::vector<Real>& q, const std::vector<Real>& v,
                    const std::vector<Real>& a, const std::vector<Real>& tau) {
    storage.view().V[0] = {};
    storage.view().Vdot[0] = minus_gravity<Real>(model());
    return {q.data(), v.data(), a.data(), tau.data(), F_ext.data()};
  }
  const Real* inverse(const std::vector<Real>& q, const std::vector<Real>& v,
                      const std::vector<Real>& a) {
    rnea(model(), state(q, v, a, a), storage.view());
    return storage.view().tau;
  }
  const Real* forward(const std::vector<Real>& q, const std::vector<Real>& v,
                      const std::vector<Real>& tau) {
    aba(model(), state(q, v, tau, tau), storage.view());
    return storage.view().a;
  }

  ModelStorage<Wide> constants;
  WorkspaceStorage<Real> storage;
  std::vector<Wrench<Real>> F_ext;
};

WideMatrix exact_mass(const Robot& robot, const Numbers& q) {
  BodyFrames<Wide> exact(robot);
  const std::vector<Wide> at = exact.wide(q), zero(q.size());
  forward_poses(exact.model(), exact.state(at, zero, zero, zero), exact.storage.view());
  std::vector<Inertia<Wide>> composite(size_t(robot.bodies()));
  WideMatrix M(robot.nv(), robot.nv());
  crba(exact.model(), exact.storage.view(), composite.data(), M.data());
  return M;
}
/// Columns of M^-1.
WideMatrix exact_inverse(const Robot& robot, const Numbers& q, const std::vector<int>& columns) {
  BodyFrames<Wide> exact(robot);
  const std::vector<Wide> at = exact.wide(q), zero(q.size());
  factor_articulated(exact.model(), exact.state(at, zero, zero, zero), exact.storage.view());
  WideMatrix X = WideMatrix::Zero(robot.nv(), int(columns.size()));
  for (size_t k = 0; k < columns.size(); ++k) {
    X(columns[k], int(k)) = 1;
    articulated_solve(exact.model(), X.data() + X.rows() * int(k), exact.storage.view(),
                      X.data() + X.rows() * int(k));
  }
  return X;
}

/// Derivatives of a function of q and v by dual numbers.
struct WideDerivatives {
  WideMatrix dq, dv;
};
template <class F>
WideDerivatives exact_derivatives(const Robot& robot, const Numbers& q, const Numbers& v,
                                  const Numbers& x, F f) {
  using Real = Dual<Wide, 1>;
  const int n = robot.nv();
  BodyFrames<Real> exact(robot);
  WideDerivatives d{WideMatrix(n, n), WideMatrix(n, n)};
  for (int k = 0; k < 2 * n; ++k) {
    std::vector<Real> q_k(q.begin(), q.end()), v_k(v.begin(), v.end()), x_k(x.begin(), x.end());
    (k < n ? q_k : v_k)[size_t(k % n)].d[0] = 1;
    const Real* y = f(exact, q_k, v_k, x_k);
    for (int l = 0; l < n; ++l) (k < n ? d.dq : d.dv)(l, k % n) = y[l].d[0];
  }
  return d;
}

/// The largest error of an entry relative to itself; entries that vanish are left out.
template <class Found>
double entry_error(const Found& found, const WideMatrix& exact) {
  Wide worst = 0;
  for (int k = 0; k < int(exact.cols()); ++k)
    for (int l = 0; l < int(exact.rows()); ++l)
      if (std::abs(exact(l, k)) > 1e-18L)
        worst = std::max(worst, std::abs(Wide(found(l, k)) / exact(l, k) - 1));
  return double(worst);
}

const Numbers q3{0.5, -0.75, 1.25}, v3{0.25, -0.5, 0.75}, a3{0.5, 1, -0.25}, tau3{1, -2, 0.5};

TEST(FarBodies, EveryEntryOfTheMassMatrix) {
  for (const double D : {1.0, 1e3, 1e5, 1e6}) {
    const Robot robot = far_arm(D);
    Dynamics dynamics(robot);
    EXPECT_EQ(robot.model().anchors, D > 1 ? 2 : 1);
    const WideMatrix M = exact_mass(robot, q3), X = exact_inverse(robot, q3, {0, 1, 2});
    EXPECT_LE(entry_error(dynamics.mass(q3), M), 1e-14) << D;
    EXPECT_LE(entry_error(dynamics.mass_inverse(q3), X), 1e-13) << D;
    EXPECT_LE(entry_error(Derivatives(robot).forward(q3, v3, tau3).dtau, X), 1e-13) << D;
  }
}

/// Fingers of a gripper, 1.2 m from the base: 30 to 300 radii of gyration, D / r. In units of
/// sqrt(M_ii M_jj) entries lose a part of 2^-52 (D / r)^2, up to where the finger gets an origin of
/// its own.
TEST(FarBodies, SmallBodiesAtTheEndOfAnArm) {
  for (const double radius : {0.04, 0.025, 0.02, 0.016, 0.012, 0.004}) {
    RobotDescription robot = generate({.bodies = 7, .link_length = 0.2});
    LinkDescription& finger = robot.links.back();
    const double moment = 0.02 * radius * radius;
    finger.mass = 0.02;
    finger.com = {radius / 9, 0, 0};
    finger.I_com = {moment, 0, moment, 0, 0, moment};
    const Robot arm(robot);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Numbers q = arm.random(seed);
      const WideMatrix exact = exact_mass(arm, q);
      const Matrix found = Dynamics(arm).mass(q);
      Wide worst = 0;
      for (int i = 0; i < arm.nv(); ++i)
        for (int j = 0; j < arm.nv(); ++j)
          worst = std::max(worst, std::abs(Wide(found(i, j)) - exact(i, j)) /
                                      std::sqrt(exact(i, i) * exact(j, j)));
      EXPECT_LE(worst, 1.5e-13L) << "radius " << radius << ", seed " << seed;
    }
  }
}

/// The same text on packs, each lane in a configuration of its own.
TEST(FarBodies, EveryEntryOfTheMassMatrixOnPacks) {
  using Real = Pack<double, 4>;
  using Kind = ThreeNumbers<Real, double>;
  for (const double D : {1.0, 1e3, 1e5, 1e6}) {
    const Robot robot = far_arm(D);
    const Model<double>& m = robot.model();
    std::vector<Real> q(3), M(9);
    const auto at = [&](int lane) { return Numbers{q3[0] + 0.25 * lane, q3[1] - lane, q3[2]}; };
    for (size_t k = 0; k < 3; ++k) q[k] = Real::generate([&](int lane) { return at(lane)[k]; });
    WorkspaceStorage<Real> storage(m);
    RoomStorage<Kind> room(m);
    const State<Real> x{q.data(), q.data()};
    for (int again = 0; again < 2; ++again)
      mass_matrix(Recursion<Kind>{m, {m}, x, storage.view(), room.view()}, M.data());
    for (int lane = 0; lane < 4; ++lane) {
      Matrix found(3, 3);
      for (int k = 0; k < 9; ++k) found(k / 3, k % 3) = M[size_t(k)][lane];
      EXPECT_LE(entry_error(found, exact_mass(robot, at(lane))), 1e-14) << D << " lane " << lane;
    }
  }
}

TEST(FarBodies, InverseAndForward) {
  for (const double D : {1.0, 1e3, 1e5, 1e6}) {
    const Robot robot = far_arm(D);
    Dynamics dynamics(robot);
    BodyFrames<Wide> exact(robot);
    const std::vector<Wide> q = exact.wide(q3), v = exact.wide(v3), a = exact.wide(a3);
    const WideMatrix tau = WideMatrix::Map(exact.inverse(q, v, a), 3, 1);
    EXPECT_LE(entry_error(dynamics.inverse(q3, v3, a3), tau), 1e-14) << D;
    const WideMatrix found = WideMatrix::Map(exact.forward(q, v, exact.wide(tau3)), 3, 1);
    EXPECT_LE(entry_error(dynamics.forward(q3, v3, tau3), found), 1e-14) << D;
  }
}

/// Of inverse dynamics along v and a the baseline build sees all bodies in the ground's axes: an
/// entry of size 1 where others have size D loses D eps.
TEST(FarBodies, EveryEntryOfTheDerivatives) {
  for (const double D : {1.0, 1e3, 1e5, 1e6}) {
    const Robot robot = far_arm(D);
    Derivatives derivatives(robot);
    const WideDerivatives tau = exact_derivatives(
        robot, q3, v3, a3, [](auto& e, auto& q, auto& v, auto& a) { return e.inverse(q, v, a); });
    const WideDerivatives a = exact_derivatives(
        robot, q3, v3, tau3, [](auto& e, auto& q, auto& v, auto& t) { return e.forward(q, v, t); });
    const double bound = 1e-12 + 1e-15 * D;
    const InverseDerivatives inverse = derivatives.inverse(q3, v3, a3);
    EXPECT_LE(entry_error(inverse.dq, tau.dq), 2e-14) << D;
    EXPECT_LE(entry_error(inverse.dv, tau.dv), bound) << D;
    EXPECT_LE(entry_error(inverse.da, exact_mass(robot, q3)), bound) << D;
    const ForwardDerivatives forward = derivatives.forward(q3, v3, tau3);
    EXPECT_LE(entry_error(forward.dq, a.dq), 1e-12) << D;
    EXPECT_LE(entry_error(forward.dv, a.dv), 1e-12) << D;
  }
}

/// Three groups of bodies, far from each other: relative to the largest entry of a row.
TEST(FarBodies, DerivativesAcrossSeveralCuts) {
  const Numbers q{0.5, -0.75, 1.25, 0.25, -0.5, 1}, v{0.25, -0.5, 0.75, 0.5, 1, -0.25},
      a{0.5, 1, -0.25, -1, 0.75, 0.125};
  for (const double D : {1e3, 1e5, 1e6}) {
    RobotDescription two{.name = "two"};
    add_arm(D, "", "", two);
    add_arm(-D / 2, "tip", "outer_", two);
    const Robot robot(std::move(two));
    EXPECT_GE(robot.model().anchors, 3);
    const WideDerivatives exact = exact_derivatives(
        robot, q, v, a, [](auto& e, auto& x, auto& y, auto& z) { return e.inverse(x, y, z); });
    const InverseDerivatives found = Derivatives(robot).inverse(q, v, a);
    for (int l = 0; l < 6; ++l)
      for (int k = 0; k < 6; ++k) {
        const double row_q = double(exact.dq.row(l).cwiseAbs().maxCoeff()),
                     row_v = double(exact.dv.row(l).cwiseAbs().maxCoeff());
        EXPECT_NEAR(found.dq(l, k), double(exact.dq(l, k)), 1e-14 * row_q) << l << k << D;
        EXPECT_NEAR(found.dv(l, k), double(exact.dv(l, k)), 1e-14 * row_v) << l << k << D;
      }
  }
}

/// All that does not depend on where the robot stands.
std::vector<Matrix> independent_of_place(const Robot& robot, const Numbers& q) {
  Dynamics d(robot);
  Derivatives derivatives(robot);
  Kinematics kinematics(robot);
  Regressor regressor(robot);
  const int n = robot.nv();
  Eigen::VectorXd v(n), a(n);
  for (int k = 0; k < n; ++k) v[k] = 0.25 * k - 0.375, a[k] = 0.5 - 0.125 * k;
  std::vector<Matrix> all;
  const auto add = [&](const auto&... x) { (all.emplace_back(x), ...); };
  add(d.inverse(q, v, a)), add(d.forward(q, v, a)), add(d.mass(q)), add(d.mass_inverse(q));
  const InverseDerivatives inverse = derivatives.inverse(q, v, a);
  add(inverse.dq, inverse.dv, inverse.da);
  const ForwardDerivatives forward = derivatives.forward(q, v, a);
  add(forward.dq, forward.dv, forward.dtau);
  const InverseSecondDerivatives second = SecondDerivatives(robot).inverse(q, v, a);
  for (const Tensor* tensor : {&second.dqdq, &second.dqdv, &second.dvdv})
    add(Eigen::Map<const Matrix>(tensor->data(), n, n * n));
  const VectorJacobian product = derivatives.inverse_vector_jacobian(a, q, v, a);
  add(product.dq, product.dv, product.da);
  const CoriolisMatrices coriolis = d.coriolis(q, v);
  add(coriolis.matrix, coriolis.mass_rate), add(regressor.force(q, v, a));
  kinematics.at(q, v, a);
  const FrameId tip = robot.frame("tip");
  add(kinematics.jacobian_body(tip), kinematics.jacobian_hybrid(tip));
  add(kinematics.jacobian_body_rate(tip), kinematics.jacobian_hybrid_rate(tip));
  add(kinematics.com_jacobian());
  const AccelerationDerivatives moved =
      derivatives.spatial_acceleration(tip, Representation::body, q, v, a);
  add(moved.dq, moved.dv, moved.da);
  return all;
}
void expect_same(const std::vector<Matrix>& near, const std::vector<Matrix>& far, double tolerance,
                 const std::string& name) {
  ASSERT_EQ(near.size(), far.size());
  for (size_t k = 0; k < near.size(); ++k)
    EXPECT_TRUE(within(tolerance * largest(near[k]), near[k], far[k])) << name << ", result " << k;
}

/// Momentum about the com.
Matrix momentum(const Robot& robot, const Numbers& q) {
  Dynamics d(robot);
  const CentroidalMatrices centroidal = d.centroidal(q, Numbers(size_t(robot.nv()), 0.5));
  Matrix all(18, robot.nv());
  all << centroidal.matrix, centroidal.rate, Matrix(d.centroidal_matrix(q));
  return all;
}

/// Derivatives of that, of its rate and of energy: sums at one origin next to the bodies.
std::vector<Matrix> momentum_derivatives(const Robot& robot, const Numbers& q) {
  Derivatives derivatives(robot);
  const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(robot.nv(), -0.5, 0.75);
  const MomentumDerivatives h = derivatives.momentum(q, v, -v);
  const EnergyDerivatives energy = derivatives.energy(q, v);
  return {h.momentum_dq,     h.momentum_dv,     h.rate_dq,          h.rate_dv,
          energy.kinetic_dq, energy.kinetic_dv, energy.potential_dq};
}

constexpr double earth = 6.4e6;  // metres

TEST(FarRobots, NothingDependsOnTheMount) {
  const Robot here = carried_arm({JointKind::fixed});
  const Robot there = carried_arm({JointKind::fixed}, {earth, -earth / 2, 1024});
  expect_same(independent_of_place(here, q3), independent_of_place(there, q3), 1e-14, "mount");
  const Matrix h = momentum(here, q3);
  EXPECT_TRUE(within(1e-14 * largest(h), momentum(there, q3), h));
  expect_same(momentum_derivatives(here, q3), momentum_derivatives(there, q3), 1e-14, "momentum");
}

/// The same of a chain that has several anchors.
TEST(FarRobots, MomentumOfALongChain) {
  RobotDescription chain = generate({.bodies = 40, .kinds = {JointKind::revolute}, .seed = 3});
  const Robot here(chain);
  ASSERT_GT(here.model().anchors, 1);
  chain.joints[0].geometry.placement.p += Vec3<double>{earth, -earth / 2, 1024};
  const Numbers q = here.random(1);
  const Matrix h = momentum(here, q);
  EXPECT_TRUE(within(1e-13 * largest(h), momentum(Robot(chain), q), h));
  expect_same(momentum_derivatives(here, q), momentum_derivatives(Robot(chain), q), 1e-13, "chain");
}

/// The first joint carries the whole robot away.
TEST(FarRobots, NothingDependsOnHowFarTheFirstJointHasGone) {
  for (const JointKind kind :
       {JointKind::prismatic, JointKind::planar, JointKind::translational, JointKind::free}) {
    const Robot robot = carried_arm({kind});
    Numbers q = robot.neutral();
    std::copy(q3.begin(), q3.end(), q.end() - 3);
    const std::vector<Matrix> near = independent_of_place(robot, q);
    const Matrix h = momentum(robot, q);
    const std::vector<Matrix> changes = momentum_derivatives(robot, q);
    q[0] = earth;
    if (kind != JointKind::prismatic) q[1] = -earth / 2;
    expect_same(near, independent_of_place(robot, q), 1e-14, name(kind));
    EXPECT_TRUE(within(1e-14 * largest(h), momentum(robot, q), h)) << name(kind);
    expect_same(changes, momentum_derivatives(robot, q), 1e-14, name(kind));
  }
}

/// A mobile base of three joints; momentum depends on where the bodies of its slides are.
TEST(FarRobots, MobileBaseOfSlides) {
  const Robot robot =
      carried_arm({JointKind::prismatic, JointKind::prismatic, JointKind::revolute});
  const std::vector<Matrix> near = independent_of_place(robot, {0, 0, 0.25, 0.5, -0.75, 1.25});
  for (const double D : {1e3, 1e5, earth})
    expect_same(near, independent_of_place(robot, {D, D / 2, 0.25, 0.5, -0.75, 1.25}), 1e-12,
                "mobile base at " + std::to_string(D));
}

/// The matrix of a long chain is ill-conditioned, its articulated bodies are not.
TEST(LongChains, InverseMassMatrix) {
  constexpr int n = 300;
  RobotDescription chain{.name = "chain"};
  for (int k = 0; k < n; ++k) {
    const std::string name = "link_" + std::to_string(k);
    const Vec3<double> axis{k % 3 == 0 ? 1.0 : 0.0, k % 3 == 1 ? 1.0 : 0.0, k % 3 == 2 ? 1.0 : 0.0};
    chain.links.push_back(
        {name, 0.5, {0.0625, 0, 0.03125}, {0.001, 0, 0.002, 0, 0, 0.002}, {}, {}});
    chain.joints.push_back({name,
                            k == 0 ? "" : "link_" + std::to_string(k - 1),
                            name,
                            {JointKind::revolute, {{}, {0.125, 0, 0}}, {axis}}});
  }
  const Robot robot(std::move(chain));
  Dynamics dynamics(robot);
  Numbers q(n);
  for (int k = 0; k < n; ++k) q[size_t(k)] = (37 * k % 64 - 32) / 64.0;
  const std::vector<int> columns{0, n / 2, n - 1};
  const WideMatrix X = exact_inverse(robot, q, columns);
  const Numbers zero(n);
  const Matrix inverse = dynamics.mass_inverse(q);
  const Matrix by_forces = Derivatives(robot).forward(q, zero, zero).dtau;
  EXPECT_TRUE(within(0, inverse, inverse.transpose()));
  for (int k = 0; k < 3; ++k) {
    const double scale = double(X.col(k).cwiseAbs().maxCoeff());
    const Matrix exact = X.col(k).cast<double>();
    EXPECT_TRUE(within(1e-14 * scale, inverse.col(columns[size_t(k)]), exact)) << k;
    EXPECT_TRUE(within(1e-14 * scale, by_forces.col(columns[size_t(k)]), exact)) << k;
  }
}

/// The same where a tree branches, with joints of several coordinates.
TEST(LongChains, InverseMassMatrixOfBranches) {
  const Robot robot(generate({.shape = TreeShape::branches,
                              .bodies = 72,
                              .branches = 3,
                              .kinds = {JointKind::revolute, JointKind::spherical},
                              .free_base = true,
                              .link_length = 0.125}));
  const Numbers q = robot.random(1);
  const int n = robot.nv();
  const std::vector<int> columns{0, 5, n / 3, n / 2, n - 1};
  const WideMatrix X = exact_inverse(robot, q, columns);
  const Matrix inverse = Dynamics(robot).mass_inverse(q);
  EXPECT_TRUE(within(0, inverse, inverse.transpose()));
  for (size_t k = 0; k < columns.size(); ++k) {
    const Matrix exact = X.col(Eigen::Index(k)).cast<double>();
    EXPECT_TRUE(within(1e-13 * largest(exact), inverse.col(columns[k]), exact)) << columns[k];
  }
}

TEST(FarBodies, OrdinaryRobotsHaveOneAnchor) {
  for (const char* name :
       {"planar_2r", "puma560", "arm7", "quadruped", "humanoid", "aerial_manipulator"})
    EXPECT_EQ(load(std::string("builtin:") + name).model().anchors, 1) << name;
}

}  // namespace
}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// Momentum, power and wrenches: laws on random trees, and a moving base against a free one.
#include <jounce/group/eigen.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/regressor.hpp>

#include "matrices/cases.hpp"
#include "support/allocation_guard.hpp"
#include "support/near.hpp"

namespace jounce::test {
namespace {

using Six = Eigen::Matrix<double, 6, 1>;

TEST(Momentum, IsTheCentroidalMatrixTimesVelocity) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(200); ++seed) {
    Case c(seed);
    const Momentum<double> h = c.dynamics.momentum(c.q, c.v);
    const DenseMatrix A = c.dynamics.centroidal(c.q, c.v).matrix;
    EXPECT_TRUE(within(1e-12 * largest(A), to_eigen(h.about_com), A * c.v, c));
    const DenseMatrix alone = c.dynamics.centroidal_matrix(c.q);
    EXPECT_TRUE(within(1e-13 * largest(A), alone, A, c));
    EXPECT_EQ(DenseMatrix(c.dynamics.centroidal_matrix(c.q)), alone) << "remembers the first call";
    Kinematics kinematics(c.robot);
    kinematics.at(c.q, c.v);
    EXPECT_TRUE(near(h.com, kinematics.com(), 1e-12, seed));
    const DenseMatrix J = kinematics.com_jacobian() * c.robot.mass();
    EXPECT_TRUE(within(1e-12 * largest(A), A.bottomRows(3), J, c));
    Regressor regressor(c.robot);
    DenseMatrix Y(6, regressor.columns());
    regressor.momentum(c.q, c.v, {}, into(Y));
    const Vector found = Y * Vector(regressor.parameters());
    EXPECT_TRUE(
        within(1e-12 * largest(A) * (1 + norm(h.com)), to_eigen(about_origin(h)), found, c));
  }
}

/// A of dual numbers along v has Adot in its derivative.
TEST(Momentum, RateOfTheMatrixByDualNumbers) {
  using Real = Dual<double, 1>;
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(60); ++seed) {
    Case c(seed);
    const Model<double>& m = c.robot.model();
    const DenseMatrix fold = coupling_matrix(c.robot);
    const Vector all = tree_q(c.robot, c.q), rates = tree_rates(c.robot, all, fold * c.v);
    std::vector<Real> q(size_t(m.nq)), zero(size_t(m.nv)), A(size_t(6 * m.nv)), rate(A);
    for (int k = 0; k < m.nq; ++k) q[size_t(k)] = Real(all[k]), q[size_t(k)].d[0] = rates[k];
    WorkspaceStorage<Real> storage(m);
    std::vector<Twist<Real>> S(zero.size()), Psi(S), V(size_t(m.bodies));
    std::vector<Inertia<Real>> G(V.size()), Gdot(V.size());
    SubtreeRoom<Real> room{S.data(), Psi.data(), V.data(), G.data(), Gdot.data(), nullptr};
    const State<Real> x{q.data(), zero.data(), zero.data()};
    forward_poses(m, x, storage.view());
    centroidal(m, x, storage.view(), room, A.data(), rate.data());
    DenseMatrix expected(6, m.nv);
    for (int k = 0; k < 6 * m.nv; ++k) expected(k % 6, k / 6) = A[size_t(k)].d[0];
    const DenseMatrix found = c.dynamics.centroidal(c.q, c.v).rate;
    EXPECT_TRUE(within(1e-12 * largest(found), found, expected * fold, c));
  }
}

/// hdot = A a + Adot v is the sum of gravity and of what the ground exerts, about the com.
TEST(Momentum, RateIsTheWrenchOfGravityAndGround) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(200); ++seed) {
    Case c(seed);
    const CentroidalMatrices found = c.dynamics.centroidal(c.q, c.v);
    const Six rate = found.matrix * c.a + found.rate * c.v;
    const double scale = largest(found.matrix) + largest(found.rate);
    const Wrench<double> F = c.dynamics.joint_wrenches(c.q, c.v, c.a).ground;
    const Vec3<double> com = c.dynamics.momentum(c.q, c.v).com;
    const Wrench<double> total{F.m - cross(com, F.f), F.f + c.robot.gravity() * c.robot.mass()};
    EXPECT_TRUE(within(1e-12 * (scale + largest(to_eigen(F))), to_eigen(total), rate, c));
  }
}

TEST(Momentum, EnergyRateIsThatOfTheMatrices) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(200); ++seed) {
    Case c(seed);
    const EnergyRate<double> rate = c.dynamics.energy_rate(c.q, c.v, c.a);
    const DenseMatrix M = c.dynamics.mass(c.q);
    const DenseMatrix Mdot = c.dynamics.coriolis(c.q, c.v).mass_rate;
    const Vector gravity = c.dynamics.gravity(c.q);
    const double scale = (M.norm() * c.a.norm() + Mdot.norm() * c.v.norm()) * c.v.norm();
    EXPECT_NEAR(rate.kinetic, c.v.dot(M * c.a + 0.5 * Mdot * c.v), 1e-12 * scale) << seed;
    EXPECT_NEAR(rate.potential, gravity.dot(c.v), 1e-12 * gravity.norm() * c.v.norm()) << seed;
  }
}

std::vector<OutsideWrench<double>> random_wrenches(Case& c) {
  std::vector<OutsideWrench<double>> external;
  for (int k = 0; k < 3; ++k)
    external.push_back({FrameId(int(c.rng.uniform(0, double(c.robot.frames().size())))),
                        c.rng.wrench(), Representation(k)});
  return external;
}

TEST(Momentum, PowerBalances) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(200); ++seed) {
    Case c(seed);
    const Twist<double> V_0 = c.rng.twist(), Vdot_0 = c.rng.twist();
    const std::vector<OutsideWrench<double>> external = random_wrenches(c);
    const Surroundings around{.wrenches = external, .ground = Ground<double>{V_0, Vdot_0}};
    const PowerBalance found = c.dynamics.power_balance(c.q, c.v, c.a, around);
    const double scale = std::abs(found.kinetic_rate) + std::abs(found.potential_rate) +
                         std::abs(found.actuators) + std::abs(found.passive) +
                         std::abs(found.outside) + std::abs(found.ground);
    EXPECT_LE(std::abs(found.residual()), 1e-12 * scale) << seed;
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, around);
    EXPECT_NEAR(found.actuators, tau.dot(c.v), 1e-12 * tau.norm() * c.v.norm()) << seed;
    EXPECT_LE(found.passive == 0, !c.robot.has_passive()) << seed;
  }
}

/// A robot on a base that moves, as the same robot on a massless free base.
struct OnFreeBase {
  explicit OnFreeBase(const Case& c, const Twist<double>& V_0, const Twist<double>& Vdot_0)
      : dynamics(Robot(description(c.robot))) {
    q = Vector::Zero(7 + c.robot.nq());
    q[6] = 1;
    q.tail(c.robot.nq()) = c.q;
    v.resize(6 + c.robot.nv());
    a.resize(6 + c.robot.nv());
    v << to_eigen(V_0), c.v;
    a << to_eigen(Vdot_0), c.a;
  }
  static RobotDescription description(const Robot& robot) {
    RobotDescription d = robot.description();
    LinkDescription& root = d.links.front();
    root = {.name = root.name};
    JointDescription joint{.name = "carrier", .parent = "", .child = root.name};
    joint.geometry.kind = JointKind::free;
    d.joints.insert(d.joints.begin(), joint);
    return d;
  }
  Dynamics dynamics;
  Vector q, v, a;
};

TEST(Momentum, MovingBaseIsAFreeBaseThatMovesSo) {
  for (std::uint64_t seed = 1; seed < scaled<std::uint64_t>(100); seed += 2) {
    RobotDescription fixed = random_description(seed);
    const Robot before(fixed);
    for (size_t k = 0; k < fixed.links.size(); ++k)  // what the ground carries has no mass
      if (before.frames()[k].body == 0) fixed.links[k] = {.name = fixed.links[k].name};
    Case c(Robot(fixed), seed);
    const Twist<double> V_0 = c.rng.twist(), Vdot_0 = c.rng.twist();
    OnFreeBase other(c, V_0, Vdot_0);
    const Ground<double> ground{V_0, Vdot_0};
    const Momentum<double> h = c.dynamics.momentum(c.q, c.v, ground),
                           g = other.dynamics.momentum(other.q, other.v);
    EXPECT_TRUE(near(h.about_com, g.about_com, 1e-12, seed));
    EXPECT_TRUE(near(h.com, g.com, 1e-12, seed));
    const EnergyRate<double> r = c.dynamics.energy_rate(c.q, c.v, c.a, ground),
                             s = other.dynamics.energy_rate(other.q, other.v, other.a);
    EXPECT_TRUE(near(Vec3<double>{r.kinetic, r.potential, 0},
                     Vec3<double>{s.kinetic, s.potential, 0}, 1e-11, seed));
    const Vector tau = other.dynamics.inverse(other.q, other.v, other.a);
    const Wrench<double> F =
        c.dynamics.joint_wrenches(c.q, c.v, c.a, Representation::body, {.ground = ground}).ground;
    EXPECT_TRUE(near(F, to_wrench(tau.head(6)), 1e-12, seed));
  }
}

/// Cutting the robot at a joint: the wrench along the joint's own Jacobian is its force.
TEST(Momentum, JointWrenchesDoTheWorkOfTheForces) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(100); ++seed) {
    RobotDescription description = random_description(seed);
    for (JointDescription& joint : description.joints) {
      joint.mimic.reset();
      joint.properties = {};
    }
    Case c(Robot(description), seed);
    const std::vector<OutsideWrench<double>> external = random_wrenches(c);
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, {.wrenches = external});
    Kinematics kinematics(c.robot);
    kinematics.at(c.q);
    for (const Representation in :
         {Representation::body, Representation::space, Representation::hybrid}) {
      const JointWrenches found =
          c.dynamics.joint_wrenches(c.q, c.v, c.a, in, {.wrenches = external});
      ASSERT_EQ(found.joints.size(), c.robot.joints().size());
      for (size_t k = 0; k < found.joints.size(); ++k) {
        const JointInfo& joint = c.robot.joints()[k];
        const auto& child = c.robot.description().joints[size_t(joint.description)].child;
        const DenseMatrix J = kinematics.jacobian(c.robot.frame(child), in);
        const Vector work = J.middleCols(joint.v, joint.nv).transpose() * to_eigen(found.joints[k]);
        EXPECT_TRUE(within(1e-11 * (1 + largest(to_eigen(found.joints[k]))), work,
                           tau.segment(joint.v, joint.nv), c))
            << joint.name;
      }
    }
  }
}

TEST(Momentum, ZeroMomentPointOfARobotAtRestIsBelowItsCom) {
  Dynamics dynamics(load("builtin:quadruped"));
  const Robot& robot = dynamics.robot();
  const std::vector<double> q = robot.neutral();
  const Vector zero = Vector::Zero(robot.nv());
  const Vec3<double> com = Kinematics(robot).at(q).com();
  const Vec3<double> point = dynamics.zero_moment_point(q, zero, zero, {{0, 0, -0.4}, {0, 0, 2}});
  EXPECT_TRUE(near(point, Vec3<double>{com.x, com.y, -0.4}, 1e-12));
}

TEST(Momentum, GroundHasNoMomentAlongThePlaneAtTheZeroMomentPoint) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(100); ++seed) {
    Case c(seed);
    const Plane plane{c.rng.vec3(), Vec3<double>{0, 0, 1} + c.rng.vec3() * 0.1};
    const Wrench<double> F = c.dynamics.joint_wrenches(c.q, c.v, c.a * 0.01).ground;
    if (!(dot(F.f, plane.normal) > 0)) continue;
    const Vec3<double> p = c.dynamics.zero_moment_point(c.q, c.v, c.a * 0.01, plane);
    EXPECT_NEAR(dot(p - plane.point, plane.normal), 0, 1e-12 * (1 + norm(p))) << seed;
    const Vec3<double> moment = cross(F.m - cross(p, F.f), plane.normal);
    EXPECT_LE(norm(moment), 1e-12 * (norm(F.m) + norm(p) * norm(F.f))) << seed;
  }
}

TEST(Momentum, AllocatesNothing) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Case c(seed);
    const std::vector<OutsideWrench<double>> external = random_wrenches(c);
    CentroidalMatrices matrices(c.robot);
    std::vector<Wrench<double>> joints(c.robot.joints().size());
    NoAllocation scope;
    c.dynamics.momentum(c.q, c.v);
    c.dynamics.centroidal(c.q, c.v, into(matrices));
    c.dynamics.energy_rate(c.q, c.v, c.a);
    c.dynamics.power_balance(c.q, c.v, c.a, {.wrenches = external});
    c.dynamics.joint_wrenches(c.q, c.v, c.a, Representation::space, {.wrenches = external},
                              into(joints));
  }
  Dynamics arm(load("builtin:arm7"));
  const std::vector<double> zero(7);
  NoAllocation scope;
  arm.zero_moment_point(zero, zero, zero);
}

TEST(Momentum, RefusesBadInput) {
  Dynamics dynamics(load("builtin:arm7"));
  const std::vector<double> q(7), six(6), bad = {0, 0, NAN, 0, 0, 0, 0};
  EXPECT_EQ(message([&] { dynamics.momentum(q, six); }),
            "momentum: v has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { dynamics.centroidal(bad, q); }), "centroidal: q[2] is NaN");
  EXPECT_EQ(message([&] { dynamics.energy_rate(q, q, bad); }), "energy_rate: a[2] is NaN");
  EXPECT_EQ(message([&] { dynamics.power_balance(q, six, q); }),
            "power_balance: v has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { dynamics.joint_wrenches(q, q, bad); }), "joint_wrenches: a[2] is NaN");
  EXPECT_EQ(message([&] { dynamics.zero_moment_point(q, q, six); }),
            "zero_moment_point: a has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] {
              dynamics.zero_moment_point(q, q, q, {{0, 0, 0}, {0, 0, 0}});
            }),
            "zero_moment_point: the plane needs a finite point and a normal");
  EXPECT_EQ(message([&] {
              dynamics.zero_moment_point(q, q, q, {{0, 0, 0}, {0, 0, -1}});
            }),
            "zero_moment_point: the ground does not push along the normal");
  RobotDescription light = generate_chain(1);
  for (LinkDescription& link : light.links) link = {.name = link.name};
  Dynamics massless{Robot(light)};
  EXPECT_EQ(message([&] { massless.momentum({0.0}, {0.0}); }),
            "momentum: robot \"" + light.name + "\" has no moving mass");
}

}  // namespace
}  // namespace jounce::test

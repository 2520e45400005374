// SPDX-License-Identifier: BSD-3-Clause
// Dynamics with leg inertia: power balance in series arithmetic, massless legs, the mass matrix,
// and the bundled platform cut open into a tree with loop forces.
#include <gtest/gtest.h>

#include <jounce/dynamics.hpp>
#include <jounce/error.hpp>
#include <jounce/io.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/scalar/taylor.hpp>
#include <jounce/stewart/leg_dynamics.hpp>
#include <limits>

#include "stewart/platforms.hpp"
#include "support/allocation_guard.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/near.hpp"
#include "support/scale.hpp"

namespace jounce::test {
namespace {

struct Case {
  Stewart platform;
  StewartDynamics dynamics;
  SE3<double> T;
  Twist<double> V, Vdot;
};

/// Any geometry, inertias without symmetry, universal joints mounted anyhow near the legs.
Case random_case(std::uint64_t seed) {
  Random random(seed);
  for (;;) {
    const Stewart s = random_platform(random);
    const SE3<double> home{exp(random.vec3() * 0.5), random.vec3() * 0.5 + Vec3<double>{0, 0, 2.5}};
    const SE3<double> T = home * exp(random.twist() * 0.3);
    if (s.singularity_distance(T) < 0.05) continue;
    LegMounts mounts = s.mounts_at(home);
    for (SO3<double>& M : mounts.base) M = M * exp(random.vec3() * 0.3);
    std::array<LegBodies, 6> legs;
    for (LegBodies& leg : legs) leg = {random.inertia(), random.inertia()};
    return {s, StewartDynamics(s, random.inertia(), legs, mounts, random.vec3() * 9.81), T,
            random.twist(), random.twist()};
  }
}

double dot(const SixNumbers& a, const SixNumbers& b) {
  double sum = 0;
  for (size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}

template <class Real>
StewartBodies<Real> bodies_as(const StewartBodies<double>& s) {
  StewartBodies<Real> r;
  for (int i = 0; i < 6; ++i) {
    r.a[i] = as<Real>(s.a[i]), r.b[i] = as<Real>(s.b[i]), r.mount[i] = as<Real>(s.mount[i]);
    r.cylinder[i] = as<Real>(s.cylinder[i]), r.piston[i] = as<Real>(s.piston[i]);
  }
  r.platform = as<Real>(s.platform);
  r.gravity = as<Real>(s.gravity);
  return r;
}

/// The pose along a motion with twist V and derivative Vdot at time zero, and the twist.
template <class Series>
SE3<Series> moving_pose(const SE3<double>& T, const Twist<double>& V, const Twist<double>& Vdot) {
  const auto part = [](double v, double a) {
    Series x(0.0);
    x.c[1] = v;
    if constexpr (Series::order > 1) x.c[2] = a / 2;
    return x;
  };
  const Twist<Series> X{{part(V.w.x, Vdot.w.x), part(V.w.y, Vdot.w.y), part(V.w.z, Vdot.w.z)},
                        {part(V.v.x, Vdot.v.x), part(V.v.y, Vdot.v.y), part(V.v.z, Vdot.v.z)}};
  return as<Series>(T) * exp(X);
}

/// What the actuators and the outer wrench do is the rate of the energy.
TEST(LegDynamics, PowerIsTheRateOfEnergy) {
  using Series = Taylor<double, 1>;
  for (std::uint64_t seed = 1; seed <= std::uint64_t(scaled(100)); ++seed) {
    const Case c = random_case(seed);
    Random random(seed + 1000);
    const Wrench<double> F = random.wrench();
    const SixNumbers f = c.dynamics.inverse(c.T, c.V, c.Vdot, F);
    const auto bodies = bodies_as<Series>(c.dynamics.bodies());
    const SE3<Series> T = moving_pose<Series>(c.T, c.V, c.Vdot);
    const auto line = [](const Vec3<double>& x, const Vec3<double>& y) {
      return Vec3<Series>{Series::line(x.x, y.x), Series::line(x.y, y.y), Series::line(x.z, y.z)};
    };
    const Twist<Series> V{line(c.V.w, c.Vdot.w), line(c.V.v, c.Vdot.v)};
    const Series energy = stewart_kinetic(bodies, T, V) + stewart_potential(bodies, T);
    const double power = dot(f, c.platform.rates(c.T, c.V)) + dot(F, c.V);
    // Forces grow like 1 / distance to singular poses, here at least 0.05.
    EXPECT_NEAR(power, energy.c[1], 1e-11 * (1 + std::abs(power))) << seed;
  }
}

TEST(LegDynamics, ForwardUndoesInverse) {
  for (std::uint64_t seed = 1; seed <= std::uint64_t(scaled(100)); ++seed) {
    const Case c = random_case(seed);
    Random random(seed + 1000);
    const Wrench<double> F = random.wrench();
    const SixNumbers f = c.dynamics.inverse(c.T, c.V, c.Vdot, F);
    expect_near(c.dynamics.forward(c.T, c.V, f, F), c.Vdot, 1e-10, seed);  // conditions multiply
  }
}

TEST(LegDynamics, MassMatrixIsSymmetricPositiveAndGivesTheEnergy) {
  for (std::uint64_t seed = 1; seed <= std::uint64_t(scaled(50)); ++seed) {
    const Case c = random_case(seed);
    const Mat6<double> M = c.dynamics.mass(c.T);
    expect_near(M, transpose(M), 1e-12, seed);
    const double v[6] = {c.V.w.x, c.V.w.y, c.V.w.z, c.V.v.x, c.V.v.y, c.V.v.z};
    double energy = 0;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) energy += 0.5 * v[i] * M(i, j) * v[j];
    EXPECT_NEAR(c.dynamics.kinetic_energy(c.T, c.V), energy, 1e-12 * energy) << seed;
    EXPECT_GT(energy, 0);
    // What inverse dynamics needs more for more acceleration is M times that.
    const Twist<double> none;
    const StewartBodies<double>& bodies = c.dynamics.bodies();
    const Wrench<double> more =
        stewart_wrench(bodies, c.T, c.V, c.Vdot, {}) - stewart_wrench(bodies, c.T, c.V, none, {});
    Matrix<double, 6, 1> a;
    const double all[6] = {c.Vdot.w.x, c.Vdot.w.y, c.Vdot.w.z, c.Vdot.v.x, c.Vdot.v.y, c.Vdot.v.z};
    for (int i = 0; i < 6; ++i) a(i, 0) = all[i];
    expect_near(M * a, to_matrix(more), 1e-12, seed);
  }
}

TEST(LegDynamics, MasslessLegsLeaveARigidBody) {
  for (std::uint64_t seed = 1; seed <= std::uint64_t(scaled(30)); ++seed) {
    const Case c = random_case(seed);
    const Vec3<double> g = c.dynamics.bodies().gravity;
    const Inertia<double> G = c.dynamics.bodies().platform;
    const StewartDynamics light(c.platform, G, {}, c.platform.mounts_at(c.T), g);
    const Twist<double> lifted{c.Vdot.w, c.Vdot.v - inverse_times(c.T.R, g)};
    const Wrench<double> W = G * lifted - dual_ad(c.V, G * c.V);
    const SixNumbers wanted = c.platform.leg_forces(c.T, -W);
    const SixNumbers found = light.inverse(c.T, c.V, c.Vdot);
    for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(found[i], wanted[i], 1e-11) << seed;
  }
}

/// builtin:stewart hangs its platform on leg 1 and opens the others at their upper joints. At a
/// motion that keeps the loops closed its inverse dynamics, with a force at every opened joint,
/// leaves only the six legs loaded: 21 equations for 6 actuators and 5 forces.
class CutOpen {
 public:
  using Series = Taylor<double, 2>;
  Robot robot = load("builtin:stewart");
  Dynamics tree{robot};
  Kinematics frames{robot};
  SE3<double> home{{}, {0, 0, 0.5}};
  Stewart platform = platform_of_robot();
  LegMounts mounts = platform.mounts_at(home);

  StewartDynamics dynamics() const {
    std::array<LegBodies, 6> legs;
    for (size_t i = 0; i < 6; ++i)
      legs[i] = {inertia("cylinder_" + std::to_string(i + 1)),
                 inertia("piston_" + std::to_string(i + 1))};
    return {platform, inertia("platform"), legs, mounts};
  }

  /// q, v, a of the tree from the platform's motion, by series.
  void coordinates(const SE3<double>& T, const Twist<double>& V, const Twist<double>& Vdot,
                   std::vector<double>& q, std::vector<double>& v, std::vector<double>& a) const {
    q = robot.neutral();
    v.assign(size_t(robot.nv()), 0);
    a = v;
    const SE3<Series> moving = moving_pose<Series>(T, V, Vdot);
    const SixNumbers zero = platform.lengths(home);
    for (size_t i = 0; i < 6; ++i) {
      const std::string n = std::to_string(i + 1);
      const Vec3<Series> leg =
          moving * as<Series>(platform.platform()[i]) - as<Series>(platform.base()[i]);
      const Series L = norm(leg);
      const Vec3<Series> d = inverse_times(as<Series>(mounts.base[i]), leg);
      const Series first = atan2(-d.y, d.z), second = atan2(d.x, sqrt(d.y * d.y + d.z * d.z));
      put("universal_" + n, 0, first, q, v, a);
      put("universal_" + n, 1, second, q, v, a);
      put("leg_" + n, 0, L - zero[i], q, v, a);
      if (i == 0) put_ball(moving.R, leg_axes(as<Series>(mounts.base[0]), first, second), q, v, a);
    }
  }

 private:
  Stewart platform_of_robot() const {
    SixPoints base, top;
    for (const JointDescription& joint : robot.description().joints)
      for (size_t i = 0; i < 6; ++i)
        if (joint.name == "universal_" + std::to_string(i + 1))
          base[i] = joint.geometry.placement.p;
    Kinematics zero(robot);
    zero.at(robot.neutral());
    const SE3<double> at = zero.pose(robot.frame("platform"));
    for (size_t i = 0; i < 6; ++i)
      top[i] = inverse(at) * zero.pose(robot.frame("piston_" + std::to_string(i + 1))).p;
    return {base, top};
  }
  Inertia<double> inertia(const std::string& link) const {
    for (const LinkDescription& l : robot.description().links)
      if (l.name == link) return at_origin(l);
    throw std::runtime_error(link);
  }
  /// The file gives moments about the centre of mass.
  static Inertia<double> at_origin(const LinkDescription& l) {
    const Inertia<double> point = Random::point_mass(l.mass, l.com);
    return {l.mass, point.h, point.I + l.I_com};
  }
  int joint(const std::string& name) const {
    for (size_t k = 0; k < robot.joints().size(); ++k)
      if (robot.joints()[k].name == name) return int(k);
    return -1;
  }
  void put(const std::string& name, int k, const Series& x, std::vector<double>& q,
           std::vector<double>& v, std::vector<double>& a) const {
    const JointInfo& info = robot.joints()[size_t(joint(name))];
    q[size_t(info.q + k)] = x.c[0];
    v[size_t(info.v + k)] = x.c[1];
    a[size_t(info.v + k)] = 2 * x.c[2];
  }
  static SO3<Series> leg_axes(const SO3<Series>& mount, const Series& first, const Series& second) {
    const Series o(0.0);
    return mount * exp(Vec3<Series>{first, o, o}) * exp(Vec3<Series>{o, second, o});
  }
  /// The spherical joint on leg 1: R = R_leg R_home^T Q.
  void put_ball(const SO3<Series>& R, const SO3<Series>& leg, std::vector<double>& q,
                std::vector<double>& v, std::vector<double>& a) const {
    const SO3<Series> Q = as<Series>(mounts.base[0]) * (inverse(leg) * R);
    const auto order = [&](int k) { return map(Q.m, [k](const Series& x) { return x.c[k]; }); };
    const Vec3<double> w = vee(transpose(order(0)) * order(1));
    const Vec3<double> e = vee(transpose(order(0)) * order(2)) * 2;  // R^T R'' = [e] + [w]^2
    const Quaternion<double> r = to_quaternion(SO3<double>{order(0)});
    const JointInfo& info = robot.joints()[size_t(joint("spherical_1"))];
    const double all[4] = {r.x, r.y, r.z, r.w};
    std::copy(all, all + 4, q.begin() + info.q);
    const double rate[3] = {w.x, w.y, w.z}, second[3] = {e.x, e.y, e.z};
    std::copy(rate, rate + 3, v.begin() + info.v);
    std::copy(second, second + 3, a.begin() + info.v);
  }
};

TEST(LegDynamics, AgreesWithTheCutOpenTreeAndLoopForces) {
  CutOpen open;
  const StewartDynamics dynamics = open.dynamics();
  for (std::uint64_t seed = 1; seed <= std::uint64_t(scaled(20)); ++seed) {
    Random random(seed);
    const SE3<double> T = open.home * exp(Twist<double>{random.vec3() * 0.2, random.vec3() * 0.05});
    const Twist<double> V = random.twist(), Vdot = random.twist() * 5;
    std::vector<double> q, v, a;
    open.coordinates(T, V, Vdot, q, v, a);
    open.frames.at(q);
    // Loops are closed: the platform is where it should be, and every piston ends at its point.
    expect_near(open.frames.pose(open.robot.frame("platform")), T, 1e-13, seed);
    const Eigen::VectorXd tau = open.tree.inverse(q, v, a);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(21, 21);
    for (int i = 0; i < 6; ++i) A(3 * i + 2, i) = 1;
    int column = 6;
    for (size_t i = 1; i < 6; ++i) {
      const FrameId piston = open.robot.frame("piston_" + std::to_string(i + 1));
      const Vec3<double> point = T * open.platform.platform()[i];
      expect_near(open.frames.pose(piston).p, point, 1e-13, seed);
      for (int k = 0; k < 3; ++k) {
        const Vec3<double> f{k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0};
        const Vec3<double> on_platform = inverse_times(T.R, f);
        const Wrench<double> W{cross(open.platform.platform()[i], on_platform), on_platform};
        const Wrench<double> back{{}, -inverse_times(open.frames.pose(piston).R, f)};
        const OutsideWrench<double> pair[2] = {{open.robot.frame("platform"), W}, {piston, back}};
        const Eigen::VectorXd with = open.tree.inverse(q, v, a, {.wrenches = pair});
        A.col(column++) = tau - with;
      }
    }
    ASSERT_EQ(open.robot.nv(), 21);
    const Eigen::VectorXd x = solve(A, tau);
    const SixNumbers f = dynamics.inverse(T, V, Vdot);
    for (size_t i = 0; i < 6; ++i)  // forces up to some hundred N, condition number about 100
      EXPECT_NEAR(f[i], x[Eigen::Index(i)], 1e-9) << seed << " leg " << i + 1;
  }
}

TEST(LegDynamics, RefusesWhatItCannotUse) {
  const Case c = random_case(1);
  const Inertia<double> G = c.dynamics.bodies().platform;
  const LegMounts mounts = c.platform.mounts_at(c.T);
  const auto made = [&](const Inertia<double>& inertia, const std::array<LegBodies, 6>& legs,
                        const LegMounts& at, const Vec3<double>& g) {
    return message([&] { StewartDynamics(c.platform, inertia, legs, at, g); });
  };
  EXPECT_EQ(made({}, {}, mounts, {}), "stewart dynamics: the mass of the platform is 0");
  std::array<LegBodies, 6> legs{};
  legs[2].piston.mass = -1;
  EXPECT_EQ(made(G, legs, mounts, {}), "stewart dynamics: the mass of piston 3 is -1");
  legs[2].piston.mass = nan;
  EXPECT_EQ(made(G, legs, mounts, {}), "stewart dynamics: the inertia of piston 3 is not finite");
  EXPECT_EQ(made(G, {}, mounts, {0, 0, nan}), "stewart dynamics: gravity is not finite");
  LegMounts bad = mounts;
  bad.base[0].m.row[0].x = nan;
  EXPECT_EQ(made(G, {}, bad, {}), "stewart dynamics: the pose is not finite");
  SE3<double> T = c.T;
  T.p.x = nan;
  EXPECT_EQ(message([&] { c.dynamics.mass(T); }), "stewart mass: the pose is not finite");
  const Twist<double> V{{nan, 0, 0}, {}};
  EXPECT_EQ(message([&] { c.dynamics.inverse(c.T, V, {}); }),
            "stewart inverse: the twist is not finite");
  EXPECT_EQ(message([&] {
              c.dynamics.forward(c.T, {}, {nan, 0, 0, 0, 0, 0});
            }),
            "stewart forward: the forces are not finite");
  LegMounts across = mounts;  // x along the leg
  across.base[1] = across.base[1] * exp(Vec3<double>{0, -pi / 2, 0});
  const StewartDynamics stuck(c.platform, G, {}, across);
  EXPECT_EQ(message([&] { stuck.inverse(c.T, {}, {}); }),
            "stewart inverse: leg 2 lies along the first axis of its universal joint");
}

TEST(LegDynamics, CallsDoNotAllocate) {
  const Case c = random_case(1);
  NoAllocation none;
  const SixNumbers f = c.dynamics.inverse(c.T, c.V, c.Vdot);
  c.dynamics.forward(c.T, c.V, f);
  c.dynamics.kinetic_energy(c.T, c.V);
  c.dynamics.potential_energy(c.T);
  EXPECT_EQ(none.count(), 0);
}

}  // namespace
}  // namespace jounce::test

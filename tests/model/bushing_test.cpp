// SPDX-License-Identifier: BSD-3-Clause
// Springs and dampers between two frames: energy, equal descriptions, derivatives, series.
#include <gtest/gtest.h>

#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/any_number.hpp>
#include <jounce/derivatives.hpp>
#include <jounce/io.hpp>
#include <jounce/model/operations.hpp>
#include <jounce/second_derivatives.hpp>
#include <jounce/sensitivity.hpp>
#include <jounce/series.hpp>
#include <jounce/series_derivatives.hpp>

#include "model/random_bushings.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/within.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Random robots, with mimic joints every other time, and a state.
struct BushedRobot : RobotInMotion {
  explicit BushedRobot(std::uint64_t seed)
      : RobotInMotion(seed, seed % 4 >= 2, 2 + int(seed % 7)), bare(robot) {
    robot = Robot(with_bushings(robot, q, rng));
  }
  Robot bare;
};

template <class F>
void on_robots(F f) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    BushedRobot c(seed);
    ASSERT_FALSE(c.robot.bushings().empty());
    SCOPED_TRACE("seed " + std::to_string(seed));
    f(c);
  }
}

/// What the bushings take.
Vector taken(BushedRobot& c, const Vector& q, const Vector& v) {
  const Vector a = Vector::Zero(c.robot.nv());
  return Dynamics(c.robot).inverse(q, v, a) - Dynamics(c.bare).inverse(q, v, a);
}

double stored(BushedRobot& c, const Vector& q) {
  return Dynamics(c.robot).elastic_energy(q) - Dynamics(c.bare).elastic_energy(q);
}

Vector moved(const Robot& robot, const Vector& q, const Vector& dv) {
  Vector out(q.size());
  robot.integrate({q.data(), size_t(q.size())}, {dv.data(), size_t(dv.size())},
                  {out.data(), size_t(out.size())});
  return out;
}

TEST(Bushing, StoresWhatItTakesAtRest) {
  on_robots([](BushedRobot& c) {
    const int n = c.robot.nv();
    const Vector force = taken(c, c.q, Vector::Zero(n));
    const double h = 1e-5;
    for (int k = 0; k < n; ++k) {
      const auto at = [&](double step) {
        return stored(c, moved(c.robot, c.q, Vector::Unit(n, k) * step));
      };
      const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      EXPECT_NEAR(force[k], slope, 2e-8 * (1 + force.lpNorm<Eigen::Infinity>())) << k;
    }
  });
}

TEST(Bushing, DampersTakePower) {
  on_robots([](BushedRobot& c) {
    const Vector still = Vector::Zero(c.robot.nv());
    const double power = (taken(c, c.q, c.v) - taken(c, c.q, still)).dot(c.v);
    EXPECT_GE(power, 0);
    const Vector twice = taken(c, c.q, 2 * c.v) - taken(c, c.q, still);
    EXPECT_NEAR(twice.dot(c.v), 2 * power, 1e-9 * (1 + std::abs(power))) << "linear in v";
  });
}

/// A pendulum of one prismatic and one revolute joint, in the given directions.
RobotDescription slider(bool turns) {
  RobotDescription robot{.name = "slider"};
  robot.links = {{.name = "rail", .mass = 1, .com = {}, .I_com = {1, 0, 1, 0, 0, 1}},
                 {.name = "cart", .mass = 2, .com = {0.1, 0.2, 0.3}, .I_com = {1, 0, 2, 0, 0, 2}}};
  JointDescription base, joint;
  base.name = "base", base.child = "rail";
  base.geometry.placement = exp(Twist<double>{{0.3, 0.2, 0.1}, {1, 2, 3}});
  joint.name = "joint", joint.parent = "rail", joint.child = "cart";
  joint.geometry.kind = turns ? JointKind::revolute : JointKind::prismatic;
  joint.geometry.axes = {{0, 0, 1}};
  joint.geometry.placement = exp(Twist<double>{{-0.5, 0.4, 1.1}, {0.1, 0.4, 0.2}});
  robot.joints = {base, joint};
  return robot;
}

TEST(Bushing, AlongAJointIsASpringOfTheJoint) {
  for (const bool turns : {false, true}) {
    RobotDescription by_joint = slider(turns), by_bushing = slider(turns);
    JointProperties& p = by_joint.joints[1].properties;
    p.stiffness = {40}, p.damping = {3}, p.rest = {0.25};
    const Twist<double> rest =
        turns ? Twist<double>{{0, 0, 0.25}, {}} : Twist<double>{{}, {0, 0, 0.25}};
    BushingDescription one{.name = "spring", .link_1 = "rail", .link_2 = "cart"};
    one.placement_1 = by_joint.joints[1].geometry.placement * exp(rest);
    one.stiffness[turns ? 2 : 5] = 40;
    one.damping[turns ? 2 : 5] = 3;
    by_bushing.bushings = {one};
    const Robot a(by_joint), b(by_bushing);
    for (const double q : {-2.0, 0.0, 0.25, 2.5}) {
      const Vector at = Vector::Constant(1, q), v = Vector::Constant(1, 0.7), z = Vector::Zero(1);
      EXPECT_NEAR(Dynamics(a).inverse(at, v, z)[0], Dynamics(b).inverse(at, v, z)[0], 1e-12);
      EXPECT_NEAR(Dynamics(a).forward(at, v, z)[0], Dynamics(b).forward(at, v, z)[0], 1e-12);
      EXPECT_NEAR(Dynamics(a).elastic_energy(at), Dynamics(b).elastic_energy(at), 1e-12);
      EXPECT_NEAR(Derivatives(a).inverse(at, v, z).dq(0, 0),
                  Derivatives(b).inverse(at, v, z).dq(0, 0), 1e-11);
    }
  }
}

/// Where it is free, forces and their derivatives are exact: K of the directions.
TEST(Bushing, IsExactWhereItIsFree) {
  RobotDescription robot = slider(true);
  BushingDescription one{.name = "spring", .link_1 = "rail", .link_2 = "cart"};
  one.placement_1 = robot.joints[1].geometry.placement;
  one.stiffness = {1, 2, 3, 4, 5, 6};
  robot.bushings = {one};
  const Robot with(robot);
  const Vector z = Vector::Zero(1);
  EXPECT_EQ(Dynamics(with).elastic_energy(z), 0);
  const auto slope = [&](bool passive) {
    return Derivatives(with).inverse(z, z, z, {.passive = passive}).dq(0, 0);
  };
  EXPECT_NEAR(slope(true) - slope(false), 3, 1e-12);
}

TEST(Bushing, DoesNotMindWhichEndIsFirst) {
  on_robots([](BushedRobot& c) {
    RobotDescription turned = c.robot.description();
    for (BushingDescription& one : turned.bushings)
      std::swap(one.link_1, one.link_2), std::swap(one.placement_1, one.placement_2);
    const Vector a = Dynamics(c.robot).inverse(c.q, c.v, c.a);
    EXPECT_TRUE(within(1e-11, Dynamics(Robot(turned)).inverse(c.q, c.v, c.a), a, c));
  });
}

TEST(Bushing, ForwardHybridAndPowerAgreeWithInverse) {
  on_robots([](BushedRobot& c) {
    Dynamics d(c.robot);
    const Vector tau = d.inverse(c.q, c.v, c.a);
    EXPECT_TRUE(within(1e-8, d.forward(c.q, c.v, tau), c.a, c));
    EXPECT_TRUE(
        within(1e-12, tau - taken(c, c.q, c.v), Dynamics(c.bare).inverse(c.q, c.v, c.a), c));
    const PowerBalance power = d.power_balance(c.q, c.v, c.a);
    const double flow = std::abs(power.kinetic_rate) + std::abs(power.actuators) + 1;
    EXPECT_NEAR(power.residual(), 0, 1e-11 * flow);
    const auto without = Dynamics(c.bare).power_balance(c.q, c.v, c.a);
    EXPECT_NEAR(power.passive - without.passive, -taken(c, c.q, c.v).dot(c.v), 1e-11 * flow);
  });
}

/// Bushings on the ground's way: what joints transmit balances every body.
TEST(Bushing, JointsTransmitLess) {
  RobotDescription robot = slider(true);
  BushingDescription one{.name = "weld", .link_1 = "", .link_2 = "cart"};
  one.stiffness = {1, 2, 3, 40, 50, 60};
  robot.bushings = {one};
  const Robot with(robot);
  robot.bushings.clear();
  const Robot bare(robot);
  const Vector q = Vector::Constant(1, 0.8), z = Vector::Zero(1);
  Kinematics kin(with);
  kin.at(q);
  const SE3<double> E = kin.pose(with.frame("cart"));
  const Twist<double> u = log(E);
  const Wrench<double> F = dual_dexp_body_inv(
      u, Wrench<double>{{u.w.x, 2 * u.w.y, 3 * u.w.z}, {40 * u.v.x, 50 * u.v.y, 60 * u.v.z}});
  const OutsideWrench<double> pull{with.frame("cart"), F * -1.0};
  const auto found = Dynamics(with).joint_wrenches(q, z, z);
  const auto needed =
      Dynamics(bare).joint_wrenches(q, z, z, Representation::body, {.wrenches = {&pull, 1}});
  EXPECT_NEAR(norm(found.joints[0].f - needed.joints[0].f), 0, 1e-11);
  EXPECT_NEAR(norm(found.joints[0].m - needed.joints[0].m), 0, 1e-11);
}

/// What two links feel of each other, nothing below them feels.
TEST(Bushing, IsFeltBetweenItsLinksOnly) {
  RobotDescription robot = slider(true);
  robot.joints[0].geometry.kind = JointKind::revolute;
  robot.joints[0].geometry.axes = {{1, 0, 0}};
  const Robot bare(robot);
  BushingDescription one{.name = "spring", .link_1 = "rail", .link_2 = "cart"};
  one.stiffness = {1, 2, 3, 40, 50, 60};
  robot.bushings = {one};
  const Vector q = Vector::Constant(2, 0.8), z = Vector::Zero(2);
  const auto with = Dynamics(Robot(robot)).joint_wrenches(q, z, z).joints;
  const auto without = Dynamics(bare).joint_wrenches(q, z, z).joints;
  EXPECT_NEAR(norm(with[0].f - without[0].f), 0, 1e-11);
  EXPECT_NEAR(norm(with[0].m - without[0].m), 0, 1e-11);
  EXPECT_GT(norm(with[1].f - without[1].f), 1);
}

TEST(Bushing, DerivativesAgreeWithDualNumbers) {
  on_robots([](BushedRobot& c) {
    using Number = Dual<double, 1>;
    const int n = c.robot.nv();
    BasicDynamics<Number> dual(c.robot);
    const auto numbers = [](const Vector& x) { return std::vector<Number>(x.begin(), x.end()); };
    Matrix dq(n, n), dv(n, n);
    for (int k = 0; k < n; ++k) {
      std::vector<Number> at = numbers(c.q), v = numbers(c.v), along(size_t(n), Number(0));
      along[size_t(k)].d[0] = 1;
      for (const Factor& f : factors(c.robot.system()))
        integrate(f, c.q.data() + f.q, along.data() + f.v, at.data() + f.q);
      const auto by_q = dual.inverse(at, v, numbers(c.a));
      v[size_t(k)].d[0] = 1;
      const auto by_v = dual.inverse(numbers(c.q), v, numbers(c.a));
      for (int i = 0; i < n; ++i) dq(i, k) = by_q[i].d[0], dv(i, k) = by_v[i].d[0];
    }
    Derivatives d(c.robot);
    InverseDerivatives found(c.robot);
    for (int time = 0; time < 2; ++time) {  // into memory that has been written
      d.inverse(c.q, c.v, c.a, into(found));
      EXPECT_TRUE(within(1e-10 * (1 + largest(dq)), Matrix(found.dq), dq, c));
      EXPECT_TRUE(within(1e-10 * (1 + largest(dv)), Matrix(found.dv), dv, c));
    }
    d.inverse(c.q, c.v, c.a, {.passive = false}, into(found));
    EXPECT_TRUE(within(1e-12, Matrix(found.dq),
                       Matrix(Derivatives(c.bare).inverse(c.q, c.v, c.a, {.passive = false}).dq),
                       c));
    const Vector tau = Dynamics(c.robot).inverse(c.q, c.v, c.a);
    const auto forward = d.forward(c.q, c.v, tau);
    const Matrix M = Dynamics(c.robot).mass(c.q);
    EXPECT_TRUE(within(1e-8 * (1 + largest(dq)), Matrix(M * Matrix(forward.dq)), Matrix(-dq), c));
    EXPECT_TRUE(within(1e-8 * (1 + largest(dv)), Matrix(M * Matrix(forward.dv)), Matrix(-dv), c));
    const Vector y = c.random(n);
    EXPECT_TRUE(within(1e-10 * (1 + largest(dq)),
                       Vector(d.inverse_vector_jacobian(y, c.q, c.v, c.a).dq),
                       Vector(dq.transpose() * y), c));
  });
}

TEST(Bushing, SecondDerivativesAgreeWithDifferences) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    BushedRobot c(seed);
    const int n = c.robot.nv();
    SecondDerivatives second(c.robot);
    InverseSecondDerivatives found(c.robot);
    second.inverse(c.q, c.v, c.a, into(found));
    second.inverse(c.q, c.v, c.a, into(found));  // into memory that has been written
    Derivatives d(c.robot);
    const double h = 1e-4;
    for (int l = 0; l < n; ++l) {
      const auto at = [&](double step) {
        return d.inverse(moved(c.robot, c.q, Vector::Unit(n, l) * step), c.v, c.a);
      };
      const auto a = at(h), b = at(-h), e = at(2 * h), f = at(-2 * h);
      const Matrix dqdq =
          (8 * (Matrix(a.dq) - Matrix(b.dq)) - (Matrix(e.dq) - Matrix(f.dq))) / (12 * h);
      const Matrix dqdv =
          (8 * (Matrix(a.dv) - Matrix(b.dv)) - (Matrix(e.dv) - Matrix(f.dv))) / (12 * h);
      Matrix qq(n, n), qv(n, n);
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i) qq(i, k) = found.dqdq(i, k, l), qv(i, k) = found.dqdv(i, l, k);
      EXPECT_TRUE(within(1e-7 * (1 + largest(dqdq)), qq, dqdq, c)) << l;
      EXPECT_TRUE(within(1e-7 * (1 + largest(dqdv)), qv, dqdv, c)) << l;
    }
  }
}

TEST(Bushing, SeriesAgreeWithTaylorNumbers) {
  constexpr int order = 5;
  using Number = Taylor<double, order>;
  on_robots([](BushedRobot& c) {
    const int n = c.robot.nv();
    Matrix motion(n, order + 2);
    for (int k = 0; k < order + 2; ++k) motion.col(k) = c.random(n);
    std::vector<Number> q(c.q.begin(), c.q.end()), v(static_cast<size_t>(n)), a(v);
    double factorial = 1;
    for (int k = 0; k <= order; factorial *= ++k)
      for (int j = 0; j < n; ++j) {
        v[size_t(j)].c[k] = motion(j, k) / factorial;
        a[size_t(j)].c[k] = motion(j, k + 1) / factorial;
      }
    for (int k = 0; k < order; ++k)
      for (const Factor& f : factors(c.robot.system()))
        extend_coordinates(f, k, v.data() + f.v, q.data() + f.q);
    const auto tau = BasicDynamics<Number>(c.robot).inverse(q, v, a);
    Series series(c.robot, order);
    const Matrix found = series.inverse(c.q, motion);
    factorial = 1;
    for (int k = 0; k <= order; factorial *= ++k) {
      Vector needed(n);
      for (int j = 0; j < n; ++j) needed[j] = tau[j].c[k] * factorial;
      EXPECT_TRUE(within(1e-9 * (1 + needed.norm()), Vector(found.col(k)), needed, c)) << k;
    }
    const Matrix moved = series.forward(c.q, motion.col(0), found);
    const Matrix again = series.inverse(c.q, moved);
    for (int k = 0; k <= order; ++k)
      EXPECT_TRUE(within(1e-7 * (1 + largest(found.leftCols(k + 1)) + largest(moved)),
                         Vector(again.col(k)), Vector(found.col(k)), c))
          << k;
  });
}

TEST(Bushing, SensitivityOfPlacementsAndAxes) {
  RobotDescription robot = slider(true);
  BushingDescription one{.name = "spring", .link_1 = "", .link_2 = "cart"};
  one.stiffness = {1, 2, 3, 4, 5, 6};
  one.damping = {2, 1, 2, 1, 2, 1};
  robot.bushings = {one};
  const Vector q = Vector::Constant(1, 0.4), v = Vector::Constant(1, 0.9), z = Vector::Zero(1);
  for (int k = 0; k < 6; ++k) {
    const auto at = [&](double h) {
      RobotDescription other = robot;
      double x[6] = {};
      x[k] = h;
      SE3<double>& T = other.joints[1].geometry.placement;
      T = T * exp(Twist<double>{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
      return Dynamics(Robot(other)).inverse(q, v, z)[0];
    };
    const double h = 1e-4;
    const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    Sensitivity door(Robot(robot),
                     {{.kind = ParameterKind::placement, .name = "joint", .component = k}});
    EXPECT_NEAR(Matrix(door.force(q, v, z))(0, 0), slope, 1e-8) << k;
  }
}

TEST(Bushing, ThroughFilesAndOperations) {
  BushedRobot c(3);
  const Robot read = Robot(read_json(write_json(c.robot.description()), "text").robot);
  const Vector tau = Dynamics(c.robot).inverse(c.q, c.v, c.a);
  EXPECT_TRUE(within(1e-12, Dynamics(read).inverse(c.q, c.v, c.a), tau, c));
  RobotDescription between = slider(true);
  BushingDescription one{.name = "spring", .link_1 = "rail", .link_2 = "cart"};
  one.placement_1 = one.placement_2 = exp(Twist<double>{{0.1, 0.2, 0.3}, {1, 2, 3}});
  one.stiffness = {1, 2, 3, 4, 5, 6}, one.damping = {6, 5, 4, 3, 2, 1};
  between.bushings = {one};
  between.joints.erase(between.joints.begin());  // URDF has no joint to the world
  const Robot urdf = Robot(read_urdf(write_urdf(between), "text").robot);
  const Vector q = Vector::Constant(1, 0.3), v = Vector::Constant(1, 1.3), z = Vector::Zero(1);
  EXPECT_NEAR(Dynamics(urdf).inverse(q, v, z)[0], Dynamics(Robot(between)).inverse(q, v, z)[0],
              1e-12);
}

TEST(Bushing, BadOnesAreRefused) {
  const auto refusal = [](auto change) {
    RobotDescription robot = slider(true);
    BushingDescription one{.name = "spring", .link_1 = "rail", .link_2 = "cart"};
    change(one);
    robot.bushings = {one};
    return message([&] { Robot{robot}; });
  };
  EXPECT_EQ(refusal([](BushingDescription& x) { x.link_2 = "rail"; }),
            "bushing \"spring\": both ends are on link \"rail\"");
  EXPECT_EQ(refusal([](BushingDescription& x) { x.stiffness[3] = -1; }),
            "bushing \"spring\": stiffness -1 must be finite and not negative");
  EXPECT_EQ(refusal([](BushingDescription& x) { x.damping[0] = std::nan(""); }),
            "bushing \"spring\": damping nan must be finite and not negative");
  EXPECT_EQ(refusal([](BushingDescription& x) { x.link_1 = "cat"; }),
            "bushing \"spring\": there is no link \"cat\"; nearest: \"cart\", \"rail\"");
}

}  // namespace
}  // namespace jounce::test

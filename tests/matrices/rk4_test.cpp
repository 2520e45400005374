// SPDX-License-Identifier: BSD-3-Clause
// Runge-Kutta on the configuration manifold: its order, what it conserves, and the rate of
// exponential coordinates against differences.
#include <jounce/rk4.hpp>

#include "matrices/cases.hpp"
#include "support/allocation_guard.hpp"

namespace jounce::test {
namespace {

struct Motion {
  std::vector<double> q, v;
};

/// Free motion under gravity for `time`, in steps of equal length.
Motion fall(Dynamics& dynamics, const std::vector<double>& q, const std::vector<double>& v,
            double time, int steps) {
  Motion x{q, v};
  const std::vector<double> zero(v.size());
  Rk4 rk4(dynamics.robot());
  const auto acceleration = [&](double, auto at, auto velocity, auto a) {
    dynamics.forward(at, velocity, zero, {.passive = false}, into(a));
  };
  for (int k = 0; k < steps; ++k) rk4.step(acceleration, k * time / steps, time / steps, x.q, x.v);
  return x;
}

/// Tangent distance of two states.
double distance(const Robot& robot, const Motion& a, const Motion& b) {
  std::vector<double> dq(a.v.size());
  robot.difference(a.q, b.q, dq);
  double sum = 0;
  for (size_t k = 0; k < dq.size(); ++k)
    sum += dq[k] * dq[k] + (a.v[k] - b.v[k]) * (a.v[k] - b.v[k]);
  return std::sqrt(sum);
}

/// One body on each kind of joint that bends, and a tree of them.
std::vector<Robot> robots() {
  std::vector<Robot> all;
  for (const JointKind kind : {JointKind::spherical, JointKind::planar, JointKind::revolute})
    all.emplace_back(generate({.bodies = 3, .kinds = {kind}, .seed = 7}));
  all.emplace_back(generate({.bodies = 3,
                             .kinds = {JointKind::spherical, JointKind::universal},
                             .free_base = true,
                             .child_placements = true,
                             .seed = 4}));
  return all;
}

TEST(Rk4, HasOrderFour) {
  for (const Robot& robot : robots()) {
    Dynamics dynamics(robot);
    const std::vector<double> q = robot.random(2), v(size_t(robot.nv()), 0.7);
    constexpr double time = 0.2;
    const Motion exact = fall(dynamics, q, v, time, 1024);
    const double coarse = distance(robot, fall(dynamics, q, v, time, 32), exact);
    const double fine = distance(robot, fall(dynamics, q, v, time, 64), exact);
    EXPECT_NEAR(std::log2(coarse / fine), 4, 0.35) << robot.name() << " " << coarse;
    EXPECT_GT(coarse, 1e-11) << "nothing but rounding was measured";
  }
}

/// The error of energy after one second falls with the fourth power of the step, and is small.
TEST(Rk4, KeepsEnergy) {
  Dynamics dynamics(load("builtin:quadruped"));
  const std::vector<double> q = dynamics.robot().neutral(), v(size_t(dynamics.robot().nv()), 0.5);
  const auto total = [&](const Motion& x) {
    const Energy energy = dynamics.energy(x.q, x.v);
    return energy.kinetic + energy.potential;
  };
  const double before = total({q, v});
  const double drift = std::abs(total(fall(dynamics, q, v, 0.25, 400)) - before);
  EXPECT_LE(drift, 1e-8 * dynamics.energy(q, v).kinetic);
}

/// d/dt (q (+) u(t)) has the velocity v where udot = tangent_rate(u, v).
TEST(Rk4, TangentRateByDifferences) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(60); ++seed) {
    Case c(seed, 12);
    const size_t n = size_t(c.robot.nv());
    const Vector u = c.random();
    Vector rate(c.robot.nv());
    const auto span = [](Vector& x) { return std::span<double>(x.data(), size_t(x.size())); };
    Vector start = u, speed = c.v;
    tangent_rate(c.robot, span(start), span(speed), span(rate));
    const auto at = [&](double t) {
      std::vector<double> q(size_t(c.robot.nq()));
      Vector moved = u + t * rate;
      c.robot.integrate(span(c.q), span(moved), q);
      return q;
    };
    const auto step = [&](double h) {
      std::vector<double> dv(n);
      c.robot.difference(at(-h), at(h), dv);
      return Vector(Vector::Map(dv.data(), int(n)) / (2 * h));
    };
    const Vector found = (4 * step(1e-3) - step(2e-3)) / 3;  // error of fourth order
    EXPECT_TRUE(within(1e-9, found, c.v, c));
  }
}

TEST(Rk4, AllocatesNothing) {
  Dynamics dynamics(load("builtin:quadruped"));
  const Robot& robot = dynamics.robot();
  std::vector<double> q = robot.neutral(), v(size_t(robot.nv()), 0.1), zero(v.size());
  Rk4 rk4(robot);
  NoAllocation scope;
  rk4.step([&](double, auto at, auto velocity,
               auto a) { dynamics.forward(at, velocity, zero, {.passive = false}, into(a)); },
           0, 1e-3, q, v);
}

TEST(Rk4, RefusesBadInput) {
  const Robot robot = load("builtin:arm7");
  std::vector<double> seven(7), six(6), bad = {0, 0, NAN, 0, 0, 0, 0};
  EXPECT_EQ(message([&] { tangent_rate(robot, six, seven, seven); }),
            "tangent_rate: u has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { tangent_rate(robot, seven, bad, seven); }), "tangent_rate: v[2] is NaN");
  EXPECT_EQ(message([&] { tangent_rate(robot, seven, seven, six); }),
            "tangent_rate: udot has 6 elements, robot \"arm7\" needs 7");
  Rk4 rk4(robot);
  const auto nothing = [](double, auto, auto, auto) {};
  EXPECT_EQ(message([&] { rk4.step(nothing, 0, 0.1, bad, seven); }), "integrate: q[2] is NaN");
}

}  // namespace
}  // namespace jounce::test

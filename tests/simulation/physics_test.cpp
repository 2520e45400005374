// SPDX-License-Identifier: BSD-3-Clause
// Motions with known laws: what a free body keeps, periods of pendulum and top as elliptic
// integrals, the flips of a body about its middle axis, a disc that rolls.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/dynamics.hpp>
#include <jounce/simulation.hpp>

#include "tests/simulation/known_motions.hpp"
#include "tests/simulation/zero_crossing.hpp"

namespace jounce {
namespace {

constexpr Integrator adaptive[] = {Integrator::dopri5, Integrator::dop853, Integrator::taylor};

/// One body on a joint with the ground.
Robot one_body(JointKind kind, double mass, const Vec3<double>& com, const Sym3<double>& I_com) {
  RobotDescription d;
  d.name = "one_body";
  LinkDescription link;
  link.name = "body", link.mass = mass, link.com = com, link.I_com = I_com;
  d.links = {link};
  JointDescription joint;
  joint.name = "joint", joint.child = "body", joint.geometry.kind = kind;
  if (kind == JointKind::revolute) joint.geometry.axes = {{0, -1, 0}};
  d.joints = {joint};
  return Robot(d);
}
SO3<double> rotation(const double* r) {
  return to_rotation(Quaternion<double>{r[0], r[1], r[2], r[3]});
}

TEST(FreeBody, KeepsEnergyAndMomentumOver100Seconds) {
  const test::KnownMotion known = test::known_body();
  const double inertia[] = {1, 2, 3};
  const auto momentum = [&](const SimulationState& x) {
    return rotation(x.q.data() + 3) *
           Vec3<double>{inertia[0] * x.v[0], inertia[1] * x.v[1], inertia[2] * x.v[2]};
  };
  for (const Integrator one : adaptive) {
    Simulation sim(known.robot, {.integrator = one, .tol = 1e-13});
    SimulationState x = sim.start(known.q0, known.v0);
    const Vec3<double> at_start = momentum(x);
    double worst = 0;
    const RunReport report = sim.run(x, 100, {.watch = [&](const SimulationState& now) {
                                       worst = std::max(worst, norm(momentum(now) - at_start));
                                       return true;
                                     }});
    EXPECT_LT(report.energy_drift, 1e-11) << name(one);
    EXPECT_LT(worst / norm(at_start), 1e-11) << name(one);
    std::printf("free body, %-7s %5ld steps: energy %.1e, angular momentum %.1e\n",
                std::string(name(one)).c_str(), report.steps, report.energy_drift,
                worst / norm(at_start));
  }
}

TEST(Pendulum, PeriodIsAnEllipticIntegral) {
  const double mass = 1.3, length = 0.7, inertia = 0.05, amplitude = 2.5;
  const Robot robot =
      one_body(JointKind::revolute, mass, {0, 0, -length}, {inertia, 0, inertia, 0, 0, inertia});
  const double slow = std::sqrt((inertia + mass * length * length) / (mass * 9.81 * length));
  const double period = 4 * slow * std::comp_ellint_1(std::sin(amplitude / 2));
  for (const Integrator one : adaptive) {
    Simulation sim(robot, {.integrator = one, .tol = 1e-13});
    SimulationState x = sim.start({amplitude}, {0.0});
    const auto angle = [](const SimulationState& now) { return now.q[0]; };
    const double first = test::next_zero(sim, x, period / 20, angle);
    EXPECT_NEAR(first, period / 4, 1e-9 * period) << name(one);
    for (int k = 0; k < 4; ++k) {
      sim.run(x, x.t + period / 10, {.energy = false});
      const double zero = test::next_zero(sim, x, period / 20, angle);
      EXPECT_NEAR(zero, first + (k + 1) * period / 2, 1e-9 * period) << name(one);
    }
  }
}

// Goldstein, Classical Mechanics, 5.7: of u = cos(angle from the vertical)
//   udot^2 = (1 - u^2) (alpha - beta u) - (b - a u)^2,
// a cubic with roots u_1 < u_2 < u_3 between the first two of which u goes to and fro.
TEST(HeavyTop, NutationPeriodIsAnEllipticIntegral) {
  const double mass = 0.8, height = 0.2, A = 0.01, C = 0.004;  // A about the point of support
  const Robot robot =
      one_body(JointKind::spherical, mass, {0, 0, height},
               {A - mass * height * height + 0.1, 0, A - mass * height * height + 0.1, 0, 0, C});
  const double I_1 = A + 0.1, spin = 60, turn = 0.4, tilt = 0.7;
  // the axis turns about the vertical with `turn` at the start, without nutation
  const double u_0 = std::cos(tilt), s_0 = std::sin(tilt);
  const double a = C * spin / I_1, b = turn * s_0 * s_0 + a * u_0;
  const double beta = 2 * mass * 9.81 * height / I_1;
  const double alpha = turn * turn * s_0 * s_0 + beta * u_0;
  // f / (u - u_0) = beta u^2 + p u + r
  const double p = beta * u_0 - (alpha + a * a), r = u_0 * p + 2 * a * b - beta;
  EXPECT_NEAR(u_0 * r, -(alpha - b * b), 1e-12 * alpha) << "u_0 is a root";
  const double root = std::sqrt(p * p - 4 * beta * r);
  const double other = (-p - root) / (2 * beta), u_3 = (-p + root) / (2 * beta);
  const double u_1 = std::min(u_0, other), u_2 = std::max(u_0, other);
  const double period =
      4 / std::sqrt(beta * (u_3 - u_1)) * std::comp_ellint_1(std::sqrt((u_2 - u_1) / (u_3 - u_1)));
  for (const Integrator one : adaptive) {
    Simulation sim(robot, {.integrator = one, .tol = 1e-13});
    const std::vector<double> q = {std::sin(tilt / 2), 0, 0, std::cos(tilt / 2)};
    const Vec3<double> w = inverse_times(rotation(q.data()), Vec3<double>{0, 0, turn});
    SimulationState x = sim.start(q, {w.x, w.y, spin});
    const auto rising = [](const SimulationState& now) {
      const Vec3<double> rate{now.v[1], -now.v[0], 0};  // w x e_z
      return (rotation(now.q.data()) * rate).z;
    };
    sim.run(x, period / 4, {.energy = false});  // away from the turning point
    const double half = test::next_zero(sim, x, period / 20, rising);
    EXPECT_NEAR(half, period / 2, 1e-9 * period) << name(one);
    EXPECT_NEAR((rotation(x.q.data()) * Vec3<double>{0, 0, 1}).z, other, 1e-9);
    sim.run(x, 0.75 * period, {.energy = false});
    EXPECT_NEAR(test::next_zero(sim, x, period / 20, rising), period, 1e-9 * period) << name(one);
  }
}

// Landau and Lifshitz, Mechanics, section 37: about the middle axis w_2 ~ sn(rate t, k) changes its
// sign every 2 K(k) / rate.
TEST(Dzhanibekov, FlipsAtEllipticIntervals) {
  const test::KnownMotion known = test::known_body();
  const double I[] = {1, 2, 3};
  double twice_energy = 0, squared = 0;
  for (int k = 0; k < 3; ++k) {
    const double l = I[k] * known.v0[size_t(k)];
    twice_energy += l * l / I[k], squared += l * l;
  }
  const bool above = squared > twice_energy * I[1];
  const double least = above ? I[0] : I[2], most = above ? I[2] : I[0];
  const double long_way = (most - I[1]) * (squared - twice_energy * least);
  const double rate = std::sqrt(long_way / (I[0] * I[1] * I[2]));
  const double k = std::sqrt((I[1] - least) * (twice_energy * most - squared) / long_way);
  const double interval = 2 * std::comp_ellint_1(k) / rate;
  for (const Integrator one : adaptive) {
    Simulation sim(known.robot, {.integrator = one, .tol = 1e-13});
    SimulationState x = sim.start(known.q0, known.v0);
    const auto middle = [](const SimulationState& now) { return now.v[1]; };
    double last = test::next_zero(sim, x, 0.1, middle);
    for (int flip = 0; flip < 3; ++flip) {
      sim.run(x, x.t + interval / 4, {.energy = false});
      const double now = test::next_zero(sim, x, 0.1, middle);
      EXPECT_NEAR(now - last, interval, 1e-8 * interval) << name(one) << ", flip " << flip;
      last = now;
    }
  }
}

// The axis keeps its angle to the vertical and turns about it where
//   (C + m r^2) w turn sin - A turn^2 sin cos + m g r cos = 0, w the spin about the axis;
// the centre goes round a circle.
TEST(RollingDisc, GoesRoundInACircle) {
  const double mass = 1.5, radius = 0.4, A = 0.25 * mass * radius * radius, C = 2 * A;
  RobotDescription d = one_body(JointKind::free, mass, {}, {A, 0, A, 0, 0, C}).description();
  LoopDescription ground;
  ground.name = "ground", ground.kind = LoopKind::rolling, ground.link_2 = "body";
  ground.radius = radius;
  d.loops = {ground};
  d.joints[0].closed = {0, 0, radius, std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
  const Robot robot(d);
  const double angle = 1.1, turn = 2.3, s = std::sin(angle), c = std::cos(angle);
  const double w = (A * turn * turn * s * c - mass * 9.81 * radius * c) /
                   ((C + mass * radius * radius) * turn * s);
  const std::vector<double> q = {0, 0, radius * s, std::sin(angle / 2), 0, 0, std::cos(angle / 2)};
  const std::vector<double> v = {0, turn * s, w, -radius * w, 0, 0};
  for (const Integrator one : {Integrator::dopri5, Integrator::dop853, Integrator::rodas4}) {
    Simulation sim(robot, {.integrator = one, .tol = one == Integrator::rodas4 ? 1e-8 : 1e-12});
    SimulationState x = sim.start(q, v);
    const double t = 2, around = -radius * w / turn;  // it starts along x
    const RunReport report = sim.run(x, t);
    const double bound = one == Integrator::rodas4 ? 1e-5 : 1e-9;
    EXPECT_NEAR(x.q[0], around * std::sin(turn * t), bound) << name(one);
    EXPECT_NEAR(x.q[1], around * (1 - std::cos(turn * t)), bound) << name(one);
    EXPECT_NEAR(x.q[2], radius * s, bound) << name(one);
    EXPECT_NEAR((rotation(x.q.data() + 3) * Vec3<double>{0, 0, 1}).z, c, bound) << name(one);
    EXPECT_LT(report.constraint_violation, 1e-11) << name(one);
  }
}

}  // namespace
}  // namespace jounce

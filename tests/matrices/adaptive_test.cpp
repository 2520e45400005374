// SPDX-License-Identifier: BSD-3-Clause
// Adaptive control, and what a Coriolis matrix without skew symmetry does to control.
#include <jounce/adaptive.hpp>

#include "matrices/cases.hpp"
#include "support/allocation_guard.hpp"

namespace jounce::test {
namespace {

/// One step of the classical Runge-Kutta method for v' = acceleration(t, q, v).
template <class Acceleration>
void step_motion(double t, double h, Acceleration acceleration, Vector& q, Vector& v) {
  const Vector a1 = acceleration(t, q, v);
  const Vector v2 = v + a1 * (h / 2), a2 = acceleration(t + h / 2, q + v * (h / 2), v2);
  const Vector v3 = v + a2 * (h / 2), a3 = acceleration(t + h / 2, q + v2 * (h / 2), v3);
  const Vector v4 = v + a3 * h, a4 = acceleration(t + h, q + v3 * h, v4);
  q += (v + 2 * v2 + 2 * v3 + v4) * (h / 6);
  v += (a1 + 2 * a2 + 2 * a3 + a4) * (h / 6);
}

struct Wanted {
  Vector q{2}, v{2}, a{2};
  Wanted(double t, double size, double rate) {
    const double x = rate * t;
    q << size * std::sin(x), size * std::sin(x - 1.5);
    v << size * rate * std::cos(x), size * rate * std::cos(x - 1.5);
    a = -rate * rate * q;
  }
};

/// s^T M s / 2 at the start, at its largest and how often it grew, with all parameters known.
struct Energy2 {
  double start = 0, largest = 0;
  int grew = 0;
};
Energy2 controlled_with(Factorization f) {
  const Robot arm = load("builtin:planar_2r");
  Dynamics dyn(arm);
  const double size = 1, rate = 6, slide = 1, damp = 0.02, h = 1e-3;
  const Wanted first(0, size, rate);
  Vector q = first.q + Vector::Constant(2, 0.05), v = first.v;
  const auto sliding = [&](const Wanted& w, const Vector& at, const Vector& speed) -> Vector {
    return speed - w.v + slide * (at - w.q);
  };
  const auto acceleration = [&](double t, const Vector& at, const Vector& speed) -> Vector {
    const Wanted w(t, size, rate);
    const Vector s = sliding(w, at, speed), v_r = speed - s, a_r = w.a - slide * (speed - w.v);
    const DenseMatrix M = dyn.mass(at), C = dyn.coriolis(at, speed, f).matrix;
    const Vector g = dyn.gravity(at), tau = M * a_r + C * v_r + g - damp * s;
    return dyn.forward(at, speed, tau, {.passive = false});
  };
  Energy2 found;
  double before = 0;
  for (int k = 0; k <= 3000; ++k) {
    const Vector s = sliding(Wanted(k * h, size, rate), q, v);
    const DenseMatrix M = dyn.mass(q);
    const double now = s.dot(Vector(M * s)) / 2;
    if (k == 0) found.start = now;
    else if (now > before * (1 + 1e-9)) ++found.grew;
    before = now;
    found.largest = std::max(found.largest, now);
    step_motion(k * h, h, acceleration, q, v);
  }
  return found;
}

/// [Ploen] Proposition 2 is what makes the energy of the error fall all the way; with the plain C
/// it grows by thousands, although M, C v and g are exact.
TEST(AdaptiveControl, PlainCoriolisMatrixFeedsTheError) {
  for (const Factorization f :
       {Factorization::ploen, Factorization::lie, Factorization::christoffel}) {
    const Energy2 skew = controlled_with(f);
    EXPECT_EQ(skew.grew, 0) << int(f);
    EXPECT_EQ(skew.largest, skew.start);
  }
  const Energy2 plain = controlled_with(Factorization::plain);
  EXPECT_GT(plain.grew, 500);
  EXPECT_GT(plain.largest, 1000 * plain.start);
}

/// Nothing known at first: s^T M s / 2 + |pi - pi_true|^2 / (2 learn) falls, and so does the error.
TEST(AdaptiveControl, LearnsAndTracks) {
  const Robot arm = load("builtin:planar_2r");
  Dynamics dyn(arm);
  const AdaptiveGains gains{.slide = 10, .damp = 20, .learn = 2};
  AdaptiveController control(arm, gains);
  const Vector truth = Regressor(arm).parameters();
  const double h = 1e-4, size = 1, rate = 1.5;
  Vector q = Wanted(0, size, rate).q, v = Vector::Zero(2);
  double before = 1e300, first = 0, last = 0;
  for (int k = 0; k < 60000; ++k) {
    const Wanted w(k * h, size, rate);
    const Vector s = v - w.v + gains.slide * (q - w.q);
    const DenseMatrix M = dyn.mass(q);
    const Vector off = control.estimate() - truth;
    const double storage = s.dot(Vector(M * s)) / 2 + off.squaredNorm() / (2 * gains.learn);
    if (k % 1000 == 0) {  // steps of Euler add a little of the first order
      EXPECT_LT(storage, before) << k;
      before = storage;
    }
    (k < 10000 ? first : last) = std::max(k < 10000   ? first
                                          : k < 50000 ? 0
                                                      : last,
                                          (q - w.q).norm());
    const Vector tau = control.force(q, v, w.q, w.v, w.a, h);
    v += h * Vector(dyn.forward(q, v, tau, {.passive = false}));
    q += h * v;
  }
  EXPECT_LT(last, 0.1 * first);
}

/// With the true parameters and no learning it is the forces of the motion where there is no error.
TEST(AdaptiveControl, KnowsInverseDynamics) {
  Case c(Robot(load("builtin:puma560")), 3);
  AdaptiveController control(c.robot, {.slide = 3, .damp = 7, .learn = 1}, {.armature = true});
  control.set_estimate(Regressor(c.robot, {.armature = true}).parameters());
  const Vector found = control.force(c.q, c.v, c.q, c.v, c.a, 0);
  const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, {.passive = false});
  EXPECT_TRUE(within(1e-11 * largest(tau), found, tau, c));
}

TEST(AdaptiveControl, ForcesGoIntoMemoryWithoutAllocation) {
  Case c(Robot(load("builtin:puma560")), 4);
  AdaptiveController control(c.robot), twin(c.robot);
  Vector tau(c.robot.nv());
  const Vector wanted = 0.9 * c.q;
  const auto run = [&] { control.force(c.q, c.v, wanted, c.v, c.a, 1e-3, into(tau)); };
  run();
  {
    const NoAllocation guard;
    run();
  }
  twin.force(c.q, c.v, wanted, c.v, c.a, 1e-3);
  EXPECT_EQ(tau, twin.force(c.q, c.v, wanted, c.v, c.a, 1e-3));
  EXPECT_EQ(control.estimate(), twin.estimate());
}

TEST(AdaptiveControl, RefusesBadInput) {
  EXPECT_EQ(message([] { AdaptiveController(load("builtin:quadruped")); }),
            "AdaptiveController: the coordinates of joint \"" +
                load("builtin:quadruped").joints()[0].name +
                "\" do not have its velocities as rates");
  const Robot arm = load("builtin:planar_2r");
  EXPECT_EQ(message([&] { AdaptiveController(arm, {.slide = 0}); }),
            "AdaptiveController: all gains must be positive and finite");
  AdaptiveController control(arm);
  const std::vector<double> two(2), three(3);
  EXPECT_EQ(message([&] { control.force(two, two, three, two, two, 0.1); }),
            "AdaptiveController: q_d has 3 elements, robot \"planar_2r\" needs 2");
  EXPECT_EQ(message([&] { control.force(two, two, two, two, two, -1); }),
            "AdaptiveController: dt must not be negative");
  EXPECT_EQ(message([&] { control.set_estimate(two); }),
            "AdaptiveController: the estimate has 2 elements, needs " +
                std::to_string(control.estimate().size()));
}

}  // namespace
}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// Dynamics for other kinds of number: the same words give the same numbers as Dynamics, and
// derivatives are those of the calls that are made for them.
#include <gtest/gtest.h>

#include <jounce/regressor.hpp>

#include "model/dynamics_of_case.hpp"
#include "series/series_case.hpp"
#include "support/allocation_guard.hpp"
#include "support/message.hpp"
#include "support/scale.hpp"

namespace jounce {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::all_results;
using test::everything;
using test::Given;
using test::largest;
using test::message;
using test::Named;
using test::States;
using Lanes = Pack<double, 4>;
using Series = Taylor<double, 3>;
using Gradient = Dual<double, 2>;

Robot robot_of(std::uint64_t seed, int bodies, bool mimic) {
  return test::series_robot(seed,
                            {.bodies = bodies, .sound = true, .passive = true, .mimic = mimic});
}

/// `solved`: the tolerance of what is solved with the mass matrix, whose condition is in it.
template <class Real>
void expect_equal_to_dynamics(std::uint64_t cases, int bodies, double tolerance, double solved) {
  for (std::uint64_t seed = 0; seed < test::scaled(cases); ++seed) {
    const Robot robot = robot_of(seed, bodies, seed % 3 == 0);
    if (robot.nv() == 0) continue;
    DynamicsOf<Real> door(robot);
    Dynamics dynamics(robot);
    const States<Real> states(robot, seed);
    const std::vector<Named> found = all_results<Real>(door, states.given);
    for (int lane = 0; lane < States<Real>::lanes; ++lane) {
      const Named expected = all_results<double>(dynamics, states.lane(robot, lane))[0];
      for (size_t k = 0; k < expected.size(); ++k) {
        const auto& [name, x] = expected[k];
        const bool by_solution =
            name == "forward" || name == "hybrid" || name == "mass_inverse" || name == "mass_solve";
        ASSERT_EQ(found[size_t(lane)][k].second.size(), x.size()) << name;
        EXPECT_LE(largest(found[size_t(lane)][k].second - x),
                  (by_solution ? solved : tolerance) * (1 + largest(x)))
            << "seed " << seed << " lane " << lane << " " << name;
      }
    }
  }
}

/// The packs take the generic forms, Dynamics its kernels: their sums run in another order.
TEST(DynamicsOf, LanesEqualDynamics) { expect_equal_to_dynamics<Lanes>(40, 9, 1e-13, 1e-11); }

/// 6e-8 per operation, over a hundred of them on numbers that partly cancel (1.4e-5 is the worst of
/// 400 robots); solutions multiply it by the condition of the mass matrix, so that those robots are
/// small.
TEST(DynamicsOf, FloatsEqualDynamicsToTheirPrecision) {
  expect_equal_to_dynamics<float>(40, 4, 3e-5, 1e-4);
}

/// Two directions at once: coordinate k of q (along integrate) and of v. Sums of products in
/// another order leave 1e-13 (6e-14 found); what is solved has the condition of the mass matrix in
/// it.
TEST(DynamicsOf, DualNumbersGiveThePartialDerivatives) {
  for (std::uint64_t seed = 0; seed < test::scaled<std::uint64_t>(20); ++seed) {
    const Robot robot = robot_of(seed, 5, false);
    const int nv = robot.nv();
    if (nv == 0) continue;
    Dynamics dynamics(robot);
    DynamicsOf<Gradient> door(robot);
    const Given<double> x = States<Lanes>(robot, seed).lane(robot, 0);
    const auto lift = [](const std::vector<double>& from) {
      return std::vector<Gradient>(from.begin(), from.end());
    };
    for (int k = int(seed % 3); k < nv; k += 3) {
      std::vector<double> along(size_t(nv), 0.0);
      along[size_t(k)] = 1;
      std::vector<Gradient> q = lift(x.q), v = lift(x.v);
      const std::vector<double> rate = test::rates(robot.model(), x.q, along);
      for (size_t j = 0; j < q.size(); ++j) q[j].d[0] = rate[j];
      v[size_t(k)].d[1] = 1;
      const auto expect = [&](std::span<const Gradient> found, const MatrixView& dq,
                              const MatrixView& dv, double tolerance) {
        for (int j = 0; j < nv; ++j) {
          EXPECT_NEAR(found[size_t(j)].d[0], dq(j, k), tolerance * (1 + largest(dq))) << seed;
          EXPECT_NEAR(found[size_t(j)].d[1], dv(j, k), tolerance * (1 + largest(dv))) << seed;
        }
      };
      const InverseDerivativesResult inverse = dynamics.inverse_derivatives(x.q, x.v, x.a);
      expect(door.inverse(q, v, lift(x.a)), inverse.dtau_dq, inverse.dtau_dv, 1e-12);
      const ForwardDerivativesResult forward = dynamics.forward_derivatives(x.q, x.v, x.tau);
      expect(door.forward(q, v, lift(x.tau)), forward.da_dq, forward.da_dv, 1e-11);
    }
  }
}

/// Second derivatives along q and v, against differences of the first ones, which keep 1e-10.
TEST(DynamicsOf, InverseDerivativesOfCustomJointsOnDualNumbers) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Robot robot(generate({.bodies = 3, .kinds = {JointKind::custom}, .seed = seed}));
    Dynamics dynamics(robot);
    DynamicsOf<Gradient> door(robot);
    const Given<double> x = States<Lanes>(robot, seed).lane(robot, 0);
    for (size_t k = 0; k < x.v.size(); ++k) {
      std::vector<Gradient> q(x.q.begin(), x.q.end()), v(x.v.begin(), x.v.end());
      const std::vector<Gradient> a(x.a.begin(), x.a.end());
      q[k].d[0] = v[k].d[1] = 1;
      const InverseDerivativesOf<Gradient> found = door.inverse_derivatives(q, v, a);
      const auto at = [&](double along_q, double along_v) -> MatrixXd {
        std::vector<double> q_now = x.q, v_now = x.v;
        q_now[k] += along_q, v_now[k] += along_v;
        const InverseDerivativesResult now = dynamics.inverse_derivatives(q_now, v_now, x.a);
        MatrixXd both(robot.nv(), 2 * robot.nv());
        both << now.dtau_dq, now.dtau_dv;
        return both;
      };
      const auto slope = [&](double h, double g) -> MatrixXd {
        return (8 * (at(h, g) - at(-h, -g)) - (at(2 * h, 2 * g) - at(-2 * h, -2 * g))) / 12e-3;
      };
      const MatrixXd value = at(0, 0), by_q = slope(1e-3, 0), by_v = slope(0, 1e-3);
      for (int i = 0; i < robot.nv(); ++i)
        for (int j = 0; j < 2 * robot.nv(); ++j) {
          const Gradient y =
              j < robot.nv() ? found.dtau_dq(i, j) : found.dtau_dv(i, j - robot.nv());
          EXPECT_NEAR(y.a, value(i, j), 1e-12 * (1 + largest(value))) << seed;
          EXPECT_NEAR(y.d[0], by_q(i, j), 1e-8 * (1 + largest(by_q))) << seed;
          EXPECT_NEAR(y.d[1], by_v(i, j), 1e-8 * (1 + largest(by_v))) << seed;
        }
    }
  }
}

/// Other calls leave the factors of factor_mass alone, with and without mimic joints.
TEST(DynamicsOf, FactorsStayUntilTheNextFactorMass) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Robot robot = robot_of(seed, 6, seed % 2 == 0);
    if (robot.nv() == 0) continue;
    DynamicsOf<Lanes> door(robot);
    const Given<Lanes> x = States<Lanes>(robot, seed).given, y = States<Lanes>(robot, 99).given;
    door.factor_mass(x.q);
    const std::span<const Lanes> first = door.mass_solve(x.tau);
    const std::vector<Lanes> expected(first.begin(), first.end());
    door.mass_inverse(y.q);
    door.forward(y.q, y.v, y.tau);
    door.hybrid(y.flags(), y.q, y.v, y.a, y.tau);
    const std::span<const Lanes> again = door.mass_solve(x.tau);
    for (size_t k = 0; k < expected.size(); ++k)
      for (int lane = 0; lane < Lanes::lanes; ++lane)
        EXPECT_EQ(again[k][lane], expected[k][lane]) << seed << " " << k;
  }
}

/// A view that a call returned is an argument of the next one.
TEST(DynamicsOf, ResultsMayBeArguments) {
  int with_mimics = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Robot robot = robot_of(seed, 20, seed % 2 == 0);
    if (robot.nv() == 0) continue;
    with_mimics += robot.has_mimic() ? 1 : 0;
    DynamicsOf<Lanes> door(robot);
    const Given<Lanes> x = States<Lanes>(robot, seed).given;
    const auto copy = [](std::span<const Lanes> y) { return std::vector(y.begin(), y.end()); };
    const auto expect = [&](std::span<const Lanes> found, const std::vector<Lanes>& expected) {
      for (size_t k = 0; k < expected.size(); ++k)
        for (int lane = 0; lane < Lanes::lanes; ++lane)
          EXPECT_EQ(found[k][lane], expected[k][lane]) << seed << " " << k;
    };
    const std::vector<Lanes> tau = copy(door.inverse(x.q, x.v, x.a)),
                             a = copy(door.forward(x.q, x.v, tau));
    expect(door.forward(x.q, x.v, door.inverse(x.q, x.v, x.a)), a);
    const auto once = door.hybrid(x.flags(), x.q, x.v, a, tau);
    const std::vector<Lanes> hybrid_a = copy(once.a), hybrid_tau = copy(once.tau);
    const auto by_tau = door.hybrid(x.flags(), x.q, x.v, a, door.inverse(x.q, x.v, x.a));
    expect(by_tau.a, hybrid_a), expect(by_tau.tau, hybrid_tau);
    const auto by_a = door.hybrid(x.flags(), x.q, x.v, door.forward(x.q, x.v, tau), tau);
    expect(by_a.a, hybrid_a), expect(by_a.tau, hybrid_tau);
    door.factor_mass(x.q);
    const std::function<std::span<const Lanes>()> views[] = {
        [&] { return door.mass_solve(x.v); }, [&] { return door.inverse(x.q, x.v, x.a); },
        [&] { return door.forward(x.q, x.v, tau); }};
    using View = std::span<const Lanes>;
    const std::function<std::vector<Lanes>(View)> calls[] = {
        [&](View y) { return copy(door.inverse(x.q, y, x.a)); },
        [&](View y) { return copy(door.forward(x.q, y, tau)); },
        [&](View y) { return copy(door.hybrid(x.flags(), x.q, y, a, tau).tau); },
        [&](View y) { return copy(door.hybrid(x.flags(), x.q, x.v, y, y).tau); },
        [&](View y) { return std::vector{door.power_balance(x.q, y, x.a).actuators}; }};
    for (const auto& view : views)
      for (const auto& call : calls) {
        const std::vector<Lanes> given = copy(view()), expected = call(given);
        expect(call(view()), expected);
      }
  }
  EXPECT_GT(with_mimics, 0);
}

/// A mass as a variable: tau is linear in it, and the regressor has the slope.
TEST(DynamicsOf, ConstantsMayBeDualNumbers) {
  using Real = Dual<double, 1>;
  const Robot robot = load("builtin:arm7");
  DynamicsOf<Real, Real> door(robot);
  DynamicsOf<double> plain(robot);
  const Given<double> x = States<Lanes>(robot, 4).lane(robot, 0);
  const int body = 5;
  door.inertia(body).mass.d[0] = 1;
  const std::vector<Real> q(x.q.begin(), x.q.end()), v(x.v.begin(), x.v.end()),
      a(x.a.begin(), x.a.end());
  const auto tau = door.inverse(q, v, a);
  const std::span<const double> before = plain.inverse(x.q, x.v, x.a);
  const std::vector<double> kept(before.begin(), before.end());
  plain.inertia(body).mass += 0.5;
  const std::span<const double> after = plain.inverse(x.q, x.v, x.a);
  for (size_t k = 0; k < kept.size(); ++k)
    EXPECT_NEAR(tau[k].d[0], (after[k] - kept[k]) / 0.5, 1e-12);
}

/// Passive forces of every manifold included: springs take logarithms of series. Coefficients come
/// from the same products in another order: 3e-14 of the largest found. forward's backward error is
/// as small, whatever the condition of the mass matrix, once inverse undoes it.
TEST(DynamicsOf, SeriesEqualInverseSeries) {
  constexpr int order = Series::order;
  for (std::uint64_t seed = 0; seed < test::scaled<std::uint64_t>(30); ++seed) {
    const Robot robot = robot_of(seed, 6, false);
    if (robot.nv() == 0) continue;
    Dynamics dynamics(robot);
    DynamicsOf<Series> door(robot);
    test::Random rng(seed);
    const std::vector<double> q = robot.random(seed);
    const MatrixXd motion = test::random_columns(rng, robot.nv(), order + 2) * 0.1;
    const test::TaylorState<order> state(robot.model(), q.data(), motion);
    const MatrixXd expected = dynamics.inverse_series(q, motion, order);
    const std::span<const Series> tau = door.inverse(state.q, state.v, state.a);
    for (int k = 0; k <= order; ++k)
      for (int j = 0; j < robot.nv(); ++j)
        EXPECT_NEAR(tau[size_t(j)].c[k] * test::factorial(k), expected(j, k),
                    1e-12 * (1 + largest(expected.col(k))))
            << seed << " " << j << " order " << k;
    const std::vector<Series> given(tau.begin(), tau.end());
    const std::span<const Series> a = door.forward(state.q, state.v, given);
    const std::vector<Series> found(a.begin(), a.end());
    const std::span<const Series> again = door.inverse(state.q, state.v, found);
    for (size_t j = 0; j < given.size(); ++j)
      for (int k = 0; k <= order; ++k)
        EXPECT_NEAR(again[j].c[k], given[j].c[k], 1e-12 * (1 + largest(expected.leftCols(k + 1))))
            << seed << " " << j << " order " << k;
  }
}

TEST(DynamicsOf, CountingNumbersCount) {
  const Robot robot = load("builtin:arm7");
  DynamicsOf<Counting> door(robot);
  Dynamics dynamics(robot);
  const Given<double> x = States<Lanes>(robot, 2).lane(robot, 0);
  const std::vector<Counting> q(x.q.begin(), x.q.end()), v(x.v.begin(), x.v.end()),
      a(x.a.begin(), x.a.end());
  const VectorView tau = dynamics.inverse(x.q, x.v, x.a);
  std::span<const Counting> found;
  const FlopCount count = count_flops([&] { found = door.inverse(q, v, a); });
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(found[size_t(k)].x, tau[k], 1e-12 * (1 + largest(tau)));
  EXPECT_GT(count.multiply, 700);  // hundred for each of the seven bodies
  EXPECT_LT(count.total(), 7000);
  EXPECT_EQ(count.transcendental, 14);
}

TEST(DynamicsOf, RegressorEqualsRegressor) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Robot robot = robot_of(seed, 6, true);
    if (robot.nv() == 0) continue;
    Regressor regressor(robot);
    DynamicsOf<Lanes> door(robot);
    const States<Lanes> states(robot, seed);
    OptionalGround<double> ground;
    OptionalGround<Lanes> wide_ground;
    if (seed % 2 == 0) {
      const Twist<double> V{{0.1, -0.2, 0.3}, {0.4, 0.5, -0.6}}, Vdot{{1, 2, 3}, {-1, 0.5, 0.2}};
      const auto wide = [](const Vec3<double>& x) {
        return Vec3<Lanes>{Lanes(x.x), Lanes(x.y), Lanes(x.z)};
      };
      ground = {V, Vdot};
      wide_ground = {{wide(V.w), wide(V.v)}, {wide(Vdot.w), wide(Vdot.v)}};
    }
    std::vector<Lanes> Y(10 * robot.description().links.size() * size_t(robot.nv()));
    door.regressor(states.given.q, states.given.v, states.given.a, Y, wide_ground);
    for (int lane = 0; lane < Lanes::lanes; ++lane) {
      const Given<double> x = states.lane(robot, lane);
      const MatrixXd expected = regressor.force(x.q, x.v, x.a, ground);
      for (size_t k = 0; k < Y.size(); ++k)
        ASSERT_NEAR(Y[k][lane], expected.data()[k], 1e-12 * (1 + largest(expected)));
    }
  }
}

TEST(DynamicsOf, AllocatesNothing) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Robot robot = robot_of(seed, 6, seed % 3 == 0);
    if (robot.nv() == 0) continue;
    DynamicsOf<Lanes> door(robot);
    const States<Lanes> states(robot, seed);
    std::vector<Lanes> Y(10 * robot.description().links.size() * size_t(robot.nv()));
    const test::NoAllocation scope;
    everything(door, states.given, [](const char*, const auto&) {});
    door.regressor(states.given.q, states.given.v, states.given.a, Y);
  }
}

TEST(DynamicsOf, RefusesBadInput) {
  const Robot arm = load("builtin:arm7");
  DynamicsOf<Lanes> lanes(arm);
  std::vector<Lanes> x(7, Lanes(0.1)), six(6);
  EXPECT_EQ(message([&] { lanes.inverse(x, six, x); }),
            "inverse: v has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { lanes.mass_solve(x); }), "mass_solve: call factor_mass first");
  EXPECT_EQ(message([&] { lanes.hybrid({}, x, x, x, x); }),
            "hybrid: prescribed has 0 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { lanes.inverse_passive(x, x, x, x, Factorization::plain); }),
            "inverse_passive: the plain factorization is not skew-symmetric");
  EXPECT_EQ(message([&] { lanes.regressor(x, x, x, six); }),
            "regressor: Y has 6 elements, robot \"arm7\" needs 630");
  std::vector<Lanes> bad = x;
  bad[3].set(2, NAN);
  EXPECT_EQ(message([&] { lanes.forward(x, x, bad); }), "forward: lane 2 of tau[3] is NaN");
  EXPECT_EQ(message([&] { lanes.mass(bad); }), "mass: lane 2 of q[3] is NaN");
  const OutsideWrench<Lanes> wrench{FrameId(0), {{bad[3], x[0], x[0]}, {x[0], x[0], x[0]}}};
  EXPECT_EQ(message([&] {
              lanes.inverse(x, x, x, {.wrenches = {&wrench, 1}});
            }),
            "inverse: wrenches[0] on \"" + lanes.robot().frames()[0].name + "\" is not finite");
  EXPECT_EQ(message([&] {
              lanes.bias(x, x, Ground<Lanes>{{{bad[3], x[0], x[0]}, {}}, {}});
            }),
            "bias: the ground's motion is not finite");

  DynamicsOf<Series> series(arm);
  std::vector<Series> y(7);
  y[1].c[2] = INFINITY;
  EXPECT_EQ(message([&] { series.gravity(y); }), "gravity: coefficient 2 of q[1] is infinite");
  DynamicsOf<Gradient> gradient(arm);
  std::vector<Gradient> z(7), spoilt(7);
  spoilt[6].d[1] = NAN;
  EXPECT_EQ(message([&] { gradient.bias(z, spoilt); }), "bias: derivative 1 of v[6] is NaN");
  z.resize(3);
  EXPECT_EQ(message([&] { gradient.gravity(z); }),
            "gravity: q has 3 elements, robot \"arm7\" needs 7");

  DynamicsOf<float> quadruped(load("builtin:quadruped"));
  std::vector<float> q(size_t(quadruped.robot().nq()));
  q[6] = 1.1F;
  EXPECT_EQ(message([&] { quadruped.mass(q); }).substr(0, 61),
            "mass: q: the quaternion of joint \"base\" has length 1.100000, ");

  EXPECT_EQ(message([&] { lanes.inertia(0); }), "inertia: body is 0, robot \"arm7\" has 1 to 7");
  EXPECT_EQ(message([&] { lanes.inertia(8); }), "inertia: body is 8, robot \"arm7\" has 1 to 7");

  RobotDescription massless = generate_chain(2);
  massless.links.back() = {.name = massless.links.back().name};
  DynamicsOf<float> light{Robot(massless)};
  const std::vector<float> two(2);
  EXPECT_EQ(message([&] { light.forward(two, two, two); }),
            "forward: joint \"joint_2\" moves link \"" + massless.links.back().name +
                "\", which has no mass");
}

}  // namespace
}  // namespace jounce

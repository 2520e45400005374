// SPDX-License-Identifier: BSD-3-Clause
// The doors on other kinds of number: the generic forms give the same numbers as the kernels for
// doubles, and derivatives are those of the calls that are made for them.
#include <gtest/gtest.h>

#include <functional>
#include <jounce/series.hpp>

#include "model/any_number_case.hpp"
#include "series/series_case.hpp"
#include "support/allocation_guard.hpp"
#include "support/message.hpp"
#include "support/scale.hpp"
#include "support/within.hpp"

namespace jounce {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::all_results;
using test::Doors;
using test::Given;
using test::largest;
using test::message;
using test::Named;
using test::States;
using test::within;
using Lanes = Pack<double, 4>;
using Jet = Taylor<double, 3>;
using Gradient = Dual<double, 2>;

Robot robot_of(std::uint64_t seed, int bodies, bool mimic) {
  return test::series_robot(seed,
                            {.bodies = bodies, .sound = true, .passive = true, .mimic = mimic});
}

/// `solved`: the tolerance of what is solved with the mass matrix, whose condition is in it.
template <class Real>
void expect_equal_to_doubles(std::uint64_t cases, int bodies, double tolerance, double solved) {
  for (std::uint64_t seed = 0; seed < test::scaled(cases); ++seed) {
    const Robot robot = robot_of(seed, bodies, seed % 3 == 0);
    if (robot.nv() == 0) continue;
    Doors<Real> doors(robot);
    Doors<double> kernels(robot);
    const States<Real> states(robot, seed);
    const std::vector<Named> found = all_results(doors, states.given);
    for (int lane = 0; lane < States<Real>::lanes; ++lane) {
      const Named expected = all_results(kernels, states.lane(robot, lane))[0];
      for (size_t k = 0; k < expected.size(); ++k) {
        const auto& [name, x] = expected[k];
        const bool by_solution =
            name == "forward" || name == "hybrid" || name == "mass_inverse" || name == "mass_solve";
        const double limit = (by_solution ? solved : tolerance) * (1 + largest(x));
        EXPECT_TRUE(within(limit, found[size_t(lane)][k].second, x, robot, seed))
            << name << ", lane " << lane;
      }
    }
  }
}

/// Packs take the generic forms, doubles the kernels: their sums run in another order.
TEST(AnyNumber, LanesEqualDoubles) { expect_equal_to_doubles<Lanes>(40, 9, 1e-13, 1e-11); }

/// 6e-8 per operation, over a hundred of them on numbers that partly cancel (1.4e-5 is the worst of
/// 400 robots); solutions multiply it by the condition of the mass matrix, so that those robots are
/// small.
TEST(AnyNumber, FloatsEqualDoublesToTheirPrecision) {
  expect_equal_to_doubles<float>(40, 4, 3e-5, 1e-4);
}

/// Two directions at once: coordinate k of q (along integrate) and of v. Sums of products in
/// another order leave 1e-13 (6e-14 found); what is solved has the condition of the mass matrix in
/// it.
TEST(AnyNumber, DualNumbersGiveThePartialDerivatives) {
  for (std::uint64_t seed = 0; seed < test::scaled<std::uint64_t>(20); ++seed) {
    const Robot robot = robot_of(seed, 5, false);
    const int nv = robot.nv();
    if (nv == 0) continue;
    Derivatives derivatives(robot);
    BasicDynamics<Gradient> door(robot);
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
      const auto expect = [&](const std::vector<Gradient>& found, const OwnedMatrix& dq,
                              const OwnedMatrix& dv, double tolerance) {
        VectorXd by_q(nv), by_v(nv);
        for (int j = 0; j < nv; ++j)
          by_q[j] = found[size_t(j)].d[0], by_v[j] = found[size_t(j)].d[1];
        EXPECT_TRUE(within(tolerance * (1 + largest(dq)), by_q, dq.col(k), robot, seed));
        EXPECT_TRUE(within(tolerance * (1 + largest(dv)), by_v, dv.col(k), robot, seed));
      };
      const InverseDerivatives inverse = derivatives.inverse(x.q, x.v, x.a);
      expect(door.inverse(q, v, lift(x.a)), inverse.dq, inverse.dv, 1e-12);
      const ForwardDerivatives forward = derivatives.forward(x.q, x.v, x.tau);
      expect(door.forward(q, v, lift(x.tau)), forward.dq, forward.dv, 1e-11);
    }
  }
}

/// Second derivatives along q and v, against differences of the first ones, which keep 1e-10.
TEST(AnyNumber, InverseDerivativesOfCustomJointsOnDualNumbers) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Robot robot(generate({.bodies = 3, .kinds = {JointKind::custom}, .seed = seed}));
    Derivatives derivatives(robot);
    BasicDerivatives<Gradient> door(robot);
    const Given<double> x = States<Lanes>(robot, seed).lane(robot, 0);
    for (size_t k = 0; k < x.v.size(); ++k) {
      std::vector<Gradient> q(x.q.begin(), x.q.end()), v(x.v.begin(), x.v.end());
      const std::vector<Gradient> a(x.a.begin(), x.a.end());
      q[k].d[0] = v[k].d[1] = 1;
      const BasicInverseDerivatives<Gradient> found = door.inverse(q, v, a);
      const auto at = [&](double along_q, double along_v) -> MatrixXd {
        std::vector<double> q_now = x.q, v_now = x.v;
        q_now[k] += along_q, v_now[k] += along_v;
        const InverseDerivatives now = derivatives.inverse(q_now, v_now, x.a);
        MatrixXd both(robot.nv(), 2 * robot.nv());
        both << now.dq, now.dv;
        return both;
      };
      const auto slope = [&](double h, double g) -> MatrixXd {
        return (8 * (at(h, g) - at(-h, -g)) - (at(2 * h, 2 * g) - at(-2 * h, -2 * g))) / 12e-3;
      };
      const MatrixXd value = at(0, 0), by_q = slope(1e-3, 0), by_v = slope(0, 1e-3);
      for (int i = 0; i < robot.nv(); ++i)
        for (int j = 0; j < 2 * robot.nv(); ++j) {
          const Gradient y = j < robot.nv() ? found.dq(i, j) : found.dv(i, j - robot.nv());
          EXPECT_NEAR(y.a, value(i, j), 1e-12 * (1 + largest(value))) << seed;
          EXPECT_NEAR(y.d[0], by_q(i, j), 1e-8 * (1 + largest(by_q))) << seed;
          EXPECT_NEAR(y.d[1], by_v(i, j), 1e-8 * (1 + largest(by_v))) << seed;
        }
    }
  }
}

/// A mass as a variable: tau is linear in it, and the regressor has the slope.
TEST(AnyNumber, ConstantsMayBeDualNumbers) {
  using Real = Dual<double, 1>;
  const Robot robot = load("builtin:arm7");
  BasicDynamics<Real, Real> door(robot);
  BasicDynamics<Lanes> plain(robot);
  const Given<double> x = States<Lanes>(robot, 4).lane(robot, 0);
  const int body = 5;
  door.inertia(body).mass.d[0] = 1;
  const std::vector<Real> q(x.q.begin(), x.q.end()), v(x.v.begin(), x.v.end()),
      a(x.a.begin(), x.a.end());
  const std::vector<Real> tau = door.inverse(q, v, a);
  const std::vector<Lanes> q_lanes(x.q.begin(), x.q.end()), v_lanes(x.v.begin(), x.v.end()),
      a_lanes(x.a.begin(), x.a.end());
  const std::vector<Lanes> before = plain.inverse(q_lanes, v_lanes, a_lanes);
  plain.inertia(body).mass += 0.5;
  const std::vector<Lanes> after = plain.inverse(q_lanes, v_lanes, a_lanes);
  for (size_t k = 0; k < tau.size(); ++k)
    EXPECT_NEAR(tau[k].d[0], (after[k][0] - before[k][0]) / 0.5, 1e-12) << k;
}

/// Passive forces of every manifold included: springs take logarithms of series. Coefficients come
/// from the same products in another order: 3e-14 of the largest found. forward's backward error is
/// as small, whatever the condition of the mass matrix, once inverse undoes it.
TEST(AnyNumber, TaylorNumbersEqualSeries) {
  constexpr int order = Jet::order;
  for (std::uint64_t seed = 0; seed < test::scaled<std::uint64_t>(30); ++seed) {
    const Robot robot = robot_of(seed, 6, false);
    if (robot.nv() == 0) continue;
    BasicDynamics<Jet> door(robot);
    test::Random rng(seed);
    const std::vector<double> q = robot.random(seed);
    const MatrixXd motion = test::random_columns(rng, robot.nv(), order + 2) * 0.1;
    const test::TaylorState<order> state(robot.model(), q.data(), motion);
    const MatrixXd expected = Series(robot, order).inverse(q, motion);
    const std::vector<Jet> tau = door.inverse(state.q, state.v, state.a);
    for (int k = 0; k <= order; ++k)
      for (int j = 0; j < robot.nv(); ++j)
        EXPECT_NEAR(tau[size_t(j)].c[k] * test::factorial(k), expected(j, k),
                    1e-12 * (1 + largest(expected.col(k))))
            << seed << " " << j << " order " << k;
    const std::vector<Jet> a = door.forward(state.q, state.v, tau),
                           again = door.inverse(state.q, state.v, a);
    for (size_t j = 0; j < tau.size(); ++j)
      for (int k = 0; k <= order; ++k)
        EXPECT_NEAR(again[j].c[k], tau[j].c[k], 1e-12 * (1 + largest(expected.leftCols(k + 1))))
            << seed << " " << j << " order " << k;
  }
}

TEST(AnyNumber, CountingNumbersCount) {
  const Robot robot = load("builtin:arm7");
  BasicDynamics<Counting> door(robot);
  Dynamics dynamics(robot);
  const Given<double> x = States<Lanes>(robot, 2).lane(robot, 0);
  const std::vector<Counting> q(x.q.begin(), x.q.end()), v(x.v.begin(), x.v.end()),
      a(x.a.begin(), x.a.end());
  const VectorXd tau = dynamics.inverse(x.q, x.v, x.a);
  std::vector<Counting> found;
  const FlopCount count = count_flops([&] { found = door.inverse(q, v, a); });
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(found[size_t(k)].x, tau[k], 1e-12 * (1 + largest(tau)));
  EXPECT_GT(count.multiply, 700);  // hundred for each of the seven bodies
  EXPECT_LT(count.total(), 7000);
  EXPECT_EQ(count.transcendental, 14);
}

TEST(AnyNumber, InverseDerivativesOfCustomJointsOnLongSeries) {
  using Long = Taylor<double, 8>;
  const Robot robot(generate({.bodies = 3, .kinds = {JointKind::custom}, .seed = 2}));
  const Given<double> x = States<Lanes>(robot, 2).lane(robot, 0);
  const std::vector<Long> q(x.q.begin(), x.q.end()), v(x.v.begin(), x.v.end()),
      a(x.a.begin(), x.a.end());
  const BasicInverseDerivatives<Long> found = BasicDerivatives<Long>(robot).inverse(q, v, a);
  const InverseDerivatives expected = Derivatives(robot).inverse(x.q, x.v, x.a);
  MatrixXd dq(robot.nv(), robot.nv()), dv(dq);
  for (int i = 0; i < robot.nv(); ++i)
    for (int j = 0; j < robot.nv(); ++j)
      dq(i, j) = found.dq(i, j).c[0], dv(i, j) = found.dv(i, j).c[0];
  EXPECT_TRUE(within(1e-12 * (1 + largest(dq)), dq, expected.dq, robot, 2));
  EXPECT_TRUE(within(1e-12 * (1 + largest(dv)), dv, expected.dv, robot, 2));
}

using Vectors = std::vector<std::vector<Lanes>>;

/// What a call writes into one of its arguments is what it writes elsewhere.
void expect_in_place(const char* name, const Vectors& given,
                     const std::function<void(const Vectors&, const Into<Lanes>&)>& call) {
  std::vector<Lanes> expected(given.back().size());
  call(given, into(expected));
  for (size_t k = 0; k < given.size(); ++k) {
    Vectors x = given;
    call(x, into(x[k]));
    for (size_t j = 0; j < expected.size(); ++j)
      for (int lane = 0; lane < Lanes::lanes; ++lane)
        EXPECT_EQ(x[k][j][lane], expected[j][lane]) << name << " into argument " << k;
  }
}

/// Robots whose q and v are of one size; springs read q to the last.
TEST(AnyNumber, ResultsMayBeArguments) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Robot robot(generate({.bodies = 3 + int(seed),
                                .kinds = {JointKind::revolute, JointKind::prismatic},
                                .mimic = seed % 2 == 0,
                                .passive = true,
                                .seed = seed}));
    Doors<Lanes> doors(robot);
    BasicDynamics<Lanes>& d = doors.dynamics;
    const Given<Lanes> x = States<Lanes>(robot, seed).given;
    expect_in_place("inverse", {x.q, x.v, x.a},
                    [&](auto& y, auto& to) { d.inverse(y[0], y[1], y[2], to); });
    expect_in_place("forward", {x.q, x.v, x.tau},
                    [&](auto& y, auto& to) { d.forward(y[0], y[1], y[2], to); });
    expect_in_place("bias", {x.q, x.v}, [&](auto& y, auto& to) { d.bias(y[0], y[1], to); });
    expect_in_place("gravity", {x.q}, [&](auto& y, auto& to) { d.gravity(y[0], to); });
    expect_in_place("inverse_reference", {x.q, x.v, x.v_r, x.a}, [&](auto& y, auto& to) {
      d.inverse_reference(y[0], y[1], y[2], y[3], Factorization::lie, to);
    });
    std::vector<Lanes> other(x.v.size());
    expect_in_place("hybrid a", {x.q, x.v, x.a, x.tau}, [&](auto& y, auto& to) {
      d.hybrid(x.flags(), y[0], y[1], y[2], y[3], to, into(other));
    });
    expect_in_place("hybrid tau", {x.q, x.v, x.a, x.tau}, [&](auto& y, auto& to) {
      d.hybrid(x.flags(), y[0], y[1], y[2], y[3], into(other), to);
    });
    doors.factors.at(x.q);
    expect_in_place("solve", {x.v}, [&](auto& y, auto& to) { doors.factors.solve(y[0], to); });
  }
}

TEST(AnyNumber, AllocatesNothing) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Robot robot = robot_of(seed, 6, seed % 3 == 0);
    if (robot.nv() == 0) continue;
    Doors<Lanes> doors(robot);
    BasicKinematics<Lanes>& k = doors.kinematics;
    BasicDynamics<Lanes>& d = doors.dynamics;
    const States<Lanes> states(robot, seed);
    const Given<Lanes>& x = states.given;
    const BasicSurroundings<Lanes> around = x.around();
    std::vector<Lanes> tau(x.v.size()), a(tau), J(6 * tau.size()), com_J(3 * tau.size());
    const Into<Lanes> six(J.data(), 6, robot.nv()), three(com_J.data(), 3, robot.nv());
    std::vector<Wrench<Lanes>> wrenches(robot.joints().size());
    BasicMassMatrix<Lanes> M(robot);
    BasicMassInverse<Lanes> inverse(robot);
    BasicCoriolisMatrices<Lanes> C(robot);
    BasicCentroidalMatrices<Lanes> A(robot);
    BasicInverseDerivatives<Lanes> slopes(robot);
    const test::NoAllocation scope;
    k.at(x.q), k.at(x.q, x.v), k.at(x.q, x.v, x.a);
    k.jacobian(x.frame, Representation::body, six);
    k.jacobian(x.frame, Representation::space, x.q, six);
    k.jacobian_rate(x.frame, Representation::hybrid, six);
    k.com_jacobian(three);
    (void)k.com(), (void)k.com_velocity(), (void)k.com_acceleration();
    d.inverse(x.q, x.v, x.a, around, into(tau)), d.forward(x.q, x.v, x.tau, around, into(a));
    d.hybrid(x.flags(), x.q, x.v, x.a, x.tau, around, into(a), into(tau));
    d.mass(x.q, into(M)), d.mass_inverse(x.q, into(inverse));
    d.bias(x.q, x.v, into(tau)), d.gravity(x.q, into(tau));
    d.coriolis(x.q, x.v, Factorization::christoffel, into(C)), d.centroidal(x.q, x.v, into(A));
    d.centroidal_matrix(x.q, six);
    d.inverse_reference(x.q, x.v, x.v_r, x.a, Factorization::ploen, into(tau));
    d.joint_wrenches(x.q, x.v, x.a, Representation::space, around, into(wrenches));
    (void)d.energy(x.q, x.v), (void)d.energy_rate(x.q, x.v, x.a), (void)d.momentum(x.q, x.v);
    (void)d.power_balance(x.q, x.v, x.a, around);
    doors.factors.at(x.q).solve(x.tau, into(a));
    doors.derivatives.inverse(x.q, x.v, x.a, around, into(slopes));
  }
}

TEST(AnyNumber, RefusesBadInput) {
  const Robot arm = load("builtin:arm7");
  BasicDynamics<Lanes> lanes(arm);
  std::vector<Lanes> x(7, Lanes(0.1)), six(6);
  EXPECT_EQ(message([&] { lanes.inverse(x, six, x); }),
            "inverse: v has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { lanes.hybrid({}, x, x, x, x); }),
            "hybrid: prescribed has 0 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { lanes.inverse_reference(x, x, x, x, Factorization::plain); }),
            "inverse_reference: the plain factorization is not skew-symmetric");
  EXPECT_EQ(message([&] { lanes.inverse(x, x, x, into(six)); }),
            "inverse: into(tau) has 6 numbers, robot \"arm7\" needs 7");
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

  BasicDynamics<Jet> series(arm);
  std::vector<Jet> y(7);
  y[1].c[2] = INFINITY;
  EXPECT_EQ(message([&] { series.gravity(y); }), "gravity: coefficient 2 of q[1] is infinite");
  BasicDynamics<Gradient> gradient(arm);
  std::vector<Gradient> z(7), spoilt(7);
  spoilt[6].d[1] = NAN;
  EXPECT_EQ(message([&] { gradient.bias(z, spoilt); }), "bias: derivative 1 of v[6] is NaN");
  z.resize(3);
  EXPECT_EQ(message([&] { gradient.gravity(z); }),
            "gravity: q has 3 elements, robot \"arm7\" needs 7");

  BasicDynamics<float> quadruped(load("builtin:quadruped"));
  std::vector<float> q(size_t(quadruped.robot().nq()));
  q[6] = 1.1F;
  EXPECT_EQ(message([&] { quadruped.mass(q); }).substr(0, 61),
            "mass: q: the quaternion of joint \"base\" has length 1.100000, ");

  EXPECT_EQ(message([&] { lanes.inertia(0); }), "inertia: body is 0, robot \"arm7\" has 1 to 7");
  EXPECT_EQ(message([&] { lanes.inertia(8); }), "inertia: body is 8, robot \"arm7\" has 1 to 7");

  RobotDescription massless = generate_chain(2);
  massless.links.back() = {.name = massless.links.back().name};
  BasicDynamics<float> light{Robot(massless)};
  const std::vector<float> two(2);
  EXPECT_EQ(message([&] { light.forward(two, two, two); }),
            "forward: joint \"joint_2\" moves link \"" + massless.links.back().name +
                "\", which has no mass");
}

}  // namespace
}  // namespace jounce

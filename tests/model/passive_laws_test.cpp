// SPDX-License-Identifier: BSD-3-Clause
// The laws of passive forces on other kinds of number are what all derivatives say they are.
#include <gtest/gtest.h>

#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/derivatives.hpp>
#include <jounce/equations/passive.hpp>
#include <jounce/second_derivatives.hpp>
#include <jounce/sensitivity.hpp>
#include <jounce/series.hpp>

#include "model/random_robot.hpp"
#include "support/dense.hpp"
#include "support/within.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// What passive forces take at q (+) dq and v, in other numbers.
template <class Real>
std::vector<Real> law(const Robot& robot, const Vector& q, const std::vector<Real>& dq,
                      const std::vector<Real>& v) {
  const System<double>& s = robot.system();
  std::vector<Real> at(static_cast<size_t>(s.nq)), taken(v.size());
  for (const Factor& f : factors(s)) integrate(f, q.data() + f.q, dq.data() + f.v, at.data() + f.q);
  passive_forces(s, at.data(), v.data(), taken.data());
  return taken;
}

/// f(robot in motion) for robots of all kinds of joint with springs, damping and friction, at
/// speeds where friction has not yet slipped.
template <class F>
void on_robots(F f) {
  for (std::uint64_t seed = 0; seed < 45; seed += 3) {  // every third robot has passive forces
    RobotInMotion c(seed);
    ASSERT_TRUE(c.robot.has_passive()) << seed;
    c.v *= 0.02;
    SCOPED_TRACE("seed " + std::to_string(seed));
    f(c);
  }
}

/// g(passive) with passive forces less that without.
template <class G>
Matrix passive_share(G g) {
  const Matrix with = g(true), without = g(false);
  return with - without;
}

void expect_close(double tolerance, const Matrix& found, const Matrix& needed,
                  const RobotInMotion& c) {
  EXPECT_TRUE(within(tolerance * (1 + largest(needed)), found, needed, c));
}

TEST(PassiveLaws, DerivativesAreTheLawOnDualNumbers) {
  on_robots([](RobotInMotion& c) {
    using Number = Dual<double, 1>;
    const auto n = size_t(c.robot.nv());
    Matrix dq(n, n), dv(n, n);
    const std::vector<Number> still(n), v(c.v.begin(), c.v.end());
    for (size_t k = 0; k < n; ++k) {
      std::vector<Number> along = still, faster = v;
      along[k].d[0] = faster[k].d[0] = 1;
      const auto by_q = law(c.robot, c.q, along, v), by_v = law(c.robot, c.q, still, faster);
      for (size_t i = 0; i < n; ++i) dq(i, k) = by_q[i].d[0], dv(i, k) = by_v[i].d[0];
    }
    Derivatives derivatives(c.robot);
    const auto slopes = [&](bool passive) {
      return derivatives.inverse(c.q, c.v, c.a, {.passive = passive});
    };
    expect_close(1e-11, passive_share([&](bool on) { return Matrix(slopes(on).dq); }), dq, c);
    expect_close(1e-11, passive_share([&](bool on) { return Matrix(slopes(on).dv); }), dv, c);
  });
}

/// Along k first, then l: q exp(t e_l) exp(s e_k).
TEST(PassiveLaws, SecondDerivativesAreTheLawOnNestedDualNumbers) {
  on_robots([](RobotInMotion& c) {
    using Once = Dual<double, 1>;
    using Twice = Dual<Once, 1>;
    const System<double>& s = c.robot.system();
    const auto n = size_t(s.nv), nq = size_t(s.nq);
    Matrix needed(n, n * n);
    for (size_t l = 0; l < n; ++l)
      for (size_t k = 0; k < n; ++k) {
        std::vector<Once> by_l(n), at(nq);
        std::vector<Twice> by_k(n), moved(nq), taken(n), v;
        for (const double x : c.v) v.emplace_back(Once(x));
        by_l[l].d[0] = 1;
        by_k[k].d[0] = Once(1);
        for (const Factor& f : factors(s)) {
          integrate(f, c.q.data() + f.q, by_l.data() + f.v, at.data() + f.q);
          integrate(f, at.data() + f.q, by_k.data() + f.v, moved.data() + f.q);
        }
        passive_forces(s, moved.data(), v.data(), taken.data());
        for (size_t i = 0; i < n; ++i) needed(i, k + n * l) = taken[i].d[0].d[0];
      }
    SecondDerivatives second(c.robot);
    const Matrix found = passive_share([&](bool on) {
      const Tensor tensor = second.inverse(c.q, c.v, c.a, {.passive = on}).dqdq;
      Matrix all(n, n * n);
      for (int l = 0; l < s.nv; ++l)
        for (int k = 0; k < s.nv; ++k)
          for (int i = 0; i < s.nv; ++i) all(i, k + s.nv * l) = tensor(i, k, l);
      return all;
    });
    expect_close(1e-10, found, needed, c);
  });
}

TEST(PassiveLaws, SeriesAreTheLawOnTaylorNumbers) {
  constexpr int order = 20;
  on_robots([](RobotInMotion& c) {
    using Number = Taylor<double, order>;
    const System<double>& s = c.robot.system();
    const auto n = size_t(s.nv);
    Matrix motion(n, order + 2);
    for (int k = 0; k < order + 2; ++k) motion.col(k) = c.random(s.nv) * 0.01;
    std::vector<Number> q(c.q.begin(), c.q.end()), v(n), taken(n);
    double factorial = 1;
    for (int k = 0; k <= order; factorial *= ++k)
      for (size_t j = 0; j < n; ++j) v[j].c[k] = motion(j, k) / factorial;
    for (const Factor& f : factors(s))
      for (int k = 0; k < order; ++k) extend_coordinates(f, k, v.data() + f.v, q.data() + f.q);
    passive_forces(s, q.data(), v.data(), taken.data());
    Series series(c.robot, order);
    const Matrix found = passive_share(
        [&](bool on) { return Matrix(series.inverse(c.q, motion, {.passive = on})); });
    factorial = 1;
    for (int k = 0; k <= order; factorial *= ++k)
      for (size_t j = 0; j < n; ++j)
        EXPECT_NEAR(found(j, k), taken[j].c[k] * factorial, 1e-9 * (1 + largest(found.col(k))))
            << "joint velocity " << j << ", order " << k;
  });
}

TEST(PassiveLaws, SensitivitiesAreTheLawByItsConstants) {
  on_robots([](RobotInMotion& c) {
    using Number = Dual<double, 1>;
    const System<double>& s = c.robot.system();
    const auto n = size_t(s.nv);
    const auto numbers = [](const double* x, int count) {
      return std::vector<Number>(x, x + count);
    };
    const std::vector<Number> q(c.q.begin(), c.q.end()), v(c.v.begin(), c.v.end());
    const ParameterKind kinds[] = {ParameterKind::damping, ParameterKind::friction,
                                   ParameterKind::drag, ParameterKind::stiffness};
    constexpr size_t laws = std::size(resistances);
    static_assert(std::size(kinds) == laws + 1);
    for (const JointInfo& joint : c.robot.joints())
      for (int part = 0; part < joint.nv; ++part)
        for (size_t kind = 0; kind <= laws; ++kind) {
          std::vector<Number> constant[laws + 1];
          for (size_t law = 0; law < laws; ++law)
            constant[law] = numbers(s.passive.resistance[law], s.nv);
          constant[laws] = numbers(s.passive.stiffness, s.nv);
          const std::vector<Number> rest = numbers(s.passive.rest, s.nq);
          constant[kind][size_t(joint.v + part)].d[0] = 1;
          System<Number> varied;
          varied.nq = s.nq, varied.nv = s.nv;
          varied.passive = {.stiffness = constant[laws].data(),
                            .rest = rest.data(),
                            .spring = s.factor,
                            .springs = s.factors,
                            .any = true};
          for (size_t law = 0; law < laws; ++law)
            varied.passive.resistance[law] = constant[law].data();
          std::vector<Number> taken(n);
          passive_forces(varied, q.data(), v.data(), taken.data());
          Sensitivity sensitivity(c.robot, {{kinds[kind], joint.name, part}});
          const Matrix found = sensitivity.force(c.q, c.v, c.a);
          for (size_t i = 0; i < n; ++i)
            EXPECT_NEAR(found(i, 0), taken[i].d[0], 1e-12) << joint.name << " " << part;
        }
  });
}

}  // namespace
}  // namespace jounce::test

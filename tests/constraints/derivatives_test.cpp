// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of constrained dynamics: the five-bar's in 50 digits, and on random loops against
// differences along motions that keep the loops closed.
#include <gtest/gtest.h>

#include "constraints/closed_curve.hpp"
#include "constraints/counted_states.hpp"
#include "constraints/mechanisms.hpp"
#include "constraints/random_loops.hpp"
#include "constraints/vectors.hpp"
#include "support/largest.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

TEST(ConstrainedDerivatives, OfTheFiveBar) {
  ConstrainedDerivatives derivatives(load("builtin:five_bar"));
  const Vector q = Eigen::Vector4d(2, -1.0187957003519148, 1, 1.0732881017505773);
  const Vector v = Eigen::Vector4d(1.5, -2.044528394613004, -0.7, 1.669196553413427);
  const auto d = derivatives.forward(q, v, Eigen::Vector4d(0.3, 0, -0.2, 0));
  Matrix dq(4, 4), dv(4, 4), dtau(4, 4);
  dq << 3.077269541868899, 29.08440062844625, 37.27591122943126, 23.83041897237768,
      77.4121478685402, -42.4003103369371, -107.98624960033347, -103.06623615872485,
      -28.986612304063474, -17.750793513172713, 64.95851389767749, 62.40788452155434,
      83.10892451708582, 36.60210757262136, -80.6600052593241, -102.91809979001285;
  dv << 0.17911706038348355, 1.1081067468713917, 0.15678805796160883, 0.19970089516926362,
      1.321668932297874, -1.7497242335660772, -0.569036968653102, -0.9282149014286954,
      0.556153990895825, 0.3104503554411892, 0.9813745460755241, 1.4967194315391696,
      -1.1405411877520528, -1.3115857157696746, -0.3102779701550863, -2.1757168239779725;
  dtau << 113.90957634487685, -142.3632512659234, -33.61726732915318, 106.94193406945914,
      -142.3632512659234, 221.58329758761886, 108.15975954212172, -200.73406927226046,
      -33.61726732915318, 108.15975954212172, 110.13414305260805, -133.188559796967,
      106.94193406945914, -200.73406927226046, -133.188559796967, 203.46272512081833;
  EXPECT_LE(largest(d.da_dq - dq), 1e-12 * largest(dq));
  EXPECT_LE(largest(d.da_dv - dv), 1e-12 * largest(dv));
  EXPECT_LE(largest(d.da_dtau - dtau), 1e-12 * largest(dtau));
}

class DerivativesOfLoops : public CountedStates {
 protected:
  using Curve = ClosedCurve;

  void SetUp() override {
    for (const bool mimic : {false, true})
      robots.emplace_back(std::make_unique<LoopedRobot>(GetParam(), 1 + GetParam() % 3, mimic));
  }
  std::vector<std::unique_ptr<LoopedRobot>> robots;
};

TEST_P(DerivativesOfLoops, Forward) {
  for (const auto& x : robots) {
    const Surroundings around = x->motion.around();
    const ConstrainedForward f = x->dyn.forward(x->q, x->v, x->tau, around);
    if (!compares(f.rank_margin >= 1e-2 && x->dyn.mobility() > 0)) continue;
    ConstrainedDerivatives derivatives(x->robot);
    const auto d = derivatives.forward(x->q, x->v, x->tau, around);
    const Curve curve(x->dyn, x->q, x->v);
    const auto at = [&](double t) -> Vector {
      return x->dyn.forward(curve.q(t), curve.v(t), x->tau, around).a;
    };
    const Vector found = d.da_dq * curve.dq() + d.da_dv * curve.dv();
    const Vector differences = Curve::rate(at);
    const double scale = largest(d.da_dq) * largest(curve.dq()) + largest(f.a);
    EXPECT_LE(largest(found - differences), 2e-6 * scale) << "seed " << GetParam();
    const Vector push = x->motion.random(x->robot.nv());
    const Vector more = x->dyn.forward(x->q, x->v, x->tau + push, around).a;
    EXPECT_LE(largest(d.da_dtau * push - (more - f.a)), 1e-9 * (largest(more) + largest(f.a)))
        << "seed " << GetParam();
    const Matrix A = x->dyn.jacobian(x->q);
    EXPECT_LE(largest(A * d.da_dtau), 1e-9 * largest(A) * largest(d.da_dtau));
  }
}

TEST_P(DerivativesOfLoops, Hybrid) {
  for (const auto& x : robots) {
    const int n = x->robot.nv();
    const Surroundings around = x->motion.around();
    const ConstrainedForward f = x->dyn.forward(x->q, x->v, x->tau, around);
    const bool moves = f.rank_margin >= 1e-2 && x->dyn.mobility() > 0;
    if (!moves) {
      compares(false);
      continue;
    }
    // as many coordinates prescribed as can move: forces are unique then
    const auto flags = std::make_unique<bool[]>(size_t(n));
    const std::span<const bool> prescribed(flags.get(), size_t(n));
    ConstrainedHybrid hybrid;
    for (int k = 0; k < n; ++k) {
      flags[size_t(k)] = true;
      hybrid = x->dyn.hybrid(prescribed, x->q, x->v, f.a, x->tau, around);
      if (hybrid.free_dimension > 0) flags[size_t(k)] = false;
      if (k % 3 == 2) flags[size_t(k)] = false;
    }
    hybrid = x->dyn.hybrid(prescribed, x->q, x->v, f.a, x->tau, around);
    if (!compares(hybrid.rank_margin >= 1e-2)) continue;
    ConstrainedDerivatives derivatives(x->robot);
    const auto d = derivatives.hybrid(prescribed, x->q, x->v, f.a, x->tau, around);
    const Curve curve(x->dyn, x->q, x->v);
    const auto at = [&](double t) -> Vector {
      const ConstrainedHybrid h =
          x->dyn.hybrid(prescribed, curve.q(t), curve.v(t), f.a, x->tau, around);
      return chosen(prescribed, h.tau, h.a);
    };
    const Vector found = d.dq * curve.dq() + d.dv * curve.dv();
    const Vector differences = Curve::rate(at);
    EXPECT_LE(largest(found - differences),
              1e-5 * (largest(d.dq) * largest(curve.dq()) + largest(at(0))))
        << "seed " << GetParam();
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, DerivativesOfLoops, testing::Range(1, 31));

/// The ground holds a frame where it is: differences in every direction are of the same rows.
void expect_contact_derivatives(const Robot& robot, std::span<const Contact> contacts) {
  ConstrainedDynamics dyn(robot);
  ConstrainedDerivatives derivatives(robot);
  const int n = robot.nv();
  const std::vector<double> q = robot.random(3);
  const Vector v = dyn.project(q, Vector::LinSpaced(n, -0.8, 0.6), contacts);
  const Vector tau = Vector::LinSpaced(n, 2, -3);
  const auto flags = std::make_unique<bool[]>(size_t(n));
  flags[size_t(n - 1)] = true;
  const std::span<const bool> held(flags.get(), size_t(n));
  const auto both = [](const auto& a, const auto& b) {
    Matrix all(a.rows() + b.rows(), a.cols());
    all << Matrix(a), Matrix(b);
    return all;
  };
  const auto at = [&](const std::vector<double>& there, const Vector& speed) -> Matrix {
    const ConstrainedForward f = dyn.forward(there, speed, tau, {}, contacts);
    const ConstrainedHybrid h = dyn.hybrid(held, there, speed, tau, tau, {}, contacts);
    Vector unknown = h.a;
    unknown[n - 1] = h.tau[n - 1];
    return both(both(f.a, f.lambda), both(unknown, h.lambda));
  };
  const auto f = derivatives.forward(q, v, tau, {}, contacts);
  const auto h = derivatives.hybrid(held, q, v, tau, tau, {}, contacts);
  const Matrix by_q = both(both(f.da_dq, f.dlambda_dq), both(h.dq, h.dlambda_dq));
  const Matrix by_v = both(both(f.da_dv, f.dlambda_dv), both(h.dv, h.dlambda_dv));
  const double step = 1e-5;
  for (int k = 0; k < n; ++k) {
    std::vector<double> along(size_t(n), 0.0), more(q), less(q);
    along[size_t(k)] = step;
    robot.integrate(q, along, more);
    along[size_t(k)] = -step;
    robot.integrate(q, along, less);
    const Matrix slope = (at(more, v) - at(less, v)) / (2 * step);
    EXPECT_LE(largest(by_q.col(k) - slope), 1e-6 * largest(by_q)) << robot.name() << ", q " << k;
    const Vector push = Vector::Unit(n, k) * step;
    const Matrix rate = (at(q, v + push) - at(q, v - push)) / (2 * step);
    EXPECT_LE(largest(by_v.col(k) - rate), 1e-6 * largest(by_v)) << robot.name() << ", v " << k;
  }
}
TEST(ConstrainedDerivatives, OfContacts) {
  const Robot quadruped = load("builtin:quadruped"), arm = load("builtin:arm7");
  const Contact feet[] = {{quadruped.frame("front_left_foot"), LoopKind::point},
                          {quadruped.frame("hind_right_foot"), LoopKind::fixed},
                          {quadruped.frame("hind_left_foot"), LoopKind::planar}};
  const Contact tip[] = {{arm.frame("flange"), LoopKind::revolute}};
  expect_contact_derivatives(quadruped, feet);
  expect_contact_derivatives(arm, tip);
  expect_contact_derivatives(arm, {});
}

TEST(ConstrainedDerivatives, OfInverseDynamics) {
  ConstrainedDynamics dyn(load("builtin:five_bar"));
  ConstrainedDerivatives derivatives(dyn.robot());
  // a curve of closed states by the motors' angles: velocities and accelerations along it
  const auto closed = [&](double t) {
    const bool kept[] = {true, false, true, false};
    const Vector guess = Eigen::Vector4d(2.1 + t, -1.1, 1 - 0.4 * t, 1.1);
    return dyn.assemble(guess, kept).q;
  };
  const double h = 1e-4;
  const auto v = [&](double t) -> Vector { return (closed(t + h) - closed(t - h)) / (2 * h); };
  const Vector q = closed(0);
  const auto consistent = [&](double t) -> Vector {  // accelerations that suit the loop there
    const bool two[] = {true, false, true, false};
    return dyn
        .hybrid(two, closed(t), dyn.project(closed(t), v(t)), Eigen::Vector4d(1, 0, 2, 0),
                Vector::Zero(4))
        .a;
  };
  const auto speed = [&](double t) -> Vector { return dyn.project(closed(t), v(t)); };
  const auto tau = [&](double t) -> Vector {
    return dyn.inverse(closed(t), speed(t), consistent(t)).tau;
  };
  const auto d = derivatives.inverse(q, speed(0), consistent(0));
  const double s = 1e-3;
  const auto rate = [&](auto f) -> Vector { return (f(s) - f(-s)) / (2 * s); };
  const Vector found =
      d.dtau_dq * rate(closed) + d.dtau_dv * rate(speed) + d.dtau_da * rate(consistent);
  EXPECT_LE(largest(found - rate(tau)), 1e-5 * largest(rate(tau)));
}

}  // namespace
}  // namespace jounce::test

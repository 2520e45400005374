// SPDX-License-Identifier: BSD-3-Clause
// Steps on the configuration manifold: the rate of exponential coordinates against differences, and
// the order on every kind of joint that is not flat.
#include <jounce/integrators/manifold_steps.hpp>
#include <jounce/simulation.hpp>

#include "matrices/cases.hpp"

namespace jounce::test {
namespace {

/// d/dt (q (+) u(t)) has the velocity v where udot = tangent_rate(u, v).
TEST(ManifoldSteps, TangentRateByDifferences) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(60); ++seed) {
    Case c(seed, 12);
    const size_t n = size_t(c.robot.nv());
    const Vector u = c.random();
    Vector rate(c.robot.nv()), velocity = c.v;
    const auto span = [](Vector& x) { return std::span<double>(x.data(), size_t(x.size())); };
    tangent_rate(factors(c.robot.system()), u.data(), c.v.data(), rate.data());
    const std::vector<Factor> runs = in_runs(factors(c.robot.system()));
    const auto at = [&](double t) {
      std::vector<double> q(size_t(c.robot.nq())), same(q);
      Vector moved = u + t * rate;
      c.robot.integrate(span(c.q), span(moved), q);
      move_along<double>(runs, c.q.data(), moved.data(), same.data());
      EXPECT_EQ(same, q) << "in runs";
      return q;
    };
    const auto step = [&](double h) {
      std::vector<double> dv(n);
      c.robot.difference(at(-h), at(h), dv);
      return Vector(Vector::Map(dv.data(), int(n)) / (2 * h));
    };
    const Vector found = (4 * step(1e-3) - step(2e-3)) / 3;  // error of fourth order
    EXPECT_TRUE(within(1e-9, found, velocity, c));
    Vector again(rate.size());
    tangent_rate<double>(runs, u.data(), c.v.data(), again.data());
    EXPECT_EQ(again, rate);
  }
}

/// One body on each kind of joint that bends, and a tree of them.
std::vector<Robot> bending_robots() {
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

/// Of rk4, rodas4 and the variational integrator, on every kind of joint that bends.
TEST(ManifoldSteps, KeepTheOrder) {
  const struct {
    Integrator integrator;
    int order;
  } methods[] = {{Integrator::rk4, 4}, {Integrator::rodas4, 4}, {Integrator::variational, 2}};
  for (const Robot& robot : bending_robots()) {
    const std::vector<double> q = robot.random(2), v(size_t(robot.nv()), 0.7);
    const auto end = [&](const SimulationOptions& options) {
      Simulation sim(robot, options);
      SimulationState x = sim.start(q, v);
      sim.run(x, 0.2, {.energy = false});
      return x;
    };
    const SimulationState exact =
        end({.integrator = Integrator::taylor, .tol = 1e-13, .passive = false});
    for (const auto& one : methods) {
      const auto error = [&](double step) {
        const bool chosen = one.integrator == Integrator::variational;
        const SimulationState x = end({.integrator = one.integrator,
                                       .step = step,
                                       .order = chosen ? one.order : 0,
                                       .passive = false});
        std::vector<double> dq(v.size());
        robot.difference(exact.q, x.q, dq);
        double sum = 0;
        for (size_t k = 0; k < dq.size(); ++k)
          sum += dq[k] * dq[k] + (x.v[k] - exact.v[k]) * (x.v[k] - exact.v[k]);
        return std::sqrt(sum);
      };
      const double coarse = error(0.2 / 64), fine = error(0.2 / 128);
      EXPECT_NEAR(std::log2(coarse / fine), one.order, 0.4)
          << robot.name() << " " << name(one.integrator) << " " << coarse;
      EXPECT_GT(fine, 1e-12) << "nothing but rounding was measured";
    }
  }
}

}  // namespace
}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// A vector that a call returned may be the configuration of the next one.
#include <gtest/gtest.h>

#include <functional>
#include <jounce/dynamics_of.hpp>
#include <jounce/jounce.hpp>
#include <jounce/model/generate.hpp>

#include "support/random.hpp"
#include "support/scale.hpp"

namespace jounce {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using test::scaled;

/// Robots whose q and v are of one size; springs read q to the last.
TEST(Dynamics, ResultsMayBeConfigurations) {
  for (int seed = 0; seed < scaled(30); ++seed) {
    const Robot robot(generate({.shape = TreeShape(seed % 4),
                                .bodies = 3 + seed % 9,
                                .kinds = {JointKind::revolute, JointKind::prismatic},
                                .mimic = seed % 2 == 0,
                                .passive = seed % 3 != 0,
                                .seed = std::uint64_t(seed)}));
    Dynamics d(robot);
    d.reserve_second_derivatives();
    test::Random rng{std::uint64_t(seed)};
    Vector q(robot.nq()), v(robot.nv()), a(robot.nv());
    for (Vector* x : {&q, &v, &a})
      for (double& number : *x) number = rng.uniform(-1, 1);
    d.factor_mass(q);
    const auto flags = std::make_unique<bool[]>(size_t(robot.nv()));
    for (int k = 0; k < robot.nv(); ++k) flags[size_t(k)] = k % 2 == 0;
    const std::span<const bool> some(flags.get(), size_t(robot.nv()));
    const Matrix motion = Matrix::Constant(robot.nv(), 3, 0.2);
    const std::function<VectorView()> views[] = {
        [&] { return d.mass_solve(v); },
        [&] { return d.inverse(q, v, a); },
        [&] { return d.forward(q, v, a); },
        [&] { return d.hybrid(some, q, v, a, a).a; },
        [&] { return d.hybrid(some, q, v, a, a).tau; },
        [&] { return d.inverse_vector_jacobian(v, q, v, a).dq; },
        [&] { return d.inverse_vector_jacobian(v, q, v, a).dv; },
        [&] { return d.forward_vector_jacobian(v, q, v, a).da; },
        [&] { return d.inverse_jacobian_vector(q, v, a, v, a, a); },
        [&] { return d.forward_jacobian_vector(q, v, a, v, a, a); },
        [&] { return d.energy_derivatives(q, v).potential_dq; }};
    const std::function<double(const VectorArg&)> calls[] = {
        [&](const VectorArg& x) { return d.inverse(x, v, a).sum(); },
        [&](const VectorArg& x) { return d.forward(x, v, a).sum(); },
        [&](const VectorArg& x) { return d.hybrid(some, x, v, a, a).tau.sum(); },
        [&](const VectorArg& x) { return d.hybrid(some, x, v, a, a).a.sum(); },
        [&](const VectorArg& x) { return d.mass(x).sum(); },
        [&](const VectorArg& x) { return d.mass_inverse(x).sum(); },
        [&](const VectorArg& x) { return d.bias(x, v).sum(); },
        [&](const VectorArg& x) { return d.gravity(x).sum(); },
        [&](const VectorArg& x) { return d.energy(x, v).potential; },
        [&](const VectorArg& x) { return d.coriolis(x, v).matrix.sum(); },
        [&](const VectorArg& x) { return d.inverse_passive(x, v, v, a).sum(); },
        [&](const VectorArg& x) { return d.power_balance(x, v, a).passive; },
        [&](const VectorArg& x) { return d.energy_rate(x, v, a).kinetic; },
        [&](const VectorArg& x) { return d.inverse_derivatives(x, v, a).dtau_dq.sum(); },
        [&](const VectorArg& x) { return d.forward_derivatives(x, v, a).da_dq.sum(); },
        [&](const VectorArg& x) { return d.hybrid_derivatives(some, x, v, a, a).dq.sum(); },
        [&](const VectorArg& x) { return d.inverse_vector_jacobian(v, x, v, a).dq.sum(); },
        [&](const VectorArg& x) { return d.forward_vector_jacobian(v, x, v, a).dq.sum(); },
        [&](const VectorArg& x) { return d.inverse_jacobian_vector(x, v, a, v, a, a).sum(); },
        [&](const VectorArg& x) { return d.forward_jacobian_vector(x, v, a, v, a, a).sum(); },
        [&](const VectorArg& x) { return d.energy_derivatives(x, v).kinetic_dq.sum(); },
        [&](const VectorArg& x) {
          return d.inverse_second_derivatives(x, v, a).d2tau_dqdq.slice(0).sum();
        },
        [&](const VectorArg& x) {
          return d.forward_second_derivatives(x, v, a).d2a_dqdq.slice(0).sum();
        },
        [&](const VectorArg& x) { return d.inverse_second_products(v, x, v, a).dqdq.sum(); },
        [&](const VectorArg& x) { return d.forward_second_products(v, x, v, a).dqdq.sum(); },
        [&](const VectorArg& x) { return d.inverse_series(x, motion, 1).sum(); },
        [&](const VectorArg& x) { return d.forward_series(x, v, motion, 1).sum(); },
        [&](const VectorArg& x) { return d.hybrid_series(some, x, motion, motion, 1).taus.sum(); }};
    for (const auto& view : views)
      for (const auto& call : calls) {
        const Vector copy = view();
        const double expected = call(copy);
        EXPECT_EQ(call(view()), expected) << seed << ' ' << &view - views << ' ' << &call - calls;
      }
  }
}

TEST(DynamicsOf, ResultsMayBeConfigurations) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Robot robot(generate({.bodies = 3 + int(seed),
                                .kinds = {JointKind::revolute, JointKind::prismatic},
                                .mimic = seed % 2 == 0,
                                .passive = true,
                                .seed = seed}));
    DynamicsOf<double> door(robot);
    const std::vector<double> q = robot.random(seed), x(size_t(robot.nv()), 0.3);
    const auto flags = std::make_unique<bool[]>(x.size());
    flags[0] = true;
    const std::span<const bool> first(flags.get(), x.size());
    using View = std::span<const double>;
    const auto copy = [](View y) { return std::vector(y.begin(), y.end()); };
    const std::function<View()> views[] = {[&] { return door.inverse(q, x, x); },
                                           [&] { return door.forward(q, x, x); },
                                           [&] { return door.hybrid(first, q, x, x, x).tau; }};
    const std::function<std::vector<double>(View)> calls[] = {
        [&](View y) { return copy(door.inverse(y, x, x)); },
        [&](View y) { return copy(door.forward(y, x, x)); },
        [&](View y) { return copy(door.hybrid(first, y, x, x, x).a); },
        [&](View y) { return copy(door.hybrid(first, y, x, x, x).tau); },
        [&](View y) { return copy(door.bias(y, x)); },
        [&](View y) { return std::vector{door.power_balance(y, x, x).passive}; }};
    for (const auto& view : views)
      for (const auto& call : calls) {
        const std::vector<double> given = copy(view()), expected = call(given);
        EXPECT_EQ(call(view()), expected) << seed;
      }
  }
}

}  // namespace
}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// What a call refuses it refuses under its own name, whichever calls it is made of.
#include <gtest/gtest.h>

#include <functional>
#include <jounce/jounce.hpp>

#include "support/message.hpp"

namespace jounce {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Arguments = std::vector<VectorXd>;

/// A call that takes so many vectors of nv numbers.
struct Call {
  std::string name;
  std::vector<std::string> arguments;
  std::function<void(const Arguments&)> run;
};

std::vector<Call> calls_of_dynamics(Dynamics& d, std::span<const bool> flags) {
  const std::vector<std::string> qv{"q", "v"}, qva{"q", "v", "a"}, qvtau{"q", "v", "tau"},
      yqva{"y", "q", "v", "a"}, yqvtau{"y", "q", "v", "tau"};
  return {
      {"kinematics", qva, [&](auto& x) { d.kinematics(x[0], x[1], x[2]); }},
      {"inverse", qva, [&](auto& x) { d.inverse(x[0], x[1], x[2]); }},
      {"forward", qvtau, [&](auto& x) { d.forward(x[0], x[1], x[2]); }},
      {"hybrid",
       {"q", "v", "a", "tau"},
       [&, flags](auto& x) { d.hybrid(flags, x[0], x[1], x[2], x[3]); }},
      {"mass", {"q"}, [&](auto& x) { d.mass(x[0]); }},
      {"mass_inverse", {"q"}, [&](auto& x) { d.mass_inverse(x[0]); }},
      {"mass_factors", {"q"}, [&](auto& x) { d.mass_factors(x[0]); }},
      {"factor_mass", {"q"}, [&](auto& x) { d.factor_mass(x[0]); }},
      {"mass_solve", {"x"}, [&](auto& x) { d.mass_solve(x[0]); }},
      {"bias", qv, [&](auto& x) { d.bias(x[0], x[1]); }},
      {"gravity", {"q"}, [&](auto& x) { d.gravity(x[0]); }},
      {"energy", qv, [&](auto& x) { d.energy(x[0], x[1]); }},
      {"jacobian", {"q"}, [&](auto& x) { d.jacobian(FrameId(0), Representation::body, x[0]); }},
      {"coriolis", qv, [&](auto& x) { d.coriolis(x[0], x[1]); }},
      {"inverse_passive",
       {"q", "v", "v_r", "a_r"},
       [&](auto& x) { d.inverse_passive(x[0], x[1], x[2], x[3]); }},
      {"centroidal", qv, [&](auto& x) { d.centroidal(x[0], x[1]); }},
      {"momentum", qv, [&](auto& x) { d.momentum(x[0], x[1]); }},
      {"energy_rate", qva, [&](auto& x) { d.energy_rate(x[0], x[1], x[2]); }},
      {"power_balance", qva, [&](auto& x) { d.power_balance(x[0], x[1], x[2]); }},
      {"joint_wrenches", qva, [&](auto& x) { d.joint_wrenches(x[0], x[1], x[2]); }},
      {"zero_moment_point", qva, [&](auto& x) { d.zero_moment_point(x[0], x[1], x[2]); }},
      {"inverse_derivatives", qva, [&](auto& x) { d.inverse_derivatives(x[0], x[1], x[2]); }},
      {"forward_derivatives", qvtau, [&](auto& x) { d.forward_derivatives(x[0], x[1], x[2]); }},
      {"hybrid_derivatives",
       {"q", "v", "a", "tau"},
       [&, flags](auto& x) { d.hybrid_derivatives(flags, x[0], x[1], x[2], x[3]); }},
      {"inverse_vector_jacobian", yqva,
       [&](auto& x) { d.inverse_vector_jacobian(x[0], x[1], x[2], x[3]); }},
      {"forward_vector_jacobian", yqvtau,
       [&](auto& x) { d.forward_vector_jacobian(x[0], x[1], x[2], x[3]); }},
      {"inverse_jacobian_vector",
       {"q", "v", "a", "dq", "dv", "da"},
       [&](auto& x) { d.inverse_jacobian_vector(x[0], x[1], x[2], x[3], x[4], x[5]); }},
      {"forward_jacobian_vector",
       {"q", "v", "tau", "dq", "dv", "dtau"},
       [&](auto& x) { d.forward_jacobian_vector(x[0], x[1], x[2], x[3], x[4], x[5]); }},
      {"momentum_derivatives", qva, [&](auto& x) { d.momentum_derivatives(x[0], x[1], x[2]); }},
      {"energy_derivatives", qv, [&](auto& x) { d.energy_derivatives(x[0], x[1]); }},
      {"inverse_second_derivatives", qva,
       [&](auto& x) { d.inverse_second_derivatives(x[0], x[1], x[2]); }},
      {"forward_second_derivatives", qvtau,
       [&](auto& x) { d.forward_second_derivatives(x[0], x[1], x[2]); }},
      {"inverse_second_products", yqva,
       [&](auto& x) { d.inverse_second_products(x[0], x[1], x[2], x[3]); }},
      {"forward_second_products", yqvtau,
       [&](auto& x) { d.forward_second_products(x[0], x[1], x[2], x[3]); }},
      {"mass_derivatives", {"q"}, [&](auto& x) { d.mass_derivatives(x[0]); }},
      {"mass_second_derivative", {"q"}, [&](auto& x) { d.mass_second_derivative(x[0], 0, 1); }},
      {"inverse_series", {"q"}, [&](auto& x) { d.inverse_series(x[0], MatrixXd::Zero(7, 2)); }},
      {"forward_series", qv, [&](auto& x) { d.forward_series(x[0], x[1], MatrixXd::Zero(7, 1)); }},
      {"hybrid_series",
       {"q"},
       [&, flags](auto& x) {
         d.hybrid_series(flags, x[0], MatrixXd::Zero(7, 2), MatrixXd::Zero(7, 1), 0);
       }},
      {"kinematics_series", {"q"}, [&](auto& x) {
         d.kinematics_series(x[0], MatrixXd::Zero(7, 1), 0);
       }}};
}

TEST(Callers, AreNamedWhereAnArgumentIsWrong) {
  Dynamics d(load("builtin:arm7"));
  d.reserve_second_derivatives();
  d.factor_mass(VectorXd::Zero(7));
  const bool flags[] = {true, false, true, false, true, false, true};
  for (const Call& call : calls_of_dynamics(d, flags)) {
    const Arguments good(call.arguments.size(), VectorXd::Constant(7, 0.1));
    EXPECT_EQ(test::message([&] { call.run(good); }), "no error") << call.name;
    for (size_t k = 0; k < good.size(); ++k) {
      const std::string start = call.name + ": " + call.arguments[k];
      Arguments bad = good;
      bad[k] = VectorXd::Zero(6);
      EXPECT_EQ(test::message([&] { call.run(bad); }),
                start + " has 6 elements, robot \"arm7\" needs 7");
      bad[k] = good[k];
      bad[k][2] = NAN;
      EXPECT_EQ(test::message([&] { call.run(bad); }), start + "[2] is NaN");
    }
  }
}

TEST(Callers, AreNamedWhereAWrenchIsWrong) {
  const Robot arm = load("builtin:arm7");
  Dynamics d(arm);
  d.reserve_second_derivatives();
  const VectorXd x = VectorXd::Constant(7, 0.1);
  const OutsideWrench<double> wrenches[] = {{FrameId(0), {}}, {FrameId(1), {{}, {0, INFINITY, 0}}}};
  const Surroundings around{.wrenches = wrenches};
  const bool flags[7] = {};
  const std::pair<std::string, std::function<void()>> calls[] = {
      {"inverse", [&] { d.inverse(x, x, x, around); }},
      {"forward", [&] { d.forward(x, x, x, around); }},
      {"hybrid", [&] { d.hybrid(flags, x, x, x, x, around); }},
      {"power_balance", [&] { d.power_balance(x, x, x, around); }},
      {"joint_wrenches", [&] { d.joint_wrenches(x, x, x, Representation::body, around); }},
      {"zero_moment_point", [&] { d.zero_moment_point(x, x, x, {}, around); }},
      {"inverse_derivatives", [&] { d.inverse_derivatives(x, x, x, around); }},
      {"forward_derivatives", [&] { d.forward_derivatives(x, x, x, around); }},
      {"hybrid_derivatives", [&] { d.hybrid_derivatives(flags, x, x, x, x, around); }},
      {"inverse_vector_jacobian", [&] { d.inverse_vector_jacobian(x, x, x, x, around); }},
      {"forward_vector_jacobian", [&] { d.forward_vector_jacobian(x, x, x, x, around); }},
      {"inverse_jacobian_vector", [&] { d.inverse_jacobian_vector(x, x, x, x, x, x, around); }},
      {"forward_jacobian_vector", [&] { d.forward_jacobian_vector(x, x, x, x, x, x, around); }},
      {"inverse_second_derivatives", [&] { d.inverse_second_derivatives(x, x, x, around); }},
      {"forward_second_derivatives", [&] { d.forward_second_derivatives(x, x, x, around); }},
      {"inverse_second_products", [&] { d.inverse_second_products(x, x, x, x, around); }},
      {"forward_second_products", [&] { d.forward_second_products(x, x, x, x, around); }}};
  for (const auto& [name, call] : calls)
    EXPECT_EQ(test::message(call),
              name + ": wrenches[1] on \"" + arm.frames()[1].name + "\" is not finite");
}

}  // namespace
}  // namespace jounce

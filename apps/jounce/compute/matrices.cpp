// SPDX-License-Identifier: BSD-3-Clause
// jounce compute coriolis | momentum | regressor.
#include <jounce/regressor.hpp>

#include "apps/jounce/compute/quantity.hpp"

namespace jounce::app {
namespace {

Factorization factorization_of(const std::string& name) {
  if (name == "plain") return Factorization::plain;
  if (name == "ploen") return Factorization::ploen;
  return name == "lie" ? Factorization::lie : Factorization::christoffel;
}

Json coriolis(ComputeContext& c, const Json& state) {
  const CoriolisResult found = c.dynamics.coriolis(numbers(state, "q"), numbers(state, "v"),
                                                   factorization_of(c.factorization));
  return {{"matrix", rows_of(found.matrix)}, {"mass_rate", rows_of(found.mass_rate)}};
}

/// Angular part first, about the com, in ground axes.
Json momentum(ComputeContext& c, const Json& state) {
  const Momentum<double> found = c.dynamics.momentum(numbers(state, "q"), numbers(state, "v"));
  const auto& [m, f] = found.about_com;
  return {{"momentum", {m.x, m.y, m.z, f.x, f.y, f.z}},
          {"com", {found.com.x, found.com.y, found.com.z}}};
}

Json regressor(ComputeContext& c, const Json& state) {
  Regressor of(c.robot);
  Json bodies = Json::array();
  for (const LinkDescription& link : c.robot.description().links) bodies.push_back(link.name);
  return {
      {"matrix", rows_of(of.force(numbers(state, "q"), numbers(state, "v"), numbers(state, "a")))},
      {"bodies", std::move(bodies)}};
}

}  // namespace

std::span<const Quantity> matrix_quantities() {
  static constexpr Quantity quantities[] = {
      {"coriolis", coriolis}, {"momentum", momentum}, {"regressor", regressor}};
  return quantities;
}

}  // namespace jounce::app

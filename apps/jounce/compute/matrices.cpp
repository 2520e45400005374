// SPDX-License-Identifier: BSD-3-Clause
// jounce compute coriolis | momentum | regressor.
#include <jounce/regressor.hpp>

#include "apps/jounce/compute/quantity.hpp"

namespace jounce::app::quantity {
namespace {

Factorization factorization_of(const std::string& name) {
  if (name == "plain") return Factorization::plain;
  if (name == "ploen") return Factorization::ploen;
  return name == "lie" ? Factorization::lie : Factorization::christoffel;
}

}  // namespace

Json coriolis(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  const CoriolisMatrices found = c.dynamics->coriolis(x.q, x.v, factorization_of(c.factorization));
  return {{"matrix", rows_of(found.matrix)}, {"mass_rate", rows_of(found.mass_rate)}};
}

/// Angular part first, about the com, in ground axes.
Json momentum(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  const Momentum<double> found = c.dynamics->momentum(x.q, x.v, ground_motion(state));
  const auto numbers = [](const Wrench<double>& h) -> Json {
    return {h.m.x, h.m.y, h.m.z, h.f.x, h.f.y, h.f.z};
  };
  return {{"momentum", numbers(found.about_com)},
          {"momentum_origin", numbers(about_origin(found))},
          {"com", {found.com.x, found.com.y, found.com.z}}};
}

Json regressor(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  Regressor of(c.robot);
  Json bodies = Json::array();
  for (const LinkDescription& link : c.robot.description().links) bodies.push_back(link.name);
  return {{"matrix", rows_of(of.force(x.q, x.v, x.a))}, {"bodies", std::move(bodies)}};
}

}  // namespace jounce::app::quantity

// SPDX-License-Identifier: BSD-3-Clause
// jounce compute inverse | forward | hybrid | mass | mass-inverse | gravity | bias | energy.
#include "apps/jounce/compute/quantity.hpp"

namespace jounce::app::quantity {

Json inverse(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  return {{"tau", to_json(c.dynamics->inverse(x.q, x.v, x.a, surroundings(c, state)))}};
}
Json forward(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  return {{"a", to_json(c.dynamics->forward(x.q, x.v, x.tau, surroundings(c, state)))}};
}
Json hybrid(ComputeContext& c, JsonObject& state) {
  const HybridInput x = hybrid_input(c, state);
  const HybridResult found = c.dynamics->hybrid({x.flags.get(), size_t(c.robot.nv())}, x.q, x.v,
                                                x.a, x.tau, surroundings(c, state));
  return {{"a", to_json(found.a)}, {"tau", to_json(found.tau)}};
}

Json mass(ComputeContext& c, JsonObject& state) {
  return {{"matrix", rows_of(c.dynamics->mass(coordinates(c, state)))}};
}
Json mass_inverse(ComputeContext& c, JsonObject& state) {
  return {{"matrix", rows_of(c.dynamics->mass_inverse(coordinates(c, state)))}};
}
/// v is allowed, so that one input serves gravity and bias.
Json gravity(ComputeContext& c, JsonObject& state) {
  return {{"tau", to_json(c.dynamics->gravity(vectors_of(c, state).q))}};
}
Json bias(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  return {{"tau", to_json(c.dynamics->bias(x.q, x.v, ground_motion(state)))}};
}
Json energy(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  const Energy found = c.dynamics->energy(x.q, x.v, ground_motion(state));
  return {{"kinetic", found.kinetic}, {"potential", found.potential}};
}

}  // namespace jounce::app::quantity

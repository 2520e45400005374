// SPDX-License-Identifier: BSD-3-Clause
// jounce compute assemble | assemblies.
#include <jounce/assemblies.hpp>

#include "apps/jounce/compute/quantity.hpp"
#include "io/names.hpp"

namespace jounce::app::quantity {
namespace {

/// "kept", names of joints; nothing where it is not there.
struct Kept {
  std::unique_ptr<bool[]> flags;
  size_t count = 0;

  operator std::span<const bool>() const { return {flags.get(), count}; }  // NOLINT: an argument
};
Kept kept_of(const ComputeContext& c, JsonObject& state) {
  if (state.find("kept") == nullptr) return {};
  return {joint_flags(c.robot, state, "kept"), static_cast<size_t>(c.robot.nv())};
}

/// The number of the loop that "loop" names, or of the first.
int loop_of(const ComputeContext& c, JsonObject& state) {
  const JsonValue* const given = state.find("loop");
  if (given == nullptr) return 0;
  const std::string name = state.name("loop");
  const auto loops = c.robot.loops();
  for (size_t k = 0; k < loops.size(); ++k)
    if (loops[k].name == name) return static_cast<int>(k);
  state.fail(given->offset, "the robot has no loop " + io::in_quotes(name));
}

std::string loop_name(const ComputeContext& c, int loop) {
  return loop < 0 ? "" : c.robot.loops()[static_cast<size_t>(loop)].name;
}

}  // namespace

Json assemble(ComputeContext& c, JsonObject& state) {
  const std::vector<double> guess =
      state.find("q") != nullptr ? coordinates(c, state) : c.robot.closed();
  const Assembly found = c.constrained->assemble(guess, kept_of(c, state));
  return {{"q", to_json(found.q)},
          {"converged", found.converged},
          {"residual", found.residual},
          {"iterations", found.iterations},
          {"worst_loop", loop_name(c, found.worst_loop)}};
}

Json assemblies(ComputeContext& c, JsonObject& state) {
  const std::vector<double> q = coordinates(c, state);
  const bool modes = state.find("position") != nullptr;
  if (modes && state.find("kept") != nullptr)
    state.fail(state.offset(), "\"kept\" and \"position\" exclude each other");
  if (!modes && state.find("loop") != nullptr)
    state.fail(state.offset(), "\"loop\" needs \"position\"");
  const Assemblies found =
      modes ? working_modes(c.constrained.get(), loop_of(c, state), position_of(state), q)
            : jounce::assemblies(c.constrained.get(), q, kept_of(c, state));
  Json out{{"solutions", Json::array()}, {"complete", found.complete}};
  for (const std::vector<double>& one : found.q) out["solutions"].push_back(one);
  out["discriminant"] = found.complete ? Json(found.discriminant) : Json(nullptr);
  return out;
}

}  // namespace jounce::app::quantity

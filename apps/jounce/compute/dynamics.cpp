// SPDX-License-Identifier: BSD-3-Clause
// jounce compute inverse | forward | hybrid | mass | mass-inverse | gravity | bias | energy.
#include "apps/jounce/compute/quantity.hpp"

namespace jounce::app {
namespace {

Json to_json(const VectorView& x) { return std::vector<double>(x.begin(), x.end()); }

Json inverse(ComputeContext& c, const Json& state) {
  return {{"tau", to_json(c.dynamics.inverse(numbers(state, "q"), numbers(state, "v"),
                                             numbers(state, "a"), external_wrenches(c, state)))}};
}
Json forward(ComputeContext& c, const Json& state) {
  return {{"a", to_json(c.dynamics.forward(numbers(state, "q"), numbers(state, "v"),
                                           numbers(state, "tau"), external_wrenches(c, state)))}};
}

}  // namespace

std::unique_ptr<bool[]> prescribed_flags(const Robot& robot, const Json& state) {
  auto flags = std::make_unique<bool[]>(static_cast<size_t>(robot.nv()));
  const auto found = state.find("prescribed");
  if (found == state.end()) throw InputError("\"prescribed\" is missing");
  if (!found->is_array()) throw InputError("\"prescribed\" must be a list of joint names");
  for (const Json& entry : *found) {
    if (!entry.is_string()) throw InputError("\"prescribed\" must be a list of joint names");
    const std::string text = entry.get<std::string>();
    const size_t colon = text.rfind(':');
    const JointInfo& joint = robot.joint(text.substr(0, colon));
    int first = 0, last = joint.nv;
    if (colon != std::string::npos) {
      first = std::atoi(text.c_str() + colon + 1);
      last = first + 1;
      if (first < 0 || last > joint.nv ||
          text.find_first_not_of("0123456789", colon + 1) != std::string::npos)
        throw InputError("\"prescribed\": \"" + text + "\" names no coordinate of joint \"" +
                         joint.name + "\", which has " + std::to_string(joint.nv));
    }
    for (int k = first; k < last; ++k) flags[static_cast<size_t>(joint.v + k)] = true;
  }
  return flags;
}

namespace {

/// A vector at full length in which unknown entries are null.
std::vector<double> numbers_or_null(const Json& state, const char* key, int n,
                                    const std::function<bool(int)>& needed) {
  const auto found = state.find(key);
  if (found == state.end() || !found->is_array())
    throw InputError("\"" + std::string(key) + "\" must be a list of numbers and nulls");
  if (found->size() != static_cast<size_t>(n))
    throw InputError("\"" + std::string(key) + "\" has " + std::to_string(found->size()) +
                     " elements, needs " + std::to_string(n));
  std::vector<double> x(static_cast<size_t>(n));
  for (int k = 0; k < n; ++k) {
    const Json& entry = (*found)[static_cast<size_t>(k)];
    if (entry.is_number()) x[static_cast<size_t>(k)] = entry.get<double>();
    else if (!entry.is_null() || needed(k))
      throw InputError("\"" + std::string(key) + "\"[" + std::to_string(k) + "] must be a number");
  }
  return x;
}

Json hybrid(ComputeContext& c, const Json& state) {
  const HybridInput x = hybrid_input(c, state);
  const HybridResult found =
      c.dynamics.hybrid({x.flags.get(), size_t(c.robot.nv())}, numbers(state, "q"),
                        numbers(state, "v"), x.a, x.tau, external_wrenches(c, state));
  return {{"a", to_json(found.a)}, {"tau", to_json(found.tau)}};
}

Json mass(ComputeContext& c, const Json& state) {
  return {{"matrix", rows_of(c.dynamics.mass(numbers(state, "q")))}};
}
Json mass_inverse(ComputeContext& c, const Json& state) {
  return {{"matrix", rows_of(c.dynamics.mass_inverse(numbers(state, "q")))}};
}
Json gravity(ComputeContext& c, const Json& state) {
  return {{"tau", to_json(c.dynamics.gravity(numbers(state, "q")))}};
}
Json bias(ComputeContext& c, const Json& state) {
  return {{"tau", to_json(c.dynamics.bias(numbers(state, "q"), numbers(state, "v")))}};
}
Json energy(ComputeContext& c, const Json& state) {
  const Energy found = c.dynamics.energy(numbers(state, "q"), numbers(state, "v"));
  return {{"kinetic", found.kinetic}, {"potential", found.potential}};
}

}  // namespace

std::span<const Quantity> dynamic_quantities() {
  static constexpr Quantity quantities[] = {
      {"inverse", inverse},           {"forward", forward}, {"hybrid", hybrid}, {"mass", mass},
      {"mass-inverse", mass_inverse}, {"gravity", gravity}, {"bias", bias},     {"energy", energy}};
  return quantities;
}

std::vector<ExternalWrench> external_wrenches(const ComputeContext& context, const Json& state) {
  std::vector<ExternalWrench> external;
  if (!state.contains("f_ext")) return external;
  const Json& all = state["f_ext"];
  if (!all.is_object()) throw InputError("\"f_ext\" must map links to six numbers");
  for (const auto& [link, value] : all.items()) {
    const std::vector<double> F = numbers(all, link.c_str());
    if (F.size() != 6)
      throw InputError("\"f_ext\" of \"" + link + "\" has " + std::to_string(F.size()) +
                       " elements, needs 6");
    external.push_back({context.robot.frame(link),
                        {{F[0], F[1], F[2]}, {F[3], F[4], F[5]}},
                        Representation::body});
  }
  return external;
}

HybridInput hybrid_input(const ComputeContext& context, const Json& state) {
  const int n = context.robot.nv();
  HybridInput x{.flags = prescribed_flags(context.robot, state), .a = {}, .tau = {}};
  x.a = numbers_or_null(state, "a", n, [&](int k) { return x.flags[size_t(k)]; });
  x.tau = numbers_or_null(state, "tau", n, [&](int k) { return !x.flags[size_t(k)]; });
  return x;
}

}  // namespace jounce::app

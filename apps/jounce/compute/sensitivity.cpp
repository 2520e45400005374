// SPDX-License-Identifier: BSD-3-Clause
// jounce compute sensitivity.
#include <jounce/sensitivity.hpp>

#include "apps/jounce/compute/quantity.hpp"
#include "io/names.hpp"

namespace jounce::app::quantity {
namespace {

/// "kind:name:component", "gravity:component", "kind:name" for component 0; a name may have colons.
Parameter parameter_of(const JsonObject& state, const JsonValue& entry) {
  const std::string& text = entry.string();
  const size_t first = text.find(':'), last = text.rfind(':');
  const auto refuse = [&] {
    state.fail(entry.offset, "\"parameters\": " + io::in_quotes(text) +
                                 " must be \"kind:name:component\" or \"gravity:component\"");
  };
  Parameter p{.kind = parameter_kind(text.substr(0, first)), .name = {}, .component = 0};
  if (first == std::string::npos) refuse();
  const std::string digits = text.substr(last + 1);
  const bool number = !digits.empty() && digits.size() < 4 &&
                      digits.find_first_not_of("0123456789") == std::string::npos;
  const bool named = p.kind != ParameterKind::gravity;
  if (number && (!named || last > first)) p.component = std::stoi(digits);
  else if (!named) refuse();
  if (named)
    p.name = text.substr(first + 1, number && last > first ? last - first - 1 : std::string::npos);
  return p;
}

std::vector<Parameter> parameters_of(JsonObject& state) {
  const JsonValue& list = state.need("parameters");
  const char* const needs = "\"parameters\" must be a list of names such as \"inertia:link_1:0\"";
  if (list.kind != JsonValue::Kind::array || list.items().empty()) state.fail(list.offset, needs);
  std::vector<Parameter> parameters;
  for (const JsonValue& entry : list.items()) {
    if (entry.kind != JsonValue::Kind::string) state.fail(entry.offset, needs);
    parameters.push_back(parameter_of(state, entry));
  }
  return parameters;
}

/// dM of every parameter: [p][i][j].
Json masses_of(Sensitivity& to, const std::vector<double>& q) {
  const Eigen::MatrixXd dM = to.mass(q);
  const int n = to.robot().nv();
  Json found = Json::array();
  for (Eigen::Index p = 0; p < dM.cols(); ++p)
    found.push_back(rows_of(Eigen::Map<const Eigen::MatrixXd>(dM.col(p).data(), n, n)));
  return found;
}

/// Forces of prescribed coordinates and accelerations of the others; the rest is given.
void add_hybrid(ComputeContext& c, JsonObject& state, Sensitivity& to, Json& out) {
  const HybridInput x = hybrid_input(c, state);
  const int n = c.robot.nv();
  const Eigen::MatrixXd found =
      to.hybrid({x.flags.get(), size_t(n)}, x.q, x.v, x.a, x.tau, surroundings(c, state));
  Eigen::MatrixXd a = found, tau = found;
  for (int k = 0; k < n; ++k) (x.flags[size_t(k)] ? a : tau).row(k).setZero();
  out["da_dp"] = rows_of(a);
  out["dtau_dp"] = rows_of(tau);
}

}  // namespace

Json sensitivity(ComputeContext& c, JsonObject& state) {
  Sensitivity to(c.robot, parameters_of(state));
  const auto has = [&](const char* key) { return state.find(key) != nullptr; };
  const bool hybrid = has("prescribed");
  Json out{{"dmass_dp", masses_of(to, coordinates(c, state))}};
  if (!has("v")) {
    for (const char* key : {"a", "tau", "prescribed", "f_ext"})
      if (has(key)) state.fail(state.offset(), io::in_quotes(key) + " needs \"v\" beside it");
    return out;
  }
  out["denergy_dp"] =
      rows_of(Eigen::MatrixXd(to.energy(coordinates(c, state), velocities(c, state, "v"))));
  if (hybrid) {
    add_hybrid(c, state, to, out);
    return out;
  }
  const StateVectors x = vectors_of(c, state);
  const StateSurroundings around = surroundings(c, state);
  if (has("a")) out["dtau_dp"] = rows_of(Eigen::MatrixXd(to.force(x.q, x.v, x.a, around)));
  if (has("tau")) out["da_dp"] = rows_of(Eigen::MatrixXd(to.acceleration(x.q, x.v, x.tau, around)));
  return out;
}

}  // namespace jounce::app::quantity

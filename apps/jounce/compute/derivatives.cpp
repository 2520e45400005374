// SPDX-License-Identifier: BSD-3-Clause
// jounce compute inverse-derivatives | forward-derivatives | hybrid-derivatives |
// inverse-second-derivatives | forward-second-derivatives.
#include "apps/jounce/compute/quantity.hpp"

namespace jounce::app::quantity {
namespace {

/// A tensor as lists of lists: [i][k][l].
Json numbers_of(const Tensor& T) {
  Json found = Json::array();
  for (int i = 0; i < T.n(); ++i) {
    Eigen::MatrixXd of_row(T.n(), T.n());
    for (int l = 0; l < T.n(); ++l) of_row.col(l) = T.slice(l).row(i);
    found.push_back(rows_of(of_row));
  }
  return found;
}

}  // namespace

Json inverse_derivatives(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  const InverseDerivatives found = c.derivatives->inverse(x.q, x.v, x.a, surroundings(c, state));
  return {{"dtau_dq", rows_of(found.dq)},
          {"dtau_dv", rows_of(found.dv)},
          {"dtau_da", rows_of(found.da)}};
}
Json forward_derivatives(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  const ForwardDerivatives found = c.derivatives->forward(x.q, x.v, x.tau, surroundings(c, state));
  return {
      {"da_dq", rows_of(found.dq)}, {"da_dv", rows_of(found.dv)}, {"da_dtau", rows_of(found.dtau)}};
}

Json inverse_second_derivatives(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  const InverseSecondDerivatives found =
      c.second_derivatives->inverse(x.q, x.v, x.a, surroundings(c, state));
  return {{"d2tau_dqdq", numbers_of(found.dqdq)},
          {"d2tau_dqdv", numbers_of(found.dqdv)},
          {"d2tau_dvdv", numbers_of(found.dvdv)},
          {"d2tau_dadq", numbers_of(found.dadq)}};
}
Json forward_second_derivatives(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  const ForwardSecondDerivatives found =
      c.second_derivatives->forward(x.q, x.v, x.tau, surroundings(c, state));
  return {{"d2a_dqdq", numbers_of(found.dqdq)},
          {"d2a_dqdv", numbers_of(found.dqdv)},
          {"d2a_dvdv", numbers_of(found.dvdv)},
          {"d2a_dtaudq", numbers_of(found.dtaudq)}};
}

/// Blocks by name: rows of da for the free coordinates, of dtau for the prescribed ones; columns of
/// _da for the prescribed coordinates, of _dtau for the free ones.
Json hybrid_derivatives(ComputeContext& c, JsonObject& state) {
  const int n = c.robot.nv();
  const HybridInput x = hybrid_input(c, state);
  const HybridDerivatives found = c.derivatives->hybrid(
      {x.flags.get(), static_cast<size_t>(n)}, x.q, x.v, x.a, x.tau, surroundings(c, state));
  std::vector<int> prescribed, free;
  for (int k = 0; k < n; ++k) (x.flags[static_cast<size_t>(k)] ? prescribed : free).push_back(k);
  Json out{{"prescribed", prescribed}, {"free", free}};
  const auto add = [&](const std::string& name, const std::vector<int>& rows) {
    out[name + "_dq"] = rows_of(found.dq(rows, Eigen::all));
    out[name + "_dv"] = rows_of(found.dv(rows, Eigen::all));
    out[name + "_da"] = rows_of(found.dgiven(rows, prescribed));
    out[name + "_dtau"] = rows_of(found.dgiven(rows, free));
  };
  add("da", free);
  add("dtau", prescribed);
  return out;
}

}  // namespace jounce::app::quantity

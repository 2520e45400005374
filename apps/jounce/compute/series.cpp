// SPDX-License-Identifier: BSD-3-Clause
// jounce compute higher-inverse | higher-forward | higher-hybrid.
#include "apps/jounce/compute/quantity.hpp"

namespace jounce::app {
namespace {

/// "order"; without it the highest that the given lists reach.
int order_of(ComputeContext& c, const Json& state, int given) {
  int order = given;
  if (state.contains("order")) {
    if (!state["order"].is_number_integer()) throw InputError("\"order\" must be a whole number");
    order = state["order"].get<int>();
  }
  if (order > c.dynamics.max_order()) c.dynamics.set_max_order(order);
  return order;
}

const Json& list(const Json& state, const char* key) {
  const auto found = state.find(key);
  if (found == state.end()) throw InputError("\"" + std::string(key) + "\" is missing");
  if (!found->is_array() || found->empty())
    throw InputError("\"" + std::string(key) + "\" must be a list of lists, one per derivative");
  return *found;
}

/// Column k from entry k; null is allowed where `needed` says that the number is not read.
template <class Needed>
Eigen::MatrixXd columns(const Json& state, const char* key, int rows, Needed needed) {
  const Json& all = list(state, key);
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(all.size()));
  for (int k = 0; k < x.cols(); ++k) {
    const Json& entry = all[static_cast<size_t>(k)];
    const std::string where = "\"" + std::string(key) + "\"[" + std::to_string(k) + "]";
    if (!entry.is_array()) throw InputError(where + " must be a list of numbers");
    if (entry.size() != static_cast<size_t>(rows))
      throw InputError(where + " has " + std::to_string(entry.size()) + " elements, needs " +
                       std::to_string(rows));
    for (int j = 0; j < rows; ++j) {
      const Json& value = entry[static_cast<size_t>(j)];
      if (value.is_number()) x(j, k) = value.get<double>();
      else if (!value.is_null() || needed(j, k))
        throw InputError(where + "[" + std::to_string(j) + "] must be a number");
    }
  }
  return x;
}
Eigen::MatrixXd columns(const Json& state, const char* key, int rows) {
  return columns(state, key, rows, [](int, int) { return true; });
}

Json to_json(const MatrixView& x) {
  Json all = Json::array();
  for (Eigen::Index k = 0; k < x.cols(); ++k)
    all.push_back(std::vector<double>(x.col(k).begin(), x.col(k).end()));
  return all;
}

/// {"link": [m, f]}, or a list of such six numbers with one entry per derivative.
struct Wrenches {
  Wrenches(const ComputeContext& c, const Json& state) {
    if (!state.contains("f_ext")) return;
    if (!state["f_ext"].is_object())
      throw InputError("\"f_ext\" must map links to six numbers, or to a list of them");
    for (const auto& [link, value] : state["f_ext"].items()) {
      const bool one = value.is_array() && !value.empty() && value[0].is_number();
      const Json wrapped{{"f_ext", one ? Json::array({value}) : value}};
      const Eigen::MatrixXd x = columns(wrapped, "f_ext", 6);
      std::vector<Wrench<double>>& F = derivatives.emplace_back();
      for (Eigen::Index k = 0; k < x.cols(); ++k)
        F.push_back({{x(0, k), x(1, k), x(2, k)}, {x(3, k), x(4, k), x(5, k)}});
      frames.push_back(c.robot.frame(link));
    }
    for (size_t k = 0; k < frames.size(); ++k)
      series.push_back({frames[k], derivatives[k], Representation::body});
  }

  std::vector<std::vector<Wrench<double>>> derivatives;
  std::vector<FrameId> frames;
  std::vector<ExternalWrenchSeries> series;
};

/// "tau_ext", forces from outside at the joints: nv numbers, or a list with one entry per
/// derivative. Nothing where it is not given.
Eigen::MatrixXd joint_torques(const ComputeContext& c, const Json& state) {
  if (!state.contains("tau_ext")) return Eigen::MatrixXd(c.robot.nv(), 0);
  const Json& value = state["tau_ext"];
  const bool one = value.is_array() && !value.empty() && value[0].is_number();
  return columns({{"tau_ext", one ? Json::array({value}) : value}}, "tau_ext", c.robot.nv());
}

Json higher_inverse(ComputeContext& c, const Json& state) {
  const Eigen::MatrixXd motion = columns(state, "motion", c.robot.nv());
  const int order = order_of(c, state, static_cast<int>(motion.cols()) - 2);
  const Wrenches external(c, state);
  return {{"order", order},
          {"taus", to_json(c.dynamics.inverse_series(numbers(state, "q"), motion, order,
                                                     external.series, joint_torques(c, state)))}};
}

Json higher_forward(ComputeContext& c, const Json& state) {
  const Eigen::MatrixXd taus = columns(state, "taus", c.robot.nv());
  const int order = order_of(c, state, static_cast<int>(taus.cols()) - 1);
  const Wrenches external(c, state);
  return {{"order", order},
          {"motion",
           to_json(c.dynamics.forward_series(numbers(state, "q"), numbers(state, "v"), taus, order,
                                             external.series, joint_torques(c, state)))}};
}

Json higher_hybrid(ComputeContext& c, const Json& state) {
  const int nv = c.robot.nv();
  const auto flags = prescribed_flags(c.robot, state);
  const Eigen::MatrixXd motion =
      columns(state, "motion", nv, [&](int j, int k) { return k == 0 || flags[size_t(j)]; });
  const Eigen::MatrixXd taus =
      columns(state, "taus", nv, [&](int j, int) { return !flags[size_t(j)]; });
  const int order = order_of(c, state, static_cast<int>(taus.cols()) - 1);
  const Wrenches external(c, state);
  const HybridSeriesResult found =
      c.dynamics.hybrid_series({flags.get(), size_t(nv)}, numbers(state, "q"), motion, taus, order,
                               external.series, joint_torques(c, state));
  return {{"order", order}, {"motion", to_json(found.motion)}, {"taus", to_json(found.taus)}};
}

}  // namespace

std::span<const Quantity> series_quantities() {
  static constexpr Quantity quantities[] = {{"higher-inverse", higher_inverse},
                                            {"higher-forward", higher_forward},
                                            {"higher-hybrid", higher_hybrid}};
  return quantities;
}

}  // namespace jounce::app

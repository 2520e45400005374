// SPDX-License-Identifier: BSD-3-Clause
// jounce compute higher-inverse | higher-forward | higher-hybrid | higher-wrenches.
#include <algorithm>

#include "apps/jounce/compute/quantity.hpp"

namespace jounce::app::quantity {
namespace {

/// "order"; without it the highest that the given lists reach. 170! is the last factorial among
/// double numbers.
int order_of(JsonObject& state, Eigen::Index reached) {
  return state.find("order") != nullptr ? state.whole_number("order", 0, 169)
                                        : std::max(0, static_cast<int>(reached));
}

/// call(series) in the frames that --frames names: body, or those of the ground's axes.
template <class Call>
auto in_frames(ComputeContext& c, int order, Call call) {
  if (c.frames.empty() || c.frames == "body") {
    if (!c.series || order > c.series->order()) c.series.emplace(c.robot, order);
    return call(*c.series);
  }
  const WorldFrames frames = c.frames == "spatial" ? WorldFrames::spatial : WorldFrames::hybrid;
  if (!c.world || order > c.world->order()) c.world.emplace(c.robot, order, frames, BaseFrame::own);
  return call(*c.world);
}

/// Column k from entry k; null is allowed where `needed` says that the number is not read.
template <class Needed>
Eigen::MatrixXd columns(const JsonObject& state, const JsonValue& list, const std::string& key,
                        int rows, Needed needed) {
  if (list.kind != JsonValue::Kind::array || list.items().empty())
    state.fail(list.offset, io::in_quotes(key) + " must be a list of lists, one per derivative");
  Eigen::MatrixXd x(rows, static_cast<Eigen::Index>(list.items().size()));
  for (int k = 0; k < x.cols(); ++k) {
    const std::string where = io::in_quotes(key) + "[" + std::to_string(k) + "]";
    const std::vector<double> entry =
        numbers_or_null(state, list.items()[static_cast<size_t>(k)], where, rows,
                        [&](int j) { return needed(j, k); });
    for (int j = 0; j < rows; ++j) x(j, k) = entry[static_cast<size_t>(j)];
  }
  return x;
}
Eigen::MatrixXd columns(JsonObject& state, const char* key, int rows) {
  return columns(state, state.need(key), key, rows, [](int, int) { return true; });
}

/// A list of lists as columns, or a plain list of numbers as one column.
Eigen::MatrixXd one_or_columns(const JsonObject& state, const JsonValue& value,
                               const std::string& key, int rows) {
  const bool one = value.kind == JsonValue::Kind::array && !value.items().empty() &&
                   value.items()[0].kind == JsonValue::Kind::number;
  if (!one) return columns(state, value, key, rows, [](int, int) { return true; });
  const std::vector<double> x =
      numbers_or_null(state, value, io::in_quotes(key), rows, [](int) { return true; });
  return Eigen::Map<const Eigen::VectorXd>(x.data(), rows);
}

/// Refuses lists that are too few for the order.
void need_lists(JsonObject& state, const char* key, Eigen::Index found, int order, int needed) {
  if (found < needed)
    state.fail(state.need(key).offset, io::in_quotes(key) + " has " + std::to_string(found) +
                                           (found == 1 ? " list" : " lists") + ", order " +
                                           std::to_string(order) + " needs " +
                                           std::to_string(needed));
}

Json to_json(const OwnedMatrix& x) {
  Json all = Json::array();
  for (Eigen::Index k = 0; k < x.cols(); ++k)
    all.push_back(std::vector<double>(x.col(k).begin(), x.col(k).end()));
  return all;
}

/// "f_ext", {"link": [m, f]}, or a list of such six numbers with one entry per derivative; and
/// "tau_ext", forces from outside at the joints: nv numbers, or a list with one entry per
/// derivative.
struct OutsideSeries {
  OutsideSeries(const ComputeContext& c, JsonObject& state) : passive(c.passive) {
    if (const JsonValue* const value = state.find("tau_ext"))
      torques = one_or_columns(state, *value, "tau_ext", c.robot.nv());
    const JsonValue* const all = state.find("f_ext");
    if (all == nullptr) return;
    const JsonObject wrenches(state.context(), *all, state.who() + ": \"f_ext\"");
    for (const io::JsonMember& member : all->members()) {
      const Eigen::MatrixXd x = one_or_columns(wrenches, member.value, member.key, 6);
      std::vector<Wrench<double>>& F = derivatives.emplace_back();
      for (Eigen::Index k = 0; k < x.cols(); ++k)
        F.push_back({{x(0, k), x(1, k), x(2, k)}, {x(3, k), x(4, k), x(5, k)}});
      frames.push_back(c.robot.frame(member.key));
    }
    for (size_t k = 0; k < frames.size(); ++k)
      series.push_back({frames[k], derivatives[k], Representation::body});
  }

  SeriesSurroundings around() const {
    return {.wrenches = series, .passive = passive, .joint_torques = torques};
  }

  std::vector<std::vector<Wrench<double>>> derivatives;
  std::vector<FrameId> frames;
  std::vector<OutsideWrenchSeries> series;
  Eigen::MatrixXd torques;  ///< no columns: not given
  bool passive;
};

}  // namespace

Json higher_inverse(ComputeContext& c, JsonObject& state) {
  const std::vector<double> q = coordinates(c, state);
  const Eigen::MatrixXd motion = columns(state, "motion", c.robot.nv());
  const int order = order_of(state, motion.cols() - 2);
  need_lists(state, "motion", motion.cols(), order, order + 2);
  const OutsideSeries outside(c, state);
  return {{"order", order}, {"taus", to_json(in_frames(c, order, [&](auto& series) {
                               return series.inverse(q, motion.leftCols(order + 2),
                                                     outside.around());
                             }))}};
}

Json higher_forward(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  const Eigen::MatrixXd taus = columns(state, "taus", c.robot.nv());
  const int order = order_of(state, taus.cols() - 1);
  need_lists(state, "taus", taus.cols(), order, order + 1);
  const OutsideSeries outside(c, state);
  return {{"order", order}, {"motion", to_json(in_frames(c, order, [&](auto& series) {
                               return series.forward(x.q, x.v, taus.leftCols(order + 1),
                                                     outside.around());
                             }))}};
}

Json higher_hybrid(ComputeContext& c, JsonObject& state) {
  const int nv = c.robot.nv();
  const std::vector<double> q = coordinates(c, state);
  const auto flags = joint_flags(c.robot, state, "prescribed");
  const Eigen::MatrixXd motion = columns(state, state.need("motion"), "motion", nv,
                                         [&](int j, int k) { return k == 0 || flags[size_t(j)]; });
  const Eigen::MatrixXd taus =
      columns(state, state.need("taus"), "taus", nv, [&](int j, int) { return !flags[size_t(j)]; });
  const int order = order_of(state, taus.cols() - 1);
  need_lists(state, "motion", motion.cols(), order, order + 2);
  need_lists(state, "taus", taus.cols(), order, order + 1);
  const OutsideSeries outside(c, state);
  const HybridSeriesResult found = in_frames(c, order, [&](auto& series) {
    return series.hybrid({flags.get(), size_t(nv)}, q, motion.leftCols(order + 2),
                         taus.leftCols(order + 1), outside.around());
  });
  return {{"order", order}, {"motion", to_json(found.motion)}, {"taus", to_json(found.taus)}};
}

Json higher_wrenches(ComputeContext& c, JsonObject& state) {
  const std::vector<double> q = coordinates(c, state);
  const Eigen::MatrixXd motion = columns(state, "motion", c.robot.nv());
  const int order = order_of(state, motion.cols() - 2);
  need_lists(state, "motion", motion.cols(), order, order + 2);
  const OutsideSeries outside(c, state);
  if (!c.series || order > c.series->order()) c.series.emplace(c.robot, order);
  const JointWrenchSeries found = c.series->joint_wrenches(q, motion.leftCols(order + 2),
                                                           representation_of(c), outside.around());
  const auto lists = [&](const auto& wrench) {
    Json all = Json::array();
    for (int k = 0; k <= order; ++k) {
      const Wrench<double>& F = wrench(k);
      all.push_back({F.m.x, F.m.y, F.m.z, F.f.x, F.f.y, F.f.z});
    }
    return all;
  };
  Json joints = Json::object();
  int joint = 0;
  for (const JointInfo& one : c.robot.joints()) {
    append(joints, one.name, lists([&](int k) { return found(joint, k); }));
    ++joint;
  }
  return {{"order", order},
          {"wrenches", std::move(joints)},
          {"ground", lists([&](int k) { return found.ground(k); })}};
}

}  // namespace jounce::app::quantity

// SPDX-License-Identifier: BSD-3-Clause
// jounce compute linearise | trajectory | global-matrices.
#include <jounce/global_matrices.hpp>
#include <jounce/linear_trajectory.hpp>
#include <jounce/trajectory.hpp>

#include "apps/jounce/compute/quantity.hpp"

namespace jounce::app::quantity {
namespace {

/// One spline for each coordinate through the points.
std::vector<PiecewisePolynomial> splines_of(const ComputeContext& c, JsonObject& state) {
  for (const JointInfo& joint : c.robot.joints())
    if (joint.nq != joint.nv || joint.kind == JointKind::planar)
      throw InputError("the coordinates of joint " + io::in_quotes(joint.name) +
                       " do not have its velocities as rates");
  const std::vector<double> times = state.numbers("times");
  const std::vector<const JsonValue*> points = state.lists("points");
  if (points.size() != times.size())
    state.fail(state.offset(), "\"points\" has " + std::to_string(points.size()) +
                                   " entries, \"times\" has " + std::to_string(times.size()));
  const int s = state.find("minimise") == nullptr ? 4 : state.whole_number("minimise", 1, 6);
  std::vector<PiecewisePolynomial> splines;
  for (int k = 0; k < c.robot.nq(); ++k) {
    std::vector<double> through;
    for (size_t j = 0; j < points.size(); ++j) {
      const std::string where = "\"points\"[" + std::to_string(j) + "]";
      const auto all = [](int) { return true; };
      through.push_back(numbers_or_null(state, *points[j], where, c.robot.nq(), all)[size_t(k)]);
    }
    splines.push_back(minimum_derivative_spline(through, times, s));
  }
  return splines;
}

}  // namespace

Json linearise(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  const LinearModel found =
      jounce::linearise(c.derivatives.get(), x.q, x.v, x.tau, surroundings(c, state));
  return {{"A", rows_of(found.A)}, {"B", rows_of(found.B)}};
}

/// The motion through points at given times, with its forces; refused outside the limits.
Json trajectory(ComputeContext& c, JsonObject& state) {
  const std::vector<PiecewisePolynomial> splines = splines_of(c, state);
  Json motion = Json::array();
  for (const double t : state.numbers("at")) {
    const int n = c.robot.nv();
    Eigen::MatrixXd x(n, 4);
    for (int k = 0; k < n; ++k) {
      double values[4];
      splines[size_t(k)].derivatives(t, values);
      for (int j = 0; j < 4; ++j) x(k, j) = values[j];
    }
    const Eigen::VectorXd q = x.col(0), v = x.col(1), a = x.col(2);
    const Eigen::VectorXd tau = c.dynamics->inverse(q, v, a, surroundings(c, state));
    require_within_limits(c.robot, t, {q, v, tau});
    motion.push_back({{"t", t},
                      {"q", to_json(q)},
                      {"v", to_json(v)},
                      {"a", to_json(a)},
                      {"jerk", to_json(x.col(3))},
                      {"tau", to_json(tau)}});
  }
  return {{"motion", std::move(motion)}};
}

Json global_matrices(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  const GlobalMatrices g = jounce::global_matrices(c.robot, x.q, x.v);
  return {{"Gamma", rows_of(g.Gamma)},
          {"G", rows_of(g.G)},
          {"S", rows_of(g.S)},
          {"J", rows_of(g.J)},
          {"Gdot", rows_of(g.Gdot())},
          {"M", rows_of(g.M())},
          {"Mdot", rows_of(g.Mdot())},
          {"C_plain", rows_of(g.C_plain())},
          {"C_ploen", rows_of(g.C_ploen())},
          {"phi", to_json(g.phi())}};
}

}  // namespace jounce::app::quantity

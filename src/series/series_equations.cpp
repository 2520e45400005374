// SPDX-License-Identifier: BSD-3-Clause
// Inverse, forward and hybrid dynamics of any order.
#include "series/series_equations.hpp"

#include <jounce/algorithm/inverse_series.hpp>

#include "series/factorial.hpp"

namespace jounce {
namespace {

/// Coefficients 0 to last as derivatives.
void write_derivatives(const Rows<double>& coefficients, int last, int nv, double* to) {
  for (int k = 0; k <= last; ++k, to += nv) {
    const double* from = coefficients[k];
    const double scale = factorial(k);
    for (int j = 0; j < nv; ++j) to[j] = from[j] * scale;
  }
}

Model<double> without_gravity(Model<double> m) {
  m.gravity = {};
  return m;
}

}  // namespace

SeriesEquations::SeriesEquations(Robot robot_, int order)
    : RobotEquations(std::move(robot_)),
      series(robot, order),
      motion(size_t(nv()) * size_t(order + 2)),
      taus(motion.size()),
      weightless(without_gravity(model())),
      none(std::make_unique<bool[]>(size_t(nv()))) {}

int SeriesEquations::start_inverse(const char* caller, std::span<const double> q,
                                   const MatrixArg& given_motion,
                                   const SeriesSurroundings& around) {
  const int order = series.order_of(caller, "motion", given_motion, 2);
  check(caller, q, {});
  series.check(caller, order, around);
  series.set_ground(around.ground);
  SeriesMemory::load(given_motion, order + 1, series.own_v());
  for (int k = 0; k <= order + 1; ++k) series.expand(k);
  return order;
}

int SeriesEquations::inverse_series(const VectorArg& q, const MatrixArg& given_motion,
                                    const SeriesSurroundings& around, const char* caller) {
  const std::span<const double> at = q;
  const int order = start_inverse(caller, at, given_motion, around);
  if (order == 0) {
    inverse_at_instant(
        caller, {at.data(), given_motion.column(0).data(), given_motion.column(1).data()}, around);
    return order;
  }
  const double* tree_q = equations().at(at.data()).q;
  series.run_inverse(tree_in(around), tree_q, order, around.wrenches);
  for (int k = 0; k <= order; ++k) actuator_forces(at.data(), k, around, taus.data() + nv() * k);
  write_derivatives({taus.data(), nv()}, order, nv(), taus.data());
  require_finite_matrix(robot, caller, "taus", taus.data(), nv(), order + 1);
  return order;
}

int SeriesEquations::inverse_wrenches(const VectorArg& q, const MatrixArg& given_motion,
                                      const SeriesSurroundings& around) {
  const char* caller = "joint_wrenches";
  const std::span<const double> at = q;
  const int order = start_inverse(caller, at, given_motion, around);
  SeriesWorkspace<double>& w = series.storage.view();
  const Model<double>& m = tree_in(around);
  const double* tree_q = equations().at(at.data()).q;
  series.kernel.start(m, tree_q, series.ground(), order, w);
  series.kernel.twists(m, tree_q, order + 1, w);
  for (int k = 0; k <= order; ++k) extend_ground_poses(m, series.ground(), k, w);
  series.clear_outside();
  series.add_outside(around.wrenches, m.gravity, 0, order, false);
  series.kernel.forces(m, order, w);
  return order;
}

int SeriesEquations::forward_series(const VectorArg& q, const VectorArg& v,
                                    const MatrixArg& given_taus, const SeriesSurroundings& around) {
  const char* caller = "forward_series";
  const std::span<const double> at = q, speed = v;
  const int order = series.order_of(caller, "taus", given_taus, 1);
  check(caller, at, {{"v", speed}});
  series.check(caller, order, around);
  series.set_ground(around.ground);
  std::copy(speed.begin(), speed.end(), series.own_v()[0]);
  SeriesMemory::load(given_taus, order, series.own_tau());
  run_hybrid(caller, at.data(), none.get(), order, around);
  return order;
}

int SeriesEquations::hybrid_series(std::span<const bool> prescribed, const VectorArg& q,
                                   const MatrixArg& given_motion, const MatrixArg& given_taus,
                                   const SeriesSurroundings& around) {
  const char* caller = "hybrid_series";
  const std::span<const double> at = q;
  const int order = series.order_of(caller, "motion", given_motion, 2);
  check_prescribed(robot, caller, prescribed);
  check(caller, at, {});
  check_columns(caller, robot, order, "taus", given_taus, order + 1);
  series.check(caller, order, around);
  series.set_ground(around.ground);
  SeriesMemory::load(given_motion, order + 1, series.own_v());
  SeriesMemory::load(given_taus, order, series.own_tau());
  run_hybrid(caller, at.data(), prescribed.data(), order, around);
  return order;
}

void SeriesEquations::actuator_forces(const double* q, int k, const SeriesSurroundings& around,
                                      double* to) {
  series.fold(k, to);
  if (const double* more = series.passive_less_given(q, k, around))
    for (int j = 0; j < nv(); ++j) to[j] += more[j];
}

/// The unknown of v and tau from what is given, whose coefficients are in the workspace.
void SeriesEquations::run_hybrid(const char* caller, const double* q, const bool* prescribed,
                                 int order, const SeriesSurroundings& around) {
  if (order == 0) {
    hybrid_at_instant(caller, {q, series.own_v()[0], series.own_v()[1]}, series.own_tau()[0],
                      prescribed, around);
    return;
  }
  if (robot.has_mimic()) run_coupled(caller, q, prescribed, order, around);
  else run_tree(caller, q, prescribed, order, around);
  write_derivatives(series.own_v(), order + 1, nv(), motion.data());
  write_derivatives(series.own_tau(), order, nv(), taus.data());
  require_finite_matrix(robot, caller, "motion", motion.data(), nv(), order + 2);
  require_finite_matrix(robot, caller, "taus", taus.data(), nv(), order + 1);
}

/// Order after order.
void SeriesEquations::run_tree(const char* caller, const double* q, const bool* prescribed,
                               int order, const SeriesSurroundings& around) {
  SeriesWorkspace<double>& w = series.storage.view();
  SeriesLanes& lanes = series.lanes.view();
  const SeriesKernels& run = series.kernel;
  const Model<double>& m = tree_in(around);
  const bool in_lanes = series.in_lanes(), pushed = !around.wrenches.empty();
  if (in_lanes) {
    run.start_ground(m, series.ground(), order, w);
    run.hybrid_start_in_lanes(m, q, prescribed, order, w, lanes);
  } else {
    run.start(m, q, series.ground(), order, w);
    run.hybrid_start(m, q, w);
  }
  series.clear_outside();
  for (int k = 0; k <= order; ++k) {
    const double* more = series.passive_less_given(q, k, around);
    for (int j = 0; more != nullptr && j < nv(); ++j) w.tau[k][j] -= more[j];
    series.add_outside(around.wrenches, m.gravity, k, k, in_lanes);
    if (in_lanes) run.hybrid_step_in_lanes(m, q, prescribed, k, pushed, w, lanes);
    else run.hybrid_step(m, q, prescribed, k, w);
    if (k == 0) require_mass(caller, q, prescribed);
    for (int j = 0; more != nullptr && j < nv(); ++j) w.tau[k][j] += more[j];
  }
}

Surroundings SeriesEquations::at_instant(const SeriesSurroundings& around) {
  wrenches_now.clear();
  for (const OutsideWrenchSeries& one : around.wrenches)
    if (!one.derivatives.empty())
      wrenches_now.push_back({one.frame, one.derivatives.front(), one.in});
  Surroundings now{.wrenches = wrenches_now, .passive = around.passive, .gravity = around.gravity};
  if (const size_t n = around.ground.size(); n > 0)
    now.ground = {around.ground[0], n > 1 ? around.ground[1] : Twist<double>{}};
  return now;
}

void SeriesEquations::inverse_at_instant(const char* caller, const OwnState<double>& x,
                                         const SeriesSurroundings& around) {
  std::copy_n(equations().inverse(x, at_instant(around)), nv(), taus.begin());
  if (around.joint_torques.columns() > 0)
    for (size_t j = 0; j < size_t(nv()); ++j) taus[j] -= around.joint_torques.column(0)[j];
  require_finite_vector(robot, caller, "taus", taus.data());
}

/// Nothing is prescribed in forward dynamics.
void SeriesEquations::hybrid_at_instant(const char* caller, const OwnState<double>& x,
                                        const double* tau, const bool* prescribed,
                                        const SeriesSurroundings& around) {
  const size_t n = size_t(nv());
  const bool helped = around.joint_torques.columns() > 0;
  const auto help = [&](size_t j) { return helped ? around.joint_torques.column(0)[j] : 0.0; };
  for (size_t j = 0; j < n; ++j) {
    series.passive[j] = tau[j] + help(j);
    motion[j] = x.v[j];
    taus[j] = tau[j];
  }
  const bool forward_alone = prescribed == none.get();
  const double* found =
      forward_alone ? forward(caller, x.q, x.v, series.passive.data(), at_instant(around))
                    : hybrid(caller, prescribed, x, series.passive.data(), at_instant(around));
  std::copy_n(found, n, motion.begin() + nv());
  for (size_t j = 0; j < n; ++j)
    if (prescribed[j]) taus[j] = room.forces[j] - help(j);
}

/// Refuses a singular mass matrix, from the pivots of order 0.
void SeriesEquations::require_mass(const char* caller, const double* q, const bool* prescribed) {
  const double* D = series.storage.view().now->D;
  bool good = !bounds.depend_on_q();
  for (int k = 0; k < nv(); ++k) good = good && bounds.beyond_doubt(k, D[bounds.place(k)]);
  if (!good) factor(caller, q, prescribed);
}

}  // namespace jounce

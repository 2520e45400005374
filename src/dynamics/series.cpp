// SPDX-License-Identifier: BSD-3-Clause
// Inverse, forward and hybrid dynamics of any order.
//
// Users hand over and get derivatives; the recursions run on Taylor coefficients, x[k] = x^(k)/k!.
#include <algorithm>
#include <cmath>

#include "dynamics/dynamics_impl.hpp"
#include "dynamics/factorial.hpp"
#include "dynamics/outside_series.hpp"
#include "model/robot_data.hpp"

namespace jounce {
namespace {

void check_order(const char* caller, int order, int max_order) {
  if (order < 0)
    throw InputError(std::string(caller) + ": order is " + std::to_string(order) +
                     ", needs 0 or more");
  if (order > max_order)
    throw InputError(std::string(caller) + ": order is " + std::to_string(order) +
                     ", above the highest there is room for, " + std::to_string(max_order) +
                     " (set_max_order)");
}

/// At least `columns` columns of nv finite numbers.
void check_columns(const char* caller, const char* argument, const MatrixArg& x, int columns,
                   int order, const Robot& robot) {
  const auto where = [&] { return std::string(caller) + ": " + argument; };
  if (x.columns() < columns)
    throw InputError(where() + " has " + std::to_string(x.columns()) + " columns, order " +
                     std::to_string(order) + " needs " + std::to_string(columns));
  if (x.rows() != robot.nv())
    throw InputError(where() + " has " + std::to_string(x.rows()) + " rows, robot \"" +
                     robot.name() + "\" needs " + std::to_string(robot.nv()));
  for (int k = 0; k < columns; ++k) {
    if (all_finite(x.column(k))) continue;
    for (int j = 0; j < x.rows(); ++j)
      if (const double entry = x.column(k)[size_t(j)]; !std::isfinite(entry))
        throw InputError(where() + "(" + std::to_string(j) + ", " + std::to_string(k) + ") is " +
                         (std::isnan(entry) ? "NaN" : "infinite"));
  }
}

void copy_scaled(std::span<const double> from, double scale, double* to) {
  for (size_t j = 0; j < from.size(); ++j) to[j] = from[j] * scale;
}

}  // namespace

SeriesImpl::SeriesImpl(const Robot& robot, int order_)
    : order(order_),
      storage(robot.model(), order_),
      lanes(robot.model(), order_),
      v(size_t(robot.nv() * (order_ + 2))),
      motion(v.size()),
      taus(v.size()),
      V_0(size_t(order_ + 2)),
      passive(size_t(robot.nv())),
      friction(passive.size()),
      positions(robot.system().passive.springs > 0 ? size_t(robot.nq() * (order_ + 1)) : 0),
      none(std::make_unique<bool[]>(passive.size())) {}

void SeriesImpl::check(const char* caller, const Robot& robot, int wanted, const char* argument,
                       const MatrixArg& x, int columns) const {
  check_order(caller, wanted, order);
  check_columns(caller, argument, x, columns, wanted, robot);
}

void SeriesImpl::check(const char* caller, const Robot& robot, int wanted,
                       const SeriesSurroundings& around) const {
  const auto& [wrenches, ground, passive_acts, gravity_acts, joint_torques] = around;
  for (size_t n = 0; n < wrenches.size(); ++n) {
    const FrameInfo& frame = robot.frame_info(wrenches[n].frame);
    for (size_t k = 0; k < wrenches[n].derivatives.size(); ++k)
      if (!finite(wrenches[n].derivatives[k]))
        throw InputError(std::string(caller) + ": wrenches[" + std::to_string(n) + "] on \"" +
                         frame.name + "\", derivative " + std::to_string(k) + ", is not finite");
  }
  check_ground(caller, ground);
  if (joint_torques.columns() > 0)  // as many as are given
    check_columns(caller, "joint_torques", joint_torques,
                  std::min(joint_torques.columns(), wanted + 1), wanted, robot);
}

void SeriesImpl::check_ground(const char* caller,
                              std::span<const Twist<double>> derivatives) const {
  if (derivatives.size() > V_0.size())
    throw InputError(std::string(caller) + ": ground has " + std::to_string(derivatives.size()) +
                     " derivatives, there is room for " + std::to_string(V_0.size()) +
                     " (set_max_order)");
  for (size_t k = 0; k < derivatives.size(); ++k)
    if (!finite(derivatives[k]))
      throw InputError(std::string(caller) + ": ground[" + std::to_string(k) + "] is not finite");
}

void SeriesImpl::set_ground(std::span<const Twist<double>> derivatives) {
  ground_moves = !derivatives.empty();
  write_ground_series(derivatives, V_0);
}

void SeriesImpl::expand(const Robot& robot, int k) {
  if (!robot.has_mimic()) return;
  jounce::expand(robot.system().coupling, v.data() + robot.nv() * k, storage.view().v[k]);
}

void SeriesImpl::fold(const Robot& robot, int k, double* out) const {
  gather(robot.system().coupling, storage.view().tau[k], out);
}

/// The wrenches from outside and tau[0..order] of the tree, from v in the workspace.
void SeriesImpl::run_inverse(const Robot& robot, const Model<double>& m, const double* q,
                             int wanted, std::span<const OutsideWrenchSeries> wrenches) {
  if (in_lanes(wrenches)) {
    clear_outside(robot);
    add_outside(robot, wrenches, 0, wanted);
    kernel.start_ground(m, ground(), wanted, storage.view());
    kernel.inverse_in_lanes(m, q, wanted, !wrenches.empty(), storage.view(), lanes.view());
  } else {
    kernel.start(m, q, ground(), wanted, storage.view());
    kernel.twists(m, q, wanted + 1, storage.view());
    clear_outside(robot);
    add_outside(robot, wrenches, 0, wanted);
    kernel.forces(m, wanted, storage.view());
  }
}

void Dynamics::Impl::require_series_mass(const char* caller, std::span<const double> q_,
                                         const double* D, const bool* prescribed) {
  bool good = !mass_bounds.depend_on_q();
  for (int k = 0; k < robot.nv(); ++k)
    good = good && mass_bounds.beyond_doubt(k, D[mass_bounds.place(k)]);
  if (!good) run_factors(caller, tree_state(q_, zeros, zeros), prescribed);
}

void Dynamics::set_max_order(int order) {
  if (order < 0 || order > highest_order)
    throw InputError("set_max_order: order is " + std::to_string(order) + ", needs 0 to " +
                     std::to_string(highest_order));
  Impl& d = *impl_;
  d.series = std::make_unique<SeriesImpl>(d.robot, order);
}
int Dynamics::max_order() const { return impl_->series->order; }

MatrixView Dynamics::inverse_series(const VectorArg& q, const MatrixArg& motion, int order,
                                    const SeriesSurroundings& around) {
  constexpr const char* caller = "inverse_series";
  Impl& d = *impl_;
  SeriesImpl& s = *d.series;
  const int nv = d.robot.nv();
  check_order(caller, order, s.order);
  check_q(d.robot, caller, "q", q);
  check_columns(caller, "motion", motion, order + 2, order, d.robot);
  s.check(caller, d.robot, order, around);
  s.set_ground(around.ground);
  s.kinematics_order = -1;
  const Rows<double> own = s.own_v(d.robot);
  for (int k = 0; k <= order + 1; ++k) {
    copy_scaled(motion.column(k), detail::inverse_factorial(k), own[k]);
    s.expand(d.robot, k);
  }
  const std::span<const double> given = d.kept_q(q);
  const double* tree_q = d.tree_state(given, d.zeros, d.zeros).q;
  s.run_inverse(d.robot, d.tree(around), tree_q, order, around.wrenches);
  for (int k = 0; k <= order; ++k) {
    double* tau = s.taus.data() + nv * k;
    s.fold(d.robot, k, tau);
    if (const double* taken = d.taken_series(given, k, around))
      for (int j = 0; j < nv; ++j) tau[j] += taken[j];
    copy_scaled({tau, size_t(nv)}, factorial(k), tau);
  }
  const MatrixView found(s.taus.data(), nv, order + 1);
  require_finite(d.robot, caller, {{"taus", found}});
  return found;
}

const double* Dynamics::Impl::taken_series(std::span<const double> q_, int k,
                                           const SeriesSurroundings& around) {
  SeriesImpl& s = *series;
  const MatrixArg& joint_torques = around.joint_torques;
  const bool by_passive = around.passive && robot.has_passive();
  if (by_passive) s.passive_forces(robot, q_.data(), k);
  if (k < joint_torques.columns()) {
    if (!by_passive) std::fill(s.passive.begin(), s.passive.end(), 0.0);
    const std::span<const double> given = joint_torques.column(k);
    for (size_t j = 0; j < given.size(); ++j)
      s.passive[j] -= given[j] * detail::inverse_factorial(k);
  } else if (!by_passive) return nullptr;
  return s.passive.data();
}

/// The columns of v and tau that are given are in the workspace; takes order after order.
void Dynamics::Impl::run_tree_series(const char* caller, std::span<const double> q_,
                                     const bool* prescribed, int order,
                                     const SeriesSurroundings& around) {
  SeriesImpl& s = *series;
  SeriesWorkspace<double>& w = s.storage.view();
  const Model<double>& m = tree(around);
  const int nv = robot.nv();
  const bool in_lanes = s.in_lanes(around.wrenches);
  if (in_lanes) {
    s.kernel.start_ground(m, s.ground(), order, w);
    s.kernel.hybrid_start_in_lanes(m, q_.data(), prescribed, order, w, s.lanes.view());
  } else {
    s.kernel.start(m, q_.data(), s.ground(), order, w);
    s.kernel.hybrid_start(m, q_.data(), w);
  }
  s.clear_outside(robot);
  for (int k = 0; k <= order; ++k) {
    const double* taken = taken_series(q_, k, around);
    if (taken != nullptr)
      for (int j = 0; j < nv; ++j) w.tau[k][j] -= taken[j];
    s.add_outside(robot, around.wrenches, k, k);
    if (in_lanes)
      s.kernel.hybrid_step_in_lanes(m, q_.data(), prescribed, k, !around.wrenches.empty(), w,
                                    s.lanes.view());
    else s.kernel.hybrid_step(m, q_.data(), prescribed, k, w);
    if (k == 0) require_series_mass(caller, q_, w.now->D, prescribed);
    if (taken != nullptr)
      for (int j = 0; j < nv; ++j) w.tau[k][j] += taken[j];
  }
}

/// The unknown of v and tau from what is given, as derivatives in `motion` and `taus`.
void Dynamics::Impl::run_hybrid_series(const char* caller, std::span<const double> q_,
                                       const bool* prescribed, int order,
                                       const SeriesSurroundings& around) {
  if (robot.has_mimic()) run_coupled_series(caller, q_, prescribed, order, around);
  else run_tree_series(caller, q_, prescribed, order, around);
  SeriesImpl& s = *series;
  const int nv = robot.nv();
  const Rows<double> v_found = s.own_v(robot), tau_found = s.own_tau(robot);
  for (int k = 0; k <= order + 1; ++k)
    copy_scaled({v_found[k], size_t(nv)}, factorial(k), s.motion.data() + nv * k);
  for (int k = 0; k <= order; ++k)
    copy_scaled({tau_found[k], size_t(nv)}, factorial(k), s.taus.data() + nv * k);
  require_finite(robot, caller,
                 {{"motion", MatrixView(s.motion.data(), nv, order + 2)},
                  {"taus", MatrixView(s.taus.data(), nv, order + 1)}});
}

MatrixView Dynamics::forward_series(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
                                    int order, const SeriesSurroundings& around) {
  constexpr const char* caller = "forward_series";
  Impl& d = *impl_;
  SeriesImpl& s = *d.series;
  check_order(caller, order, s.order);
  check_q(d.robot, caller, "q", q);
  check_v(d.robot, caller, "v", v);
  check_columns(caller, "taus", taus, order + 1, order, d.robot);
  s.check(caller, d.robot, order, around);
  s.set_ground(around.ground);
  s.kinematics_order = -1;
  copy_scaled(v, 1, s.own_v(d.robot)[0]);
  for (int k = 0; k <= order; ++k)
    copy_scaled(taus.column(k), detail::inverse_factorial(k), s.own_tau(d.robot)[k]);
  d.run_hybrid_series(caller, d.kept_q(q), s.none.get(), order, around);
  return {s.motion.data(), d.robot.nv(), order + 2};
}

HybridSeriesResult Dynamics::hybrid_series(std::span<const bool> prescribed, const VectorArg& q,
                                           const MatrixArg& motion, const MatrixArg& taus,
                                           int order, const SeriesSurroundings& around) {
  constexpr const char* caller = "hybrid_series";
  Impl& d = *impl_;
  SeriesImpl& s = *d.series;
  const int nv = d.robot.nv();
  check_order(caller, order, s.order);
  check_prescribed(d.robot, caller, prescribed);
  check_q(d.robot, caller, "q", q);
  check_columns(caller, "motion", motion, order + 2, order, d.robot);
  check_columns(caller, "taus", taus, order + 1, order, d.robot);
  s.check(caller, d.robot, order, around);
  s.set_ground(around.ground);
  s.kinematics_order = -1;
  for (int k = 0; k <= order + 1; ++k)
    copy_scaled(motion.column(k), detail::inverse_factorial(k), s.own_v(d.robot)[k]);
  for (int k = 0; k <= order; ++k)
    copy_scaled(taus.column(k), detail::inverse_factorial(k), s.own_tau(d.robot)[k]);
  d.run_hybrid_series(caller, d.kept_q(q), prescribed.data(), order, around);
  return {{s.motion.data(), nv, order + 2}, {s.taus.data(), nv, order + 1}};
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of explicit Runge-Kutta steps: forward, and backward (the discrete adjoint).
//
// Stage i has u_i = h sum a_ij k^u_j, v_i = v + h sum a_ij k^v_j, q_i = q (+) u_i, and rates k^u_i
// = dexp^-1(u_i) v_i, k^v_i = a(q_i, v_i). Backward, with covectors of the rates K^u, K^v:
//   Q_i = a_q^T K^v_i,   V_i = a_v^T K^v_i + dexp^-T(u_i) K^u_i,   U_i = E_i^T K^u_i + dexp^T(u_i)
//   Q_i K^u_j += h a_ij U_i,   K^v_j += h a_ij V_i  (j < i),   start: q by Ad(exp(-u_i))^T Q_i, v
//   by V_i
// Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, has the tables;
// stage_chart.hpp the manifold's part.
#include <algorithm>
#include <cmath>
#include <jounce/constrained_derivatives.hpp>
#include <jounce/derivatives.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/integrators/explicit_rk.hpp>
#include <jounce/simulation_gradient.hpp>
#include <optional>

#include "linear_algebra/vectors.hpp"
#include "simulation/stage_chart.hpp"

namespace jounce {
namespace {

const ExplicitTable& table_of(Integrator integrator) {
  switch (integrator) {
    case Integrator::rk4:
    case Integrator::rkmk4:
      return rk4_table;
    case Integrator::dopri5:
      return dopri5_table;
    case Integrator::dop853:
      return dop853_table;
    default:
      throw InputError("SimulationGradient: the integrator is " + std::string(name(integrator)) +
                       ", needs an explicit Runge-Kutta method: rk4, rkmk4, dopri5 or dop853");
  }
}

/// The robot under forces that are constant within a step.
class DrivenRobot {
 public:
  DrivenRobot(const Robot& robot, const GradientOptions& options)
      : robot_(robot),
        around_{.passive = options.passive, .gravity = options.gravity},
        dynamics_(robot) {
    if (robot.loops().empty()) {
      derivatives_.emplace(robot);
      slopes_.emplace(robot);
      if (!options.parameters.empty()) parameters_.emplace(robot, options.parameters);
    } else {
      if (!options.parameters.empty())
        throw InputError("SimulationGradient: robot \"" + robot.name() +
                         "\" has loops, parameters need one without");
      loops_.emplace(robot);
      loop_derivatives_.emplace(robot);
      loop_slopes_.emplace(robot, loops_->rows());
      lambda_.resize(size_t(loops_->rows()));
    }
  }

  int nq() const { return robot_.nq(); }
  int nv() const { return robot_.nv(); }
  std::span<const Factor> factors() const { return jounce::factors(robot_.system()); }
  std::span<const double> tau;  ///< of the step

  void acceleration(double t, const double* q, const double* v, double* a) {
    around_.time = t;
    const Into<double> to(a, nv(), 1);
    if (loops_) loops_->forward(at(q), of(v), tau, around_, {}, to, into(lambda_));
    else dynamics_.forward(at(q), of(v), tau, around_, to);
  }
  /// a_q, a_v and a_tau, valid until the next call.
  struct Slopes {
    const OwnedMatrix &q, &v, &tau;
  };
  Slopes slopes(double t, const double* q, const double* v) {
    around_.time = t;
    if (loops_) {
      loop_derivatives_->forward(at(q), of(v), tau, around_, {}, into(*loop_slopes_));
      return {loop_slopes_->da_dq, loop_slopes_->da_dv, loop_slopes_->da_dtau};
    }
    derivatives_->forward(at(q), of(v), tau, around_, into(*slopes_));
    return {slopes_->dq, slopes_->dv, slopes_->dtau};
  }
  void by_parameters(double t, const double* q, const double* v, int count, double* to) {
    around_.time = t;
    parameters_->acceleration(at(q), of(v), tau, around_, Into<double>(to, nv(), count));
  }

 private:
  std::span<const double> at(const double* q) const { return {q, size_t(nq())}; }
  std::span<const double> of(const double* v) const { return {v, size_t(nv())}; }

  Robot robot_;
  Surroundings around_;
  Dynamics dynamics_;
  std::optional<Derivatives> derivatives_;
  std::optional<ForwardDerivatives> slopes_;
  std::optional<ConstrainedDynamics> loops_;
  std::optional<ConstrainedDerivatives> loop_derivatives_;
  std::optional<ConstrainedForwardDerivatives> loop_slopes_;
  std::optional<Sensitivity> parameters_;
  std::vector<double> lambda_;
};

/// y += B x, or B^T x.
void add_times(const OwnedMatrix& B, const double* x, double* y) {
  const int n = int(B.rows());
  for (int j = 0; j < int(B.cols()); ++j)
    dense::add_multiple(n, x[j], B.data() + B.outerStride() * j, y);
}
void add_transposed_times(const OwnedMatrix& B, const double* x, double* y) {
  for (int j = 0; j < int(B.cols()); ++j)
    y[j] += dense::dot(int(B.rows()), B.data() + B.outerStride() * j, x);
}

}  // namespace

struct SimulationGradient::Impl {
  Impl(const Robot& robot_, const GradientOptions& options_)
      : robot(robot_),
        options(options_),
        table(table_of(options_.integrator)),
        f(robot_, options_),
        chart(f.factors(), robot_.nv()),
        nq(robot_.nq()),
        nv(robot_.nv()),
        parameters(int(options_.parameters.size())),
        q(size_t(nq)),
        u(size_t(nv)),
        v(u),
        du(u.size() * size_t(table.stages)),
        dv(du),
        K_u(du),
        K_v(du),
        Q(u),
        U(u),
        V(u),
        by(u.size() * size_t(parameters)) {}

  /// Stages whose rates the step's end depends on.
  int used() const { return table.last_at_end ? table.stages - 1 : table.stages; }
  size_t room_of_step() const { return size_t(used()) * size_t(nq + 2 * nv); }
  const double* stage_q(const double* step, int i) const { return step + (nq + 2 * nv) * i; }
  const double* stage_u(const double* step, int i) const { return stage_q(step, i) + nq; }
  const double* stage_v(const double* step, int i) const { return stage_u(step, i) + nv; }
  StageRoom<double> room() { return {q.data(), u.data(), v.data(), du.data(), dv.data()}; }

  void select_force(int step) {
    const size_t column = tau_columns > 1 ? size_t(step) : 0;
    f.tau = {taus.data() + column * size_t(nv), size_t(nv)};
  }
  void advance(int step, std::vector<double>& at_q, std::vector<double>& at_v, double* stages);
  void run_segment(int first, int last);
  void whole_way(double h, const double* states);
  void step_back(int step, const double* states, double* lambda_q, double* lambda_v,
                 const Found& found);
  void stage_back(int step, int i, const double* states, const Found& found);
  /// Columns of changes within a step.
  struct Changes {
    Changes(int n, int stages, int columns_)
        : columns(columns_),
          u(size_t(n) * size_t(columns_)),
          v(u),
          rates_u(u.size() * size_t(stages)),
          rates_v(rates_u) {}
    int columns;
    std::vector<double> u, v, rates_u, rates_v;
  };
  void combine_changes(const double* weights, int count, double h, const double* dv_start,
                       Changes& x) const;
  void step_forward(int step, const double* states, Changes& x, double* dq, double* dv_start);
  void stage_forward(int step, int i, const double* states, Changes& x, const double* dq);
  const double* stages_of(int step);
  int segment() const {
    return options.little_memory ? int(std::ceil(std::sqrt(double(lengths.size())))) : 1;
  }

  Robot robot;
  GradientOptions options;
  const ExplicitTable& table;
  DrivenRobot f;
  StageChart chart;
  int nq, nv, parameters;

  std::vector<double> lengths, times, taus;
  int tau_columns = 0;
  std::vector<double> starts;  ///< [kept][nq + nv] states at the first step of segments
  std::vector<double> stages;  ///< of all steps, or of one segment
  int segment_at = -1;         ///< whose stages there are, where memory is little
  std::vector<double> end_q, end_v;
  std::vector<double> q, u, v, du, dv;    ///< of a step
  std::vector<double> K_u, K_v, Q, U, V;  ///< covectors
  std::vector<double> by;                 ///< accelerations by parameters
};

/// One step from at_q, at_v, which become its end. Keeps the states of its stages.
void SimulationGradient::Impl::advance(int step, std::vector<double>& at_q,
                                       std::vector<double>& at_v, double* to) {
  const double h = lengths[size_t(step)], t = times[size_t(step)];
  select_force(step);
  const int n = nv;
  std::copy(at_q.begin(), at_q.end(), q.begin());
  std::fill(u.begin(), u.end(), 0);
  std::copy(at_v.begin(), at_v.end(), v.begin());
  for (int i = 0; i < used(); ++i) {
    if (i == 0) {
      f.acceleration(t, q.data(), v.data(), dv.data());
      std::copy(v.begin(), v.end(), du.begin());
    } else {
      evaluate_stage(table, i, f, t, h, at_q.data(), at_v.data(), room());
    }
    if (to != nullptr) {
      to = std::copy(q.begin(), q.end(), to);
      to = std::copy(u.begin(), u.end(), to);
      to = std::copy(v.begin(), v.end(), to);
    }
  }
  combine_stages(n, table.b, used(), h, at_v.data(), room());
  move_along(f.factors(), at_q.data(), u.data(), q.data());
  at_q = q, at_v = v;
}

/// The states of the stages of steps first to last - 1, from the state that was kept.
void SimulationGradient::Impl::run_segment(int first, int last) {
  const double* from = starts.data() + std::ptrdiff_t(first / segment()) * (nq + nv);
  std::vector<double> at_q(from, from + nq), at_v(from + nq, from + nq + nv);
  for (int k = first; k < last; ++k)
    advance(k, at_q, at_v, stages.data() + room_of_step() * size_t(k - first));
}
const double* SimulationGradient::Impl::stages_of(int step) {
  if (!options.little_memory) return stages.data() + room_of_step() * size_t(step);
  const int first = step / segment() * segment();
  if (segment_at != first) {
    run_segment(first, std::min(int(lengths.size()), first + segment()));
    segment_at = first;
  }
  return stages.data() + room_of_step() * size_t(step - first);
}

/// u of the whole step.
void SimulationGradient::Impl::whole_way(double h, const double* states) {
  std::fill(u.begin(), u.end(), 0);
  for (int i = 0; i < used(); ++i) {
    tangent_rate(f.factors(), stage_u(states, i), stage_v(states, i), du.data());
    dense::add_multiple(nv, h * table.b[i], du.data(), u.data());
  }
}
/// Carries the covector of a step's end to its start.
void SimulationGradient::Impl::step_back(int step, const double* states, double* lambda_q,
                                         double* lambda_v, const Found& found) {
  const double h = lengths[size_t(step)];
  const int n = nv, count = used();
  select_force(step);
  whole_way(h, states);
  chart.set(u.data(), stage_v(states, 0));
  std::copy_n(lambda_q, n, Q.data());
  std::fill(U.begin(), U.end(), 0);
  std::fill_n(lambda_q, n, 0.0);
  chart.add(&FactorChart::moved, StageChart::Transposed::yes, Q.data(), lambda_q);
  chart.add(&FactorChart::dexp, StageChart::Transposed::yes, Q.data(), U.data());
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < n; ++k) {
      K_u[size_t(n * i + k)] = h * table.b[i] * U[size_t(k)];
      K_v[size_t(n * i + k)] = h * table.b[i] * lambda_v[k];
    }
  for (int i = count - 1; i >= 0; --i) {
    stage_back(step, i, states, found);
    chart.add(&FactorChart::moved, StageChart::Transposed::yes, Q.data(), lambda_q);
    dense::add_multiple(n, 1, V.data(), lambda_v);
    for (int j = 0; j < i; ++j) {
      dense::add_multiple(n, h * table.row(i)[j], U.data(), K_u.data() + n * j);
      dense::add_multiple(n, h * table.row(i)[j], V.data(), K_v.data() + n * j);
    }
  }
}
/// Q, U and V of stage i, and what forces and parameters get of it.
void SimulationGradient::Impl::stage_back(int step, int i, const double* states,
                                          const Found& found) {
  using enum StageChart::Transposed;
  const int n = nv;
  const double *ku = K_u.data() + n * i, *kv = K_v.data() + n * i;
  const double *at_q = stage_q(states, i), *at_v = stage_v(states, i);
  const double t = times[size_t(step)] + table.c[i] * lengths[size_t(step)];
  const auto slopes = f.slopes(t, at_q, at_v);
  for (auto* x : {&Q, &U, &V}) std::fill(x->begin(), x->end(), 0);
  add_transposed_times(slopes.q, kv, Q.data());
  add_transposed_times(slopes.v, kv, V.data());
  add_transposed_times(slopes.tau, kv, found.tau + std::ptrdiff_t(n) * step);
  if (parameters > 0) {
    f.by_parameters(t, at_q, at_v, parameters, by.data());
    for (int p = 0; p < parameters; ++p)
      found.parameters[p] += dense::dot(n, by.data() + n * p, kv);
  }
  chart.set(stage_u(states, i), at_v);
  chart.add(&FactorChart::dexp_inverse, yes, ku, V.data());
  chart.add_bend(yes, ku, U.data());
  chart.add(&FactorChart::dexp, yes, Q.data(), U.data());
}

/// y = h sum of the first stages' changes, and dv added: u and v of a stage or of the end.
void SimulationGradient::Impl::combine_changes(const double* weights, int count, double h,
                                               const double* dv_start, Changes& x) const {
  std::fill(x.u.begin(), x.u.end(), 0);
  std::copy_n(dv_start, x.v.size(), x.v.begin());
  const int size = int(x.v.size());
  for (int j = 0; j < count; ++j) {
    dense::add_multiple(size, h * weights[j], x.rates_u.data() + std::ptrdiff_t(size) * j,
                        x.u.data());
    dense::add_multiple(size, h * weights[j], x.rates_v.data() + std::ptrdiff_t(size) * j,
                        x.v.data());
  }
}
/// Carries changes of a step's start, columns dq and dv, to its end.
void SimulationGradient::Impl::step_forward(int step, const double* states, Changes& x, double* dq,
                                            double* dv_start) {
  using enum StageChart::Transposed;
  const double h = lengths[size_t(step)];
  const int n = nv, count = used();
  select_force(step);
  for (int i = 0; i < count; ++i) {
    combine_changes(i > 0 ? table.row(i) : nullptr, i, h, dv_start, x);
    stage_forward(step, i, states, x, dq);
  }
  combine_changes(table.b, count, h, dv_start, x);
  whole_way(h, states);
  chart.set(u.data(), stage_v(states, 0));
  for (int c = 0; c < x.columns; ++c) {
    std::fill(Q.begin(), Q.end(), 0);
    chart.add(&FactorChart::moved, no, dq + n * c, Q.data());
    chart.add(&FactorChart::dexp, no, x.u.data() + n * c, Q.data());
    std::copy(Q.begin(), Q.end(), dq + n * c);
  }
  std::copy(x.v.begin(), x.v.end(), dv_start);
}
/// Changes of the rates of stage i.
void SimulationGradient::Impl::stage_forward(int step, int i, const double* states, Changes& x,
                                             const double* dq) {
  using enum StageChart::Transposed;
  const int n = nv;
  const double *at_q = stage_q(states, i), *at_v = stage_v(states, i);
  const double t = times[size_t(step)] + table.c[i] * lengths[size_t(step)];
  chart.set(stage_u(states, i), at_v);
  const auto slopes = f.slopes(t, at_q, at_v);
  if (parameters > 0) f.by_parameters(t, at_q, at_v, parameters, by.data());
  for (int c = 0; c < x.columns; ++c) {
    double* ru = x.rates_u.data() + std::ptrdiff_t(n) * (x.columns * i + c);
    double* rv = x.rates_v.data() + std::ptrdiff_t(n) * (x.columns * i + c);
    std::fill_n(ru, n, 0.0);
    std::fill_n(rv, n, 0.0);
    std::fill(Q.begin(), Q.end(), 0);
    chart.add(&FactorChart::moved, no, dq + n * c, Q.data());
    chart.add(&FactorChart::dexp, no, x.u.data() + n * c, Q.data());
    add_times(slopes.q, Q.data(), rv);
    add_times(slopes.v, x.v.data() + n * c, rv);
    if (c >= 2 * n && c < 3 * n)
      dense::add_multiple(n, 1, slopes.tau.data() + slopes.tau.outerStride() * (c - 2 * n), rv);
    if (c >= 3 * n) dense::add_multiple(n, 1, by.data() + n * (c - 3 * n), rv);
    chart.add(&FactorChart::dexp_inverse, no, x.v.data() + n * c, ru);
    chart.add_bend(no, x.u.data() + n * c, ru);
  }
}

SimulationGradient::SimulationGradient(const Robot& robot, const GradientOptions& options)
    : impl_(std::make_unique<Impl>(robot, options)) {}
SimulationGradient::SimulationGradient(SimulationGradient&&) noexcept = default;
SimulationGradient& SimulationGradient::operator=(SimulationGradient&&) noexcept = default;
SimulationGradient::~SimulationGradient() = default;

const Robot& SimulationGradient::robot() const { return impl_->robot; }
SimulationGradient SimulationGradient::another() const {
  return SimulationGradient(robot(), impl_->options);
}
int SimulationGradient::steps() const { return int(impl_->lengths.size()); }
int SimulationGradient::parameter_count() const { return impl_->parameters; }
std::span<const double> SimulationGradient::q() const { return impl_->end_q; }
std::span<const double> SimulationGradient::v() const { return impl_->end_v; }

void SimulationGradient::simulate(const VectorArg& q0, const VectorArg& v0, const VectorArg& steps,
                                  const MatrixArg& taus) {
  Impl& d = *impl_;
  const std::span<const double> at = q0, speed = v0, lengths = steps;
  d.robot.check_q("simulate", "q0", at);
  d.robot.check_v("simulate", "v0", speed);
  for (const double h : lengths)
    if (!(h > 0) || !std::isfinite(h))
      throw InputError("simulate: a step is " + std::to_string(h) + " s, needs a positive length");
  const int count = int(lengths.size());
  if (taus.rows() != d.nv || (taus.columns() != 1 && taus.columns() != count))
    throw InputError("simulate: taus is " + std::to_string(taus.rows()) + " x " +
                     std::to_string(taus.columns()) + ", needs " + std::to_string(d.nv) + " x " +
                     std::to_string(count) + ", or one column for all steps");
  d.lengths.assign(lengths.begin(), lengths.end());
  d.tau_columns = taus.columns();
  d.taus.clear();
  for (int k = 0; k < taus.columns(); ++k) {
    d.robot.check_v("simulate", "taus", taus.column(k));
    d.taus.insert(d.taus.end(), taus.column(k).begin(), taus.column(k).end());
  }
  d.times.assign(1, 0);
  for (const double h : lengths) d.times.push_back(d.times.back() + h);
  d.end_q.assign(at.begin(), at.end());
  d.end_v.assign(speed.begin(), speed.end());
  const bool little = d.options.little_memory;
  d.stages.resize(d.room_of_step() * size_t(little ? d.segment() : count));
  d.segment_at = -1;
  d.starts.clear();
  for (int k = 0; k < count; ++k) {
    if (little && k % d.segment() == 0) {
      d.starts.insert(d.starts.end(), d.end_q.begin(), d.end_q.end());
      d.starts.insert(d.starts.end(), d.end_v.begin(), d.end_v.end());
    }
    d.advance(k, d.end_q, d.end_v,
              little ? nullptr : d.stages.data() + d.room_of_step() * size_t(k));
  }
}

void SimulationGradient::run_adjoint(const CostSlopes& slopes, const Found& found) {
  Impl& d = *impl_;
  const auto n = size_t(d.nv), columns = slopes.all ? d.lengths.size() + 1 : 1;
  if (slopes.q.size() != n * columns || slopes.v.size() != n * columns)
    throw InputError("adjoint: dq and dv have " + std::to_string(slopes.q.size()) + " and " +
                     std::to_string(slopes.v.size()) + " numbers, need " +
                     std::to_string(n * columns) + " each");
  const double *last_q = slopes.q.data() + n * (columns - 1),
               *last_v = slopes.v.data() + n * (columns - 1);
  std::copy_n(last_q, n, found.q0);
  std::copy_n(last_v, n, found.v0);
  std::fill_n(found.parameters, d.parameters, 0.0);
  for (int k = int(d.lengths.size()) - 1; k >= 0; --k) {
    d.step_back(k, d.stages_of(k), found.q0, found.v0, found);
    if (!slopes.all) continue;
    dense::add_multiple(int(n), 1, slopes.q.data() + n * size_t(k), found.q0);
    dense::add_multiple(int(n), 1, slopes.v.data() + n * size_t(k), found.v0);
  }
}
void SimulationGradient::run_tangents(double* q, double* v) {
  Impl& d = *impl_;
  for (int k = 0; k < d.nv; ++k) q[d.nv * k + k] = v[d.nv * (d.nv + k) + k] = 1;
  Impl::Changes changes(d.nv, d.used(), 3 * d.nv + d.parameters);
  for (int k = 0; k < int(d.lengths.size()); ++k) d.step_forward(k, d.stages_of(k), changes, q, v);
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
#include "simulation/motion_equations.hpp"

#include <algorithm>
#include <cmath>
#include <jounce/dense_matrix.hpp>

#include "io/number_text.hpp"
#include "linear_algebra/vectors.hpp"
#include "quotes.hpp"

namespace jounce {
MotionEquations::MotionEquations(const Robot& robot, const SimulationOptions& options)
    : commands(robot),
      inputs(robot),
      robot_(robot),
      nq_(robot.nq()),
      nv_(robot.nv()),
      has_loops_(!robot.loops().empty()),
      options_(options),
      around_{.passive = options.passive, .gravity = options.gravity},
      prescribed_(std::make_unique<bool[]>(size_t(robot.nv()))),
      dynamics_(robot),
      equations_(robot),
      bushings_(robot.system()),
      given_(size_t(robot.nv())),
      tau_(given_),
      reaction_(given_),
      q_(size_t(robot.nq())),
      v_(given_),
      a_(given_),
      still_(given_) {
  if (!robot_.loops().empty()) loops();
}

ConstrainedDynamics& MotionEquations::loops() {
  if (!loops_) loops_.emplace(robot_);
  return *loops_;
}

void MotionEquations::begin(const SimulationState& x) {
  commands.select(x.t);
  contacts_ = x.contacts;
  modes_ = x.modes;
  inputs.hold(x.held);
  prescribes_ = commands.prescribes();
  std::copy(commands.prescribed().begin(), commands.prescribed().end(), prescribed_.get());
  for (size_t k = 0; k < modes_.size(); ++k) {
    if (modes_[k] == 0) continue;
    prescribes_ = prescribed_[k] = true;
    given_[k] = 0;
  }
  if (constrained()) lambda_.resize(size_t(loops().rows() + ConstrainedDynamics::rows(contacts_)));
}

void MotionEquations::put_on_laws(double t, double* q, double* v) {
  if (commands.prescribes()) commands.prescribe(t, q, v, given_.data());
  for (size_t k = 0; k < modes_.size(); ++k)
    if (modes_[k] != 0) v[k] = 0;
}

void MotionEquations::surround(double t) {
  around_.time = t;
  around_.wrenches = inputs.wrenches();
  if (gravity_law == nullptr || !options_.gravity) return;
  around_.gravity = false;
  const Vec3<double> g = gravity_law(t);
  if (!detail::finite(g))
    throw InputError("simulate: gravity at t = " + io::number_text(t) + " is not finite");
  around_.ground = Ground<double>{{}, {{0, 0, 0}, -g}};  // what falls with g floats
}
void MotionEquations::write_forces(double t, const double* q, const double* v, double* tau) {
  commands.forces(t, tau);
  inputs.evaluate(t, q, v, tau);
  if (!options_.effort_limits) return;
  const std::vector<double>& most = robot_.limits().effort;
  for (size_t k = 0; k < most.size(); ++k) tau[k] = std::clamp(tau[k], -most[k], most[k]);
}

void MotionEquations::acceleration(double t, double* q, double* v, double* a) {
  ++evaluations;
  if (!all_finite(at(q), vector(v))) {
    std::fill_n(a, nv(), NAN);  // a step that is much too long
    return;
  }
  put_on_laws(t, q, v);
  write_forces(t, q, v, tau_.data());
  surround(t);
  for (size_t k = 0; k < modes_.size(); ++k) reaction_[k] = -tau_[k];
  if (constrained()) {
    constrained_acceleration(q, v, a);
    if (options_.loops == LoopRepair::baumgarte && options_.baumgarte_rate > 0)
      add_baumgarte(t, q, v, a);
  } else if (prescribes()) {
    dynamics_.hybrid(prescribed(), at(q), vector(v), given_, tau_, around_, to(a), into(tau_));
  } else {
    const double* found = equations_.forward("forward", q, v, tau_.data(), around_);
    std::copy_n(found, nv(), a);
  }
  for (size_t k = 0; k < modes_.size(); ++k) {
    reaction_[k] = modes_[k] != 0 ? reaction_[k] + tau_[k] : 0;
    tau_[k] -= reaction_[k];
  }
}
void MotionEquations::constrained_acceleration(const double* q, const double* v, double* a) {
  if (prescribes())
    loops().hybrid(prescribed(), at(q), vector(v), given_, tau_, around_, contacts_, Optimum::force,
                   to(a), into(tau_), into(lambda_));
  else loops().forward(at(q), vector(v), tau_, around_, contacts_, to(a), into(lambda_));
}

// Baumgarte 1972: A a + Adot v = -2 w A v - w^2 c instead of 0. With B = M^-1 A^T (A M^-1 A^T)^+
// that adds -2 w B A v - w^2 B c to a, and v - B A v is the nearest velocity that suits the loops,
// -B c the way to the nearest configuration that closes them.
void MotionEquations::add_baumgarte(double t, const double* q, const double* v, double* a) {
  const double w = options_.baumgarte_rate;
  loops().project(at(q), vector(v), contacts_, into(v_), t);
  for (size_t k = 0; k < v_.size(); ++k) a[k] -= 2 * w * (v[k] - v_[k]);
  if (robot_.loops().empty()) return;
  loops().assemble(at(q), {}, into(q_), t);
  robot_.difference(at(q), q_, v_);
  for (size_t k = 0; k < v_.size(); ++k) a[k] += w * w * v_[k];
}

/// The rows of coordinates whose accelerations are not prescribed; zero in the others.
void MotionEquations::copy_free_rows(const OwnedMatrix& from, double* to) const {
  for (int j = 0; j < nv(); ++j)
    for (int i = 0; i < nv(); ++i) *to++ = prescribed_[size_t(i)] ? 0 : from(i, j);
}
void MotionEquations::derivatives(double t, const double* q, const double* v, double* a_q,
                                  double* a_v) {
  write_forces(t, q, v, tau_.data());
  surround(t);
  const auto x = at(q), y = vector(v);
  const auto keep = [&](const OwnedMatrix& dq, const OwnedMatrix& dv, const OwnedMatrix& dtau) {
    copy_free_rows(dq, a_q), copy_free_rows(dv, a_v);
    if (inputs.continuous()) add_feedback(t, q, v, dtau, a_q, a_v);
  };
  if (constrained()) {
    if (!loop_derivatives_) loop_derivatives_.emplace(robot_);
    const int rows = int(lambda_.size());
    if (prescribes()) {
      if (!loop_hybrid_ || loop_hybrid_->dlambda_dq.rows() != rows)
        loop_hybrid_.emplace(robot_, rows);
      loop_derivatives_->hybrid(prescribed(), x, y, given_, tau_, around_, contacts_,
                                Optimum::force, into(*loop_hybrid_));
      keep(loop_hybrid_->dq, loop_hybrid_->dv, loop_hybrid_->dgiven);
    } else {
      if (!loop_forward_ || loop_forward_->dlambda_dq.rows() != rows)
        loop_forward_.emplace(robot_, rows);
      loop_derivatives_->forward(x, y, tau_, around_, contacts_, into(*loop_forward_));
      keep(loop_forward_->da_dq, loop_forward_->da_dv, loop_forward_->da_dtau);
    }
    return;
  }
  if (!derivatives_) derivatives_.emplace(robot_);
  if (prescribes()) {
    if (!hybrid_) hybrid_.emplace(robot_);
    derivatives_->hybrid(prescribed(), x, y, given_, tau_, around_, into(*hybrid_));
    keep(hybrid_->dq, hybrid_->dv, hybrid_->dgiven);
  } else {
    if (!forward_) forward_.emplace(robot_);
    derivatives_->forward(x, y, tau_, around_, into(*forward_));
    keep(forward_->dq, forward_->dv, forward_->dtau);
  }
}

// A difference over a time in which a law of a robot changes by little more than its rounding's
// square root: Rosenbrock methods keep their order with such a da/dt.
bool MotionEquations::time_rate(double t, const double* q, const double* v, const double* a,
                                double* a_t) {
  if (!commands.changes() && !inputs.continuous() && gravity_law == nullptr) return false;
  const double dt = 1e-7 * std::max(1e-3, std::abs(t));
  std::copy_n(q, nq(), q_.data());
  std::copy_n(v, nv(), v_.data());
  acceleration(t + dt, q_.data(), v_.data(), a_t);
  for (int k = 0; k < nv(); ++k) a_t[k] = (a_t[k] - a[k]) / dt;
  return true;
}

std::string MotionEquations::why_no_series() const {
  if (!commands.has_series()) return "a command is a function of time, which has no series";
  if (inputs.continuous())
    return "a controller, wrench or ground is a function of state, which has no series; needs a "
           "sample time";
  if (gravity_law != nullptr) return "gravity is a function of time, which has no series";
  if (constrained() && options_.loops == LoopRepair::baumgarte)
    return "loops are pulled together by Baumgarte's method, which has no series";
  return {};
}
void MotionEquations::series(double t, const double* q, const double* v, int order,
                             double* motion) {
  ++evaluations;
  const auto n = size_t(nv()), columns = size_t(order);  // tau to derivative order - 1
  taus_.assign(n * columns, 0);
  motion_.assign(n * (columns + 1), 0);
  std::copy_n(v, n, motion_.data());
  commands.series(t, order - 1, taus_.data(), motion_.data());
  add_held_series(t, q, v);
  const SeriesSurroundings around{.wrenches = held_wrenches_,
                                  .passive = options_.passive,
                                  .gravity = options_.gravity,
                                  .time = t};
  const MatrixArg taus(taus_, nv()), given(motion_, nv());
  const Into<double> found(motion, nv(), order + 1);
  if (constrained()) {
    if (!loop_series_) loop_series_.emplace(robot_, 16);
    const ConstrainedSeriesResult all =
        prescribes() ? loop_series_->hybrid(prescribed(), at(q), given, taus, around, contacts_)
                     : loop_series_->forward(at(q), vector(v), taus, around, contacts_);
    std::copy_n(all.motion.data(), n * (columns + 1), motion);
    std::copy_n(all.taus.data(), n, tau_.data());
    return;
  }
  if (!series_) series_.emplace(robot_, 16);
  if (prescribes()) {
    motion_out_.resize(n * columns);
    series_->hybrid(prescribed(), at(q), given, taus, around, found,
                    Into<double>(motion_out_.data(), nv(), order));
    std::copy_n(motion_out_.data(), n, tau_.data());
  } else {
    series_->forward(at(q), vector(v), taus, around, found);
    std::copy_n(taus_.data(), n, tau_.data());
  }
}

std::string MotionEquations::why_not_variational() const {
  if (prescribes()) return "the motion of a joint is prescribed, needs forces";
  if (!contacts_.empty()) return "the ground holds a frame, needs loops instead";
  if (options_.loops == LoopRepair::baumgarte)
    return "loops are closed by impulses, Baumgarte's method has no place in it";
  for (const LoopDescription& loop : robot_.loops())
    if (loop.kind == LoopKind::rolling || loop.kind == LoopKind::knife_edge)
      return "loop " + in_quotes(loop.name) + " is " + name(loop.kind) +
             ", which forbids velocities and no positions";
  return {};
}
void MotionEquations::lagrangian(double t, const double* q, const double* v, double* p, double* g) {
  ++evaluations;
  write_forces(t, q, v, tau_.data());
  surround(t);
  if (!derivatives_) derivatives_.emplace(robot_);
  derivatives_->energy(at(q), vector(v), {}, to(g), to(p), into(a_));
  Surroundings outside = around_;
  outside.passive = false;
  dynamics_.inverse(at(q), still_, still_, outside, into(a_));  // gravity, outside wrenches
  for (int k = 0; k < nv(); ++k) g[k] += tau_[size_t(k)] - a_[size_t(k)];
  if (!options_.passive || !robot_.has_passive()) return;
  add_passive_forces(robot_.system(), q, v, -1, g);
  if (robot_.system().passive.bushings.count > 0)
    add_bushing_forces(robot_.system(), q, v, -1, bushings_, g);
}

bool MotionEquations::repair(SimulationState& x) {
  const bool moved = commands.prescribes();
  put_on_laws(x.t, x.q.data(), x.v.data());
  if (!constrained() || options_.loops == LoopRepair::baumgarte) return moved;
  if (!robot_.loops().empty()) {
    const AssemblyReport closed = loops().assemble(
        x.q, prescribes() ? prescribed() : std::span<const bool>(), into(x.q), x.t);
    if (!closed.converged)
      throw ComputationError("simulate: at t = " + std::to_string(x.t) + " loop \"" +
                             robot_.loops()[size_t(closed.worst_loop)].name +
                             "\" cannot be closed, what is open is " +
                             std::to_string(closed.residual));
  }
  if (prescribes()) strike(x.t, x.q.data(), x.v.data(), kept(x.v.data(), false));
  else loops().project(x.q, x.v, contacts_, into(x.v), x.t);
  return true;
}
double MotionEquations::violation(double t, const double* q) {
  if (robot_.loops().empty()) return 0;
  lambda_.resize(size_t(loops().rows()));
  loops().closure(at(q), into(lambda_), t);
  double worst = 0;
  for (const double x : lambda_) worst = std::max(worst, std::abs(x));
  lambda_.resize(size_t(loops().rows() + ConstrainedDynamics::rows(contacts_)));
  return worst;
}

MotionEquations::Energies MotionEquations::energy(const double* q, const double* v) {
  const Energy e = dynamics_.energy(at(q), vector(v));
  const double elastic = options_.passive ? dynamics_.elastic_energy(at(q)) : 0;
  const bool falls = options_.gravity && gravity_law == nullptr;  // else gravity works: power
  return {e.kinetic, (falls ? e.potential : 0) + elastic};
}
int MotionEquations::stiffest(double t, const double* q, const double* v) {
  const int n = nv();
  dense::Matrix a_q(n, n), a_v(n, n);
  derivatives(t, q, v, a_q.data(), a_v.data());
  int worst = 0;
  for (int k = 1; k < n; ++k)
    if (std::abs(a_v(k, k)) > std::abs(a_v(worst, worst))) worst = k;
  return worst;
}

}  // namespace jounce

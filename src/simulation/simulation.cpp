// SPDX-License-Identifier: BSD-3-Clause
// The door of simulation: options, commands, steps, runs.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "io/number_text.hpp"
#include "quotes.hpp"
#include "simulation/simulation_impl.hpp"

namespace jounce {
namespace {

constexpr struct {
  Integrator integrator;
  const char* name;
} integrator_names[] = {
    {Integrator::automatic, "auto"}, {Integrator::semi_implicit, "semi_implicit"},
    {Integrator::rk4, "rk4"},        {Integrator::rkmk4, "rkmk4"},
    {Integrator::dopri5, "dopri5"},  {Integrator::dop853, "dop853"},
    {Integrator::rodas4, "rodas4"},  {Integrator::variational, "variational"},
    {Integrator::taylor, "taylor"}};

bool needs_step(Integrator one) {
  return one == Integrator::semi_implicit || one == Integrator::rk4 || one == Integrator::rkmk4 ||
         one == Integrator::variational;
}

void require_range(const char* option, double x, double least, double most) {
  if (x >= least && x <= most) return;
  throw InputError("Simulation: " + std::string(option) + " is " + io::number_text(x) + ", needs " +
                   io::number_text(least) + " to " + io::number_text(most));
}

SimulationOptions checked(SimulationOptions x) {
  if (!(x.step >= 0) || !std::isfinite(x.step))
    throw InputError("Simulation: step is " + io::number_text(x.step) +
                     ", needs a length in s, or 0 for steps that are chosen");
  if (x.integrator == Integrator::automatic && x.step > 0) x.integrator = Integrator::rk4;
  if (needs_step(x.integrator) && x.step == 0)
    throw InputError("Simulation: " + std::string(name(x.integrator)) +
                     " takes steps of one length, needs step");
  if (x.tol == 0) x.tol = x.integrator == Integrator::rodas4 ? 1e-6 : 1e-8;
  require_range("tol", x.tol, 1e-14, 1e-3);
  const bool variational = x.integrator == Integrator::variational;
  if (x.order != 0 && x.integrator != Integrator::taylor && !variational)
    throw InputError("Simulation: order is " + std::to_string(x.order) + ", and " +
                     std::string(name(x.integrator)) + " has its own; needs taylor or variational");
  if (x.integrator == Integrator::taylor) {
    if (x.order == 0) x.order = std::clamp(int(std::lround(-std::log(x.tol))), 8, 17);
    require_range("order", x.order, 2, 17);
  }
  if (variational && x.order == 0) x.order = 4;
  if (variational && x.order != 2 && x.order != 4)
    throw InputError("Simulation: order is " + std::to_string(x.order) +
                     ", and variational needs 2 or 4");
  if (x.loops == LoopRepair::baumgarte) require_range("baumgarte_rate", x.baumgarte_rate, 0, 1e6);
  return x;
}

std::unique_ptr<Stepper> make_stepper(MotionEquations& f, const SimulationOptions& x) {
  switch (x.integrator) {
    case Integrator::automatic:
      return make_automatic(f, x.tol);
    case Integrator::semi_implicit:
      return make_semi_implicit(f);
    case Integrator::rk4:
    case Integrator::rkmk4:
      return make_explicit(f, rk4_table, x.tol);
    case Integrator::dopri5:
      return x.step > 0 ? make_explicit(f, dopri5_table, x.tol)
                        : make_watched(f, dopri5_table, x.tol);
    case Integrator::dop853:
      return x.step > 0 ? make_explicit(f, dop853_table, x.tol)
                        : make_watched(f, dop853_table, x.tol);
    case Integrator::rodas4:
      return make_rodas(f, x.tol);
    case Integrator::taylor:
      return make_taylor(f, x.order, x.tol);
    case Integrator::variational:
      return make_variational(f, x.order);
  }
  throw InputError("Simulation: there is no such integrator");
}

}  // namespace

std::string_view name(Integrator integrator) {
  for (const auto& one : integrator_names)
    if (one.integrator == integrator) return one.name;
  return "?";
}
Integrator integrator_named(std::string_view name) {
  std::string all;
  for (const auto& one : integrator_names) {
    if (name == one.name) return one.integrator;
    all += (all.empty() ? "" : ", ") + std::string(one.name);
  }
  throw InputError("there is no integrator " + in_quotes(name) + ", needs one of " + all);
}

void Record::add(double t, std::span<const double> q, std::span<const double> v,
                 std::span<const double> a, std::span<const double> tau) {
  const auto require = [&](const char* what, std::span<const double> x, int n) {
    if (x.size() != size_t(n))
      throw InputError("Record: " + std::string(what) + " has " + std::to_string(x.size()) +
                       " elements, robot \"" + robot_.name() + "\" needs " + std::to_string(n));
  };
  require("q", q, robot_.nq());
  require("v", v, robot_.nv());
  require("a", a, robot_.nv());
  require("tau", tau, robot_.nv());
  if (!std::isfinite(t) || (!t_.empty() && t < t_.back()))
    throw InputError("Record: the time is " + io::number_text(t) + ", needs one from " +
                     io::number_text(t_.empty() ? 0 : t_.back()) + " on");
  t_.push_back(t);
  q_.insert(q_.end(), q.begin(), q.end());
  v_.insert(v_.end(), v.begin(), v.end());
  a_.insert(a_.end(), a.begin(), a.end());
  tau_.insert(tau_.end(), tau.begin(), tau.end());
}
void Record::reserve(int times) {
  const auto count = size_t(std::max(0, times));
  t_.reserve(count);
  q_.reserve(count * size_t(robot_.nq()));
  for (auto* x : {&v_, &a_, &tau_}) x->reserve(count * size_t(robot_.nv()));
}

Simulation::Impl::Impl(const Robot& robot, const SimulationOptions& given)
    : options(checked(given)),
      f(robot, options),
      stepper(make_stepper(f, options)),
      events(f),
      q(size_t(robot.nq())),
      v(size_t(robot.nv())),
      a(v) {
  if (options.step > 0) stepper->fix_steps();
  list_limits();
}

void Simulation::Impl::check(const char* caller, const SimulationState& x) const {
  check_state(f.robot(), caller, x.q, {{"v", x.v}});
  if (x.a.size() != x.v.size() || (!x.modes.empty() && x.modes.size() != x.v.size()))
    throw InputError(std::string(caller) + ": the state is not one of Simulation::start");
  if (!std::isfinite(x.t))
    throw InputError(std::string(caller) + ": the state's time is " + io::number_text(x.t));
}

void Simulation::Impl::begin(SimulationState& x) {
  if (f.inputs.sample(x)) {
    x.has_a = false;
    stepper->forget();
  }
  f.begin(x);
  settle(x);
  const std::string why = stepper->why_not();
  if (!why.empty()) throw InputError(std::string(name(options.integrator)) + ": " + why);
}

/// Its error in tolerances. A step so long that numbers overflow on the way is one to be repeated.
double Simulation::Impl::try_step(const SimulationState& x, double h) {
  if (stepper->fixed()) return stepper->attempt(x, h);
  try {
    return stepper->attempt(x, h);
  } catch (const ComputationError&) {
    if (h < 1e-12 * std::max(1.0, std::abs(x.t))) throw;
    return INFINITY;
  }
}
Simulation::Impl::Tried Simulation::Impl::attempt(SimulationState& x, double limit,
                                                  long& rejected) {
  begin(x);
  if (events.any()) events.begin(x);
  const double jump = f.next_break(x.t), end = std::min(limit, jump);
  const double planned = stepper->fixed()  ? options.step
                         : x.next_step > 0 ? x.next_step
                                           : stepper->first_step(x);
  Tried step{.h = planned};
  for (;;) {
    const bool last = x.t + step.h * (1 + 1e-9) >= end;
    if (last) step.h = end - x.t;
    if (!(x.t + step.h > x.t))
      throw ComputationError("simulate: a step of " + io::number_text(step.h) +
                             " s is lost beside t = " + io::number_text(x.t));
    step.ratio = try_step(x, step.h);
    step.next = stepper->fixed() ? planned : stepper->next_step(x, step.h, step.ratio);
    if (stepper->fixed() || step.ratio <= 1) {
      if (last) step.next = std::max(step.next, planned);
      step.at_break = last && jump <= limit;
      if (events.any()) end_at_event(x, step);
      return step;
    }
    ++rejected;
    step.h = step.next;
  }
}
void Simulation::Impl::take(SimulationState& x, const Tried& step, double limit) {
  const double end = step.at_break ? f.next_break(x.t) : limit;
  const bool last = x.t + step.h >= end || std::abs(end - x.t - step.h) <= 1e-15 * std::abs(end);
  const Stepper::End there = stepper->end(x);
  if (!all_finite(there.q, there.v))
    throw ComputationError("simulate: the step from t = " + io::number_text(x.t) +
                           " does not lead to finite numbers, needs a shorter one");
  stepper->accept(x, step.h);
  if (last) x.t = end;
  x.next_step = step.next;
  x.last_ratio = std::max(step.ratio, 1e-4);
  if (!stepper->closes_loops() && f.repair(x)) x.has_a = false;
  if (!step.at_break) return;
  x.has_a = false;
  stepper->forget();
  begin(x);
  f.put_on_laws(x.t, x.q.data(), x.v.data());
}

void Simulation::Impl::add_row(double t, double* q_at, double* v_at, Record& record) {
  f.acceleration(t, q_at, v_at, a.data());
  record.add(t, {q_at, q.size()}, {v_at, v.size()}, a, f.forces());
}
/// The rows inside a step; that of its end is added when it was taken.
void Simulation::Impl::sample(SimulationState& x, const Tried& step, double until, double every,
                              Record* record) {
  if (record == nullptr || every <= 0) return;
  const double end = std::min(x.t + step.h, until);
  for (double k = std::floor(x.t / every + 1e-9) + 1; k * every < end - 1e-9 * every; ++k) {
    stepper->inside(x, step.h, (k * every - x.t) / step.h, q.data(), v.data());
    SimulationState at = x;
    at.t = k * every, at.q = q, at.v = v;
    f.repair(at);
    add_row(at.t, at.q.data(), at.v.data(), *record);
  }
}

/// Gauss's rule of four points over the step.
void Simulation::Impl::add_work(const SimulationState& x, const Tried& step, Ledger& ledger) {
  constexpr double points[] = {0.06943184420297371, 0.33000947820757187, 0.6699905217924281,
                               0.9305681557970263};
  constexpr double weights[] = {0.17392742256872692, 0.32607257743127307, 0.32607257743127307,
                                0.17392742256872692};
  for (int i = 0; i < 4; ++i) {
    stepper->inside(x, step.h, points[i], q.data(), v.data());
    ledger.work += step.h * weights[i] * f.power(x.t + points[i] * step.h, q.data(), v.data());
  }
}
void Simulation::Impl::note(const SimulationState& x, const RunOptions& run_options, Ledger& ledger,
                            RunReport& report) {
  report.constraint_violation = std::max(report.constraint_violation, f.violation(x.t, x.q.data()));
  note_limits(x, report);
  if (!run_options.energy) return;
  const auto now = f.energy(x.q.data(), x.v.data());
  report.largest_kinetic = std::max(report.largest_kinetic, now.kinetic);
  ledger.largest_off =
      std::max(ledger.largest_off, std::abs(now.sum() - ledger.start_energy - ledger.work));
  if (report.largest_kinetic > 0) report.energy_drift = ledger.largest_off / report.largest_kinetic;
}

RunReport Simulation::Impl::run(SimulationState& x, double until, Record* record,
                                const RunOptions& run_options) {
  check("run", x);
  if (!std::isfinite(until) || until < x.t)
    throw InputError("run: until is " + io::number_text(until) + ", the state is at " +
                     io::number_text(x.t));
  const auto begun = std::chrono::steady_clock::now();
  const long evaluations = f.evaluations;
  RunReport report;
  Ledger ledger;
  let_go.clear();
  begin(x);
  if (run_options.energy) ledger.start_energy = f.energy(x.q.data(), x.v.data()).sum();
  note(x, run_options, ledger, report);
  const auto add_state = [&] {
    q = x.q, v = x.v;
    if (record != nullptr) add_row(x.t, q.data(), v.data(), *record);
  };
  if (record != nullptr && (record->size() == 0 || record->t().back() < x.t)) add_state();
  const auto finish = [&] {
    report.evaluations = f.evaluations - evaluations;
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return report;
  };
  while (x.t < until) {
    const Tried step = attempt(x, until, report.rejected);
    sample(x, step, until, run_options.every, record);
    if (run_options.energy && f.does_work()) add_work(x, step, ledger);
    const bool was_stiff = x.stiff;
    take(x, step, until);
    ++report.steps;
    report.events.insert(report.events.end(), let_go.begin(), let_go.end());
    let_go.clear();
    const bool goes_on = step.events.empty() || fire(x, step.events, ledger, report);
    note(x, run_options, ledger, report);
    if (x.stiff && !was_stiff && report.stiff_time < 0) {
      report.stiff_time = x.t;
      report.stiff_coordinate = f.stiffest(x.t, x.q.data(), x.v.data());
    }
    const double every = run_options.every;
    const bool due = every <= 0 || std::abs(std::remainder(x.t, every)) < 1e-9 * every;
    if (due || x.t >= until || !goes_on) add_state();
    if (!goes_on) {
      report.end = RunReport::End::event;
      return finish();
    }
    if (run_options.watch && !run_options.watch(x)) {
      if (!due && x.t < until) add_state();
      report.end = RunReport::End::watch;
      return finish();
    }
  }
  return finish();
}

Simulation::Simulation(const Robot& robot, const SimulationOptions& options)
    : impl_(std::make_unique<Impl>(robot, options)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

const Robot& Simulation::robot() const { return impl_->f.robot(); }
const SimulationOptions& Simulation::options() const { return impl_->options; }

void Simulation::command(std::string_view joint, Command command, double from) {
  impl_->f.commands.add(joint, command, from);
  impl_->stepper->forget();
  impl_->set_up.emplace_back([joint = std::string(joint), command = std::move(command),
                              from](Simulation& own) { own.command(joint, command, from); });
}
Simulation Simulation::another() const {
  Simulation own(robot(), options());
  for (const auto& say : impl_->set_up) say(own);
  return own;
}

SimulationState Simulation::start(const VectorArg& q, const VectorArg& v, double t, double reach) {
  const std::span<const double> at = q, speed = v;
  robot().check_q("start", "q", at);
  robot().check_v("start", "v", speed);
  if (!std::isfinite(t)) throw InputError("start: t is " + io::number_text(t));
  SimulationState x;
  x.t = t;
  x.q.assign(at.begin(), at.end());
  x.v.assign(speed.begin(), speed.end());
  x.a.assign(x.v.size(), 0);
  robot().normalize(x.q);
  impl_->begin(x);
  impl_->f.repair(x);
  impl_->require_inside_stops(x);
  std::vector<double> way(x.v);
  robot().difference(at, x.q, way);
  for (size_t k = 0; k < way.size(); ++k)
    if (!(std::abs(way[k]) <= reach))
      throw ComputationError("start: to close the loops coordinate " + std::to_string(k) +
                             " has to move by " + io::number_text(way[k]) + ", at most " +
                             io::number_text(reach) + " is allowed");
  return x;
}

RunReport Simulation::run(SimulationState& x, double until, Record& record,
                          const RunOptions& options) {
  return impl_->run(x, until, &record, options);
}
RunReport Simulation::run(SimulationState& x, double until, const RunOptions& options) {
  return impl_->run(x, until, nullptr, options);
}
double Simulation::step(SimulationState& x, double h) {
  impl_->check("step", x);
  if (!(h > 0) || !std::isfinite(h))
    throw InputError("step: h is " + io::number_text(h) + ", needs a length in s");
  long rejected = 0;
  const double limit = x.t + h;
  const auto tried = impl_->attempt(x, limit, rejected);
  impl_->take(x, tried, limit);
  if (!tried.events.empty()) {
    Ledger ledger;
    RunReport report;
    impl_->fire(x, tried.events, ledger, report);
  }
  impl_->let_go.clear();
  return tried.h;
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Steps that end at events, and what happens there.
#include <algorithm>
#include <cmath>

#include "io/number_text.hpp"
#include "simulation/simulation_impl.hpp"

namespace jounce {
namespace {

constexpr double ulp = 2.220446049250313e-16;
constexpr int too_many = 1000;  ///< events at what is nearly one time

/// s: how far after an event a step may end.
double tight_time(const SimulationState& x, double h) { return 8 * ulp * (std::abs(x.t) + h); }

}  // namespace

double Simulation::Impl::value_at_end(int entry, const SimulationState& x, double h) {
  SimulationState end = x;
  const Stepper::End there = stepper->end(x);
  std::ranges::copy(there.q, end.q.begin());
  std::ranges::copy(there.v, end.v.begin());
  end.t = x.t + h;
  f.repair(end);
  return events.value(entry, end);
}

// Dense output is not the method: the step is repeated until its own end is just after the root.
bool Simulation::Impl::end_at(const EventTable::Root& root, SimulationState& x, Tried& step) {
  const double full = step.h, tight = tight_time(x, full);
  const double least = 4 * ulp * std::max(std::abs(x.t), 1e-3);
  const double slope = root.sign * root.slope / full;  // of a value that falls through zero
  double before = 0, after = full, h = std::clamp(root.theta * full, least, full);
  for (int i = 0; i < 60 && before < full; ++i) {
    stepper->attempt(x, h);
    const double value = root.sign * value_at_end(root.entry, x, h);
    const double way = slope < 0 ? -value / slope : NAN;
    const bool over = value < 0;
    if (over) after = h;
    else before = h;
    if (over && (-way <= tight || h <= least || after - before <= tight)) {
      if (h < full) step.at_break = false;
      step.h = h;
      step.events = events.crossed(x, h, 1 + 4 * tight / h, root.entry, *stepper);
      return true;
    }
    const double next = h + way + (over ? 0.5 * tight : std::ldexp(tight, i));
    const double middle = after - before > tight ? 0.5 * (before + after) : after;
    h = next > before && next < after ? next : middle;
  }
  stepper->attempt(x, full);
  return false;
}
void Simulation::Impl::end_at_event(SimulationState& x, Tried& step) {
  for (;;) {
    const EventTable::Root root = events.first(x, step.h, 2 * tight_time(x, step.h), *stepper);
    if (root.entry < 0 || end_at(root, x, step)) return;
    events.pass_over(root.entry);  // the method does not come to it: rounding at the start
  }
}

bool Simulation::Impl::fire(SimulationState& x, std::span<const int> crossed, Ledger& ledger,
                            RunReport& report) {
  if (x.t - crowded_since > 1e-9 * (1 + std::abs(x.t))) crowded_since = x.t, crowd = 0;
  if (++crowd > too_many)
    throw ComputationError("simulate: at t = " + io::number_text(x.t) + " event \"" +
                           events.entry(crossed[0]).name + "\" comes again and again");
  bool goes_on = true;
  for (const int e : crossed) {
    const EventEntry entry = events.entry(e);  // its action may add events
    if (entry.active && !entry.active(x)) continue;
    if (!entry.silent) report.events.push_back({x.t, entry.name});
    goes_on = goes_on && !entry.stop;
    if (!entry.action) continue;
    const double energy = f.energy(x.q.data(), x.v.data()).sum();
    entry.action(x);
    begin_anew(x);
    const double added = f.energy(x.q.data(), x.v.data()).sum() - energy;
    ledger.work += added, report.impact_energy += added;
  }
  return goes_on;
}
void Simulation::Impl::begin_anew(SimulationState& x) {
  check("simulate", x);
  x.has_a = false;
  x.moves = 0;
  stepper->forget();
  begin(x);
  if (f.repair(x)) x.has_a = false;
}

void Simulation::event(std::string name, EventFunction function, EventOptions options) {
  if (!function) throw InputError("event: \"" + name + "\" has no function");
  impl_->events.add({name, function, options.direction, options.stop, options.action});
  impl_->set_up.emplace_back(
      [name = std::move(name), function = std::move(function),
       options = std::move(options)](Simulation& own) { own.event(name, function, options); });
}
Moment Simulation::at(SimulationState& x) {
  impl_->check("at", x);
  impl_->begin(x);
  return {x.t, x.q, x.v, impl_->f};
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Joints at their stops, frames on the ground: impacts, rest, and when they leave.
#include <algorithm>
#include <cmath>
#include <utility>

#include "io/number_text.hpp"
#include "quotes.hpp"
#include "simulation/simulation_impl.hpp"

namespace jounce {
namespace {

/// Below it, of what acts, a force that pulls is one of rounding.
constexpr double no_pull = 1e-13;
constexpr int most_rounds = 100;  ///< of joints let go and taken back; rounding may want more

}  // namespace

void Simulation::Impl::list_limits() {
  const Robot& robot = f.robot();
  for (const JointInfo& joint : robot.joints()) {
    if (joint.mimic || joint.nq != joint.nv || is_planar(joint)) continue;  // q' is v
    for (int k = 0; k < joint.nv; ++k) {
      const auto j = size_t(joint.v + k);
      const double lower = robot.limits().lower[j], upper = robot.limits().upper[j];
      if (std::isfinite(lower) || std::isfinite(upper))
        limited.push_back({joint.v + k, joint.q + k, lower, upper, joint.name});
    }
  }
}
void Simulation::Impl::note_limits(const SimulationState& x, RunReport& report) const {
  for (const LimitedCoordinate& one : limited) {
    const double at = x.q[size_t(one.q)], excess = std::max(one.lower - at, at - one.upper);
    if (!(excess > (has_stop(one.v) ? at_stop : 0))) continue;
    const bool upper = at > one.upper;
    const auto same = [&](const LimitReport& r) {
      return r.coordinate == one.v && r.upper == upper;
    };
    const auto known = std::find_if(report.limits.begin(), report.limits.end(), same);
    if (known == report.limits.end()) report.limits.push_back({x.t, one.v, upper, excess});
    else known->excess = std::max(known->excess, excess);
  }
}

bool Simulation::Impl::has_stop(int coordinate) const {
  return std::ranges::any_of(stopped, [=](const auto& one) { return one.v == coordinate; });
}
void Simulation::Impl::require_inside_stops(const SimulationState& x) const {
  for (const LimitedCoordinate& one : stopped) {
    const double at = x.q[size_t(one.q)];
    if (at >= one.lower && at <= one.upper) continue;
    throw InputError("start: joint " + in_quotes(one.joint) + " is at " + io::number_text(at) +
                     ", beyond its stop at " +
                     io::number_text(at < one.lower ? one.lower : one.upper));
  }
}

void Simulation::Impl::hit(SimulationState& x, const LimitedCoordinate& one, bool upper,
                           const StopOptions& how) {
  const auto k = size_t(one.v);
  const int away = upper ? -1 : 1;
  x.q[size_t(one.q)] = upper ? one.upper : one.lower;
  const double back = -how.restitution * x.v[k];
  const bool rests = std::abs(back) < how.rest_speed;
  auto rows = f.kept(x.v.data(), true);
  rows.push_back({one.v, rests ? 0 : back, away});
  const std::vector<double> before = x.v;
  for (bool again = true; std::exchange(again, false);) {
    x.v = before;
    f.strike(x.t, x.q.data(), x.v.data(), rows);
    for (auto& row : rows) {  // thrown off its own stop; what would come back at once stays
      const double speed = std::abs(x.v[size_t(row.coordinate)]);
      if (row.sign == 0 || row.coordinate == one.v || speed == 0 || speed >= how.rest_speed)
        continue;
      row.sign = 0, again = true;
    }
  }
  for (const auto& row : rows)
    if (row.sign != 0 && row.coordinate != one.v && x.v[size_t(row.coordinate)] != 0)
      x.modes[size_t(row.coordinate)] = 0;
  x.modes[k] = rests ? -away : 0;
}
void Simulation::Impl::add_stop(const LimitedCoordinate& one, const StopOptions& how) {
  stopped.push_back(one);
  const auto k = size_t(one.v), q_k = size_t(one.q);
  const std::string where = "stop of joint " + in_quotes(one.joint);
  const auto free = [this, k](const SimulationState& x) {
    return (x.modes.empty() || x.modes[k] == 0) && !f.prescribed()[k];
  };
  const auto add = [&](bool upper, double limit) {
    if (!std::isfinite(limit)) return;
    const int side = upper ? -1 : 1;
    events.add({.name = where,
                .g = [=](const Moment& m) { return side * (m.q[q_k] - limit); },
                .direction = Crossing::falling,
                .action =
                    [this, one, upper, how](SimulationState& x) {
                      x.modes.resize(x.v.size());
                      hit(x, one, upper, how);
                    },
                .active = free,
                .zero_is_positive = true});
  };
  add(false, one.lower), add(true, one.upper);
  events.add(
      {.name = "leaves the " + where,
       .g =
           [this, k](const Moment& m) {
             (void)m.a();
             return f.push_of_stop(k);
           },
       .direction = Crossing::falling,
       .action = [k](SimulationState& x) { x.modes[k] = 0; },
       .active = [k](const SimulationState& x) { return !x.modes.empty() && x.modes[k] != 0; }});
}

bool Simulation::Impl::touches(const SimulationState& x, FrameId frame) const {
  return std::ranges::any_of(x.contacts, [&](const Contact& c) { return c.frame == frame; });
}
/// Lets the first joint go that its stop would pull, or takes back the first of those let go that
/// would fall into it again: the least index first, which ends (Murty 1974). False where all is
/// well.
bool Simulation::Impl::settle_stops(SimulationState& x) {
  if (x.modes.empty()) return false;
  for (const LimitedCoordinate& one : stopped) {
    const auto k = size_t(one.v);
    const double scale = no_pull * (1 + std::abs(f.forces()[k]));
    if (x.modes[k] != 0 && f.push_of_stop(k) < -scale) {
      x.modes[k] = 0;
      return true;
    }
    const bool falls_back = x.modes[k] == 0 && modes_before[k] != 0 &&
                            modes_before[k] * f.acceleration_there()[k] > no_pull;
    if (!falls_back) continue;
    x.modes[k] = modes_before[k];
    return true;
  }
  return false;
}
/// The same of the foot that the ground would pull most.
bool Simulation::Impl::settle_feet(SimulationState& x) {
  const Contact* worst = nullptr;
  double least = -no_pull;
  for (const Contact& contact : x.contacts) {
    if (std::ranges::find(lifting, contact.frame) == lifting.end()) continue;
    const double push = normal_force(contact.frame, x.q.data());
    if (push < least) least = push, worst = &contact;
  }
  if (worst == nullptr) return false;
  const FrameId at = worst->frame;
  let_go.push_back({x.t, in_quotes(f.robot().frame_info(at).name) + " lifts"});
  std::erase_if(x.contacts, [at](const Contact& c) { return c.frame == at; });
  return true;
}
void Simulation::Impl::settle(SimulationState& x) {
  const bool rests = std::ranges::any_of(x.modes, [](int mode) { return mode != 0; });
  const bool stands =
      std::ranges::any_of(lifting, [&](FrameId frame) { return touches(x, frame); });
  if (!rests && !stands) return;
  modes_before = x.modes;
  for (int round = 0;; ++round) {
    f.evaluate_at(x.t, x.q, x.v);
    if (!(round < most_rounds && settle_stops(x)) && !settle_feet(x)) break;
    x.has_a = false;
    stepper->forget();
    f.begin(x);
  }
  x.a.assign(f.acceleration_there().begin(), f.acceleration_there().end());
  x.has_a = true;
  for (const LimitedCoordinate& one : stopped)
    if (!x.modes.empty() && x.modes[size_t(one.v)] != modes_before[size_t(one.v)])
      let_go.push_back({x.t, "leaves the stop of joint " + in_quotes(one.joint)});
}

Wrench<double> Simulation::Impl::attach(SimulationState& x, const Contact& contact) {
  x.contacts.push_back(contact);
  for (;;) {
    f.begin(x);
    std::vector<double> after(x.v.size());
    std::vector<double> lambda(size_t(f.loops().rows() + ConstrainedDynamics::rows(x.contacts)));
    f.loops().impulse(x.q, x.v, x.contacts, 0, into(after), into(lambda), x.t);
    const auto wrenches = f.loops().loop_wrenches(x.q, lambda, x.contacts);
    const size_t own = f.robot().loops().size();
    const auto on_ground_axes = [&](size_t c) {
      const SO3<double> R = f.pose(x.contacts[c].frame, x.q.data()).R;
      return Wrench<double>{R * wrenches[own + c].m, R * wrenches[own + c].f};
    };
    size_t pulled = x.contacts.size();  // the most
    double least = 0;
    for (size_t c = 0; c + 1 < x.contacts.size(); ++c) {
      const double push = on_ground_axes(c).f.z;
      if (push < least && std::ranges::find(lifting, x.contacts[c].frame) != lifting.end())
        pulled = c, least = push;
    }
    if (pulled < x.contacts.size()) {
      x.contacts.erase(x.contacts.begin() + std::ptrdiff_t(pulled));
      continue;
    }
    f.strike(x.t, x.q.data(), x.v.data(), f.kept(x.v.data(), true));
    x.has_a = false;
    return on_ground_axes(x.contacts.size() - 1);
  }
}
void Simulation::Impl::add_landing(FrameId frame, const LandingOptions& how) {
  const std::string name = in_quotes(f.robot().frame_info(frame).name);
  events.add({.name = name + " lands",
              .g = [=](const Moment& m) { return m.pose(frame).p.z - how.height; },
              .direction = Crossing::falling,
              .action =
                  [this, frame, how](SimulationState& x) {
                    attach(x, {frame, how.kind});
                  },
              .active = [this, frame](const SimulationState& x) { return !touches(x, frame); },
              .zero_is_positive = true});
  if (!how.lifts) return;
  lifting.push_back(frame);
  events.add({.name = name + " lifts",
              .g = [=](const Moment& m) { return m.contact_wrench(frame).f.z; },
              .direction = Crossing::falling,
              .action =
                  [frame](SimulationState& x) {
                    std::erase_if(x.contacts, [&](const Contact& c) { return c.frame == frame; });
                  },
              .active = [this, frame](const SimulationState& x) { return touches(x, frame); }});
}

void Simulation::stop(std::string_view joint, const StopOptions& options) {
  if (!(options.restitution >= 0 && options.restitution <= 1))
    throw InputError("stop: restitution is " + io::number_text(options.restitution) +
                     ", needs 0 to 1");
  if (!(options.rest_speed > 0) || !std::isfinite(options.rest_speed))
    throw InputError("stop: rest_speed is " + io::number_text(options.rest_speed) +
                     ", needs a speed above 0");
  const JointInfo& info = robot().joint(joint);
  bool any = false;
  for (const auto& one : impl_->limited)
    if (one.joint == info.name) impl_->add_stop(one, options), any = true;
  if (!any) throw InputError("stop: joint " + in_quotes(joint) + " has no limits of position");
  impl_->set_up.emplace_back(
      [joint = std::string(joint), options](Simulation& own) { own.stop(joint, options); });
}
void Simulation::stops(const StopOptions& options) {
  std::vector<std::string> names;
  for (const auto& one : impl_->limited)
    if (names.empty() || names.back() != one.joint) names.push_back(one.joint);
  for (const std::string& joint : names) stop(joint, options);
}
void Simulation::watch_limits(bool stop) {
  for (const auto& one : impl_->limited)
    for (const double limit : {one.lower, one.upper})
      if (std::isfinite(limit))
        event("limit of joint " + in_quotes(one.joint),
              [=, side = limit == one.lower ? 1 : -1](const Moment& m) {
                return side * (m.q[size_t(one.q)] - limit);
              },
              {.direction = Crossing::falling, .stop = stop});
}
void Simulation::landing(std::string_view frame, const LandingOptions& options) {
  impl_->add_landing(robot().frame(frame), options);
  impl_->set_up.emplace_back(
      [frame = std::string(frame), options](Simulation& own) { own.landing(frame, options); });
}
Wrench<double> Simulation::attach(SimulationState& x, const Contact& contact) {
  impl_->check("attach", x);
  if (impl_->touches(x, contact.frame))
    throw InputError("attach: the ground holds " +
                     in_quotes(robot().frame_info(contact.frame).name) + " already");
  return impl_->attach(x, contact);
}
void Simulation::release(SimulationState& x, FrameId frame) {
  std::erase_if(x.contacts, [&](const Contact& c) { return c.frame == frame; });
  x.has_a = false;
}

}  // namespace jounce

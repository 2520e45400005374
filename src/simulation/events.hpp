// SPDX-License-Identifier: BSD-3-Clause
// Events of a simulation, and where in a step the first of them is.
#pragma once

#include "simulation/stepper.hpp"

namespace jounce {

constexpr double at_stop = 1e-9;  ///< rad, m: by what rounding and loops move a joint at its stop

struct EventEntry {
  std::string name;
  EventFunction g;
  Crossing direction = Crossing::any;
  bool stop = false;
  std::function<void(SimulationState&)> action{};
  std::function<bool(const SimulationState&)> active{};  ///< empty: always
  bool silent = false;            ///< a step ends there, and nothing else happens
  bool zero_is_positive = false;  ///< at the start of a step: a joint at its stop has not hit it

  bool crosses(int from, double to) const {
    if (from == 0 || to * from > 0) return false;
    return direction == Crossing::any || (direction == Crossing::rising) == (from < 0);
  }
};

class EventTable {
 public:
  explicit EventTable(MotionEquations& f) : f_(f) {}

  void add(EventEntry entry) { entries_.push_back(std::move(entry)); }
  bool any() const { return !entries_.empty(); }
  const EventEntry& entry(int e) const { return entries_[size_t(e)]; }

  /// Looks at all functions at the start of a step.
  void begin(const SimulationState& x);
  /// The first crossing inside the step that was tried from x.
  struct Root {
    int entry = -1;    ///< none
    double theta = 0;  ///< just after it, of the step
    double slope = 0;  ///< of the function by theta
    int sign = 0;      ///< before it
  };
  /// Roots within `own` s of the start are where the last step ended.
  Root first(const SimulationState& x, double h, double own, Stepper& stepper);
  /// Looks at it no more until the next step begins.
  void pass_over(int e) { active_[size_t(e)] = false; }
  double value(int e, const SimulationState& x);
  /// The events whose functions have changed sign at theta, and the one that was found.
  std::vector<int> crossed(const SimulationState& x, double h, double theta, int found,
                           Stepper& stepper);

 private:
  double inside(int e, const SimulationState& x, double h, double theta, Stepper& stepper);
  Root first_until(const SimulationState& x, double h, double up_to, Stepper& stepper);
  Root search(int e, const SimulationState& x, double h, double up_to, Stepper& stepper);

  MotionEquations& f_;
  std::vector<EventEntry> entries_;
  std::vector<int> signs_;     ///< at the start of the step; 0: not known
  std::vector<bool> active_;   ///< there
  std::vector<double> q_, v_;  ///< scratch
  std::vector<double> grid_;   ///< states inside the step, q and v of each
  double own_ = 0;
};

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// What a Simulation is made of.
#pragma once

#include "simulation/events.hpp"

namespace jounce {

/// What a run keeps beside its record.
struct Ledger {
  double start_energy = 0, work = 0;
  double largest_off = 0;
};

struct Simulation::Impl {
  Impl(const Robot& robot, const SimulationOptions& given);

  struct Tried {
    double h = 0, next = 0, ratio = 0;
    bool at_break = false;
    std::vector<int> events{};  ///< that end it
  };
  void check(const char* caller, const SimulationState& x) const;
  /// Everything that holds from the state on; takes samples that are due.
  void begin(SimulationState& x);
  /// Lets joints and frames go that their stops or the ground would pull.
  void settle(SimulationState& x);
  bool settle_stops(SimulationState& x);
  bool settle_feet(SimulationState& x);
  /// After the state was changed from outside.
  void begin_anew(SimulationState& x);
  double try_step(const SimulationState& x, double h);
  Tried attempt(SimulationState& x, double limit, long& rejected);
  void take(SimulationState& x, const Tried& step, double limit);
  void sample(SimulationState& x, const Tried& step, double until, double every, Record* record);
  void add_row(double t, double* q, double* v, Record& record);
  void add_work(const SimulationState& x, const Tried& step, Ledger& ledger);
  void note(const SimulationState& x, const RunOptions& options, Ledger& ledger, RunReport& report);
  void note_limits(const SimulationState& x, RunReport& report) const;

  /// Ends the step that was tried where the first event is.
  void end_at_event(SimulationState& x, Tried& step);
  /// Ends it at this one; false where the method does not come to it.
  bool end_at(const EventTable::Root& root, SimulationState& x, Tried& step);
  double value_at_end(int entry, const SimulationState& x, double h);
  /// What the events do that ended the step. False where the run ends there.
  bool fire(SimulationState& x, std::span<const int> crossed, Ledger& ledger, RunReport& report);

  /// A position that has limits.
  struct LimitedCoordinate {
    int v, q;
    double lower, upper;
    std::string joint;
  };
  void list_limits();
  bool has_stop(int coordinate) const;
  /// Refuses a start beyond a stop.
  void require_inside_stops(const SimulationState& x) const;
  void add_stop(const LimitedCoordinate& one, const StopOptions& how);
  void hit(SimulationState& x, const LimitedCoordinate& one, bool upper, const StopOptions& how);
  void add_landing(FrameId frame, const LandingOptions& how);
  Wrench<double> attach(SimulationState& x, const Contact& contact);
  bool touches(const SimulationState& x, FrameId frame) const;
  double normal_force(FrameId frame, const double* q_at) {
    return f.contact_wrench(frame, q_at).f.z;
  }

  RunReport run(SimulationState& x, double until, Record* record, const RunOptions& run_options);

  SimulationOptions options;
  std::vector<std::function<void(Simulation&)>> set_up;  ///< what was said to it, for another one
  MotionEquations f;
  std::unique_ptr<Stepper> stepper;
  EventTable events;
  std::vector<LimitedCoordinate> limited, stopped;  ///< all that have limits, those with stops
  std::vector<FrameId> lifting;     ///< frames that the ground lets go rather than pull
  std::vector<EventReport> let_go;  ///< by settle, since they were last told
  std::vector<int> modes_before;    ///< of the stops that settle looks at
  double crowded_since = 0;         ///< when the events began that follow one another at once
  int crowd = 0;                    ///< how many they are
  std::vector<double> q, v, a;
};

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// What an integrator may ask of a robot under its commands: accelerations, their derivatives and
// series, energy, and where something jumps.
#pragma once

#include <jounce/constrained_derivatives.hpp>
#include <jounce/constrained_series.hpp>
#include <jounce/derivatives.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/equations/bushings.hpp>
#include <jounce/equations/passive.hpp>
#include <jounce/series.hpp>
#include <jounce/simulation.hpp>
#include <optional>

#include "simulation/commands.hpp"

namespace jounce {

class MotionEquations {
 public:
  MotionEquations(Robot robot, const SimulationOptions& options);

  const Robot& robot() const { return robot_; }
  int nq() const { return robot_.nq(); }
  int nv() const { return robot_.nv(); }
  std::span<const Factor> factors() const { return jounce::factors(robot_.system()); }
  CommandTable commands;
  long evaluations = 0;

  /// What holds from the state on: commands of its time, its contacts. Before every step.
  void begin(const SimulationState& x);
  /// The first time after t at which something jumps: no step goes beyond.
  double next_break(double t) const { return commands.next_break(t); }

  /// a at q and v, which trajectories correct before.
  void acceleration(double t, double* q, double* v, double* a);
  /// The forces of all actuators at the last acceleration.
  std::span<const double> forces() const { return tau_; }
  void put_on_laws(double t, double* q, double* v);

  /// da/dq along the tangent and da/dv, column by column; at the state of the last acceleration.
  void derivatives(double t, const double* q, const double* v, double* a_q, double* a_v);
  /// da/dt at fixed q and v; false where it is zero.
  bool time_rate(double t, const double* q, const double* v, const double* a, double* a_t);
  /// v and its derivatives up to `order`, column by column.
  void series(double t, const double* q, const double* v, int order, double* motion);
  /// Why there is none; empty where there is one.
  std::string why_no_series() const;

  /// p = dL/dv and g = dL/dq + forces of actuators, passive and outside ones, where L is kinetic
  /// less potential energy.
  void lagrangian(double t, const double* q, const double* v, double* p, double* g);
  /// Why discrete mechanics has nothing to say; empty where it has.
  std::string why_not_variational() const;
  /// Of a robot that has loops.
  ConstrainedDynamics* loop_dynamics() { return robot_.loops().empty() ? nullptr : &loops(); }

  /// Loops closed again, velocities made to suit them and contacts, prescribed joints on their
  /// laws. True where anything was moved.
  bool repair(SimulationState& x);
  /// How far the loops are open.
  double violation(double t, const double* q);

  /// Kinetic, potential and elastic energy.
  struct Energies {
    double kinetic = 0, potential = 0;
    double sum() const { return kinetic + potential; }
  };
  Energies energy(const double* q, const double* v);
  /// The power of actuators, less what dampers take.
  double power(double t, const double* q, const double* v);
  /// Whether there is any power but that of gravity, springs and inertia.
  bool does_work() const { return commands.any() || (options_.passive && robot_.has_passive()); }
  /// The coordinate whose velocity is taken away fastest: the largest diagonal entry of da/dv.
  int stiffest(double t, const double* q, const double* v);

 private:
  std::span<const double> at(const double* q) const { return {q, size_t(nq())}; }
  std::span<const double> vector(const double* v) const { return {v, size_t(nv())}; }
  Into<double> to(double* a) const { return {a, nv(), 1}; }
  bool constrained() const { return !robot_.loops().empty() || !contacts_.empty(); }
  ConstrainedDynamics& loops();
  void constrained_acceleration(const double* q, const double* v, double* a);
  void add_baumgarte(double t, const double* q, const double* v, double* a);
  void copy_free_rows(const OwnedMatrix& from, double* to) const;

  Robot robot_;
  SimulationOptions options_;
  Surroundings around_;
  std::span<const Contact> contacts_;
  Dynamics dynamics_;
  std::optional<ConstrainedDynamics> loops_;
  std::optional<Derivatives> derivatives_;
  std::optional<ForwardDerivatives> forward_;
  std::optional<HybridDerivatives> hybrid_;
  std::optional<ConstrainedDerivatives> loop_derivatives_;
  std::optional<ConstrainedForwardDerivatives> loop_forward_;
  std::optional<ConstrainedHybridDerivatives> loop_hybrid_;
  std::optional<Series> series_;
  std::optional<ConstrainedSeries> loop_series_;
  BushingRoom<double> bushings_;
  std::vector<double> given_, tau_, lambda_;        ///< accelerations, forces, multipliers
  std::vector<double> q_, v_, a_;                   ///< scratch
  std::vector<double> still_;                       ///< [nv] zeros
  std::vector<double> taus_, motion_, motion_out_;  ///< of series
};

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// What an integrator may ask of a robot under its commands: accelerations, their derivatives and
// series, energy, and where something jumps.
#pragma once

#include <jounce/constrained_derivatives.hpp>
#include <jounce/constrained_series.hpp>
#include <jounce/dense_matrix.hpp>
#include <jounce/derivatives.hpp>
#include <jounce/door/robot_equations.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/equations/bushings.hpp>
#include <jounce/equations/passive.hpp>
#include <jounce/mass_factors.hpp>
#include <jounce/series.hpp>
#include <jounce/simulation.hpp>
#include <optional>

#include "kernels/kernel_tree.hpp"
#include "simulation/commands.hpp"
#include "simulation/inputs.hpp"
#include "state_check.hpp"

namespace jounce {

class MotionEquations {
 public:
  MotionEquations(const Robot& robot, const SimulationOptions& options);

  const Robot& robot() const { return robot_; }
  int nq() const { return nq_; }
  int nv() const { return nv_; }
  std::span<const Factor> factors() const { return jounce::factors(robot_.system()); }
  CommandTable commands;
  Inputs inputs;
  std::function<Vec3<double>(double t)> gravity_law;  ///< empty: the robot's own
  long evaluations = 0;

  /// What holds from the state on: commands of its time, its contacts and stops, what its
  /// controllers hold. Before every step.
  void begin(const SimulationState& x);
  /// The first time after t at which something jumps: no step goes beyond.
  double next_break(double t) const {
    return std::min(commands.next_break(t), inputs.next_break());
  }
  /// Coordinates whose accelerations are given: by commands, or by a stop at which they rest.
  bool prescribes() const { return prescribes_; }
  std::span<const bool> prescribed() const { return {prescribed_.get(), tau_.size()}; }

  /// a at q and v, which trajectories correct before.
  void acceleration(double t, double* q, double* v, double* a);
  /// The same elsewhere than in a step, and what it gave.
  void evaluate_at(double t, std::span<const double> q, std::span<const double> v);
  std::span<const double> acceleration_there() const { return there_a_; }
  /// The forces of all actuators at the last acceleration, without those of stops.
  std::span<const double> forces() const { return tau_; }
  /// Positive where a stop pushes the coordinate away.
  double push_of_stop(size_t k) const { return modes_.empty() ? 0 : -modes_[k] * reaction_[k]; }
  /// What the ground exerted there on a frame that it holds, in ground axes at its origin.
  Wrench<double> contact_wrench(FrameId frame, const double* q);
  /// The pose of a frame.
  SE3<double> pose(FrameId frame, const double* q);
  void put_on_laws(double t, double* q, double* v);

  /// da/dq along the tangent and da/dv, column by column; at the state of the last acceleration.
  /// Forces and wrenches that are functions of the state enter by differences of them alone.
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

  /// The dynamics of loops and contacts, and whether there are any.
  ConstrainedDynamics& loops();
  bool constrained() const { return has_loops_ || !contacts_.empty(); }
  std::span<const Contact> contacts() const { return contacts_; }

  /// An impulse along a coordinate: the velocity that it shall have after it, and the sign that
  /// the impulse may have; 0: either.
  struct CoordinateImpulse {
    int coordinate;
    double wanted;
    int sign;
  };
  /// The velocities nearest to v, in the metric of the kinetic energy, that suit loops and contacts
  /// and these coordinates; where an impulse would have the wrong sign, its coordinate moves with
  /// that sign instead.
  void strike(double t, const double* q, double* v, std::span<const CoordinateImpulse> rows);
  /// What keeps coordinates where they are: commands that prescribe them, stops that they rest at.
  /// With may_leave the latter push alone.
  std::vector<CoordinateImpulse> kept(const double* v, bool may_leave) const;

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
  /// The power of actuators and outside wrenches, less what dampers take.
  double power(double t, const double* q, const double* v);
  /// Whether there is any power but that of gravity, springs and inertia.
  bool does_work() const {
    return commands.any() || inputs.any() || inputs.has_wrenches() || gravity_law != nullptr ||
           (options_.passive && robot_.has_passive());
  }
  /// The coordinate whose velocity is taken away fastest: the largest diagonal entry of da/dv.
  int stiffest(double t, const double* q, const double* v);

 private:
  std::span<const double> at(const double* q) const { return {q, size_t(nq())}; }
  std::span<const double> vector(const double* v) const { return {v, size_t(nv())}; }
  Into<double> to(double* a) const { return {a, nv(), 1}; }
  void surround(double t);
  /// Commands and controllers together, within the limits of effort; and the wrenches.
  void write_forces(double t, const double* q, const double* v, double* tau);
  void add_feedback(double t, const double* q, const double* v, const OwnedMatrix& by_force,
                    double* a_q, double* a_v);
  void add_feedback_column(double t, const double* at_q, const double* q, const double* v,
                           double by, const OwnedMatrix& by_force, double* column);
  /// Held forces added to the first of taus_, held wrenches beside them.
  void add_held_series(double t, const double* q, const double* v);
  /// The nearest velocities that suit loops and contacts, and what impulses make of them.
  std::vector<double> suited(double t, const double* q, std::vector<double> v);
  dense::Matrix impulse_directions(double t, const double* q, const std::vector<double>& base,
                                   std::span<const CoordinateImpulse> rows);
  double passive_loss(const double* q, const double* v);
  Kinematics& kinematics();
  void constrained_acceleration(const double* q, const double* v, double* a);
  void add_baumgarte(double t, const double* q, const double* v, double* a);
  void copy_free_rows(const OwnedMatrix& from, double* to) const;

  Robot robot_;
  int nq_, nv_;
  bool has_loops_;
  SimulationOptions options_;
  Surroundings around_;
  std::span<const Contact> contacts_;
  std::span<const int> modes_;  ///< of stops; empty where none was ever at work
  std::unique_ptr<bool[]> prescribed_;
  bool prescribes_ = false;
  Dynamics dynamics_;
  /// What acceleration asks: it looks at states itself, forces and wrenches are looked at where
  /// they arise, so that a door's checks would be a second look.
  RobotEquations<double> equations_;
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
  std::optional<Kinematics> kinematics_;
  std::optional<MassFactors> masses_;
  std::vector<double> given_, tau_, lambda_;  ///< accelerations, forces, multipliers
  std::vector<double> reaction_;              ///< of stops
  std::vector<double> there_q_, there_v_, there_a_;
  std::vector<double> by_state_, shifted_, unit_;  ///< scratch of differences
  std::vector<OutsideWrench<double>> pushes_, shifted_pushes_;
  std::vector<OutsideWrenchSeries> held_wrenches_;
  std::vector<double> q_, v_, a_;                   ///< scratch
  std::vector<double> still_;                       ///< [nv] zeros
  std::vector<double> taus_, motion_, motion_out_;  ///< of series
};

}  // namespace jounce

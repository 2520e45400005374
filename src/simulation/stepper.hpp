// SPDX-License-Identifier: BSD-3-Clause
// One step of one method, tried from a state and then taken or not.
#pragma once

#include <algorithm>
#include <jounce/integrators/tables.hpp>

#include "simulation/motion_equations.hpp"

namespace jounce {

class Stepper {
 public:
  Stepper(MotionEquations& equations, double tol)
      : f_(equations), tol_(tol), q1_(size_t(f_.nq())), v1_(size_t(f_.nv())), a1_(v1_) {}
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  virtual ~Stepper() = default;

  /// Tries a step of h; its end is kept here. Returns its error in tolerances; 0 where the method
  /// has no estimate.
  virtual double attempt(const SimulationState& x, double h) = 0;
  /// The state of theta in [0, 1] of the step that was tried from x.
  virtual void inside(const SimulationState& x, double h, double theta, double* q, double* v) = 0;
  /// The end of that step.
  struct End {
    std::span<const double> q, v;
  };
  virtual End end(const SimulationState&) const { return {q1_, v1_}; }
  /// The end of the step becomes the state.
  virtual void accept(SimulationState& x, double h);

  /// Commands have changed: what was computed ahead does not hold.
  virtual void forget() {}

  /// How long a first step is, and the next one after a step of h with this error.
  virtual double first_step(const SimulationState& x) = 0;
  virtual double next_step(const SimulationState& x, double h, double ratio) const = 0;
  /// Steps of a given length, without a look at their errors.
  void fix_steps() { fixed_ = true; }
  bool fixed() const { return fixed_; }

  /// How stiff the motion is in the step that was tried: 1 and more where this method is not the
  /// one to use.
  virtual double stiffness(const SimulationState&, double) { return 0; }

  /// Why the method does not suit what holds now; empty where it does.
  virtual std::string why_not() const { return {}; }
  /// Whether its steps keep loops closed by themselves.
  virtual bool closes_loops() const { return false; }

 protected:
  /// The largest of n errors u of positions and w of velocities, in tolerances; prescribed
  /// coordinates have none.
  double in_tolerances(const double* u, const double* w, const double* v) const;
  /// The acceleration at the state.
  void require_start(const SimulationState& x, double* a);

  MotionEquations& f_;
  double tol_;
  bool fixed_ = false;
  std::vector<double> q1_, v1_, a1_;
  bool has_a1_ = false;
};

std::unique_ptr<Stepper> make_semi_implicit(MotionEquations& f);
std::unique_ptr<Stepper> make_explicit(MotionEquations& f, const ExplicitTable& table, double tol);
std::unique_ptr<Stepper> make_rodas(MotionEquations& f, double tol);
std::unique_ptr<Stepper> make_variational(MotionEquations& f, int order);
std::unique_ptr<Stepper> make_taylor(MotionEquations& f, int order, double tol);
/// dop853, and rodas4 from where the motion is stiff until it is not.
std::unique_ptr<Stepper> make_automatic(MotionEquations& f, double tol);
/// An explicit pair with step control; SimulationState::stiff says where rodas4 would be better.
std::unique_ptr<Stepper> make_watched(MotionEquations& f, const ExplicitTable& table, double tol);

}  // namespace jounce

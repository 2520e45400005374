// SPDX-License-Identifier: BSD-3-Clause
// Partial derivatives of the dynamics of closed loops and of robots that touch the ground.
//
//   jounce::ConstrainedDerivatives derivatives(robot);
//   const auto d = derivatives.forward(q, v, tau);     // d.da_dq, d.da_dv, d.da_dtau, d.dlambda_dq
// A column along q is along integrate(q, dv). Along motions that keep the loops closed, derivatives
// do not depend on how the rows of the loops go on where they are open. Of rows that depend on one
// another, the sums that count are those of the state itself. Checks and surroundings as of
// ConstrainedDynamics.
#pragma once

#include <jounce/constrained_dynamics.hpp>
#include <jounce/door/clone.hpp>

namespace jounce {

/// Derivatives of accelerations, nv x nv, and of multipliers, rows x nv.
struct ConstrainedForwardDerivatives : RobotResult {
  ConstrainedForwardDerivatives(const Robot& robot, int rows)
      : RobotResult(robot),
        da_dq(robot.nv(), robot.nv()),
        da_dv(da_dq),
        da_dtau(da_dq),
        dlambda_dq(rows, robot.nv()),
        dlambda_dv(dlambda_dq),
        dlambda_dtau(dlambda_dq) {}

  OwnedMatrix da_dq, da_dv, da_dtau;
  OwnedMatrix dlambda_dq, dlambda_dv, dlambda_dtau;
};

/// Derivatives of motor forces, nv x nv with zero rows where there is no motor, and of multipliers.
struct ConstrainedInverseDerivatives : RobotResult {
  ConstrainedInverseDerivatives(const Robot& robot, int rows)
      : RobotResult(robot),
        dtau_dq(robot.nv(), robot.nv()),
        dtau_dv(dtau_dq),
        dtau_da(dtau_dq),
        dlambda_dq(rows, robot.nv()),
        dlambda_dv(dlambda_dq),
        dlambda_da(dlambda_dq) {}

  OwnedMatrix dtau_dq, dtau_dv, dtau_da;
  OwnedMatrix dlambda_dq, dlambda_dv, dlambda_da;
};

/// Derivatives of the unknowns of hybrid dynamics, one row per coordinate: its force where its
/// acceleration is prescribed, its acceleration elsewhere; and of multipliers. The columns of
/// `dgiven` are by what is given instead.
struct ConstrainedHybridDerivatives : RobotResult {
  ConstrainedHybridDerivatives(const Robot& robot, int rows)
      : RobotResult(robot),
        dq(robot.nv(), robot.nv()),
        dv(dq),
        dgiven(dq),
        dlambda_dq(rows, robot.nv()),
        dlambda_dv(dlambda_dq),
        dlambda_dgiven(dlambda_dq) {}

  OwnedMatrix dq, dv, dgiven;
  OwnedMatrix dlambda_dq, dlambda_dv, dlambda_dgiven;
};

/// Derivatives of the equations of loops and contacts: of A a + Adot v, rows x nv, whose derivative
/// by a is A, and of the forces A^T lambda at constant lambda, nv x nv.
struct ConstraintDerivatives : RobotResult {
  ConstraintDerivatives(const Robot& robot, int rows)
      : RobotResult(robot), dq(rows, robot.nv()), dv(dq), dforce_dq(robot.nv(), robot.nv()) {}

  OwnedMatrix dq, dv;
  OwnedMatrix dforce_dq;
};

class ConstrainedDerivatives {
 public:
  /// The rank of the loops is decided as by ConstrainedDynamics.
  explicit ConstrainedDerivatives(Robot robot);
  ConstrainedDerivatives(ConstrainedDerivatives&&) noexcept;
  ConstrainedDerivatives& operator=(ConstrainedDerivatives&&) noexcept;
  ~ConstrainedDerivatives();

  const Robot& robot() const;
  int rows() const;  ///< of the robot's loops
  int decide_rank(const VectorArg& q, double time = 0);
  /// Of forward and hybrid dynamics, as ConstrainedDynamics::set_path.
  void set_path(ConstrainedPath path);
  /// Another one that takes as many rows: what clone(door) gives.
  ConstrainedDerivatives another() const;

  /// Derivatives of ConstrainedDynamics::forward.
  template <class Owned = ConstrainedForwardDerivatives>
  Owned forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                const Surroundings& around = {}, std::span<const Contact> contacts = {}) {
    Owned found(robot(), rows() + ConstrainedDynamics::rows(contacts));
    forward(q, v, tau, around, contacts, into(found));
    return found;
  }
  ConstraintReport forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                           const Surroundings& around, std::span<const Contact> contacts,
                           const IntoResult<ConstrainedForwardDerivatives>& found);

  /// Derivatives of ConstrainedDynamics::inverse, of the solution with this optimum where motors
  /// can strain the loops.
  template <class Owned = ConstrainedInverseDerivatives>
  Owned inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                const Surroundings& around = {}, std::span<const Contact> contacts = {},
                Optimum optimum = Optimum::force) {
    Owned found(robot(), rows() + ConstrainedDynamics::rows(contacts));
    inverse(q, v, a, around, contacts, optimum, into(found));
    return found;
  }
  ConstraintReport inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                           const Surroundings& around, std::span<const Contact> contacts,
                           Optimum optimum, const IntoResult<ConstrainedInverseDerivatives>& found);
  /// The same where coordinates without motors have these constant forces.
  ConstraintReport inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                           const VectorArg& passive, const Surroundings& around,
                           std::span<const Contact> contacts, Optimum optimum,
                           const IntoResult<ConstrainedInverseDerivatives>& found);

  /// Derivatives of ConstrainedDynamics::hybrid, likewise.
  template <class Owned = ConstrainedHybridDerivatives>
  Owned hybrid(std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v,
               const VectorArg& a, const VectorArg& tau, const Surroundings& around = {},
               std::span<const Contact> contacts = {}, Optimum optimum = Optimum::force) {
    Owned found(robot(), rows() + ConstrainedDynamics::rows(contacts));
    hybrid(prescribed, q, v, a, tau, around, contacts, optimum, into(found));
    return found;
  }
  ConstraintReport hybrid(std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v,
                          const VectorArg& a, const VectorArg& tau, const Surroundings& around,
                          std::span<const Contact> contacts, Optimum optimum,
                          const IntoResult<ConstrainedHybridDerivatives>& found);

  /// Derivatives of A a + Adot v and of A^T lambda, at any state: those of A x with v = 0, a = x,
  /// those of Adot v with a = 0.
  template <class Owned = ConstraintDerivatives>
  Owned constraints(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                    const VectorArg& lambda, std::span<const Contact> contacts = {},
                    double time = 0) {
    Owned found(robot(), rows() + ConstrainedDynamics::rows(contacts));
    constraints(q, v, a, lambda, contacts, into(found), time);
    return found;
  }
  void constraints(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                   const VectorArg& lambda, std::span<const Contact> contacts,
                   const IntoResult<ConstraintDerivatives>& found, double time = 0);

 private:
  ConstraintReport run_inverse(std::span<const double> q, std::span<const double> v,
                               std::span<const double> a, std::span<const double> passive,
                               const Surroundings& around, std::span<const Contact> contacts,
                               Optimum optimum,
                               const IntoResult<ConstrainedInverseDerivatives>& found);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <>
inline constexpr bool is_clonable<ConstrainedDerivatives> = true;

}  // namespace jounce

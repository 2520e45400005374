// SPDX-License-Identifier: BSD-3-Clause
// How a whole simulation depends on its start, its forces and parameters of the robot.
//
//   jounce::SimulationGradient gradient(arm, {.parameters = {{jounce::ParameterKind::friction,
//   "elbow"}}}); gradient.simulate(q0, v0, steps, taus);              // steps: lengths in s; taus:
//   a column each const auto g = gradient.adjoint(dcost_dq, dcost_dv); // g.q0, g.v0, g.tau,
//   g.parameters
// The derivative is that of the steps as they are taken, exact but for rounding: of explicit
// Runge-Kutta methods, on the manifold, with forces that are constant within a step. Steps of an
// adaptive run are the differences of its record's times. Loops are closed by accelerations alone,
// nothing is projected. Changes of q are along integrate(q, dv). docs/integrators.md.
#pragma once

#include <jounce/door/clone.hpp>
#include <jounce/matrix_arg.hpp>
#include <jounce/sensitivity.hpp>
#include <jounce/simulation.hpp>

namespace jounce {

struct GradientOptions {
  Integrator integrator = Integrator::rk4;  ///< or rkmk4, dopri5, dop853
  std::vector<Parameter> parameters{};      ///< of robots without loops
  bool passive = true;
  bool gravity = true;
  /// Keeps every sqrt(steps)-th state alone, and computes the others again: one simulation more.
  bool little_memory = false;
};

/// The gradient of a cost.
struct SimulationCovector {
  Eigen::VectorXd q0, v0;
  OwnedMatrix tau;  ///< nv x steps
  Eigen::VectorXd parameters;
};

/// What the last state changes by, one column each by q0, v0, a force that is the same in all steps
/// (nv columns each), and the parameters.
struct SimulationTangents {
  OwnedMatrix q, v;  ///< nv x (3 nv + parameters)
};

class SimulationGradient {
 public:
  /// InputError for other integrators, and for parameters that the robot does not have.
  explicit SimulationGradient(const Robot& robot, const GradientOptions& options = {});
  SimulationGradient(SimulationGradient&&) noexcept;
  SimulationGradient& operator=(SimulationGradient&&) noexcept;
  ~SimulationGradient();

  const Robot& robot() const;
  int steps() const;
  /// Another one with the same options, that has run nothing yet: what clone(gradient) gives.
  SimulationGradient another() const;

  /// Runs over steps of these lengths. taus has a column of forces for each, or one for all.
  void simulate(const VectorArg& q0, const VectorArg& v0, const VectorArg& steps,
                const MatrixArg& taus);
  /// Where it came to.
  std::span<const double> q() const;
  std::span<const double> v() const;

  /// The gradient of a cost whose derivatives by the last q and v are given.
  template <class Owned = SimulationCovector>
  Owned adjoint(const VectorArg& dq, const VectorArg& dv) {
    return written_adjoint<Owned>({all_numbers(dq), all_numbers(dv), false});
  }
  /// The same of a cost of all states: at the start and after every step, nv x (steps + 1).
  template <class Owned = SimulationCovector>
  Owned adjoint_along(const MatrixArg& dq, const MatrixArg& dv) {
    return written_adjoint<Owned>({all_numbers(dq), all_numbers(dv), true});
  }
  template <class Owned = SimulationTangents>
  Owned tangents() {
    const int n = robot().nv(), columns = 3 * n + parameter_count();
    Owned found{{n, columns}, {n, columns}};
    run_tangents(detail::OwnedAccess::numbers(found.q), detail::OwnedAccess::numbers(found.v));
    return found;
  }

 private:
  struct CostSlopes {
    std::vector<double> q, v;
    bool all;  ///< at every state, not at the last alone
  };
  struct Found {
    double *q0, *v0, *tau, *parameters;
  };
  static std::vector<double> all_numbers(std::span<const double> x) { return {x.begin(), x.end()}; }
  static std::vector<double> all_numbers(const MatrixArg& x) {
    std::vector<double> all;
    for (int k = 0; k < x.columns(); ++k)
      all.insert(all.end(), x.column(k).begin(), x.column(k).end());
    return all;
  }
  int parameter_count() const;
  template <class Owned>
  Owned written_adjoint(const CostSlopes& slopes) {
    const int n = robot().nv();
    Owned found{
        Eigen::VectorXd(n), Eigen::VectorXd(n), {n, steps()}, Eigen::VectorXd(parameter_count())};
    run_adjoint(slopes, {found.q0.data(), found.v0.data(), detail::OwnedAccess::numbers(found.tau),
                         found.parameters.data()});
    return found;
  }
  void run_adjoint(const CostSlopes& slopes, const Found& found);
  void run_tangents(double* q, double* v);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <>
inline constexpr bool is_clonable<SimulationGradient> = true;

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// What the calls of ConstrainedDynamics share: rows, those of them that count, and the equations
// with them (algorithm/constrained_solve.hpp).
//
// Rows that depend on others are left out in two ways. Forward dynamics and impulses take a part of
// the rows, which is known from where the rank was decided: B is rows of A. Inverse and hybrid
// dynamics, and forward where those rows have become nearly dependent, take A apart: B = U^T A.
#pragma once

#include <jounce/constrained_dynamics.hpp>
#include <jounce/door/robot_equations.hpp>

#include "kernels/kernel_tree.hpp"
#include "linear_algebra/independent_rows.hpp"
#include "model/loop_lists.hpp"

namespace jounce {

struct detail::ConstrainedImpl : RobotEquations<double> {
  using Base = RobotEquations<double>;

  explicit ConstrainedImpl(Robot robot_);

  int rows() const { return lists.view().rows; }
  bool touching() const { return lists.view().count > lists.own(); }
  /// Loops and contacts of a call, and room for them.
  void set_contacts(const char* caller, std::span<const Contact> contacts);
  void require_rank(const char* caller) const;
  /// A, and A a + Adot v, at a state.
  void write_rows(const OwnState<double>& x);
  /// The rows of A one after the other.
  const double* rows_in_order();
  /// B = U^T A, the rows that count.
  void take_apart(const char* caller);
  /// Of the rows that count to all, the shortest lambda; and back, U^T x.
  void spread(const double* multipliers, double* lambda);
  void gather(double factor, const double* x, double* to);
  ConstraintReport report() const;
  /// The same of inverse and hybrid dynamics, where a part of the columns must balance forces.
  ConstraintReport balance_report() const;

  /// Forward dynamics: a in `rhs`, lambda in `more`, A a + Adot v in `rate`. With `sums`, factors
  /// are those of B = U^T A wherever rows depend on others.
  void run_forward(const char* caller, const OwnState<double>& x, const double* tau,
                   const Surroundings& around, bool sums);
  /// Motor forces in `rhs`, lambda in `more`; how they are balanced in `part` and `strain`.
  void run_inverse(const char* caller, const OwnState<double>& x, const double* passive,
                   const Surroundings& around, Optimum optimum);
  /// Accelerations in `step`, forces in `rhs`, lambda in `more`; the same.
  void run_hybrid(const char* caller, std::span<const bool> prescribed, const OwnState<double>& x,
                  const double* tau, const Surroundings& around, Optimum optimum);
  /// x and lambda with M x - A^T lambda = f, A x = g: f in `rhs`, which becomes x. M is factored.
  void solve(const char* caller, const double* g, double* lambda, bool sums);
  /// The factors with rows of A, or of B.
  void factor_rows(std::span<const int> of_A);
  void factor_apart(int rows, const double* B_rows);
  void spread_picked(double* lambda);

  double largest_rate() const;
  /// Refuses motion that the loops do not allow.
  void require_consistent(const char* caller, const double* a) const;
  /// Refuses motors that are too few.
  void require_balance(const char* caller, const OwnState<double>& x, const Surroundings& around,
                       double scale);
  /// Refuses prescribed accelerations that the free coordinates cannot follow. x.a has those alone.
  void require_reachable(const char* caller, const OwnState<double>& x) const;
  double along_rows(int k) const;  ///< (B^T nu)_k
  /// The columns of B with the given flag, others zero.
  void pick_columns(std::span<const bool> flags, bool flag);
  /// Where `part` leaves nu open, the strain: how it acts on the coordinates with the given flag.
  /// With the torque as optimum nu changes by the one that makes (h - B^T nu) smallest there.
  void strain_by(Optimum optimum, std::span<const bool> flags, bool flag, const double* h);

  /// How far loops are from closed, and the derivative of that.
  double write_closure(const double* q, double* residual);
  void write_closure_rows(const double* q);
  AssemblyReport close(const double* guess, const bool* kept, double* q);
  void close_from_here(const bool* kept, AssemblyReport& found);
  void judge_closure(AssemblyReport& found) const;
  bool close_step(const bool* kept, double norm);
  bool step_without(double smallest, double norm);
  double largest_placement() const;  ///< how far the loops are from their bodies' origins
  int decide_rank(const char* caller, std::span<const double> q);
  void decide_rank_at(const double* q);

  LoopLists lists;
  int rank = -1;            ///< of the robot's own rows
  std::string undecided;    ///< why there is none
  std::vector<int> picked;  ///< own rows that count, ascending

  detail::ZeroNumbers<double> A;  ///< [nv][width]
  int width = 0;                  ///< of A and Y: rows, padded
  std::vector<double> rate;       ///< [rows] A a + Adot v
  std::vector<LoopMotion<double>> motion;
  std::vector<Twist<double>> column;
  std::vector<double> in_order;  ///< [rows][nv]

  dense::IndependentRows own;  ///< the robot's rows by their rank, where contacts follow them
  dense::IndependentRows independent, part, strain;
  bool apart = false;         ///< whether B = U^T A, or rows of A
  int count = 0;              ///< rows of B
  const double* B = nullptr;  ///< [count][nv]
  double margin = 1, defect = 0;

  detail::ZeroNumbers<double> Y, S;
  ConstrainedFactors<double> factors;
  std::vector<ConstraintRange> ranges;
  std::vector<int> chosen, others;  ///< rows of A that count in a call, and those that do not
  std::vector<double> gram, ties;   ///< [rows][rows]

  std::vector<double> rhs, nu, more, mixed;      ///< [nv], [rows], [rows or nv], [rows]
  std::vector<double> forces;                    ///< [nv] of the open tree
  std::vector<double> picked_rows, strain_rows;  ///< [rows][nv]
  std::vector<double> at, trial, step, open;     ///< of assembly: [nq], [nq], [nv], [rows]
};

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// What the calls of ConstrainedDynamics share: rows, those of them that count, and the equations
// with them (algorithm/constrained_solve.hpp).
//
// Rows that depend on others are left out in two ways. Forward dynamics and impulses take a part of
// the rows, which is known from where the rank was decided: B is rows of A. Inverse and hybrid
// dynamics, and forward where those rows have become nearly dependent, take A apart: B = U^T A.
#pragma once

#include <jounce/algorithm/constrained_bodies.hpp>
#include <jounce/constrained_dynamics.hpp>
#include <jounce/door/robot_equations.hpp>

#include "kernels/kernel_tree.hpp"
#include "linear_algebra/independent_rows.hpp"
#include "model/cluster_storage.hpp"
#include "model/response_storage.hpp"

namespace jounce {

struct detail::ConstrainedImpl : RobotEquations<double> {
  using Base = RobotEquations<double>;
  /// Below it, of the longest row, a pivot of rows counts as none where the rank is not known.
  static constexpr double no_row = 1e-9;
  /// What a motion may be off the loops, of its own size: rows are known no better where the loops
  /// are open by as much.
  static constexpr double consistent = 1e-6;
  /// Times it, what rounding leaves of joints that cannot move where others move fast.
  static constexpr double motion_known = 1e-6;

  /// Rows picked where the rank was decided serve while their pivots are larger than this.
  static constexpr double rows_serve = 1e-4;

  explicit ConstrainedImpl(Robot robot_);

  int nv() const { return int(rhs.size()); }
  int rows() const { return lists.view().rows; }
  bool touching() const { return lists.view().count > lists.own(); }
  /// Loops and contacts of a call at this instant, and room for them.
  void set_contacts(const char* caller, std::span<const Contact> contacts, double time_ = 0);
  void make_room();
  void require_rank(const char* caller) const;
  /// As many rows as another of the same robot, on the same path.
  void take_rank_of(const ConstrainedImpl& other);
  /// Refuses numbers of rows that are not finite.
  void require_finite_rows(const char* caller, const char* what, const double* x) const;
  /// A, and A a + Adot v, at a state; `turned`: the sines of its angles are there.
  void write_rows(const OwnState<double>& x, bool turned = false);
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
  /// are sparse ones of M, and of B = U^T A wherever rows depend on others.
  void run_forward(const char* caller, const OwnState<double>& x, const double* tau,
                   const Surroundings& around, bool sums);
  /// Motor forces in `rhs`, lambda in `more`; how they are balanced in `part` and `strain`.
  void run_inverse(const char* caller, const OwnState<double>& x, const double* passive,
                   const Surroundings& around, Optimum optimum);
  /// Accelerations in `step`, forces in `rhs`, lambda in `more`; the same.
  /// With `sums` as forward dynamics.
  void run_hybrid(const char* caller, std::span<const bool> prescribed, const OwnState<double>& x,
                  const double* tau, const Surroundings& around, Optimum optimum, bool sums);
  /// tau - b in `rhs` of a motion without accelerations; the same, and factors of M.
  void load_forces(const OwnState<double>& still, const double* tau, const Surroundings& around);
  void load_factors(const char* caller, const OwnState<double>& still, const double* tau,
                    const Surroundings& around);
  /// Whether that leaves poses and screws for other recursions.
  bool leaves_places() const {
    return !robot.has_mimic() && model().anchors <= 1 && tree.kernel.in_registers;
  }
  /// x and lambda with M x - A^T lambda = f, A x = g and factors of M: f in `rhs`, which becomes x.
  void solve(const char* caller, const double* g, double* lambda, bool sums);
  /// The same by articulated bodies, where they are cheaper: M^-1 f in `rhs`, which becomes x, and
  /// factors in the workspace. False, and nothing is solved, where the picked rows do not serve.
  bool solve_by_bodies(const double* g, double* lambda);
  bool forward_by_bodies(const char* caller, const OwnState<double>& x, const double* tau,
                         const Surroundings& around);
  /// x and lambda of all loops by clusters of them, f in `rhs`, which becomes x; false, and f is
  /// lost, where they do not serve.
  bool clusters_serve() const { return path != ConstrainedPath::factors && clusters.serves(); }
  bool solve_by_clusters(const OwnState<double>& x, ClusterEquations which,
                         const bool* held = nullptr);
  /// Responses of clusters to many right-hand sides, with the rows that they have been given;
  /// false where they do not serve. Overwrites poses and screws.
  bool factor_responses(const double* q, const bool* held);
  void list_clusters();
  /// Whether so many coordinates are enough for clusters to be faster.
  bool clusters_serve_from(int coordinates) const {
    return clusters_serve() && (nv() >= coordinates || path == ConstrainedPath::clusters);
  }
  /// Forward dynamics, or hybrid where something is prescribed, of loops in clusters: a in `step`,
  /// of hybrid dynamics forces in `rhs`, lambda in `more`. Rows are taken apart: B = U^T A of the
  /// loops, each row of one cluster, and what contacts have behind them. False where clusters do
  /// not serve.
  bool run_by_clusters(const char* caller, const bool* prescribed, const OwnState<double>& x,
                       const double* tau, const Surroundings& around);
  void take_apart_by_clusters(const char* caller);
  void write_contact_rows(const OwnState<double>& x, ClusterEquations which);
  /// Hybrid dynamics where prescribed coordinates leave the rows that count independent; false, and
  /// nothing is found, elsewhere.
  bool hybrid_by_clusters(const char* caller, const bool* prescribed, const OwnState<double>& x,
                          const double* tau, const Surroundings& around);
  bool impulse_by_bodies(const char* caller, const double* q);
  /// x and nu with the factors: f and g before. What lies behind the last row, whatever an earlier
  /// call has left there, becomes zero.
  void solve_factored(double* x, double* multipliers);
  void choose_rows();
  bool rows_are_doubtful() const;
  void write_multipliers(double* lambda);  ///< from nu of the chosen rows
  /// The factors with rows of A, by factors of M with the equations of `rhs` and `nu`, or of B.
  void factor_rows(std::span<const int> of_A, bool by_bodies);
  double* load_rows(std::span<const int> of_A);  ///< where they are: in A or in Y
  void factor_apart(int rows, const double* B_rows);
  void view_factors(const double* from, int many, const double* g);
  void spread_picked(double* lambda);
  /// Velocities after loops and contacts have closed, in `rhs`, impulses in `more`.
  void run_impulse(const char* caller, const OwnState<double>& x, double restitution);

  double largest_rate() const;
  void add_motion(const double* x, double* to) const;  ///< A x
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

  /// How far loops are from closed, and the derivative of that; how large what should vanish is.
  double write_closure(const double* q, double* residual);
  void write_closure_rows(const double* q);
  void require_closed(const char* caller, const double* q);
  /// In which the steps of an assembly are shortest.
  enum class Metric : unsigned char { energy, coordinates };
  AssemblyReport close(const double* guess, const bool* kept, Metric metric, double* q);
  void close_from_here(const bool* kept, Metric metric, AssemblyReport& found);
  void judge_closure(AssemblyReport& found) const;
  bool close_step(const bool* kept, Metric metric, double norm);
  double begin_step(const bool* kept, Metric metric);
  void step_without(double smallest, Metric metric);
  bool take_step(double norm);
  /// The same rows cluster by cluster, and the step; false where clusters do not serve.
  double write_closure_of_clusters(const bool* kept);
  bool step_by_clusters(double smallest, const bool* kept);
  double largest_placement() const;  ///< how far the loops are from their bodies' origins
  int decide_rank(const char* caller, std::span<const double> q, double time_ = 0);
  void decide_rank_at(const double* q);

  LoopLists lists;
  int rank = -1;            ///< of the robot's own rows
  std::string undecided;    ///< why there is none
  std::vector<int> picked;  ///< own rows that count, ascending
  ClusterStorage clusters;
  ResponseStorage responses;
  dense::IndependentRows of_cluster;  ///< rows of one
  detail::ZeroNumbers<double> eight;  ///< [nv + rows][8] right-hand sides beside one another
  ConstrainedPath path = ConstrainedPath::fastest;

  detail::ZeroNumbers<double> A;  ///< [nv][width]
  int width = 0;                  ///< of A and Y: rows, padded
  std::vector<double> rate;       ///< [rows] A a + Adot v
  std::vector<double> drift;      ///< [rows] what time adds to A v
  double time = 0;                ///< of the call
  std::vector<LoopMotion<double>> motion;
  std::vector<Twist<double>> column;
  std::vector<double> in_order;  ///< [rows][nv]

  dense::IndependentRows own;  ///< the robot's rows by their rank, where contacts follow them
  dense::IndependentRows independent, part, strain;
  bool apart = false;           ///< whether B = U^T A, or rows of A
  bool contacts_stand = false;  ///< then whether rows of contacts are in B as they are in A
  int count = 0;                ///< rows of B
  const double* B = nullptr;    ///< [count][nv]
  double margin = 1, defect = 0;

  detail::ZeroNumbers<double> Y, S, K, Z;
  ConstrainedFactors<double> factors;
  ConstrainedBodies bodies;
  std::vector<ConstraintRange> ranges;
  std::vector<double> inverse_D;    ///< [nv]
  std::vector<int> chosen, others;  ///< rows of A that count in a call, and those that do not
  detail::ZeroNumbers<double> gram, ties;  ///< [rows][rows]

  std::vector<double> rhs, nu, more, mixed;              ///< [nv], [rows], [rows or nv], [rows]
  std::vector<double> forces;                            ///< [nv] of the open tree
  detail::ZeroNumbers<double> picked_rows, strain_rows;  ///< [rows][nv]
  double closure_size = 1;                               ///< of what write_closure compares
  std::vector<double> at, trial, step, open;             ///< of assembly: [nq], [nq], [nv], [rows]
};

}  // namespace jounce

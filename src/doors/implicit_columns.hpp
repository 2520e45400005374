// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of constrained dynamics by any numbers, implicitly, with the factors of the dynamics.
//
// A number changes h = M a + b - A^T lambda by D and A a + Adot v by C, a and lambda being fixed:
//   forward  M da - A^T dlambda = -D,  A da = -C
//   inverse  A_p^T dlambda = D_p,  dtau = D - A^T dlambda
//   hybrid   forward in the free coordinates, then inverse in the prescribed ones
// Where these leave dlambda open, the choice of lambda settles it. It is A mu = lambda, mu in the
// coordinates that lambda must balance (all, passive, free), for the shortest lambda (Golub and
// Pereyra 1973), and A w = 0, w = tau in the coordinates with motors, for the least tau:
//   shortest  N^T dlambda = N^T dA mu          N: all sums of rows that vanish where mu is
//   least     N^T A_a dtau = -N^T dA w         N: of them those that strain the motors
#pragma once

#include <optional>

#include "doors/constrained_impl.hpp"
#include "kernels/lanes/cluster_columns.hpp"
#include "kernels/lanes/constrained_response.hpp"

namespace jounce {

/// Numbers that are alike: coordinates, velocities, parameters.
struct ColumnGroup {
  int count = 0;
  const double *D = nullptr, *C = nullptr;        ///< [count][nv], [count][width]
  const double *bend = nullptr, *turn = nullptr;  ///< [count][width] dA mu, dA w; null: zero
  double *found = nullptr, *dlambda = nullptr;    ///< [count][nv], [count][rows]
};

class ImplicitColumns {
 public:
  explicit ImplicitColumns(detail::ConstrainedImpl& dyn);

  /// Room for the rows of a call; takes memory only for more than ever before.
  void make_room();
  /// After the dynamics and before anything else: how its lambda was chosen. In hybrid and inverse
  /// dynamics the flags are true where forces were found.
  void choose();
  void choose(Optimum optimum, std::span<const bool> flags);
  /// Both where loops go by clusters, forward dynamics, or hybrid where something is prescribed:
  /// accelerations are in `step` of the dynamics, solutions go by clusters. Nothing where these do
  /// not serve.
  std::optional<ConstraintReport> run_by_clusters(const char* caller,
                                                  std::span<const bool> prescribed,
                                                  const OwnState<double>& x, const double* tau,
                                                  const Surroundings& around);
  /// Before the first solution, as late as one likes: it overwrites poses and screws.
  bool factor_by_clusters(const double* q);
  const double* mu() const { return bends_ ? mu_.data() : nullptr; }  ///< null: needs none
  const double* w() const { return turns_ ? w_.data() : nullptr; }

  void forward(std::span<const ColumnGroup> groups);
  /// The same by q, v and tau, for which D and C are not read, with the inverse of the equations;
  /// `full`: D may have entries beyond the pattern of M. Whether all that is found is finite.
  bool forward_by_inverse(bool full, const ColumnGroup (&group)[3]);
  void inverse(std::span<const ColumnGroup> groups);
  /// M column by column.
  void hybrid(std::span<const bool> prescribed, const double* M,
              std::span<const ColumnGroup> groups);

 private:
  /// Solves M x - B^T nu = f, B x = g with the factors of the dynamics for all columns:
  /// load(group, k, x, nu) writes f and g, finish(group, k, x, nu) reads the solution.
  template <class Load, class Finish>
  void solve(std::span<const ColumnGroup> groups, Load load, Finish finish);
  /// Adds to `nu` of the dynamics what N^T dlambda must be; force(k) is dtau without it.
  template <class Force>
  void settle(const ColumnGroup& group, int k, std::span<const bool> flags, Force force);
  void solve_loaded();  ///< what `columns_` have been given
  bool choose_by_clusters(std::span<const bool> held);
  /// Of clusters: mu_ with B mu = nu, zero where coordinates are held; false where rows that are
  /// left depend on one another.
  bool bend_by_clusters();
  bool factor_contacts();
  /// U nu, and what is outside of all U.
  void write_multipliers(const ColumnGroup& group, int k);
  void write_multipliers(const ColumnGroup& group, const double* nu);  ///< of all, [nv][width]

  detail::ConstrainedImpl& dyn_;
  bool bends_ = false, turns_ = false;
  std::vector<double> mu_, w_, force_;            ///< [nv]
  std::vector<double> gathered_, open_, strain_;  ///< [width]
  ConstrainedColumns columns_;
  detail::ZeroNumbers<double> x_, nu_, beside_;  ///< of `columns_`
  bool by_clusters_ = false;
  std::span<const bool> held_;
  ClusterContacts contacts_;
  detail::ZeroNumbers<double> contact_C_, contact_X_, contact_S_;
  detail::ZeroNumbers<double> H_;
  detail::ZeroNumbers<double> sums_;  ///< [4][nv][width] C and nu of sums of rows
};

}  // namespace jounce

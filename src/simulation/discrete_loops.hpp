// SPDX-License-Identifier: BSD-3-Clause
// Loops of a variational step: impulses at its start that close them at its end.
//
// The derivative of what is open, whose rows may depend on one another, is U B with independent
// rows B; impulses are B^T nu, sums of the loops' own rows, and U^T closure = 0 is what they are
// for. A correction of a step u in Newton's method is
//   M du - h B^T dnu = (h/2) residual,   B du = -U^T closure(q_1).
#pragma once

#include <jounce/constrained_dynamics.hpp>
#include <jounce/mass_factors.hpp>

#include "linear_algebra/independent_rows.hpp"
#include "linear_algebra/solve.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {

class DiscreteLoops {
 public:
  /// None where the robot has no loops.
  explicit DiscreteLoops(ConstrainedDynamics* loops) : loops_(loops) {
    if (loops_ == nullptr) return;
    n_ = loops_->robot().nv();
    const int rows = loops_->rows();
    const auto all = size_t(rows) * size_t(n_);
    columns_.resize(all), in_rows_.resize(all), solved_.resize(all);
    open_.resize(size_t(rows)), nu_.resize(size_t(rows)), change_.resize(size_t(rows));
    independent_.resize(rows, n_);
    S_ = dense::Matrix(std::max(loops_->rank(), 0), std::max(loops_->rank(), 0));
    factors_.resize(S_.rows);
  }
  explicit operator bool() const { return loops_ != nullptr; }

  /// The rows at the start of a step; no impulses yet.
  void begin(double t, std::span<const double> q) {
    const int rows = loops_->rows();
    loops_->closure_jacobian(q, Into<double>(columns_.data(), rows, n_), t);
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < n_; ++k) in_rows_[size_t(n_ * i + k)] = columns_[size_t(rows * k + i)];
    independent_.reduce(rows, n_, in_rows_.data(), loops_->rank());
    std::fill(nu_.begin(), nu_.end(), 0);
  }
  /// B M^-1 B^T, factored.
  void factor(MassFactors& mass) {
    const int rank = independent_.rank();
    for (int i = 0; i < rank; ++i) {
      const std::span<double> column(solved_.data() + n_ * i, size_t(n_));
      mass.solve(std::span<const double>(row(i), size_t(n_)), into(column));
      for (int j = 0; j <= i; ++j) S_(i, j) = S_(j, i) = dense::dot(n_, row(j), column.data());
    }
    factors_.factor(S_);
  }
  /// Adds B^T nu.
  void add_impulses(double* p) const {
    for (int i = 0; i < independent_.rank(); ++i)
      dense::add_multiple(n_, nu_[size_t(i)], row(i), p);
  }
  /// Adds to du = (h/2) M^-1 residual what closes the loops, which are open at q_1.
  void correct(double t, double h, std::span<const double> q_1, double* du) {
    const int rank = independent_.rank();
    loops_->closure(q_1, into(open_), t);
    independent_.gather(open_.data(), change_.data());
    for (int i = 0; i < rank; ++i)
      change_[size_t(i)] = -(change_[size_t(i)] + dense::dot(n_, row(i), du)) / h;
    factors_.solve({change_.data(), size_t(rank)});
    for (int i = 0; i < rank; ++i) {
      dense::add_multiple(n_, h * change_[size_t(i)], solved_.data() + n_ * i, du);
      nu_[size_t(i)] += change_[size_t(i)];
    }
  }
  /// The impulses at the end of a step after which v suits the loops; they are added to p.
  void end(double t, std::span<const double> q, std::span<double> v, double* p) {
    const int rows = loops_->rows();
    loops_->impulse(q, std::span<const double>(v), {}, 0, into(v), into(open_), t);
    loops_->jacobian(q, {}, Into<double>(columns_.data(), rows, n_), t);
    for (int k = 0; k < n_; ++k) p[k] += dense::dot(rows, columns_.data() + rows * k, open_.data());
  }

 private:
  const double* row(int i) const { return independent_.B() + n_ * i; }

  ConstrainedDynamics* loops_;
  int n_ = 0;
  std::vector<double> columns_, in_rows_;  ///< A by columns and by rows
  std::vector<double> solved_;             ///< M^-1 B^T
  std::vector<double> open_, nu_, change_;
  dense::IndependentRows independent_;
  dense::Matrix S_;
  dense::SymmetricFactors factors_;
};

}  // namespace jounce

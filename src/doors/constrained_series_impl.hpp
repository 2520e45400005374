// SPDX-License-Identifier: BSD-3-Clause
// What the series of constrained dynamics own: the equations at the state, those of the tree and of
// the rows along the motion.
#pragma once

#include <jounce/constrained_series.hpp>

#include "doors/constrained_impl.hpp"
#include "doors/row_series.hpp"
#include "linear_algebra/lu.hpp"
#include "series/factorial.hpp"
#include "series/series_equations.hpp"

namespace jounce {

struct ConstrainedSeries::Impl {
  Impl(Robot robot, int order_)
      : dyn(std::move(robot)),
        tree(dyn.robot, order_),
        order(order_),
        all_free(std::make_unique<bool[]>(size_t(n()))) {
    if (order <= short_order) low = std::make_unique<RowSeries<ShortSeries>>(dyn.robot, order);
    else high = std::make_unique<RowSeries<PowerSeries>>(dyn.robot, order);
    M.resize(size_t(n()) * size_t(n()));
  }
  static constexpr int short_order = SeriesMemory::short_order;
  using ShortSeries = Taylor<double, short_order>;

  int n() const { return dyn.nv(); }
  int m() const { return dyn.rows(); }

  /// Room for an answer of this order, and the state.
  void start(const char* caller, std::span<const double> q, std::span<const Contact> contacts,
             double time, int last);
  /// Forces of the open tree and rows, to coefficient k, of the motion in `v`.
  void run_to(const char* caller, int k, const SeriesSurroundings& around);
  double A(int coordinate, int row, int k) const {
    return low ? low->coefficient(coordinate, row, k) : high->coefficient(coordinate, row, k);
  }
  const LoopBlocks& own_blocks() const { return low ? low->blocks : high->blocks; }
  const LoopBlocks& all_blocks() const {
    if (!dyn.touching()) return own_blocks();
    return low ? low->with_contacts : high->with_contacts;
  }
  double rate(int row, int k) const {
    const size_t r = size_t(row);
    return low ? coefficient(low->rate[r], k) : coefficient(high->rate[r], k);
  }
  /// f - coefficient k of A^T lambda without lambda_k.
  void subtract_multipliers(int k, double* f) const;
  void solve(const char* caller, std::span<const bool> prescribed, const SeriesSurroundings& around,
             int last);
  /// The same by clusters of loops; false, and nothing is found, where they do not serve.
  bool solve_by_clusters(const char* caller, std::span<const bool> prescribed,
                         const SeriesSurroundings& around, int last);
  /// What is left for coefficient k: tau - (M a + b - A^T lambda) without a_k and lambda_k in the
  /// forces of the door, of which prescribed coordinates have no tau; A a + Adot v without a_k in
  /// `g`.
  void load(std::span<const bool> prescribed, int k);
  void balance(const char* caller, int last, const SeriesSurroundings& around);
  /// lambda -> the shortest with the same X A^T lambda, X [r][nv] rows that count at the state,
  /// each of one block.
  void shorten(int last, int r, const double* X);
  /// The same with rows of A that were picked: contacts depend on none.
  void shorten_picked(int last);
  void load_block(const LoopBlocks& blocks, int last, int b);
  void shorten_block(const LoopBlocks& blocks, int last, int b, int r);
  void solve_block(int last, int rows, int columns, int r);
  /// Where rows are left open by the coordinates without flags, what `optimum` takes; forces of
  /// those with flags follow. The motion is complete.
  void settle(const char* caller, Optimum optimum, std::span<const bool> flags, int last);
  /// lambda of the smallest forces where flags are, in place of any that balances the others.
  void relieve(const char* caller, std::span<const bool> flags, int last);
  void factor_relief(const char* caller, std::span<const bool> flags);
  void write_forces(std::span<const bool> flags, int last);
  /// Refuses prescribed motion of this order that the free coordinates cannot follow.
  void require_reachable(const char* caller, std::span<const bool> prescribed, int k);
  double open_force(int k, int j) const {  ///< coefficient k of the tree's
    return tree.taus[size_t(n() * k + j)] / factorial(k);
  }
  void write(const char* caller, int last, const Numbers& to) const;

  detail::ConstrainedImpl dyn;
  SeriesEquations tree;
  int order;
  std::unique_ptr<bool[]> all_free;
  std::unique_ptr<RowSeries<ShortSeries>> low;
  std::unique_ptr<RowSeries<PowerSeries>> high;
  std::vector<double> q, v, tau, lambda;  ///< coefficients: [nq], [order + 2][nv], ..., [..][rows]
  std::vector<double> derivatives;        ///< [order + 2][nv] of v
  std::vector<double> ID;                 ///< [nv] coefficient k of the tree's forces
  std::vector<double> M;
  std::vector<double> g, a_k;                  ///< [rows], [nv]
  std::vector<double> P, W, effect, w, first;  ///< of `shorten`
  std::vector<double> A_b, X_b, lambda_b;      ///< of a block: [..][rows][columns], [..][columns]
  std::vector<int> block_of_X;                 ///< of each of its rows
  dense::LuFactors relief;
  std::vector<double> unknown;  ///< of `relieve`
  std::vector<double> given;    ///< [order + 1][nv] forces where there are no flags
};

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of the rows of loops by dual numbers, for what equations/loop_derivatives.hpp has no
// formulas for: custom joints on the way of a loop, functions of the user's, and A x alone.
#pragma once

#include <jounce/equations/equations.hpp>
#include <jounce/equations/loop_derivatives.hpp>

#include "doors/loop_numbers.hpp"

namespace jounce {

class RowsByDual {
 public:
  explicit RowsByDual(const Robot& robot) : numbers_(robot) {}

  /// Room for these loops at an instant; takes memory only for more than ever before.
  void start(const Loops<double>& all, int width, double time);
  /// The same as loop_derivatives, from the robot's state.
  void run(const Loops<double>& all, const OwnState<double>& x, const double* lambda,
           const LoopDerivatives<double>& to);
  /// Adds A x by q, for constant x, to C[nv][stride]; with what time adds to it where it drifts.
  void add_times(const Loops<double>& all, const double* q, const double* x, bool drifts, double* C,
                 int stride);

 private:
  static constexpr int directions_ = 8;
  using Number = Dual<double, directions_>;

  /// f(along): all coordinates on ways of loops, some at a time.
  template <class F>
  void for_each_direction(F f) const;
  void seed(const OwnState<double>& x, std::span<const int> along, bool by_q);
  void add_columns(std::span<const int> along, const Loops<double>& all, const double* lambda,
                   bool by_q, const LoopDerivatives<double>& to) const;

  LoopNumbers<Number> numbers_;
  std::vector<int> moving_;  ///< coordinates on the way of some loop
};

}  // namespace jounce

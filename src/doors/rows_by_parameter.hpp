// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of the rows of loops by parameters that move joints or belong to a loop, on dual
// numbers: T and S of such a joint change as joint_change says, a loop's own numbers by themselves,
// and the rows follow.
#pragma once

#include <jounce/equations/equations.hpp>

#include "doors/loop_numbers.hpp"
#include "parameter_target.hpp"

namespace jounce {

class RowsByParameter {
 public:
  RowsByParameter(const Robot& robot, std::span<const Parameter> parameters);

  /// Room for these loops at an instant; takes memory only for more than ever before.
  void start(const Loops<double>& all, int width, double time);
  /// Adds A a + Adot v of a state to C[parameters][width], and -A^T lambda to D[parameters][nv].
  void add(const Loops<double>& all, const OwnState<double>& x, const double* lambda, double* C,
           double* D);
  /// Adds A x, for constant x, to W[parameters][width].
  void add_times(const Loops<double>& all, const double* q, const double* x, double* W);
  /// Adds what is open to r[parameters][width].
  void add_closure(const Loops<double>& all, const double* q, double* r);

 private:
  static constexpr int directions_ = 8;
  using Number = Dual<double, directions_>;

  /// For all parameters that move the loops, some at a time: rows with them displaced, and then
  /// f(state, p, d) for each, whose derivatives are number d of what was found.
  template <class F>
  void for_each(const Loops<double>& all, const OwnState<double>& x, F f);
  void displace(size_t p, int direction);
  void displace_joint(const ParameterTarget& target, int direction, const Number& step);
  void displace_loop(const ParameterTarget& target, const Number& step);
  void put_back(const Loops<double>& all, size_t p, int direction);
  /// A loop's own numbers, as they are.
  void take_numbers(const Loops<double>& all, int loop);
  Number* ratios_of(const Loop<Number>& gear);

  std::vector<ParameterTarget> targets_;
  LoopNumbers<double> plain_;
  LoopNumbers<Number> numbers_;
  std::vector<size_t> moving_;         ///< parameters that move the loops of a call
  std::vector<SE3<Number>> T_before_;  ///< of joints that a parameter has displaced
  std::vector<Twist<Number>> S_before_;
  std::vector<Loop<Number>> loop_;  ///< of a call
  std::vector<Number> ratio_;       ///< of the robot's gears, one after the other
  std::vector<double> still_;       ///< [nv] zeros
};

}  // namespace jounce

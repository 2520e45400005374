// SPDX-License-Identifier: BSD-3-Clause
// How fast a loop opens along a twist of its frame 2: the derivative of what is open, by dual
// numbers.
#pragma once

#include <jounce/equations/loops.hpp>
#include <jounce/scalar/dual.hpp>

namespace jounce {

class Opening {
 public:
  /// Where frame 2 stands at E, seen from frame 1.
  Opening(const Loop<double>& loop, const SE3<double>& E) : rows_(rows(loop.kind)) {
    Twist<Number> X{};
    double* const unit[] = {X.w.x.d,     X.w.y.d + 1, X.w.z.d + 2,
                            X.v.x.d + 3, X.v.y.d + 4, X.v.z.d + 5};
    for (double* one : unit) *one = 1;
    loop_residual(loop, SE3<Number>(E * exp(X)), y_);
  }
  void operator()(const Twist<double>& V, double* rates) const {
    for (int i = 0; i < rows_; ++i) {
      rates[i] = 0;
      for (int j = 0; j < 6; ++j) rates[i] += y_[i].d[j] * component(V, j);
    }
  }

 private:
  using Number = Dual<double, 6>;
  int rows_;
  Number y_[6];
};

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// The step factor of Gauss-Newton: readings of lines 9 to 14 of [Xie] Algorithm A1.
//
// As printed the loop goes on while a step is accepted, and once alpha <= epsilon_3 it cannot end:
// alpha^2 <= alpha keeps its condition true. So does a factor of 1, which squaring leaves.
#pragma once

#include <jounce/stewart/methods.hpp>

namespace jounce::stewart_detail {

struct StepFactor {
  double alpha = 0;
  bool endless = false;  ///< the loop as printed comes back to the state it was in
};

/// Lines 9 to 14 with `go_on(accept, alpha)` as the condition of line 11.
template <class Falls, class GoOn>
StepFactor lines_as_printed(double alpha, double least, Falls falls, GoOn go_on) {
  bool accept = falls(alpha);     // line 10
  while (go_on(accept, alpha)) {  // line 11
    accept = falls(alpha);        // line 12
    const double before = alpha;
    alpha *= alpha;  // line 13
    const bool stuck = alpha <= least || (alpha == before && accept);
    if (stuck && go_on(accept, alpha)) return {alpha, true};
  }
  return {alpha, false};
}

/// Shrinks alpha until falls(alpha).
template <class Falls, class Shrink>
StepFactor first_falling(double alpha, double least, Falls falls, Shrink shrink) {
  while (alpha > least && !falls(alpha)) alpha = shrink(alpha);
  return {alpha, false};
}

/// falls(alpha): whether |r| falls at half the step and again at the whole one, (27).
template <class Falls>
StepFactor step_factor(LineSearch search, double alpha_0, double least, Falls falls) {
  const auto halved = [](double alpha) { return alpha / 2; };
  switch (search) {
    case LineSearch::squared_after_test:
      return lines_as_printed(alpha_0, least, falls, [least](bool accept, double alpha) {
        return !accept && alpha > least;
      });
    case LineSearch::printed:
      return lines_as_printed(alpha_0, least, falls, [least](bool accept, double alpha) {
        return accept || alpha <= least;
      });
    case LineSearch::printed_until_small:
      return lines_as_printed(alpha_0, least, falls, [least](bool accept, double alpha) {
        return accept && alpha > least;
      });
    case LineSearch::halved:
      return first_falling(alpha_0, least, falls, halved);
    case LineSearch::multiplied:
      if (alpha_0 == 1) break;
      return first_falling(alpha_0, least, falls,
                           [alpha_0](double alpha) { return alpha * alpha_0; });
    case LineSearch::squared:
      break;
  }
  if (alpha_0 == 1) return first_falling(alpha_0, least, falls, halved);  // 1 squared is 1
  return first_falling(alpha_0, least, falls, [](double alpha) { return alpha * alpha; });
}

}  // namespace jounce::stewart_detail

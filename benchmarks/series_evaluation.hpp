// SPDX-License-Identifier: BSD-3-Clause
// The evaluation of [Ali] section 7, figure 4: time against bodies and order, inverse and forward,
// beside nested automatic differentiation in the same run; and the scaling claims, each decided.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "benchmarks/fits.hpp"
#include "report/page.hpp"

namespace jounce::bench {

/// Microseconds of processor time of one state against the number of bodies or the order.
struct TimeCurve {
  std::string name;
  Points points;
};

struct SeriesEvaluation {
  std::vector<TimeCurve> inverse_of_size, forward_of_size;    ///< figure 4 (a), (b): per order
  std::vector<TimeCurve> inverse_of_order, forward_of_order;  ///< the same: per number of bodies
  TimeCurve nested_inverse, nested_forward;  ///< figure 4 (c): dual numbers nested to the order
  std::vector<report::Check> claims;
};

/// Some seconds; a sample of it about one.
/// Calls after_each, where one is given, behind each of its steps, evaluation_steps in all.
inline constexpr int evaluation_steps = 12;
SeriesEvaluation evaluate_series(bool sample, const std::function<void()>& after_each = {});

/// Not of this run: nested jtimes of CasADi on the same tree, us (series_sources says where).
inline const TimeCurve quoted_casadi{"CasADi, inverse (quoted)", {{0, 71}, {4, 6621}, {7, 267568}}};

}  // namespace jounce::bench

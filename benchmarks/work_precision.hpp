// SPDX-License-Identifier: BSD-3-Clause
// What accuracy costs: time against global error, method by method.
#pragma once

#include <jounce/simulation.hpp>

#include "benchmarks/bench.hpp"
#include "report/plot.hpp"

namespace jounce::bench {

/// A motion to be computed, and where it leads.
struct Swing {
  Robot robot;
  std::vector<double> q0, v0;
  double time;
  bool passive;
  std::vector<double> q, v;  ///< at the end
};
/// arm7 let go: with the friction of its joints in N m, and springs of 1e6 N m/rad with dampers of
/// 1e3 N m s/rad on joints 3, 5 and 7. The end is computed at a tight tolerance by a method other
/// than those that are measured where there is one.
Swing arm_swing(double time, double friction = 0, bool springs = false);

struct WorkPrecision {
  std::string method;
  double setting;  ///< tolerance, or length of the steps in s
  double error;    ///< the largest of q and v at the end
  double ns;       ///< per simulated second
};
/// One run again and again for so many seconds.
WorkPrecision work_of(const Swing& swing, const SimulationOptions& options, double seconds);
/// Time at a global error, between the points of one method, the largest error first; NaN where it
/// is not reached.
double ns_at_error(std::span<const WorkPrecision> points, double error);

/// All methods on a swing of arm7 without friction, SUNDIALS' CVODE too where this build has it;
/// each point takes so many seconds, `small` leaves most points out.
std::vector<WorkPrecision> work_precision(double seconds, bool small);
report::Plot work_precision_plot(const std::vector<WorkPrecision>& points);

}  // namespace jounce::bench

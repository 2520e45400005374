// SPDX-License-Identifier: BSD-3-Clause
// How a benchmark measures and what a row of the table says.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "report/page.hpp"

namespace jounce::bench {

/// One measurement; ns is per state (per call for what has no state).
struct Row {
  std::string robot;      ///< without "builtin:"; empty where no robot is involved
  std::string algorithm;  ///< a QUANTITY of the command line, or what its name says
  std::string library = "jounce";
  std::string isa{};            ///< instruction set of jounce; empty: the best one
  std::string mode = "single";  ///< single, batch64 (lanes of double), batch32 (lanes of float)
  int lanes = 1;
  int threads = 1;
  double ns = 0;
  double flops = 0;          ///< per state, counted; 0 where not counted
  double peak_fraction = 0;  ///< of one core's measured peak; 0 where flops is 0
  double ratio = 0;          ///< of a peer's ns to jounce's in the same run; 0 for jounce itself
  /// Of the result from that of the row before it, of its own size; negative: not compared.
  double difference = -1;
};

/// What of a suite is measured, and how often.
struct Selection {
  std::vector<std::string> robots;  ///< none: those of the suite
  int rounds = 5;                   ///< of which the fastest counts, where there are rounds
  bool quick = false;               ///< hot calls alone

  std::vector<std::string> robots_or(const std::vector<std::string>& usual) const {
    return robots.empty() ? usual : robots;
  }
};

/// ns = intercept + slope n, and how much of the variance of ns that explains.
struct LinearFit {
  std::string algorithm;
  double intercept = 0, slope = 0, r_squared = 0;
};

/// The compiler may not remove the computation of x, nor assume anything about it afterwards.
template <class T>
[[gnu::always_inline]] inline void keep(const T& x) {
  asm volatile("" : : "r"(&x) : "memory");
}

/// The processor's name, or its architecture where the system does not tell.
std::string machine_name();

/// Nanoseconds of one call of f: the fastest of many batches. Batches of 0.05 to 0.1 ms are long
/// for the clock and short beside a time slice, so that some run undisturbed on a busy machine.
template <class F>
double nanoseconds(F f, double seconds = 0.1) {
  using Clock = std::chrono::steady_clock;
  const auto time = [&](long calls) {
    const auto start = Clock::now();
    for (long k = 0; k < calls; ++k) f();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  long calls = 1;
  while (time(calls) < 5e-5) calls *= 2;
  double best = 1e300;
  const auto start = Clock::now();
  do best = std::min(best, time(calls) / double(calls));
  while (std::chrono::duration<double>(Clock::now() - start).count() < seconds);
  return best * 1e9;
}

/// Billions of floating-point operations per second that one core reaches with independent
/// multiply-adds in registers; a multiply-add counts as two.
double peak_gflops_double();
double peak_gflops_float();

/// Fills in peak_fraction from ns and flops.
Row with_peak(Row row);

std::vector<Row> numbers();     ///< sine and cosine of packs, series
std::vector<Row> groups();      ///< exp, log, Ad, dexp, inertias
std::vector<Row> kinematics();  ///< poses, Jacobians, inverse kinematics, loading
/// Every word of every door.
std::vector<Row> words(const Selection& selection);
std::vector<Row> dynamics();           ///< inverse, forward and hybrid dynamics, the mass matrix
std::vector<Row> matrices();           ///< Coriolis, centroidal and regressor matrices
std::vector<Row> stewart();            ///< lengths and poses of Gough-Stewart platforms
std::vector<Row> stewart_all_poses();  ///< assembly modes of Gough-Stewart platforms
/// The same by other libraries; empty without any.
std::vector<Row> peers(const Selection& selection);
/// The same of robots with closed loops, or that the ground holds.
std::vector<Row> held_peers(const Selection& selection);
/// Libraries and how they were compiled, where this build did that.
std::vector<std::pair<std::string, std::string>> peers_built();
std::vector<Row> series();              ///< dynamics of higher order, "higher-inverse/8"
std::vector<Row> derivatives();         ///< partial derivatives of the dynamics
std::vector<Row> constraints();         ///< closed loops and contacts
std::vector<Row> simulation();          ///< steps, and motions to a given error
std::vector<Row> geometry();            ///< Christoffel symbols, curvature, motions of least cost
std::vector<Row> constrained_passes();  ///< Kim's passes, "constrained-forward-passes/rows"
std::vector<Row> compile_cost();  ///< seconds to compile a user's file; empty without a compiler

/// Times grow as size^exponent, from a size of a shape that is well below to the largest.
struct Growth {
  std::string algorithm, shape;
  double exponent = 0;
};
std::vector<Growth> growths(const std::vector<Row>& rows);
/// How the times of the rows of chains grow with their length; empty without such rows.
std::vector<LinearFit> chain_fits(const std::vector<Row>& rows);
/// How many passes over the open tree closed loops take, by the paper, and how their times grow.
report::Table pass_growth();
/// Multiplications and additions of inverse dynamics beside Featherstone's figures.
report::Table newton_euler_flops();

}  // namespace jounce::bench

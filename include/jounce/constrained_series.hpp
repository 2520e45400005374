// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of closed loops and of robots that touch the ground with their time derivatives, to any
// order.
//
//   jounce::ConstrainedSeries series(robot, 3);
//   const auto found = series.forward(q, v, taus);    // found.motion: v, a, jerk, ...;
//   found.lambdas
// The highest derivatives of motion and multipliers meet the same matrix at every order, so that
// one factorisation serves all of them (docs/constraints.md). Column k of a matrix holds the k-th
// derivative. Rows that depend on one another are treated as by ConstrainedDynamics; lambdas are
// derivatives of the shortest lambda.
#pragma once

#include <jounce/constrained_dynamics.hpp>
#include <jounce/door/clone.hpp>
#include <jounce/series_surroundings.hpp>

namespace jounce {

struct ConstrainedSeriesResult {
  OwnedMatrix motion;   ///< v, a, jerk, ..., v^(order + 1), nv rows
  OwnedMatrix taus;     ///< tau, tau', ..., tau^(order), nv rows
  OwnedMatrix lambdas;  ///< lambda, lambda', ..., lambda^(order), a row for every one of the loops
};

class ConstrainedSeries {
 public:
  /// The highest order of an answer: as memory allows.
  ConstrainedSeries(Robot robot, int order);
  ConstrainedSeries(ConstrainedSeries&&) noexcept;
  ConstrainedSeries& operator=(ConstrainedSeries&&) noexcept;
  ~ConstrainedSeries();

  const Robot& robot() const;
  int order() const;
  int rows() const;  ///< of the robot's loops
  int decide_rank(const VectorArg& q, double time = 0);
  /// Of forward and hybrid series, as ConstrainedDynamics::set_path.
  void set_path(ConstrainedPath path);
  /// Another one that takes as many rows: what clone(door) gives.
  ConstrainedSeries another() const;

  /// The motion that forces tau, tau', ..., tau^(r) give.
  ConstrainedSeriesResult forward(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
                                  const SeriesSurroundings& around = {},
                                  std::span<const Contact> contacts = {}) {
    ConstrainedSeriesResult found = room(taus.columns() - 1, contacts);
    run_forward(q, v, taus, around, contacts, numbers(found));
    return found;
  }
  void forward(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
               const SeriesSurroundings& around, std::span<const Contact> contacts,
               const Into<double>& motion_found, const Into<double>& taus_found,
               const Into<double>& lambdas) {
    run_forward(q, v, taus, around, contacts,
                numbers("constrained_forward_series", taus.columns() - 1, contacts, motion_found,
                        taus_found, lambdas));
  }
  /// The motor forces of a motion v, a, ..., v^(r + 1) that suits the loops; where motors can
  /// strain them, those with this optimum at every instant. Joints without a motor have no force.
  ConstrainedSeriesResult inverse(const VectorArg& q, const MatrixArg& motion,
                                  const SeriesSurroundings& around = {},
                                  std::span<const Contact> contacts = {},
                                  Optimum optimum = Optimum::force) {
    ConstrainedSeriesResult found = room(motion.columns() - 2, contacts);
    run_inverse(q, motion, around, contacts, optimum, numbers(found));
    return found;
  }
  void inverse(const VectorArg& q, const MatrixArg& motion, const SeriesSurroundings& around,
               std::span<const Contact> contacts, Optimum optimum, const Into<double>& motion_found,
               const Into<double>& taus_found, const Into<double>& lambdas) {
    run_inverse(q, motion, around, contacts, optimum,
                numbers("constrained_inverse_series", motion.columns() - 2, contacts, motion_found,
                        taus_found, lambdas));
  }
  /// Motion where prescribed, forces elsewhere; where the prescribed coordinates can strain the
  /// loops, they must suit them, and forces are those with this optimum at every instant. Column 0
  /// of motion is v of all.
  ConstrainedSeriesResult hybrid(std::span<const bool> prescribed, const VectorArg& q,
                                 const MatrixArg& motion, const MatrixArg& taus,
                                 const SeriesSurroundings& around = {},
                                 std::span<const Contact> contacts = {},
                                 Optimum optimum = Optimum::force) {
    ConstrainedSeriesResult found = room(motion.columns() - 2, contacts);
    run_hybrid(prescribed, q, motion, taus, around, contacts, optimum, numbers(found));
    return found;
  }
  void hybrid(std::span<const bool> prescribed, const VectorArg& q, const MatrixArg& motion,
              const MatrixArg& taus, const SeriesSurroundings& around,
              std::span<const Contact> contacts, Optimum optimum, const Into<double>& motion_found,
              const Into<double>& taus_found, const Into<double>& lambdas) {
    run_hybrid(prescribed, q, motion, taus, around, contacts, optimum,
               numbers("constrained_hybrid_series", motion.columns() - 2, contacts, motion_found,
                       taus_found, lambdas));
  }

 private:
  struct Numbers {
    double *motion, *taus, *lambdas;
  };
  ConstrainedSeriesResult room(int order, std::span<const Contact> contacts) const {
    const int last = order > 0 ? order : 0, n = robot().nv();
    return {{n, last + 2}, {n, last + 1}, {rows() + ConstrainedDynamics::rows(contacts), last + 1}};
  }
  static Numbers numbers(ConstrainedSeriesResult& x) {
    return {detail::OwnedAccess::numbers(x.motion), detail::OwnedAccess::numbers(x.taus),
            detail::OwnedAccess::numbers(x.lambdas)};
  }
  /// Memory of the caller's, refused where its size is another.
  Numbers numbers(const char* caller, int order, std::span<const Contact> contacts,
                  const Into<double>& motion, const Into<double>& taus,
                  const Into<double>& lambdas) const {
    const int last = order > 0 ? order : 0, n = robot().nv();
    return {detail::checked_into(robot(), caller, "motion", motion, n, last + 2),
            detail::checked_into(robot(), caller, "taus", taus, n, last + 1),
            detail::checked_into(robot(), caller, "lambdas", lambdas,
                                 rows() + ConstrainedDynamics::rows(contacts), last + 1)};
  }
  void run_forward(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
                   const SeriesSurroundings& around, std::span<const Contact> contacts,
                   const Numbers& found);
  void run_inverse(const VectorArg& q, const MatrixArg& motion, const SeriesSurroundings& around,
                   std::span<const Contact> contacts, Optimum optimum, const Numbers& found);
  void run_hybrid(std::span<const bool> prescribed, const VectorArg& q, const MatrixArg& motion,
                  const MatrixArg& taus, const SeriesSurroundings& around,
                  std::span<const Contact> contacts, Optimum optimum, const Numbers& found);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <>
inline constexpr bool is_clonable<ConstrainedSeries> = true;

}  // namespace jounce

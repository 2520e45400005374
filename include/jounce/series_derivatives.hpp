// SPDX-License-Identifier: BSD-3-Clause
// First partial derivatives of inverse and forward dynamics of any order.
//
//   jounce::SeriesDerivatives derivatives(arm, 2);       // up to tau'' and snap
//   auto d = derivatives.inverse(q, motion);             // motion: v, a, jerk, snap
//   Eigen::MatrixXd x = d(2, 3);                         // d tau''/d jerk
// d(r, s) is how the r-th derivative of the forces, or of the accelerations, changes with number s:
// 0 is q (along integrate(q, dv)), 1 is v, then a, jerk, ... for forces, and tau, tau', ... for
// accelerations. Torques from outside at the joints add to tau, so derivatives by them are those by
// tau, tau', ... of forward and hybrid, and -1 of inverse.
#pragma once

#include <jounce/door/clone.hpp>
#include <jounce/series.hpp>

namespace jounce {

/// A series and its derivatives.
class SeriesPartials : public RobotResult {
 public:
  SeriesPartials(const Robot& robot, int order)
      : RobotResult(robot),
        order_(order),
        series_(robot.nv(), order + 2),
        blocks_(robot.nv() * robot.nv(), block(order + 1, 0), stride(robot.nv())) {}
  int order() const { return order_; }

  /// tau, tau', ..., tau^(order) of inverse; v, a, ..., v^(order + 1) of forward; of hybrid what
  /// was found, tau, tau', ... of prescribed coordinates and a, jerk, ... of the others.
  OwnedMatrix::View series() const {
    return {series_.data(), series_.rows(), columns_, Eigen::OuterStride<>(series_.rows())};
  }
  /// nv x nv; s up to r + 2.
  OwnedMatrix::View operator()(int r, int s) const {
    if (r < 0 || r > order_ || s < 0 || s > r + 2)
      throw InputError("SeriesPartials: (" + std::to_string(r) + ", " + std::to_string(s) +
                       ") is out of range, order " + std::to_string(order_));
    const Eigen::Index n = robot().nv();
    return {blocks_.data() + stride(n) * block(r, s), n, n, Eigen::OuterStride<>(n)};
  }

 private:
  friend class SeriesDerivatives;
  /// Blocks (0, 0), (0, 1), (0, 2), (1, 0), ..., (1, 3), ..., one after the other.
  static constexpr int block(int r, int s) { return r * (r + 5) / 2 + s; }
  /// Kernels may write three numbers past the end of a block.
  template <class Index>
  static constexpr Index stride(Index nv) {
    return nv * nv + 3;
  }

  int order_;
  int columns_ = 0;     ///< of the series that was found
  bool dense_ = false;  ///< whether numbers may stand where inverse dynamics has none
  OwnedMatrix series_, blocks_;
};

class SeriesDerivatives {
 public:
  /// As high as memory allows.
  SeriesDerivatives(Robot robot, int order);
  SeriesDerivatives(SeriesDerivatives&&) noexcept;
  SeriesDerivatives& operator=(SeriesDerivatives&&) noexcept;
  ~SeriesDerivatives();

  const Robot& robot() const;
  int order() const;

  /// For a motion v, a, ..., v^(order + 1), as Series::inverse.
  SeriesPartials inverse(const VectorArg& q, const MatrixArg& motion,
                         const SeriesSurroundings& around = {}) {
    SeriesPartials found(robot(), order());
    inverse(q, motion, around, into(found));
    return found;
  }
  void inverse(const VectorArg& q, const MatrixArg& motion, const SeriesSurroundings& around,
               const IntoResult<SeriesPartials>& found) {
    SeriesPartials& to = room("inverse_series", found, false);
    run_inverse(q, motion, around, numbers(to.series_), numbers(to.blocks_));
    to.columns_ = order() + 1;
  }
  /// For forces tau, ..., tau^(order), as Series::forward.
  SeriesPartials forward(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
                         const SeriesSurroundings& around = {}) {
    SeriesPartials found(robot(), order());
    forward(q, v, taus, around, into(found));
    return found;
  }
  void forward(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
               const SeriesSurroundings& around, const IntoResult<SeriesPartials>& found) {
    SeriesPartials& to = room("forward_series", found, true);
    run_forward(q, v, taus, around, numbers(to.series_), numbers(to.blocks_));
    to.columns_ = order() + 2;
  }

  /// As Series::hybrid: what is found, forces of prescribed coordinates and accelerations of the
  /// others, by q, v and what is given, accelerations and forces in the same places.
  SeriesPartials hybrid(std::span<const bool> prescribed, const VectorArg& q,
                        const MatrixArg& motion, const MatrixArg& taus,
                        const SeriesSurroundings& around = {}) {
    SeriesPartials found(robot(), order());
    hybrid(prescribed, q, motion, taus, around, into(found));
    return found;
  }
  void hybrid(std::span<const bool> prescribed, const VectorArg& q, const MatrixArg& motion,
              const MatrixArg& taus, const SeriesSurroundings& around,
              const IntoResult<SeriesPartials>& found) {
    SeriesPartials& to = room("hybrid_series", found, true);
    run_hybrid(prescribed, q, motion, taus, around, numbers(to.series_), numbers(to.blocks_));
    to.columns_ = order() + 1;
  }

 private:
  static double* numbers(OwnedMatrix& x) { return detail::OwnedAccess::numbers(x); }
  /// The result object, refused where it is another robot's or of another order.
  SeriesPartials& room(const char* caller, const IntoResult<SeriesPartials>& found,
                       bool dense) const {
    SeriesPartials& to = detail::checked_into(robot(), caller, found);
    if (to.order() != order())
      throw InputError(std::string(caller) + ": into a result of order " +
                       std::to_string(to.order()) + ", needs order " + std::to_string(order()));
    if (to.dense_ && !dense)
      std::fill_n(numbers(to.blocks_), to.blocks_.outerStride() * to.blocks_.cols(), 0.0);
    to.dense_ = dense;
    return to;
  }
  /// Where block (r, s) begins.
  static constexpr std::ptrdiff_t block(int nv, int r, int s) {
    return std::ptrdiff_t(SeriesPartials::stride(nv)) * SeriesPartials::block(r, s);
  }
  void run_inverse(const VectorArg& q, const MatrixArg& motion, const SeriesSurroundings& around,
                   double* series, double* blocks);
  void run_forward(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
                   const SeriesSurroundings& around, double* series, double* blocks);
  void run_hybrid(std::span<const bool> prescribed, const VectorArg& q, const MatrixArg& motion,
                  const MatrixArg& taus, const SeriesSurroundings& around, double* series,
                  double* blocks);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <>
inline constexpr bool is_clonable<SeriesDerivatives> = true;

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// d tau/d(q, v, a) along a motion, as Taylor coefficients.
#pragma once

#include <jounce/dense_matrix.hpp>
#include <jounce/series_surroundings.hpp>
#include <memory>

namespace jounce {

/// Coefficients 0 to order of the three matrices of the robot's own coordinates.
struct DerivativeSeries {
  DerivativeSeries(int nv, int order) {
    for (auto* matrices : {&dq, &dv, &da})
      matrices->assign(size_t(order) + 1, dense::Matrix(nv, nv));
  }
  std::vector<dense::Matrix> dq, dv, da;
};

/// A motion of the robot and of the ground as Taylor coefficients.
struct MotionSeries {
  const double* q = nullptr;           ///< [nq] at the instant itself
  const double* v = nullptr;           ///< [order + 2][nv]
  const Twist<double>* V_0 = nullptr;  ///< [order + 2]
  const SeriesSurroundings& around;
};

class MatrixSeries {
 public:
  virtual ~MatrixSeries() = default;
  virtual void run(const MotionSeries& motion, DerivativeSeries& out) = 0;
};

std::unique_ptr<MatrixSeries> make_matrix_series(const Robot& robot, int order);

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Vectors and matrices under each other, and as spans.
#pragma once

#include <Eigen/Core>
#include <jounce/door/owned.hpp>
#include <span>

namespace jounce::test {

inline Eigen::VectorXd vector(const std::vector<double>& x) {
  return Eigen::VectorXd::Map(x.data(), Eigen::Index(x.size()));
}
inline Eigen::VectorXd both(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  Eigen::VectorXd all(x.size() + y.size());
  all << x, y;
  return all;
}
inline Eigen::MatrixXd both(const OwnedMatrix& x, const OwnedMatrix& y) {
  Eigen::MatrixXd all(x.rows() + y.rows(), x.cols());
  all << Eigen::MatrixXd(x), Eigen::MatrixXd(y);
  return all;
}
/// What hybrid dynamics finds: x where coordinates are prescribed, y elsewhere.
inline Eigen::VectorXd chosen(std::span<const bool> prescribed, const Eigen::VectorXd& x,
                              Eigen::VectorXd y) {
  for (Eigen::Index k = 0; k < x.size(); ++k)
    if (prescribed[size_t(k)]) y[k] = x[k];
  return y;
}
/// sum of derivatives t^k / k!
inline Eigen::VectorXd at_time(const Eigen::MatrixXd& derivatives, double t) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(derivatives.rows());
  double scale = 1;
  for (int k = 0; k < derivatives.cols(); scale *= t / ++k) sum += derivatives.col(k) * scale;
  return sum;
}
inline std::span<const double> numbers(const Eigen::VectorXd& x) {
  return {x.data(), size_t(x.size())};
}

}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// Base parameters by rank-revealing QR (Gautier 1991), and parameters that a body can have.
#include <Eigen/QR>
#include <algorithm>
#include <jounce/regressor.hpp>

#include "dense.hpp"

namespace jounce {
namespace {

/// The regressor of `states` random states, one under the other.
Eigen::MatrixXd stacked_regressor(const Robot& robot, RegressorColumns columns,
                                  std::uint64_t seed) {
  Regressor regressor(robot, columns);
  const int nv = robot.nv();
  const int states = 10 + 3 * regressor.columns() / std::max(nv, 1);
  Eigen::MatrixXd all(states * nv, regressor.columns());
  std::uint64_t bits = seed;
  const auto uniform = [&] {
    bits = bits * 6364136223846793005u + 1442695040888963407u;  // Knuth 1997
    return 4 * (static_cast<double>(bits >> 11) * 0x1p-53 - 0.5);
  };
  for (int k = 0; k < states; ++k) {
    Eigen::VectorXd v(nv), a(nv);
    for (double& x : v) x = uniform();
    for (double& x : a) x = uniform();
    all.middleRows(k * nv, nv) =
        regressor.force(robot.random(seed + static_cast<std::uint64_t>(k)), v, a);
  }
  return all;
}

/// The pseudo-inertia as U diag(moments) U^T.
struct PseudoInertia {
  Eigen::Vector4d moments;
  Eigen::Matrix4d U;

  explicit PseudoInertia(const Inertia<double>& G) {
    const Mat4<double> J = pseudo_inertia(G);
    Eigen::Matrix4d S;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) S(i, j) = J(i, j);
    dense::diagonalise(4, S.data(), U.data());
    moments = S.diagonal();
  }
};

}  // namespace

BaseParameters base_parameters(const Robot& robot, RegressorColumns columns, std::uint64_t seed,
                               double cutoff) {
  if (!(cutoff > 0 && cutoff < 1))
    throw InputError("base_parameters: the cutoff must lie between 0 and 1");
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(stacked_regressor(robot, columns, seed));
  const Eigen::Index n = qr.cols(), pivots = std::min(qr.rows(), n);
  const Eigen::VectorXd size = qr.matrixR().diagonal().head(pivots).cwiseAbs();
  const double largest = pivots > 0 ? size[0] : 0;
  Eigen::Index rank = 0;
  while (rank < pivots && size[rank] > cutoff * largest) ++rank;
  const auto& order = qr.colsPermutation().indices();
  BaseParameters base;
  for (Eigen::Index k = 0; k < n; ++k)
    (k < rank ? base.independent : base.dependent).push_back(static_cast<int>(order[k]));
  base.numbers.assign(static_cast<size_t>(rank * n), 0.0);
  Eigen::Map<Eigen::MatrixXd> regrouping(base.numbers.data(), rank, n);
  const Eigen::MatrixXd R = qr.matrixR().topRows(rank);
  const Eigen::MatrixXd K =
      R.leftCols(rank).triangularView<Eigen::Upper>().solve(R.rightCols(n - rank));
  for (Eigen::Index k = 0; k < n; ++k) {
    if (k < rank) regrouping(k, order[k]) = 1;
    else regrouping.col(order[k]) = K.col(k - rank);
  }
  if (rank > 0) base.smallest_kept = size[rank - 1] / largest;
  if (rank < pivots) base.largest_dropped = size[rank] / largest;
  return base;
}

double physical_margin(const Inertia<double>& G) {
  return PseudoInertia(G).moments.minCoeff<Eigen::PropagateNaN>();
}

Inertia<double> nearest_physical(const Inertia<double>& G, double margin) {
  const PseudoInertia found(G);
  if (found.moments.minCoeff<Eigen::PropagateNaN>() >= margin) return G;
  Mat4<double> J{};
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        J(i, j) += std::max(found.moments[k], margin) * found.U(i, k) * found.U(j, k);
  return inertia_from_pseudo(J);
}

void nearest_physical(std::span<double> parameters, int links, double margin) {
  if (links < 0 || parameters.size() < static_cast<size_t>(10 * links))
    throw InputError("nearest_physical: " + std::to_string(parameters.size()) +
                     " parameters are not ten for each of " + std::to_string(links) + " links");
  for (size_t k = 0; k < static_cast<size_t>(links); ++k) {
    double pi[10];
    std::copy_n(parameters.begin() + static_cast<std::ptrdiff_t>(10 * k), 10, pi);
    to_parameters(nearest_physical(inertia_from_parameters(pi), margin), pi);
    std::copy_n(pi, 10, parameters.begin() + static_cast<std::ptrdiff_t>(10 * k));
  }
  for (double& x : parameters.subspan(static_cast<size_t>(10 * links))) x = std::max(x, 0.0);
}

}  // namespace jounce

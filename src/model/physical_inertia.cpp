// SPDX-License-Identifier: BSD-3-Clause
// Physical consistency of inertias by the eigenvalues of the pseudo-inertia (Wensing, Kim, Slotine
// 2018).
#include <algorithm>
#include <cmath>
#include <jounce/error.hpp>
#include <jounce/model/physical_inertia.hpp>

#include "linear_algebra/symmetric.hpp"
#include "numbers.hpp"

namespace jounce {
namespace {

void check_margin(double margin) {
  if (!(margin >= 0) || std::isinf(margin))
    throw InputError("nearest_physical: margin is " + short_text(margin) +
                     ", needs to be finite and not negative");
}

/// The pseudo-inertia as U diag(moments) U^T.
struct PseudoInertia {
  double moments[4], U[4][4];  ///< U by columns

  explicit PseudoInertia(const Inertia<double>& G) {
    Mat4<double> J = pseudo_inertia(G);  // symmetric: rows are columns
    dense::diagonalise(4, &J.m[0][0], &U[0][0]);
    for (int k = 0; k < 4; ++k) moments[k] = J(k, k);
  }
  /// The smallest moment; NaN where one is.
  double least() const {
    double found = moments[0];
    for (const double x : moments) {
      if (std::isnan(x)) return x;
      found = std::min(found, x);
    }
    return found;
  }
};

}  // namespace

double physical_margin(const Inertia<double>& G) { return PseudoInertia(G).least(); }

Inertia<double> nearest_physical(const Inertia<double>& G, double margin) {
  check_margin(margin);
  const PseudoInertia found(G);
  if (found.least() >= margin) return G;
  Mat4<double> J{};
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        J(i, j) += std::max(found.moments[k], margin) * found.U[k][i] * found.U[k][j];
  return inertia_from_pseudo(J) + Inertia<double>{};  // zeros without a sign
}

void nearest_physical(std::span<double> parameters, int links, double margin) {
  if (links < 0 || parameters.size() < static_cast<size_t>(10 * links))
    throw InputError("nearest_physical: " + std::to_string(parameters.size()) +
                     " parameters are not ten for each of " + std::to_string(links) + " links");
  check_margin(margin);
  for (size_t k = 0; k < static_cast<size_t>(links); ++k) {
    double pi[10];
    std::copy_n(parameters.begin() + static_cast<std::ptrdiff_t>(10 * k), 10, pi);
    to_parameters(nearest_physical(inertia_from_parameters(pi), margin), pi);
    std::copy_n(pi, 10, parameters.begin() + static_cast<std::ptrdiff_t>(10 * k));
  }
  for (double& x : parameters.subspan(static_cast<size_t>(10 * links))) x = std::max(x, 0.0);
}

}  // namespace jounce

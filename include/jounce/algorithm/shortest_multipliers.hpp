// SPDX-License-Identifier: BSD-3-Clause
// Multipliers of rows of which some are sums of others, others = C chosen: of all that act alike
// the shortest is (mu, C mu) with (1 + C^T C) mu = nu.
#pragma once

#include <jounce/algorithm/register_rows.hpp>

namespace jounce {

/// Rows of a matrix by what they are.
struct DependentRows {
  const int *chosen = nullptr, *other = nullptr;  ///< [independent], [dependent] numbers of rows
  int independent = 0, dependent = 0;
};

inline namespace JOUNCE_ISA {

/// lambda of all rows from nu of the chosen ones, which it overwrites; `row`: [..][n], of which the
/// others become what is left of them. Room: two times [..][width], whole registers. How long the
/// longest of what is left is, of the longest chosen row.
template <class Real>
constexpr Real shortest_multipliers(const DependentRows& which, int n, Real* row, int width,
                                    Real* gram, Real* ties, Real* nu, Real* lambda) {
  const int r = which.independent, m = which.dependent;
  const auto chosen = [&](int i) { return row + n * which.chosen[i]; };
  const auto product = [&](const Real* x, const Real* y) {
    Real sum(0);
    for (int k = 0; k < n; ++k) sum += x[k] * y[k];
    return sum;
  };
  Real longest(0), left(0);
  for (int i = 0; i < r; ++i) {
    for (int j = i; j < r; ++j) gram[width * i + j] = product(chosen(i), chosen(j));
    longest = longest < gram[(width + 1) * i] ? gram[(width + 1) * i] : longest;
  }
  for (int i = 0; i < m; ++i) {
    const Real size = product(row + n * which.other[i], row + n * which.other[i]);
    left = left < size ? size : left;
  }
  if (!(left > longest * Plain<Real>(1e-28))) {  // rows that vanish, as across a planar linkage
    for (int i = 0; i < r; ++i) lambda[which.chosen[i]] = nu[i];
    for (int i = 0; i < m; ++i) lambda[which.other[i]] = Real(0);
    return longest > Real(0) ? sqrt(left / longest) : Real(0);
  }
  left = Real(0);
  symmetric_factor(r, width, gram);
  for (int i = 0; i < m; ++i) {
    Real *C = ties + width * i, *off = row + n * which.other[i];
    for (int j = 0; j < r; ++j) C[j] = product(off, chosen(j));
    symmetric_solve(r, width, gram, C);
    for (int j = 0; j < r; ++j)
      for (int k = 0; k < n; ++k) off[k] -= C[j] * chosen(j)[k];
    const Real size = product(off, off);
    left = left < size ? size : left;
  }
  for (int i = 0; i < r; ++i)
    for (int j = i; j < r; ++j) {
      Real sum(i == j ? 1 : 0);
      for (int k = 0; k < m; ++k) sum += ties[width * k + i] * ties[width * k + j];
      gram[width * i + j] = sum;
    }
  symmetric_factor(r, width, gram);
  symmetric_solve(r, width, gram, nu);
  for (int i = 0; i < r; ++i) lambda[which.chosen[i]] = nu[i];
  for (int i = 0; i < m; ++i) {
    Real sum(0);
    for (int j = 0; j < r; ++j) sum += ties[width * i + j] * nu[j];
    lambda[which.other[i]] = sum;
  }
  return longest > Real(0) ? sqrt(left / longest) : Real(0);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

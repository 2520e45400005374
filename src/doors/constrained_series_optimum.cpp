// SPDX-License-Identifier: BSD-3-Clause
// Which of many multipliers, along a motion: the shortest, or those of the least forces. At every
// order both meet the same matrix, that of
//   P^T P w = X A^T lambda with P = A X^T,
//   tau_a + A_a^T lambda = h_a,  A_p^T lambda = h_p,  A_a tau_a + A_p w_p = 0.
#include <algorithm>

#include "doors/constrained_series_impl.hpp"
#include "finite_results.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {

/// Block by block: rows of different blocks have no coordinate in common.
void ConstrainedSeries::Impl::shorten(int last, int r, const double* X) {
  if (r == m()) return;
  const LoopBlocks& blocks = all_blocks();
  block_of_X.resize(size_t(r));
  for (int i = 0; i < r; ++i) {
    int c = 0;
    while (c + 1 < n() && X[n() * i + c] == 0) ++c;
    block_of_X[size_t(i)] = blocks.of_column(c);
  }
  for (int b = 0; b < blocks.count(); ++b) {
    load_block(blocks, last, b);
    int count = 0;
    for (int i = 0; i < r; ++i) {
      if (block_of_X[size_t(i)] != b) continue;
      for (const int c : blocks.columns(b)) X_b.push_back(X[n() * i + c]);
      ++count;
    }
    shorten_block(blocks, last, b, count);
  }
}
void ConstrainedSeries::Impl::shorten_picked(int last) {
  if (int(dyn.picked.size()) == dyn.lists.own_rows()) return;
  const LoopBlocks& blocks = own_blocks();
  for (int b = 0; b < blocks.count(); ++b) {
    load_block(blocks, last, b);
    int count = 0;
    for (const int r : blocks.rows(b)) {
      if (!std::binary_search(dyn.picked.begin(), dyn.picked.end(), r)) continue;
      for (const int c : blocks.columns(b)) X_b.push_back(A(c, r, 0));
      ++count;
    }
    shorten_block(blocks, last, b, count);
  }
}

/// A and lambda of a block.
void ConstrainedSeries::Impl::load_block(const LoopBlocks& blocks, int last, int b) {
  A_b.clear(), X_b.clear(), lambda_b.clear();
  for (int k = 0; k <= last; ++k)
    for (const int r : blocks.rows(b)) {
      lambda_b.push_back(lambda[size_t(m() * k + r)]);
      for (const int c : blocks.columns(b)) A_b.push_back(A(c, r, k));
    }
}
/// With r rows of X.
void ConstrainedSeries::Impl::shorten_block(const LoopBlocks& blocks, int last, int b, int r) {
  const std::span<const int> rows = blocks.rows(b);
  if (r == int(rows.size())) return;
  solve_block(last, int(rows.size()), int(blocks.columns(b).size()), r);
  for (int k = 0; k <= last; ++k)
    for (size_t i = 0; i < rows.size(); ++i)
      lambda[size_t(m() * k + rows[i])] = lambda_b[rows.size() * size_t(k) + i];
}

/// With P(t) = A(t) X^T, lambda = P w where P^T P w = X A^T lambda.
void ConstrainedSeries::Impl::solve_block(int last, int rows, int columns, int r) {
  const int width = padded_constraints(r);
  const auto at = [](int wide, int i, int j) { return size_t(wide * i + j); };
  const auto row = [&](int k, int i) { return A_b.data() + columns * (rows * k + i); };
  P.assign(size_t((last + 1) * rows * r), 0.0), W.assign(size_t((last + 1) * r * r), 0.0);
  effect.resize(size_t(columns)), w.assign(size_t((last + 1) * r), 0.0);
  first.assign(size_t(r * width), 0.0);
  for (int k = 0; k <= last; ++k)
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < r; ++j)
        P[size_t(rows * r * k) + at(r, i, j)] =
            dense::dot(columns, row(k, i), X_b.data() + columns * j);
  for (int k = 0; k <= last; ++k)
    for (int l = 0; l <= k; ++l)
      for (int i = 0; i < r; ++i)
        for (int j = 0; j < r; ++j)
          for (int c = 0; c < rows; ++c)
            W[size_t(r * r * k) + at(r, i, j)] +=
                P[size_t(rows * r * l) + at(r, c, i)] * P[size_t(rows * r * (k - l)) + at(r, c, j)];
  for (int i = 0; i < r; ++i) std::copy_n(W.begin() + r * i, r, first.begin() + width * i);
  symmetric_factor(r, width, first.data());
  for (int k = 0; k <= last; ++k) {
    std::fill(effect.begin(), effect.end(), 0.0);
    for (int l = 0; l <= k; ++l)
      for (int i = 0; i < rows; ++i)
        dense::add_multiple(columns, lambda_b[size_t(rows * (k - l) + i)], row(l, i),
                            effect.data());
    double* w_k = w.data() + r * k;
    for (int j = 0; j < r; ++j) {
      w_k[j] = dense::dot(columns, X_b.data() + columns * j, effect.data());
      for (int l = 1; l <= k; ++l)
        w_k[j] -= dense::dot(r, W.data() + r * r * l + r * j, w.data() + r * (k - l));
    }
    symmetric_solve(r, width, first.data(), w_k);
  }
  for (int k = 0; k <= last; ++k)
    for (int i = 0; i < rows; ++i) {
      double& sum = lambda_b[size_t(rows * k + i)] = 0;
      for (int l = 0; l <= k; ++l)
        sum += dense::dot(r, P.data() + rows * r * l + r * i, w.data() + r * (k - l));
    }
}

/// The matrix of the unknowns nu_k and y_k, w_p = X^T y with X the rows of A_p that count.
void ConstrainedSeries::Impl::factor_relief(const char* caller, std::span<const bool> flags) {
  const int count = dyn.count, all = count + dyn.part.rank();
  if (relief.matrix().rows != all) relief.resize(all), unknown.resize(size_t(all));
  dense::Matrix& K = relief.matrix();
  std::fill(K.numbers.begin(), K.numbers.end(), 0.0);
  const double *B = dyn.B, *X = dyn.part.B();
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < n(); ++c) {
      if (flags[size_t(c)])
        for (int j = 0; j < count; ++j) K(i, j) -= B[n() * i + c] * B[n() * j + c];
      for (int s = 0; s < dyn.part.rank(); ++s) {
        K(i, count + s) += B[n() * i + c] * X[n() * s + c];
        K(count + s, i) = K(i, count + s);
      }
    }
  require_finite(caller, "the relief of the motors", relief.factor());
}
/// tau has w meanwhile: forces where flags are, and w_p at the other joints.
void ConstrainedSeries::Impl::relieve(const char* caller, std::span<const bool> flags, int last) {
  factor_relief(caller, flags);
  const double* X = dyn.part.B();
  for (int k = 0; k <= last; ++k) {
    double *w_k = tau.data() + n() * k, *y = unknown.data() + dyn.count;
    for (int j = 0; j < n(); ++j) a_k[size_t(j)] = open_force(k, j) - given[size_t(n() * k + j)];
    subtract_multipliers(k, a_k.data());
    for (int j = 0; j < n(); ++j) w_k[j] = flags[size_t(j)] ? a_k[size_t(j)] : 0;
    std::fill(g.begin(), g.end(), 0.0);
    for (int i = 0; i <= k; ++i)
      for (int r = 0; r < m(); ++r)
        for (int j = 0; j < n(); ++j) g[size_t(r)] += A(j, r, i) * tau[size_t(n() * (k - i) + j)];
    dyn.gather(-1, g.data(), unknown.data());
    for (int s = 0; s < dyn.part.rank(); ++s) y[s] = dense::dot(n(), X + n() * s, a_k.data());
    relief.solve(unknown.data());
    std::copy_n(unknown.begin(), dyn.count, dyn.nu.begin());
    dyn.spread(dyn.nu.data(), lambda.data() + m() * k);
    for (int j = 0; j < n(); ++j) {
      if (flags[size_t(j)]) w_k[j] -= dyn.along_rows(j);
      for (int s = 0; s < dyn.part.rank(); ++s) w_k[j] += X[n() * s + j] * y[s];
    }
  }
}
void ConstrainedSeries::Impl::write_forces(std::span<const bool> flags, int last) {
  for (int k = 0; k <= last; ++k)
    for (int j = 0; j < n(); ++j) {
      double& force = tau[size_t(n() * k + j)];
      force = flags[size_t(j)] ? open_force(k, j) : given[size_t(n() * k + j)];
      for (int i = 0; flags[size_t(j)] && i <= k; ++i)
        for (int r = 0; r < m(); ++r) force -= A(j, r, i) * lambda[size_t(m() * (k - i) + r)];
    }
}

void ConstrainedSeries::Impl::settle(const char* caller, Optimum optimum,
                                     std::span<const bool> flags, int last) {
  if (dyn.strain.rank() == 0) return shorten(last, dyn.count, dyn.B);
  given = tau;
  for (int k = 0; k <= last; ++k)
    for (int j = 0; j < n(); ++j)
      if (flags[size_t(j)]) given[size_t(n() * k + j)] = 0;
  if (optimum == Optimum::torque) {
    relieve(caller, flags, last);
    shorten(last, dyn.count, dyn.B);
  } else {
    shorten(last, dyn.part.rank(), dyn.part.B());
  }
  write_forces(flags, last);
}

void ConstrainedSeries::Impl::require_reachable(const char* caller,
                                                std::span<const bool> prescribed, int k) {
  if (dyn.strain.rank() == 0) return;
  for (int j = 0; j < n(); ++j)
    a_k[size_t(j)] = prescribed[size_t(j)] ? (k + 1) * v[size_t(n() * (k + 1) + j)] : 0;
  dyn.require_reachable(caller, {q.data(), v.data(), a_k.data()});
}

}  // namespace jounce

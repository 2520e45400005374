// SPDX-License-Identifier: BSD-3-Clause
// QR with column pivoting, A P = Q R. Where R is far from singular its inverse says so,
//   s_min / s_max >= 1 / (|R| |R^-1|),
// and nothing is lost by using it. Else the singular values of R^T decide, which are those of A.
#include "linear_algebra/six_columns.hpp"

#include <algorithm>
#include <cmath>

#include "linear_algebra/pivoted_qr.hpp"
#include "linear_algebra/singular_values.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce::dense {
namespace {

/// The factors of A, whose reflections stay in A and tau.
struct SixByQr {
  SixByQr(int n, double* A) noexcept : k(std::min(n, 6)) {
    pivoted_qr(n, 6, A, tau, order);
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i <= j && i < k; ++i) R[j][i] = A[n * j + i];
  }
  /// Whether its inverse shows that all singular values are above the cutoff.
  bool regular(double cutoff) noexcept {
    if (k < 6) return false;
    invert_upper();
    return cutoff * norm(36, &R[0][0]) * norm(36, &inverse[0][0]) < 1;
  }
  /// Whether its last pivot alone shows it: s_min >= 3 |r| / sqrt(4^6 + 35) (Lawson, Hanson 1974).
  bool surely_regular(double cutoff) const noexcept {
    return k == 6 && 22 * cutoff * norm(36, &R[0][0]) < std::abs(R[5][5]);
  }
  double volume() const noexcept {
    double product = 1;
    for (int j = 0; j < 6; ++j) product *= std::abs(R[j][j]);
    return product;
  }
  /// Not finite where R is singular.
  void invert_upper() noexcept {
    double pivot[6];
    for (int j = 0; j < 6; ++j) pivot[j] = 1 / R[j][j];
    for (int c = 0; c < 6; ++c) {
      inverse[c][c] = pivot[c];
      for (int i = c; i-- > 0;) {
        double sum = 0;
        for (int j = i + 1; j <= c; ++j) sum += R[j][i] * inverse[c][j];
        inverse[c][i] = -sum * pivot[i];
      }
    }
  }

  int k, order[6];
  double tau[6], R[6][6] = {}, inverse[6][6] = {};  ///< by columns
};

/// R^T = U diag(s) W^T, and which of the singular values count.
struct SixBySingularValues {
  SixBySingularValues(const SixByQr& qr, double cutoff) noexcept {
    for (int j = 0; j < qr.k; ++j)
      for (int i = 0; i < 6; ++i) U[6 * j + i] = qr.R[i][j];
    singular_values(6, qr.k, U, W, s);
    const double least = qr.k > 0 ? cutoff * *std::max_element(s, s + qr.k) : 0;
    for (int j = 0; j < qr.k; ++j)
      if (!(s[j] <= least)) kept[rank++] = j;  // also what is no number
  }
  double volume() const noexcept { return rank < 6 ? 0 : s[0] * s[1] * s[2] * s[3] * s[4] * s[5]; }

  double U[36], W[36], s[6];
  int rank = 0, kept[6];
};

/// span_of, with Q where it is wanted.
SixColumns found_span(int n, double* A, double cutoff, bool with_q) noexcept {
  const double least = rank_cutoff(cutoff, 6, n);
  SixByQr qr(n, A);
  if (with_q) form_q(n, qr.k, A, qr.tau);
  SixColumns out;
  if (qr.regular(least)) {
    out.rank = 6;
    out.volume = qr.volume();
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i) out.G[j][qr.order[i]] = qr.inverse[j][i];
    return out;
  }
  const SixBySingularValues found(qr, least);
  out.rank = found.rank;
  out.volume = found.volume();
  for (int j = 0; j < out.rank; ++j)
    for (int i = 0; i < 6; ++i)
      out.G[j][qr.order[i]] = found.U[6 * found.kept[j] + i] / found.s[found.kept[j]];
  for (int i = 0; with_q && i < n; ++i) {
    double row[6];
    for (int j = 0; j < qr.k; ++j) row[j] = A[n * j + i];
    for (int j = 0; j < out.rank; ++j)
      A[n * j + i] = dot(qr.k, row, found.W + qr.k * found.kept[j]);
  }
  return out;
}

}  // namespace

SixColumns span_of(int n, double* A, double cutoff) noexcept {
  return found_span(n, A, cutoff, true);
}
SixColumns span_without_q(int n, double* A, double cutoff) noexcept {
  return found_span(n, A, cutoff, false);
}

double volume_of(int n, double* A) noexcept {
  const double least = rank_cutoff(0, 6, n);
  const SixByQr qr(n, A);
  return qr.surely_regular(least) ? qr.volume() : SixBySingularValues(qr, least).volume();
}

}  // namespace jounce::dense

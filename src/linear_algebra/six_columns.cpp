// SPDX-License-Identifier: BSD-3-Clause
// QR with column pivoting, A P = Q R. Where R is far from singular its inverse says so,
//   s_min / s_max >= 1 / (|R| |R^-1|),
// and nothing is lost by using it. Else the singular values of R^T decide, which are those of A.
#include "linear_algebra/six_columns.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"
#include "kernels/lanes/six_by_qr.hpp"
#include "linear_algebra/singular_values.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce::dense {
namespace {

double norm(const double (&rows)[6][8], int count) noexcept {
  return dense::norm(8 * count, rows[0]);
}
double diagonal(const SixByQr& qr, int k) noexcept { return std::abs(qr.R[k][qr.order[k]]); }

/// Whether its inverse shows that all singular values are above the cutoff.
bool regular(const SixByQr& qr, double cutoff) noexcept {
  return qr.count == 6 && cutoff * norm(qr.R, 6) * norm(qr.inverse, 6) < 1;
}
/// Whether its last pivot alone shows it: s_min >= 3 |r| / sqrt(4^6 + 35) (Lawson, Hanson 1974).
bool surely_regular(const SixByQr& qr, double cutoff) noexcept {
  return qr.count == 6 && 22 * cutoff * norm(qr.R, 6) < diagonal(qr, 5);
}
double volume(const SixByQr& qr) noexcept {
  double product = 1;
  for (int k = 0; k < 6; ++k) product *= diagonal(qr, k);
  return product;
}

/// (R P^T)^T = U diag(s) W^T, and which of the singular values count.
struct SixBySingularValues {
  SixBySingularValues(const SixByQr& qr, double cutoff) noexcept {
    const int k = qr.count;
    for (int j = 0; j < k; ++j) std::copy_n(qr.R[j], 6, U + 6 * j);
    singular_values(6, k, U, W, s);
    const double least = k > 0 ? cutoff * *std::max_element(s, s + k) : 0;
    for (int j = 0; j < k; ++j)
      if (!(s[j] <= least)) kept[rank++] = j;  // also what is no number
  }
  double volume() const noexcept { return rank < 6 ? 0 : s[0] * s[1] * s[2] * s[3] * s[4] * s[5]; }

  double U[36], W[36], s[6];
  int rank = 0, kept[6];
};

/// span_of; `rows` is where Q is wanted, [n][8], or null.
SixColumns found_span(int n, double* A, double cutoff, double* rows) {
  const double least = rank_cutoff(cutoff, 6, n);
  SixByQr qr;
  kernels().six_by_qr(n, A, rows, qr);
  SixColumns out;
  if (regular(qr, least)) {
    out.rank = 6;
    out.volume = volume(qr);
    std::copy_n(qr.inverse[0], 48, out.G[0]);
    for (int i = 0; rows && i < n; ++i)
      for (int j = 0; j < 6; ++j) A[n * j + i] = rows[8 * i + j];
    return out;
  }
  const SixBySingularValues found(qr, least);
  out.rank = found.rank;
  out.volume = found.volume();
  for (int j = 0; j < out.rank; ++j) {
    const int from = found.kept[j];
    for (int i = 0; i < 6; ++i) out.G[j][i] = found.U[6 * from + i] / found.s[from];
    out.G[j][6] = out.G[j][7] = 0;
    for (int i = 0; rows && i < n; ++i)
      A[n * j + i] = dot(qr.count, rows + 8 * i, found.W + qr.count * from);
  }
  return out;
}

}  // namespace

SixColumns span_of(int n, double* A, double cutoff) {
  return found_span(n, A, cutoff, A + six_rows(n));
}
SixColumns span_without_q(int n, double* A, double cutoff) {
  return found_span(n, A, cutoff, nullptr);
}

double volume_of(int n, double* A) {
  const double least = rank_cutoff(0, 6, n);
  SixByQr qr;
  kernels().six_by_qr(n, A, nullptr, qr);
  return surely_regular(qr, least) ? volume(qr) : SixBySingularValues(qr, least).volume();
}

}  // namespace jounce::dense

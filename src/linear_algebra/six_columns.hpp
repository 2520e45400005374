// SPDX-License-Identifier: BSD-3-Clause
// The space that six columns span: what a frame's Jacobian, transposed, tells about its motion.
#pragma once

namespace jounce::dense {

/// A = Q F of n x 6, with orthonormal columns of Q, as many as the rank, and the pseudo-inverse G
/// of F: the pseudo-inverse of A is G Q^T.
struct SixColumns {
  int rank = 0;
  double volume = 0;  ///< product of the singular values; zero where the rank is less than 6
  double G[6][8];     ///< [rank] columns of six numbers
};

/// Numbers that A of n rows takes, [n][8], of which six are A's and the last two are zero.
constexpr int six_rows(int n) { return 8 * n; }

/// A becomes Q, n x rank, column by column; as much room is needed behind A. Singular values of at
/// most `cutoff` times the largest count as zero, and so do columns no longer than 1e-145 and what
/// is only rounding. No allocation.
SixColumns span_of(int n, double* A, double cutoff);
/// The same without Q; A is overwritten, and needs no room.
SixColumns span_without_q(int n, double* A, double cutoff);
/// Its volume alone, with what is only rounding taken as zero; A is overwritten.
double volume_of(int n, double* A);

}  // namespace jounce::dense

// SPDX-License-Identifier: BSD-3-Clause
// QR factors with column pivoting: A P = Q R, the longest remaining column first.
#pragma once

namespace jounce::dense {

/// A of m rows and n columns becomes R in its upper half, and below the diagonal Householder's
/// vectors, whose first entry is 1, with the factors tau[min(m, n)]. Column k of A P is column
/// order[k] of A. No allocation.
void pivoted_qr(int m, int n, double* A, double* tau, int* order) noexcept;

/// x := Q x and Q^T x with the first k reflections of A.
void times_q(int m, int k, const double* A, const double* tau, double* x) noexcept;
void times_q_transposed(int m, int k, const double* A, const double* tau, double* x) noexcept;

}  // namespace jounce::dense

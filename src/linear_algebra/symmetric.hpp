// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues of symmetric matrices.
#pragma once

namespace jounce::dense {

/// S of n columns becomes diagonal (the eigenvalues), the columns of U the eigenvectors. No
/// allocation.
void diagonalise(int n, double* S, double* U) noexcept;

}  // namespace jounce::dense

// SPDX-License-Identifier: BSD-3-Clause
// The few matrix products that the forms kept for reading are made of. Eigen compiles each form of
// an expression anew in every file that includes it; these are few, and so are quick to compile.
#pragma once

#include <Eigen/Core>
#include <jounce/scalar/isa.hpp>

namespace jounce::detail::inline JOUNCE_ISA {

using Dense = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

inline Dense product(const Dense& A, const Dense& B) { return A * B; }
inline Dense transposed_product(const Dense& A, const Dense& B) { return A.transpose() * B; }
/// X^T B X.
inline Dense congruent(const Dense& X, const Dense& B) {
  return transposed_product(X, product(B, X));
}
inline Column image(const Dense& A, const Column& x) { return A * x; }
inline Column transposed_image(const Dense& A, const Column& x) { return A.transpose() * x; }

}  // namespace jounce::detail::inline JOUNCE_ISA

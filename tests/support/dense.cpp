// SPDX-License-Identifier: BSD-3-Clause
// Eigen's products, factors and eigenvalues for all tests.
#include "support/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace jounce::test {

double largest(const MatrixXd& x) {
  return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
}

MatrixXd solve_positive(const MatrixXd& M, const MatrixXd& right) { return M.llt().solve(right); }
MatrixXd solve(const MatrixXd& A, const MatrixXd& right) { return A.partialPivLu().solve(right); }
bool positive_definite(const MatrixXd& M) { return M.llt().info() == Eigen::Success; }
VectorXd symmetric_eigenvalues(const MatrixXd& M) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(M, Eigen::EigenvaluesOnly).eigenvalues();
}
double condition(const MatrixXd& M) {
  if (M.size() == 0) return 1;
  const VectorXd e = symmetric_eigenvalues(M);
  return e[e.size() - 1] / e[0];
}
Eigen::VectorXcd eigenvalues(const MatrixXd& A) {
  return Eigen::EigenSolver<MatrixXd>(A, false).eigenvalues();
}

VectorXd singular_values(const MatrixXd& A) {
  return Eigen::JacobiSVD<MatrixXd>(A).singularValues();
}
MatrixXd null_space_projector(const MatrixXd& A, double cutoff) {
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinV);
  const VectorXd& s = svd.singularValues();
  Eigen::Index rank = 0;
  while (rank < s.size() && s[rank] > cutoff * s[0]) ++rank;
  const MatrixXd V = svd.matrixV().leftCols(rank);
  return MatrixXd::Identity(A.cols(), A.cols()) - V.lazyProduct(V.transpose());
}
double determinant(const MatrixXd& A) { return A.determinant(); }

MatrixXd product(const MatrixXd& A, const MatrixXd& B) { return A.lazyProduct(B); }
VectorXd product(const MatrixXd& A, const VectorXd& x) { return A.lazyProduct(x); }
MatrixXd product_of_transpose(const MatrixXd& A, const MatrixXd& B) {
  return A.transpose().lazyProduct(B);
}
VectorXd product_of_transpose(const MatrixXd& A, const VectorXd& x) {
  return A.transpose().lazyProduct(x);
}

}  // namespace jounce::test

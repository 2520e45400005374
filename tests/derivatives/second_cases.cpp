// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives of inverse dynamics by dual numbers of dual numbers.
#include "derivatives/second_cases.hpp"

#include <jounce/algorithm/rnea.hpp>

#include "doors/second_by_dual.hpp"

namespace jounce::test {

Slices slices(const Tensor& T) {
  Slices found;
  for (int l = 0; l < T.n(); ++l) found.push_back(T.slice(l));
  return found;
}
Slices slices(const MassDerivatives& T) {
  Slices found;
  for (int l = 0; l < T.robot().nv(); ++l) found.push_back(T.slice(l));
  return found;
}
double largest(const Slices& T) {
  double found = 0;
  for (const DenseMatrix& slice : T) found = worse(found, largest(slice));
  return found;
}
double distance(const Slices& S, const Slices& T) {
  double found = S.size() == T.size() ? 0 : INFINITY;
  for (size_t l = 0; l < T.size(); ++l) found = worse(found, largest(S[l] - T[l]));
  return found;
}
DenseMatrix weighted(const Slices& T, const Vector& y) {
  DenseMatrix found(y.size(), y.size());
  for (size_t l = 0; l < T.size(); ++l) found.col(Eigen::Index(l)) = T[l].transpose() * y;
  return found;
}

SecondSlices slices(const ForwardSecondDerivatives& x) {
  return {slices(x.dqdq), slices(x.dqdv), slices(x.dvdv), slices(x.dtaudq)};
}
SecondSlices slices(const InverseSecondDerivatives& x) {
  return {slices(x.dqdq), slices(x.dqdv), slices(x.dvdv), slices(x.dadq)};
}

SecondSlices second_by_dual(const DerivativeCase& c) {
  const DenseMatrix A = coupling_matrix(c.robot);
  const Vector q = tree_q(c.robot, c.q), v = A * c.v, a = A * c.a;
  const Eigen::Index n = A.rows(), nv = A.cols();
  std::vector<double> memory(size_t(4 * n * n * n));
  double* at = memory.data();
  const SecondPartials<double> out{at, at + n * n * n, at + 2 * n * n * n, at + 3 * n * n * n};
  DualWork work(c.robot);
  const auto [V, Vdot] = c.moving();
  work.tensors({q.data(), v.data(), a.data()}, V, Vdot + minus_gravity<double>(c.robot.model()),
               c.external, out);
  const auto folded = [&](const double* tree) {
    Slices found(size_t(nv), DenseMatrix::Zero(nv, nv));
    for (Eigen::Index l = 0; l < n; ++l) {
      const DenseMatrix slice =
          A.transpose() * Eigen::Map<const DenseMatrix>(tree + n * n * l, n, n) * A;
      for (Eigen::Index k = 0; k < nv; ++k) found[size_t(k)] += A(l, k) * slice;
    }
    return found;
  };
  return {folded(out.dqdq), folded(out.dqdv), folded(out.dvdv), folded(out.dadq)};
}

Slices matrix_differences(int n, const std::function<DenseMatrix(const Vector&)>& f, double step) {
  Slices found;
  for (int l = 0; l < n; ++l) {
    const auto at = [&](double h) { return f(Vector::Unit(n, l) * h); };
    found.push_back((8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step));
  }
  return found;
}

Vector bracket(const Robot& robot, int k, int l) {
  const Model<double>& m = robot.model();
  Vector found = Vector::Zero(m.nv);
  for (int r = 0; r < m.part_at[m.bodies]; ++r) {
    const Part<double>& part = m.part[r];
    if (part.kind == JointKind::custom) continue;
    const int first = part.v, dof = elementary_nv(part.kind);
    if (k < first || k >= first + dof || l < first || l >= first + dof) continue;
    const Twist<double> X =
        ad(part_screw<double>(part, k - first), part_screw<double>(part, l - first));
    for (int j = 0; j < dof; ++j) {
      const Twist<double> S = part_screw<double>(part, j);
      found[first + j] = dot(S.w, X.w) + dot(S.v, X.v);
    }
  }
  return found;
}

}  // namespace jounce::test

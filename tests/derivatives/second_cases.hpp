// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives by dual numbers and by differences, for the tests.
#pragma once

#include <vector>

#include "derivatives/cases.hpp"
#include "dynamics/second_by_dual.hpp"

namespace jounce::test {

/// A tensor as its slices.
using Slices = std::vector<DenseMatrix>;

inline Slices slices(const TensorView& T) {
  Slices found;
  for (int l = 0; l < T.n; ++l) found.push_back(T.slice(l));
  return found;
}
inline double largest(const Slices& T) {
  double found = 0;
  for (const DenseMatrix& slice : T) found = worse(found, largest(slice));
  return found;
}
inline double distance(const Slices& S, const Slices& T) {
  double found = S.size() == T.size() ? 0 : INFINITY;
  for (size_t l = 0; l < T.size(); ++l) found = worse(found, largest(S[l] - T[l]));
  return found;
}
/// sum_i y_i T(i, k, l).
inline DenseMatrix weighted(const Slices& T, const Vector& y) {
  DenseMatrix found(y.size(), y.size());
  for (size_t l = 0; l < T.size(); ++l) found.col(Eigen::Index(l)) = T[l].transpose() * y;
  return found;
}

/// The four blocks.
struct SecondSlices {
  Slices dqdq, dqdv, dvdv, dadq;
};
/// Every block of `found` as that of `exact`, to bound(largest entry of the exact one).
template <class F>
void expect_blocks(const SecondSlices& found, const SecondSlices& exact, F bound,
                   std::uint64_t seed) {
  const auto expect = [&](const Slices& x, const Slices& y, const char* block) {
    EXPECT_LE(distance(x, y), bound(largest(y))) << seed << " " << block;
  };
  expect(found.dqdq, exact.dqdq, "dqdq");
  expect(found.dqdv, exact.dqdv, "dqdv");
  expect(found.dvdv, exact.dvdv, "dvdv");
  expect(found.dadq, exact.dadq, "dadq");
}
/// Products with y as those of the tensors, to bound(largest entry of the tensor).
template <class F>
void expect_products(const SecondProductsResult& found, const SecondSlices& tensor, const Vector& y,
                     F bound, std::uint64_t seed) {
  const auto expect = [&](const MatrixView& x, const Slices& T, const char* block) {
    EXPECT_LE(largest(x - weighted(T, y)), bound(largest(T))) << seed << " " << block;
  };
  expect(found.dqdq, tensor.dqdq, "dqdq");
  expect(found.dqdv, tensor.dqdv, "dqdv");
  expect(found.dvdv, tensor.dvdv, "dvdv");
  expect(found.dadq, tensor.dadq, "dadq");
}

inline SecondSlices slices(const ForwardSecondDerivativesResult& x) {
  return {slices(x.d2a_dqdq), slices(x.d2a_dqdv), slices(x.d2a_dvdv), slices(x.d2a_dtaudq)};
}
inline SecondSlices slices(const InverseSecondDerivativesResult& x) {
  return {slices(x.d2tau_dqdq), slices(x.d2tau_dqdv), slices(x.d2tau_dvdv), slices(x.d2tau_dadq)};
}

/// A random robot and state for the fast way: no custom joint, no wrench in ground axes.
struct SecondCase : DerivativeCase {
  explicit SecondCase(std::uint64_t seed, int largest = 12)
      : DerivativeCase(2 * seed + 1, largest) {
    std::erase_if(external,
                  [](const ExternalWrench& one) { return one.in != Representation::body; });
    dynamics.reserve_second_derivatives();
  }
};

/// By dual numbers through rnea_derivatives, without passive forces.
inline SecondSlices second_by_dual(const DerivativeCase& c) {
  const DenseMatrix A = coupling_matrix(c.robot);
  const Vector q = tree_q(c.robot, c.q), v = A * c.v, a = A * c.a;
  const Eigen::Index n = A.rows(), nv = A.cols();
  std::vector<double> memory(size_t(4 * n * n * n));
  double* at = memory.data();
  const SecondDerivatives<double> out{at, at + n * n * n, at + 2 * n * n * n, at + 3 * n * n * n};
  DualWork work(c.robot);
  work.tensors({q.data(), v.data(), a.data()}, c.V_0,
               c.Vdot_0 + minus_gravity<double>(c.robot.model()), c.external, out);
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

/// Central differences of a matrix along every coordinate, of fourth order.
inline Slices matrix_differences(int n, const std::function<DenseMatrix(const Vector&)>& f,
                                 double step = 1e-3) {
  Slices found;
  for (int l = 0; l < n; ++l) {
    const auto at = [&](double h) { return f(Vector::Unit(n, l) * h); };
    found.push_back((8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step));
  }
  return found;
}

/// Differences of first(q, v), which has the matrices dq, dv and da.
template <class F>
SecondSlices second_by_differences(const DerivativeCase& c, F first) {
  const int n = c.robot.nv();
  const auto along_q = [&](auto part) {
    return matrix_differences(
        n, [&](const Vector& d) -> DenseMatrix { return first(c.moved(d), c.v).*part; });
  };
  const auto along_v = [&](auto part) {
    return matrix_differences(
        n, [&](const Vector& d) -> DenseMatrix { return first(c.q, c.v + d).*part; });
  };
  return {along_q(&ExactDerivatives::dq), along_v(&ExactDerivatives::dq),
          along_v(&ExactDerivatives::dv), along_q(&ExactDerivatives::da)};
}

/// [S_k, S_l] of the screws of one part in coordinates: its component along each coordinate.
inline Vector bracket(const Robot& robot, int k, int l) {
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

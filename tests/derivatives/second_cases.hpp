// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives by dual numbers and by differences, for the tests.
#pragma once

#include <jounce/second_derivatives.hpp>
#include <vector>

#include "derivatives/cases.hpp"

namespace jounce::test {

/// A tensor as its slices.
using Slices = std::vector<DenseMatrix>;

Slices slices(const Tensor& T);
Slices slices(const MassDerivatives& T);
double largest(const Slices& T);
double distance(const Slices& S, const Slices& T);
/// sum_i y_i T(i, k, l).
DenseMatrix weighted(const Slices& T, const Vector& y);

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
void expect_products(const SecondProducts& found, const SecondSlices& tensor, const Vector& y,
                     F bound, std::uint64_t seed) {
  const auto expect = [&](const DenseMatrix& x, const Slices& T, const char* block) {
    EXPECT_TRUE(within(bound(largest(T)), x, weighted(T, y), seed)) << block;
  };
  expect(found.dqdq, tensor.dqdq, "dqdq");
  expect(found.dqdv, tensor.dqdv, "dqdv");
  expect(found.dvdv, tensor.dvdv, "dvdv");
  expect(found.dadq, tensor.dadq, "dadq");
}

SecondSlices slices(const ForwardSecondDerivatives& x);
SecondSlices slices(const InverseSecondDerivatives& x);

/// A random robot and state for the fast way: no custom joint.
struct SecondCase : DerivativeCase {
  explicit SecondCase(std::uint64_t seed, int largest = 12)
      : DerivativeCase(2 * seed + 1, largest) {}

  SecondDerivatives second{robot};
};

/// By dual numbers through rnea_derivatives, without passive forces.
SecondSlices second_by_dual(const DerivativeCase& c);

/// Central differences of a matrix along every coordinate, of fourth order.
Slices matrix_differences(int n, const std::function<DenseMatrix(const Vector&)>& f,
                          double step = 1e-3);

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
Vector bracket(const Robot& robot, int k, int l);

}  // namespace jounce::test

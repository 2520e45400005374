// SPDX-License-Identifier: BSD-3-Clause
// Coordinates as polynomials of time, against the same law on Taylor numbers.
#include <gtest/gtest.h>

#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/integrators/coordinate_polynomials.hpp>
#include <random>

namespace jounce {
namespace {

constexpr int order = 9;
using Number = Taylor<double, order + 1>;

struct FactorCase {
  const char* name;
  JointKind kind;
  int nq, nv;
};

/// A factor of each kind; those of composite joints are such factors one after the other.
class CoordinatePolynomials : public testing::TestWithParam<FactorCase> {};

TEST_P(CoordinatePolynomials, AreThoseOfTaylorNumbers) {
  const FactorCase& one = GetParam();
  const Factor f{one.kind, 0, 0, one.nq, one.nv, 0};
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  double q[(order + 2) * 7] = {}, v[(order + 1) * 6], scratch[polynomial_scratch * (order + 2)];
  neutral(f, q);
  double away[6];
  for (double& x : away) x = uniform(random);
  double start[7];
  integrate(f, static_cast<const double*>(q), static_cast<const double*>(away), start);
  std::copy_n(start, one.nq, q);
  for (double& x : v) x = uniform(random);
  Number speed[6], along[7];
  for (int j = 0; j < one.nv; ++j)
    for (int k = 0; k <= order; ++k) speed[j].c[k] = v[6 * k + j];
  for (int j = 0; j < one.nq; ++j) along[j].c[0] = start[j];
  for (int k = 0; k <= order; ++k) extend_coordinates(f, k, speed, along);
  extend_polynomials(f, order, {v, 6}, {q, 7}, scratch);
  for (int k = 0; k <= order + 1; ++k)
    for (int j = 0; j < one.nq; ++j)
      EXPECT_NEAR(q[7 * k + j], along[j].c[k], 1e-14) << "coefficient " << k << " of " << j;
}
INSTANTIATE_TEST_SUITE_P(Kinds, CoordinatePolynomials,
                         testing::Values(FactorCase{"revolute", JointKind::revolute, 1, 1},
                                         FactorCase{"cylindrical", JointKind::cylindrical, 2, 2},
                                         FactorCase{"translational", JointKind::translational, 3,
                                                    3},
                                         FactorCase{"circle", JointKind::circle, 2, 1},
                                         FactorCase{"planar", JointKind::planar, 3, 3},
                                         FactorCase{"spherical", JointKind::spherical, 4, 3},
                                         FactorCase{"free", JointKind::free, 7, 6}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace jounce

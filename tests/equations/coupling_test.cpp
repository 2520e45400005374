// SPDX-License-Identifier: BSD-3-Clause
// Between the robot's coordinates and the tree's: A v, A^T f, X A, A^T X A against dense algebra.
#include <jounce/equations/coupling.hpp>

#include "group/kinds.hpp"
#include "matrices/cases.hpp"
#include "support/near.hpp"

namespace jounce::test {
namespace {

/// f(coupling in P, dense A, random numbers) for robots with mimic joints.
template <class F>
void for_each_coupling(F f) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Robot robot(random_description(seed, 12));
    if (robot.has_mimic()) f(robot.system().coupling, coupling_matrix(robot), Random(seed));
  }
}

template <class Real>
std::vector<Real> numbers(Random& rng, int n) {
  std::vector<Real> x;
  for (int k = 0; k < n; ++k) x.push_back(rng.number<Real>());
  return x;
}

/// Velocities go up by A, forces come back by its transpose: both do the same power.
TEST(Coupling, KeepsPowerOnEveryKindOfNumber) {
  on_every(kinds, []<class Real>() {
    for_each_coupling([](const Coupling<double>& given, const DenseMatrix&, Random rng) {
      using P = Plain<Real>;
      const std::vector<P> q_ratio(given.q_ratio, given.q_ratio + given.tree_nq),
          q_offset(given.q_offset, given.q_offset + given.tree_nq),
          v_ratio(given.v_ratio, given.v_ratio + given.tree_nv);
      const Coupling<P> c{given.identity,  given.tree_nq,  given.tree_nv,  given.nq,
                          given.nv,        given.q_source, given.v_source, q_ratio.data(),
                          q_offset.data(), v_ratio.data()};
      const std::vector<Real> v = numbers<Real>(rng, c.nv), f = numbers<Real>(rng, c.tree_nv);
      std::vector<Real> tree(f.size()), own(v.size());
      expand(c, v.data(), tree.data());
      gather(c, f.data(), own.data());
      Real above(0), below(0);
      for (size_t k = 0; k < f.size(); ++k) above += f[k] * tree[k];
      for (size_t k = 0; k < v.size(); ++k) below += own[k] * v[k];
      expect_near(above, below, rounding<Real>(100 * double(f.size())), rng.seed());
    });
  });
}

TEST(Coupling, IsDenseAlgebra) {
  for_each_coupling([](const Coupling<double>& c, const DenseMatrix& A, Random rng) {
    const int n = c.tree_nv, nv = c.nv;
    const auto matrix = [&](int rows, int columns) {
      const std::vector<double> x = numbers<double>(rng, rows * columns);
      return DenseMatrix(DenseMatrix::Map(x.data(), rows, columns));
    };
    const DenseMatrix X = matrix(6, n), S = matrix(n, n), v = matrix(nv, 1);
    DenseMatrix columns(6, nv), square(nv, nv), tree(n, 1);
    expand(c, v.data(), tree.data());
    gather_columns(c, 6, X.data(), columns.data());
    gather_square(c, S.data(), square.data());
    EXPECT_LE(largest(tree - A * v), 1e-15 * largest(A)) << rng.seed();
    EXPECT_LE(largest(columns - X * A), 1e-14 * largest(A)) << rng.seed();
    EXPECT_LE(largest(square - A.transpose() * S * A), 1e-14 * largest(A) * largest(A))
        << rng.seed();
  });
}

/// T(u, v, w) = sum of T_ikl u_i v_k w_l is the same number in the tree's coordinates.
TEST(Coupling, KeepsTrilinearForms) {
  for_each_coupling([](const Coupling<double>& c, const DenseMatrix& A, Random rng) {
    const int n = c.tree_nv, nv = c.nv;
    const std::vector<double> tree = numbers<double>(rng, n * n * n);
    std::vector<double> own(size_t(nv * nv * nv));
    gather_cube(c, tree.data(), own.data());
    const std::vector<double> u = numbers<double>(rng, nv), v = numbers<double>(rng, nv),
                              w = numbers<double>(rng, nv);
    const auto form = [](const std::vector<double>& T, const Vector& x, const Vector& y,
                         const Vector& z) {
      double sum = 0;
      const Eigen::Index m = x.size();
      for (Eigen::Index l = 0; l < m; ++l)
        for (Eigen::Index k = 0; k < m; ++k)
          for (Eigen::Index i = 0; i < m; ++i)
            sum += T[size_t(i + m * (k + m * l))] * x[i] * y[k] * z[l];
      return sum;
    };
    const Vector x = Vector::Map(u.data(), nv), y = Vector::Map(v.data(), nv),
                 z = Vector::Map(w.data(), nv);
    const double size = std::pow(double(n) * largest(A), 3);
    EXPECT_NEAR(form(own, x, y, z), form(tree, A * x, A * y, A * z), 1e-14 * size) << rng.seed();
  });
}

TEST(Coupling, FollowersMoveWithTheirLeader) {
  for_each_coupling([](const Coupling<double>& c, const DenseMatrix& A, const Random& rng) {
    DenseMatrix found = DenseMatrix::Zero(c.tree_nv, c.nv);
    for (int k = 0; k < c.nv; ++k)
      for_each_follower(c, k, [&](int t, double ratio) { found(t, k) = ratio; });
    EXPECT_EQ(largest(found - A), 0) << rng.seed();
  });
}

}  // namespace
}  // namespace jounce::test

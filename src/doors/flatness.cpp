// SPDX-License-Identifier: BSD-3-Clause
// Whether a robot's metric is flat, and coordinates in which the equations of a flat one are simple
// (Spong 1992).
#include <algorithm>
#include <cmath>

#include "doors/cholesky_factor.hpp"
#include "doors/geometry_impl.hpp"
#include "doors/regular_path.hpp"
#include "linear_algebra/matrix.hpp"
#include "linear_algebra/solve.hpp"

namespace jounce {
namespace {

/// The largest entry of T_ijkl in the frame of the columns of B.
double largest_in_frame(int n, std::vector<double> T, const dense::Matrix& B) {
  const size_t size = size_t(n);
  std::vector<double> next(T.size());
  for (int index = 0; index < 4; ++index) {  // the last index is turned and becomes the first
    const size_t rest = T.size() / size;
    for (size_t p = 0; p < rest; ++p)
      for (size_t a = 0; a < size; ++a) {
        double sum = 0;
        for (size_t i = 0; i < size; ++i) sum += T[size * p + i] * B(int(i), int(a));
        next[rest * a + p] = sum;
      }
    T.swap(next);
  }
  double found = 0;
  for (const double x : T) found = std::max(found, std::abs(x));
  return found;
}

/// What was seen at a configuration.
struct Look {
  double ratio;
  dense::Matrix inverse;  ///< of the mass matrix
};

/// The condition of M with coordinates in which its diagonal is 1 where it is largest: light links
/// and units do not count, configurations near a singular one do.
double condition(const dense::Matrix& inverse, const std::vector<double>& diagonal) {
  double found = 0;
  for (int i = 0; i < inverse.rows; ++i)
    for (int j = 0; j < inverse.rows; ++j)
      found = std::max(found, std::abs(inverse(i, j)) * std::sqrt(diagonal[size_t(i)]) *
                                  std::sqrt(diagonal[size_t(j)]));
  return found;
}

/// One tensor of n^4 numbers from f(i, j, k, l).
template <class F>
std::vector<double> tensor_of(int n, F f) {
  std::vector<double> T;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l) T.push_back(f(i, j, k, l));
  return T;
}

}  // namespace

Flatness Geometry::flatness(int samples, double threshold) {
  Impl& d = *impl_;
  if (samples < 1) throw InputError("flatness: samples must be positive");
  if (!(threshold > 0)) throw InputError("flatness: threshold must be positive");
  const int n = d.nv();
  Flatness found{true, 0, d.robot.neutral()};
  if (n == 0) return found;
  std::vector<Look> looks;
  looks.reserve(size_t(samples));
  std::vector<double> diagonal(static_cast<size_t>(n));  // the largest that was seen
  Curvature R(d.robot);
  const PairLists pairs = d.fold.own.view();
  std::vector<double> forms(size_t(pairs.count) * size_t(pairs.count));
  for (int s = 1; s <= samples; ++s) {
    const std::vector<double> q = d.robot.random(std::uint64_t(s));
    curvature(q, into(R));
    d.run_forms(forms.data());
    dense::Matrix M(n, n);
    std::copy_n(R.mass.data(), n * n, M.data());
    const dense::Matrix L = cholesky_factor(d.robot, "flatness", "the mass matrix", M);
    const dense::Matrix B = dense::solve(dense::transposed(L), dense::identity(n));
    const double curved = largest_in_frame(
        n, tensor_of(n, [&](int i, int j, int k, int l) { return R(i, j, k, l); }), B);
    const auto form = [&](int i, int j, int k, int l) {
      const auto [p, r] = std::minmax(pairs.of[n * i + j], pairs.of[n * k + l]);
      return p < 0 ? 0.0 : forms[size_t(pairs.count) * size_t(r) + size_t(p)];
    };
    const double bent = largest_in_frame(n, tensor_of(n, form), B);
    const double ratio = bent > 0 ? curved / bent : 0;  // no rotation carries a mass that moves
    looks.push_back({ratio, B * dense::transposed(B)});
    for (int i = 0; i < n; ++i) diagonal[size_t(i)] = std::max(diagonal[size_t(i)], M(i, i));
    if (ratio <= found.ratio) continue;
    found.ratio = ratio;
    found.q = q;
  }
  for (const Look& look : looks)
    found.flat =
        found.flat && look.ratio < std::max(threshold, 1e-15 * condition(look.inverse, diagonal));
  return found;
}

FlatPoint Geometry::flat_coordinates(const VectorArg& q0, const VectorArg& q, int steps) {
  Impl& d = *impl_;
  const char* name = "flat_coordinates";
  const std::span<const double> from = q0, to = q;
  d.check(name, from, {});
  d.check(name, to, {});
  if (steps < 1) throw InputError("flat_coordinates: steps must be positive");
  const int n = d.nv();
  std::vector<double> way(d.row), part(d.row), at(from.begin(), from.end());
  d.robot.difference(from, to, way);
  dense::Matrix v(n, 1);
  std::copy(way.begin(), way.end(), v.data());
  // Ndot = N M^-1 C, ydot = N v, from N^T N = M: a parallel orthonormal frame
  const auto place = [&](double t, std::span<double> there) {
    for (size_t k = 0; k < way.size(); ++k) part[k] = t * way[k];
    d.robot.integrate(from, part, there);
  };
  RegularPath(d.robot).require(name, 0, 1, steps, place);
  const auto turn = [&](double t) {
    place(t, at);
    const Impl::Connection c = d.connection(name, at, way);
    return dense::solve(c.M, c.C);
  };
  dense::Matrix N = dense::transposed(
      cholesky_factor(d.robot, name, "the mass matrix", d.connection(name, from, way).M));
  dense::Matrix y(n, 1);
  const double h = 1.0 / steps;
  for (int k = 0; k < steps; ++k) {
    const dense::Matrix A = turn(k * h), B = turn((k + 0.5) * h), C = turn((k + 1) * h);
    const dense::Matrix k1 = N * A, N2 = N + h / 2 * k1, k2 = N2 * B, N3 = N + h / 2 * k2;
    const dense::Matrix k3 = N3 * B, N4 = N + h * k3, k4 = N4 * C;
    y = y + h / 6 * ((N + 2 * N2 + 2 * N3 + N4) * v);
    N = N + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  require_finite_vector(d.robot, name, "y", y.data());
  require_finite_matrix(d.robot, name, "N", N.data(), n, n);
  return {y.numbers, N};
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Forward and hybrid dynamics of any order as [Ali] writes them, Algorithms 3 and 4 without applied
// wrenches and outside joint torques: the readable reference beside spatial_series.hpp.
//
// Lemma 2: W_j^(r) = MA_j V_j^(r+1) + WA_j with the same articulated inertia MA_j for every order;
// WA_j is the bias of that order (not a derivative of the bias of order 0).
#pragma once

#include <jounce/algorithm/small_cholesky.hpp>
#include <jounce/algorithm/spatial_series.hpp>

namespace jounce::spatial {

/// What is given of a tree: q' of all joints; then q'', q''', ... of prescribed joints or tau,
/// tau',
/// ... of the others; V_1, and then V_1', ... or the wrench on the base W, W', ...
struct Given {
  std::vector<bool> prescribed;            ///< per body; entry 0: the base's motion is given
  std::vector<std::vector<double>> rates;  ///< [body] q', and all derivatives where prescribed
  std::vector<std::vector<double>> taus;   ///< [body] tau, tau', ... where not
  Series6 base_twists, base_wrenches;
  Vec3<double> gravity;
};

struct Found {
  Motion motion;
  std::vector<std::vector<double>> rates, taus;
  std::vector<Series6> W;
  std::vector<Mat6<double>> MA;
};

inline namespace JOUNCE_ISA {

inline Vec6 solve(const Mat6<double>& A, const Vec6& b) {
  double factors[36], x[6];
  for (int i = 0; i < 6; ++i) {
    x[i] = b(i, 0);
    for (int j = 0; j < 6; ++j) factors[6 * i + j] = A(i, j);
  }
  factor(factors, 6);
  jounce::solve(factors, 6, x);
  Vec6 y;
  for (int i = 0; i < 6; ++i) y(i, 0) = x[i];
  return y;
}

/// Articulated inertias, once for all orders.                                         // (23), (24)
inline std::vector<Mat6<double>> articulated(const std::vector<Body>& tree,
                                             const std::vector<bool>& prescribed) {
  std::vector<Mat6<double>> MA;
  for (const Body& body : tree) MA.push_back(body.M);
  for (size_t j = tree.size(); j-- > 1;) {
    Mat6<double> rest = MA[j];
    const Vec6 U = MA[j] * tree[j].S;
    if (!prescribed[j]) rest = rest - U * transpose(U) * (1 / dot(tree[j].S, U));
    MA[size_t(tree[j].parent)] = MA[size_t(tree[j].parent)] + rest;
  }
  return MA;
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// V_bias^(r+1): V_j^(r+1) without the parent's and without S q^(r+2).                      // (66)
inline Vec6 bias_twist(const Motion& x, const std::vector<double>& rates, size_t j, int r) {
  Vec6 sum;
  for (int a = 1; a <= r + 1; ++a)
    sum += x.S[j][size_t(a)] * (binomial(r + 1, a) * rates[size_t(r + 1 - a)]);
  return sum;
}
/// Pi_bias^(r+1) - M^(r) gamma.                                                       // (64), (65)
inline Vec6 bias_wrench(const Motion& x, const Vec3<double>& g, size_t j, int r) {
  Vec6 sum = x.M[j][size_t(r)] * gravity_twist(g) * -1.0;
  for (int k = 0; k <= r; ++k)
    sum += x.M[j][size_t(r + 1 - k)] * x.V[j][size_t(k)] * binomial(r + 1, k);
  return sum;
}

/// The part of (S.W)^(r) that the orders below fix.
inline double lower_orders(const Series6& S, const Series6& W, int r) {
  double sum = 0;
  for (int k = 0; k < r; ++k) sum += binomial(r, k) * dot(S[size_t(r - k)], W[size_t(k)]);
  return sum;
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Algorithm 4; with nothing prescribed and the base's wrench given it is Algorithm 3.
inline Found hybrid(const std::vector<Body>& tree, const Given& given, int order) {
  Found f{kinematics(tree, {given.base_twists[0]}, given.rates, 0), given.rates, given.taus,
          std::vector<Series6>(tree.size()), articulated(tree, given.prescribed)};
  Motion& x = f.motion;
  const size_t n = tree.size();
  f.taus.resize(n);
  for (int r = 0; r <= order; ++r) {
    const auto at = size_t(r);
    Series6 V_bias(n), WA(n);
    std::vector<double> qt(n);
    for (size_t j = 0; j < n; ++j) {
      if (j > 0) x.S[j].push_back(screw_derivative(x, j, r + 1));
      x.M[j].push_back(inertia_derivative(x, j, r + 1));
      if (j > 0) V_bias[j] = detail::bias_twist(x, f.rates[j], j, r);
      WA[j] = detail::bias_wrench(x, given.gravity, j, r);
    }
    for (size_t j = n; j-- > 1;) {  // (25)
      const Vec6 &S = tree[j].S, beta = WA[j] + f.MA[j] * V_bias[j];
      const double known = dot(S, beta) + detail::lower_orders(x.S[j], f.W[j], r);
      qt[j] = given.prescribed[j] ? given.rates[j][at + 1]
                                  : (given.taus[j][at] - known) / dot(S, f.MA[j] * S);
      WA[size_t(tree[j].parent)] += beta + f.MA[j] * S * qt[j];
    }
    x.V[0].push_back(given.prescribed[0] ? given.base_twists[at + 1]
                                         : solve(f.MA[0], given.base_wrenches[at] - WA[0]));
    f.W[0].push_back(f.MA[0] * x.V[0][at + 1] + WA[0]);  // (22)
    for (size_t j = 1; j < n; ++j) {
      const Vec6 &S = tree[j].S, &V_p = x.V[size_t(tree[j].parent)][at + 1];
      const Vec6 U = f.MA[j] * S;
      const double rate = given.prescribed[j] ? qt[j] : qt[j] - dot(U, V_p) / dot(S, U);
      if (!given.prescribed[j]) f.rates[j].push_back(rate);
      x.V[j].push_back(V_p + V_bias[j] + S * rate);
      f.W[j].push_back(f.MA[j] * x.V[j][at + 1] + WA[j]);
      if (given.prescribed[j])  // (26)
        f.taus[j].push_back(
            leibniz(x.S[j], f.W[j], r, [](const Vec6& s, const Vec6& W) { return dot(s, W); }));
    }
  }
  return f;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce::spatial

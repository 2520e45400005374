// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of any order as [Ali] writes it: spatial (right-invariant) twists, all in one inertial
// frame, with derivatives and binomials. The readable reference; inverse_series.hpp and
// hybrid_series.hpp are the ones to use.
//
// [Ali] Algorithm 1 from given poses and screws, Algorithm 2, appendix E (57)-(66), (70);
// Algorithms 3 and 4 in spatial_hybrid_series.hpp. Applied wrenches are given in the inertial
// frame. A tree of bodies 1..n, body 1 the base; joint j > 1 has one freedom, revolute, prismatic
// or helical, with the screw S_j. X^(k) is the plain k-th derivative of the components in the
// inertial frame:
//   S_j' = ad_{V_j} S_j       V_j = V_p + S_j qdot_j       M_j' = -(M_j ad_{V_j} + ad*_{V_j} M_j)
// Nothing is carried from body to body, which is its charm; but components refer to the inertial
// origin, and far from it they cancel. Lemma 2: W_j^(r) = MA_j V_j^(r+1) + WA_j with one MA_j.
#pragma once

#include <jounce/group/matrices.hpp>
#include <vector>

namespace jounce::spatial {

inline namespace JOUNCE_ISA {

using Vec6 = Matrix<double, 6, 1>;
using Series6 = std::vector<Vec6>;  ///< entry k is the k-th derivative

inline Vec6 operator*(const Vec6& x, double s) {
  Vec6 y = x;
  for (int i = 0; i < 6; ++i) y(i, 0) *= s;
  return y;
}
inline Vec6& operator+=(Vec6& x, const Vec6& y) { return x = x + y; }
inline Mat6<double> operator*(const Mat6<double>& A, double s) {
  Mat6<double> B = A;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) B(i, j) *= s;
  return B;
}
inline double dot(const Vec6& x, const Vec6& y) {
  double sum = 0;
  for (int i = 0; i < 6; ++i) sum += x(i, 0) * y(i, 0);
  return sum;
}
inline Mat6<double> ad_matrix(const Vec6& V) {
  return jounce::ad_matrix(Twist<double>{{V(0, 0), V(1, 0), V(2, 0)}, {V(3, 0), V(4, 0), V(5, 0)}});
}
inline double binomial(int n, int k) { return k == 0 ? 1 : binomial(n, k - 1) * (n - k + 1) / k; }

}  // namespace JOUNCE_ISA

/// One body of the tree, in the inertial frame at this instant.
struct Body {
  int parent = 0;  ///< place in the list; the base is body 0 and its own parent
  Vec6 S;          ///< instantaneous joint screw; unused for the base
  Mat6<double> M;  ///< inertia (60)
};

/// Derivatives of everything, per body.
struct Motion {
  std::vector<Series6> S, V;                 ///< screws, twists
  std::vector<std::vector<Mat6<double>>> M;  ///< inertias
};

inline namespace JOUNCE_ISA {

/// Coefficient of the Leibniz sum: sum_{l=0}^{k} B(k,l) A^(l) B^(k-l).
template <class A, class B, class F>
auto leibniz(const A& a, const B& b, int k, F product) {
  auto sum = product(a[0], b[size_t(k)]);
  for (int l = 1; l <= k; ++l) sum = sum + product(a[size_t(l)], b[size_t(k - l)]) * binomial(k, l);
  return sum;
}

/// S^(k) of body j from the twists below k.                       Algorithm 1, line for S
inline Vec6 screw_derivative(const Motion& x, size_t j, int k) {
  return leibniz(x.V[j], x.S[j], k - 1,
                 [](const Vec6& V, const Vec6& S) { return ad_matrix(V) * S; });
}
/// M^(k) of body j.                                                                       // (61)
inline Mat6<double> inertia_derivative(const Motion& x, size_t j, int k) {
  return leibniz(x.V[j], x.M[j], k - 1, [](const Vec6& V, const Mat6<double>& M) {
    const Mat6<double> a = ad_matrix(V);
    return (M * a + transpose(a) * M) * -1.0;
  });
}

/// Algorithm 1: twists, screws and inertias to order `last`. base holds V_1, V_1', ...; rates[j]
/// holds qdot_j, qddot_j, ...
inline Motion kinematics(const std::vector<Body>& tree, const Series6& base,
                         const std::vector<std::vector<double>>& rates, int last) {
  Motion x;
  for (const Body& body : tree) {
    x.S.push_back({body.S});
    x.V.emplace_back();
    x.M.push_back({body.M});
  }
  for (size_t j = 0; j < tree.size(); ++j)
    for (int k = 0; k <= last; ++k) {
      if (j == 0) {
        x.V[0].push_back(base[size_t(k)]);
      } else {
        if (k > 0) x.S[j].push_back(screw_derivative(x, j, k));
        const Vec6 moved =
            leibniz(x.S[j], rates[j], k, [](const Vec6& S, double rate) { return S * rate; });
        x.V[j].push_back(x.V[size_t(tree[j].parent)][size_t(k)] + moved);
      }
      if (k > 0) x.M[j].push_back(inertia_derivative(x, j, k));
    }
  return x;
}

inline Vec6 gravity_twist(const Vec3<double>& g) {
  Vec6 gamma;
  gamma(3, 0) = g.x, gamma(4, 0) = g.y, gamma(5, 0) = g.z;
  return gamma;
}

}  // namespace JOUNCE_ISA

struct Forces {
  std::vector<Series6> W;                 ///< wrench through each joint, W[0] on the base
  std::vector<std::vector<double>> taus;  ///< [body][order]; none for the base
};

inline namespace JOUNCE_ISA {

/// Algorithm 2: wrenches and joint forces of orders 0..order. applied[j] holds the wrench on body j
/// and its derivatives, in the inertial frame; empty for none.
inline Forces inverse(const std::vector<Body>& tree, const Motion& x, const Vec3<double>& g,
                      const std::vector<Series6>& applied, int order) {
  Forces f{std::vector<Series6>(tree.size(), Series6(size_t(order + 1))),
           std::vector<std::vector<double>>(tree.size(), std::vector<double>(size_t(order + 1)))};
  for (size_t j = tree.size(); j-- > 0;)
    for (int k = 0; k <= order; ++k) {
      const auto at = size_t(k);
      Vec6& W = f.W[j][at];
      W += leibniz(x.M[j], x.V[j], k + 1,
                   [](const Mat6<double>& M, const Vec6& V) { return M * V; });  // (62)
      W = W - x.M[j][at] * gravity_twist(g);                                     // (64)
      if (!applied.empty()) W = W - applied[j][at];
      if (j == 0) continue;
      f.W[size_t(tree[j].parent)][at] += W;
      f.taus[j][at] =
          leibniz(x.S[j], f.W[j], k, [](const Vec6& S, const Vec6& F) { return dot(S, F); });
    }
  return f;
}

/// Derivatives of the spatial twist V of a body with pose C from those of its body twist: V = Ad_C
/// V_body with Ad' = ad_V Ad.
inline Series6 from_body_twists(const SE3<double>& C, const Series6& body) {
  std::vector<Mat6<double>> Ad{Ad_matrix(C)};
  Series6 V;
  for (int n = 0; n < int(body.size()); ++n) {
    if (n > 0)
      Ad.push_back(leibniz(V, Ad, n - 1,
                           [](const Vec6& U, const Mat6<double>& A) { return ad_matrix(U) * A; }));
    V.push_back(leibniz(Ad, body, n, [](const Mat6<double>& A, const Vec6& U) { return A * U; }));
  }
  return V;
}
/// The way back: V_body = Ad_C^-1 V with (Ad^-1)' = -Ad^-1 ad_V.                          // (70)
inline Series6 to_body_twists(const SE3<double>& C, const Series6& V) {
  std::vector<Mat6<double>> Ad{Ad_matrix(jounce::inverse(C))};
  Series6 body;
  for (int n = 0; n < int(V.size()); ++n) {
    if (n > 0)
      Ad.push_back(leibniz(V, Ad, n - 1, [](const Vec6& U, const Mat6<double>& A) {
        return A * ad_matrix(U) * -1.0;
      }));
    body.push_back(leibniz(Ad, V, n, [](const Mat6<double>& A, const Vec6& U) { return A * U; }));
  }
  return body;
}
/// Derivatives of a wrench in the body's frame, Ad_C^T W, from those of W in the inertial frame.
inline Series6 to_body_wrenches(const SE3<double>& C, const Series6& V, const Series6& W) {
  std::vector<Mat6<double>> Ad{Ad_matrix(C)};
  Series6 body;
  for (int n = 0; n < int(W.size()); ++n) {
    if (n > 0)
      Ad.push_back(leibniz(V, Ad, n - 1,
                           [](const Vec6& U, const Mat6<double>& A) { return ad_matrix(U) * A; }));
    body.push_back(
        leibniz(Ad, W, n, [](const Mat6<double>& A, const Vec6& F) { return transpose(A) * F; }));
  }
  return body;
}
/// C, C', C'', ... of a pose from its spatial twists: C^(r) = sum B(r-1,k) [V^(k)] C^(r-1-k). (20)
inline std::vector<Mat4<double>> pose_derivatives(const SE3<double>& C, const Series6& V,
                                                  int order) {
  std::vector<Mat4<double>> x{to_matrix(C)};
  for (int r = 1; r <= order; ++r) {
    Mat4<double> sum;
    for (int k = 0; k < r; ++k) {
      const Vec6& U = V[size_t(k)];
      const Mat4<double> term =
          jounce::hat(Twist<double>{{U(0, 0), U(1, 0), U(2, 0)}, {U(3, 0), U(4, 0), U(5, 0)}}) *
          x[size_t(r - 1 - k)];
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sum(i, j) += binomial(r - 1, k) * term(i, j);
    }
    x.push_back(sum);
  }
  return x;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce::spatial

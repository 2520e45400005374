// SPDX-License-Identifier: BSD-3-Clause
// The Riemann tensor of the kinetic-energy metric, without a derivative of anything.
//
// [Park] (65), (66). The robot lies in the flat space of the positions of all its points (SE(3)
// with the inertia of a body lies in the space of 3 x 4 matrices with <A, B> = tr(A P B^T), P the
// pseudo-inertia), so its curvature is that of a surface there, by Gauss's equation:
//   K_(ij)(kl) = sum m (X_i X_j r) . (X_k X_l r) = w_a^T (tr U_db 1 - U_db) w_c
//   II_ij . II_kl = K_(ij)(kl) - Gamma_ij M^-1 Gamma_kl
//   R_ijkl = II_ik . II_jl - II_il . II_jk
// with (a, b), (c, d) the ordered pairs of pair_room.hpp. II is symmetric, so that pairs a <= b are
// all; K and Gamma are not, inside one part of a joint. A unit sphere has R_1212 = + sin^2.
#pragma once

#include <cstddef>
#include <jounce/algorithm/ltdl.hpp>
#include <jounce/algorithm/pair_room.hpp>

namespace jounce {

/// The pairs a <= b of coordinates with a second derivative: those with the same b together.
struct PairLists {
  int n = 0, count = 0;
  const int* first = nullptr;   ///< [count] a
  const int* second = nullptr;  ///< [count] b
  const int* at = nullptr;      ///< [n + 1] where the pairs of b start
  const int* of = nullptr;      ///< [n n] the pair of two coordinates in any order, or -1
};

namespace detail::inline JOUNCE_ISA {

/// tr U_db 1 - U_db, b before d or in its part.
template <class Real>
constexpr Mat3<Real> pair_form(const PairRoom<Real>& room, int d, int b) {
  const Mat3<Real> U = pair_matrix(room, d, b);
  const auto& [x, y, z] = U.row;
  return {{{y.y + z.z, -x.y, -x.z}, {-y.x, x.x + z.z, -y.z}, {-z.x, -z.y, x.x + y.y}}};
}

/// row[p] = w_a . t over the pairs p = (a, b) of one b.
template <class Real>
constexpr void forms_along(const PairLists& pairs, const Real* w, int b, const Vec3<Real>& t,
                           Real* __restrict row) {
  const Real *x = w, *y = w + pairs.count, *z = w + 2 * pairs.count;
  for (int p = pairs.at[b]; p < pairs.at[b + 1]; ++p) row[p] = x[p] * t.x + y[p] * t.y + z[p] * t.z;
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// K of all pairs, after load_pairs: entry (p, q), p the pairs up to the last of q's b, at
/// count q + p. w: room for 3 count numbers.
template <class Real>
constexpr void pair_forms(const PathLists& lists, const PairLists& pairs,
                          const PairRoom<Real>& room, Real* w, Real* K) noexcept {
  const std::ptrdiff_t count = pairs.count;
  for (std::ptrdiff_t p = 0; p < count; ++p) {
    const Vec3<Real>& axis = room.S[pairs.first[p]].w;
    w[p] = axis.x, w[count + p] = axis.y, w[2 * count + p] = axis.z;
  }
  for (int d = 0; d < lists.n; ++d)
    for (int b = 0, s = lists.at[d]; b <= d; ++b) {
      const bool related = lists.path[s] == b;
      const Mat3<Real> T = related ? detail::pair_form(room, d, b) : Mat3<Real>{};
      for (std::ptrdiff_t q = pairs.at[d]; q < pairs.at[d + 1]; ++q)
        detail::forms_along(pairs, w, b, T * room.S[pairs.first[q]].w, K + count * q);
      s += related;
    }
}

/// y = D^-1/2 L^-T Gamma_ab of every pair, with M = L^T D L: row k of `count` numbers has number k
/// of all pairs.
template <class Real>
constexpr void whitened_symbols(const PairLists& pairs, const MassPattern& s, const Real* LD,
                                const Real* gamma, Real* y) noexcept {
  const std::ptrdiff_t n = pairs.n, count = pairs.count;
  for (std::ptrdiff_t p = 0; p < count; ++p) {
    const Real* from = gamma + (pairs.first[p] * n + pairs.second[p]) * n;
    for (std::ptrdiff_t k = 0; k < n; ++k) y[count * k + p] = from[k];
  }
  for (std::ptrdiff_t k = n; k-- > 0;) {
    Real* __restrict row = y + count * k;
    for (int c = s.at[k]; c < s.at[k + 1]; ++c) {
      const Real L = LD[s.row[k] + c - s.at[k]];
      Real* __restrict to = y + count * s.column[c];
      for (std::ptrdiff_t p = 0; p < count; ++p) to[p] = to[p] - L * row[p];
    }
    const Real scale = Real(1) / sqrt(LD[s.diagonal[k]]);
    for (std::ptrdiff_t p = 0; p < count; ++p) row[p] = row[p] * scale;
  }
}

/// II_p . II_q = K_pq - y_p . y_q in the place of K, and for p after q as well.
template <class Real>
constexpr void second_forms(const PairLists& pairs, const Real* y, Real* gram) noexcept {
  const std::ptrdiff_t n = pairs.n, count = pairs.count;
  for (std::ptrdiff_t q = 0; q < count; ++q) {
    Real* __restrict row = gram + count * q;
    std::ptrdiff_t k = 0;
    for (; k + 4 <= n; k += 4) {
      const Real *a = y + count * k, *b = a + count, *c = b + count, *d = c + count;
      const Real A = a[q], B = b[q], C = c[q], D = d[q];
      for (std::ptrdiff_t p = 0; p <= q; ++p)
        row[p] = row[p] - (A * a[p] + B * b[p] + C * c[p] + D * d[p]);
    }
    for (; k < n; ++k)
      for (std::ptrdiff_t p = 0; p <= q; ++p) row[p] = row[p] - y[count * k + q] * y[count * k + p];
    for (std::ptrdiff_t p = 0; p < q; ++p) gram[count * p + q] = row[p];
  }
}

/// Where the pair i < j stands among all n (n - 1) / 2 of them.
constexpr std::ptrdiff_t bivector(std::ptrdiff_t n, std::ptrdiff_t i, std::ptrdiff_t j) {
  return i * (2 * n - i - 1) / 2 + j - i - 1;
}

/// R_ijkl of the pairs i < j, k < l, a symmetric matrix of n (n - 1) / 2 rows, from second_forms.
template <class Real>
constexpr void riemann(const PairLists& pairs, const Real* gram, Real* R) noexcept {
  const std::ptrdiff_t n = pairs.n, count = pairs.count, rows = n * (n - 1) / 2;
  const auto form = [&](int p, int q) { return p < 0 || q < 0 ? Real(0) : gram[count * p + q]; };
  for (std::ptrdiff_t i = 0, r = 0; i < n; ++i)
    for (std::ptrdiff_t j = i + 1; j < n; ++j, ++r)
      for (std::ptrdiff_t k = i; k < n; ++k) {
        const int ik = pairs.of[i * n + k], jk = pairs.of[j * n + k];
        const std::ptrdiff_t first = k == i ? j : k + 1;
        std::ptrdiff_t s = bivector(n, k, first);
        for (std::ptrdiff_t l = first; l < n; ++l, ++s) {
          const Real value = form(ik, pairs.of[j * n + l]) - form(pairs.of[i * n + l], jk);
          R[rows * r + s] = R[rows * s + r] = value;
        }
      }
}

/// Ricci_jl = sum_ik (M^-1)_ik R_ijkl, n x n, from riemann; t is room for n numbers. `inverse` has
/// rows of `stride` numbers.
template <class Real>
constexpr void ricci(int size, const Real* R, const Real* inverse, int stride, Real* t,
                     Real* found) noexcept {
  const std::ptrdiff_t n = size, rows = n * (n - 1) / 2;
  for (std::ptrdiff_t k = 0; k < n * n; ++k) found[k] = Real(0);
  // to_l += sign sum_k m_k R_kl of one antisymmetric matrix
  const auto add = [&](const Real* A, const Real* m, const Real& sign, Real* to) {
    for (std::ptrdiff_t l = 0; l < n; ++l) t[l] = Real(0);
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      Real sum(0);
      const Real m_k = m[k];
      for (std::ptrdiff_t l = k + 1; l < n; ++l, ++A) {
        t[l] = t[l] + m_k * *A;
        sum = sum + m[l] * *A;
      }
      t[k] = t[k] - sum;
    }
    for (std::ptrdiff_t l = 0; l < n; ++l) to[l] = to[l] + sign * t[l];
  };
  for (std::ptrdiff_t i = 0, r = 0; i < n; ++i)
    for (std::ptrdiff_t j = i + 1; j < n; ++j, ++r) {
      add(R + rows * r, inverse + stride * i, Real(1), found + n * j);
      add(R + rows * r, inverse + stride * j, Real(-1), found + n * i);
    }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

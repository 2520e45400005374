// SPDX-License-Identifier: BSD-3-Clause
// Between the robot's coordinates and the tree's: with the constant ratios A of mimic joints,
// velocities go up by A v, forces come back by A^T f, matrices by X A and A^T X A.
//
// Without mimic joints A is 1 and callers may share memory instead: see Coupling::identity.
#pragma once

#include <algorithm>
#include <cstddef>
#include <jounce/model/system.hpp>

namespace jounce::inline JOUNCE_ISA {

/// Positions of all joints.
template <class P, class Real>
constexpr void expand_positions(const Coupling<P>& c, const Real* own, Real* tree) {
  for (int k = 0; k < c.tree_nq; ++k)
    tree[k] = own[c.q_source[k]] * c.q_ratio[k] + Real(c.q_offset[k]);
}

/// A x: velocities or accelerations of all joints.
template <class P, class Real>
constexpr void expand(const Coupling<P>& c, const Real* own, Real* tree) {
  for (int k = 0; k < c.tree_nv; ++k) tree[k] = own[c.v_source[k]] * c.v_ratio[k];
}

/// A^T f, added: what forces of all joints do to the robot's coordinates.
template <class P, class Real>
constexpr void add_gathered(const Coupling<P>& c, const Real* tree, Real* own) {
  for (int k = 0; k < c.tree_nv; ++k) own[c.v_source[k]] += tree[k] * c.v_ratio[k];
}
template <class P, class Real>
constexpr void gather(const Coupling<P>& c, const Real* tree, Real* own) {
  if (c.identity) {
    std::copy(tree, tree + c.nv, own);
    return;
  }
  std::fill(own, own + c.nv, Real(0));
  add_gathered(c, tree, own);
}

/// X A of a matrix with a column for every tree velocity.
template <class P, class Real>
constexpr void gather_columns(const Coupling<P>& c, int rows, const Real* tree, Real* own) {
  std::fill(own, own + rows * c.nv, Real(0));
  for (int k = 0; k < c.tree_nv; ++k)
    for (int r = 0; r < rows; ++r)
      own[rows * c.v_source[k] + r] += tree[rows * k + r] * c.v_ratio[k];
}

/// A^T X A.
template <class P, class Real>
constexpr void gather_square(const Coupling<P>& c, const Real* tree, Real* own) {
  std::fill(own, own + c.nv * c.nv, Real(0));
  for (int k = 0; k < c.tree_nv; ++k) {
    Real* to = own + c.nv * c.v_source[k];
    for (int j = 0; j < c.tree_nv; ++j)
      to[c.v_source[j]] += tree[c.tree_nv * k + j] * (c.v_ratio[k] * c.v_ratio[j]);
  }
}

/// The same of a tensor of three indices, each by A.
template <class P, class Real>
constexpr void gather_cube(const Coupling<P>& c, const Real* tree, Real* own) {
  const std::ptrdiff_t n = c.tree_nv, nv = c.nv;
  std::fill(own, own + nv * nv * nv, Real(0));
  for (int l = 0; l < n; ++l)
    for (int k = 0; k < n; ++k) {
      const P ratio = c.v_ratio[k] * c.v_ratio[l];
      const Real* from = tree + n * (k + n * l);
      Real* to = own + nv * (c.v_source[k] + nv * c.v_source[l]);
      for (int i = 0; i < n; ++i) to[c.v_source[i]] += from[i] * (ratio * c.v_ratio[i]);
    }
}

/// f(k, ratio): velocity k of the robot moves velocity t of the tree by ratio.
template <class P, class F>
constexpr void with_leader(const Coupling<P>& c, int t, F f) {
  if (c.identity) f(t, P(1));
  else f(c.v_source[t], c.v_ratio[t]);
}
/// f(t, ratio) for every tree velocity t that velocity k of the robot moves.
template <class P, class F>
constexpr void for_each_follower(const Coupling<P>& c, int k, F f) {
  for (int t = 0; t < c.tree_nv; ++t)
    if (c.v_source[t] == k) f(t, c.v_ratio[t]);
}

}  // namespace jounce::inline JOUNCE_ISA

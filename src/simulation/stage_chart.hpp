// SPDX-License-Identifier: BSD-3-Clause
// How the coordinates of a stage, q (+) u, and the rate of u answer to small changes.
//
// For changes dq of the start, du of the way and dv of the velocity,
//   d(q (+) u) = Ad(exp(-u)) dq + dexp(u) du,    d(dexp^-1(u) v) = dexp^-1(u) dv + E du,
// E the derivative of dexp^-1(u) v by u. Where motions add, all are 1 and E is 0.
#pragma once

#include <jounce/integrators/manifold_steps.hpp>
#include <jounce/scalar/dual.hpp>

namespace jounce {

/// A matrix of one factor.
struct FactorBlock {
  double m[6][6] = {};

  void add_product(const Factor& f, bool transposed, const double* x, double* y) const {
    for (int i = 0; i < f.nv; ++i)
      for (int j = 0; j < f.nv; ++j) y[f.v + i] += (transposed ? m[j][i] : m[i][j]) * x[f.v + j];
  }
};

struct FactorChart {
  FactorBlock moved, dexp, dexp_inverse, bend;  ///< Ad(exp(-u)), dexp(u), dexp^-1(u), E
};

/// The chart of one stage; its factors are those that curve.
class StageChart {
 public:
  StageChart(std::span<const Factor> factors, int nv) : nv_(nv) {
    for (const Factor& f : factors)
      if (!motions_add(f)) curved_.push_back(f);
    blocks_.resize(curved_.size());
  }
  bool flat() const { return curved_.empty(); }

  void set(const double* u, const double* v) {
    for (size_t i = 0; i < curved_.size(); ++i)
      set_block(curved_[i], u + curved_[i].v, v + curved_[i].v, blocks_[i]);
  }

  enum class Transposed : bool { no, yes };
  /// y += X x, the identity where motions add.
  void add(FactorBlock FactorChart::*X, Transposed way, const double* x, double* y) const {
    size_t at = 0;
    for (int k = 0; k < nv_;) {
      if (at == curved_.size() || k < curved_[at].v) {
        y[k] += x[k];
        ++k;
        continue;
      }
      (blocks_[at].*X).add_product(curved_[at], way == Transposed::yes, x, y);
      k += curved_[at++].nv;
    }
  }
  /// y += E x, zero where motions add.
  void add_bend(Transposed way, const double* x, double* y) const {
    for (size_t i = 0; i < curved_.size(); ++i)
      blocks_[i].bend.add_product(curved_[i], way == Transposed::yes, x, y);
  }

 private:
  static void set_block(const Factor& f, const double* u, const double* v, FactorChart& to) {
    const Twist<double> X = group_twist(f.kind, u);
    const SE3<double> T = exp(X);
    const auto put = [&](FactorBlock& block, int j, const Twist<double>& column) {
      double x[6];
      coordinates(f.kind, column, x);
      for (int i = 0; i < f.nv; ++i) block.m[i][j] = x[i];
    };
    for_each_unit<double>(f, [&](int j, const double* unit) {
      const Twist<double> E = group_twist(f.kind, unit);
      put(to.moved, j, Ad_inv(T, E));
      put(to.dexp, j, dexp_body(X, E));
      put(to.dexp_inverse, j, dexp_body_inv(X, E));
    });
    using Changed = Dual<double, 6>;
    Changed way[6], speed[6], rate[6];
    for (int k = 0; k < f.nv; ++k) {
      way[k] = Changed::variable(u[k], k);
      speed[k] = Changed(v[k]);
    }
    dexp_inv(f, way, speed, rate);
    for (int i = 0; i < f.nv; ++i)
      for (int j = 0; j < f.nv; ++j) to.bend.m[i][j] = rate[i].d[j];
  }

  int nv_;
  std::vector<Factor> curved_;  ///< in the order of their velocities
  std::vector<FactorChart> blocks_;
};

}  // namespace jounce

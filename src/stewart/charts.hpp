// SPDX-License-Identifier: BSD-3-Clause
// The three ways of the six methods to add an increment to a pose: residuals, Jacobians, updates.
//
// A chart has n unknowns and n equations, a State, and the functions that the methods call.
#pragma once

#include <algorithm>
#include <cmath>
#include <jounce/scalar/dual.hpp>
#include <jounce/stewart/methods.hpp>

#include "stewart/rows.hpp"

namespace jounce::stewart_detail {

struct Se3Chart {
  static constexpr int n = 6;
  using State = SE3<double>;
  const Stewart& s;
  const SixNumbers& L;
  Increment increment;

  State start(const SE3<double>& T) const { return T; }
  SE3<double> pose(const State& T) const { return T; }
  State moved(const State& T, const double (&x)[n]) const {
    const SE3<double> step = exp(Twist<double>{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
    return increment == Increment::body ? T * step : step * T;  // (28)
  }
  void residual(const State& T, double (&r)[n]) const { squared_residual(s, L, T, r); }
  void linearise(const State& T, double (&r)[n], Mat6<double>& J) const {
    residual(T, r);
    J = increment == Increment::body ? body_rows(s, T, false)    // (24)
                                     : space_rows(s, T, false);  // (23)
  }
  /// The length that one unit of unknown k moves the platform's points by, about.
  double unit(int k) const { return k < 3 ? s.size() : 1; }
  double size(const double (&x)[n]) const {
    return std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2]), std::abs(x[3]) / s.size(),
                     std::abs(x[4]) / s.size(), std::abs(x[5]) / s.size()});
  }
};

/// A chart of R^N whose Jacobian comes from dual numbers; Map makes the pose and the residuals.
template <class Map>
struct FlatChart {
  static constexpr int n = Map::n;
  struct State {
    double x[n];
  };
  const Stewart& s;
  const SixNumbers& L;
  double weight = 1;  ///< of the constraint

  State start(const SE3<double>& T) const {
    State state;
    Map::coordinates(T, state.x);
    return state;
  }
  SE3<double> pose(const State& state) const { return Map::pose(state.x); }
  State moved(State state, const double (&x)[n]) const {
    for (int k = 0; k < n; ++k) state.x[k] += x[k];
    return state;
  }
  void residual(const State& state, double (&r)[n]) const {
    squared_residual(s, L, Map::pose(state.x), r);
    Map::constraint(state.x, weight, r);
  }
  void linearise(const State& state, double (&r)[n], Matrix<double, n, n>& J) const {
    using D = Dual<double, n>;
    D x[n], y[n];
    for (int k = 0; k < n; ++k) x[k] = D::variable(state.x[k], k);
    squared_residual(s, L, Map::pose(x), y);
    Map::constraint(x, weight, y);
    for (int i = 0; i < n; ++i) {
      r[i] = y[i].a;
      for (int j = 0; j < n; ++j) J(i, j) = y[i].d[j];
    }
  }
  double unit(int k) const { return k < 3 ? 1 : s.size(); }
  double size(const double (&x)[n]) const {
    double most = 0;
    for (int k = 0; k < n; ++k) most = std::max(most, std::abs(x[k]) / (k < 3 ? s.size() : 1));
    return most;
  }
};

/// (p, phi, theta, psi), R = Rz(psi) Ry(theta) Rx(phi).
struct EulerMap {
  static constexpr int n = 6;
  template <class Real>
  static SE3<Real> pose(const Real (&x)[n]) {
    const Real o(0), one(1);
    const auto [sa, ca] = sincos(x[3]);
    const auto [sb, cb] = sincos(x[4]);
    const auto [sc, cc] = sincos(x[5]);
    const Mat3<Real> X{{{one, o, o}, {o, ca, -sa}, {o, sa, ca}}};
    const Mat3<Real> Y{{{cb, o, sb}, {o, one, o}, {-sb, o, cb}}};
    const Mat3<Real> Z{{{cc, -sc, o}, {sc, cc, o}, {o, o, one}}};
    return {{Z * (Y * X)}, {x[0], x[1], x[2]}};
  }
  static void coordinates(const SE3<double>& T, double (&x)[n]) {
    const auto& [a, b, c] = T.R.m.row;
    x[0] = T.p.x, x[1] = T.p.y, x[2] = T.p.z;
    x[3] = std::atan2(c.y, c.z);
    x[4] = std::atan2(-c.x, std::hypot(c.y, c.z));
    x[5] = std::atan2(b.x, a.x);
  }
  template <class Real>
  static void constraint(const Real (&)[n], double, Real*) {}
};

/// (p, q): the rotation of q / |q|, and |q|^2 = 1 as the seventh equation.
struct QuaternionMap {
  static constexpr int n = 7;
  template <class Real>
  static SE3<Real> pose(const Real (&x)[n]) {
    return {to_rotation(normalize(Quaternion<Real>{x[3], x[4], x[5], x[6]})), {x[0], x[1], x[2]}};
  }
  static void coordinates(const SE3<double>& T, double (&x)[n]) {
    const Quaternion<double> q = to_quaternion(T.R);
    const double all[n] = {T.p.x, T.p.y, T.p.z, q.x, q.y, q.z, q.w};
    std::copy(all, all + n, x);
  }
  template <class Real>
  static void constraint(const Real (&x)[n], double weight, Real* r) {
    r[6] = weight * (x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6] - Real(1));
  }
};

}  // namespace jounce::stewart_detail

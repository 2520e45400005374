// SPDX-License-Identifier: BSD-3-Clause
// Partial derivatives of inverse, forward and hybrid dynamics.
#include <algorithm>
#include <cmath>
#include <jounce/equations/outside.hpp>

#include "dynamics/passive_entries.hpp"

namespace jounce {

DerivativeRoom<double> Dynamics::Impl::room_for(const Surroundings& around) {
  DerivativeWork& d = derivatives;
  DerivativeRoom<double> room = d.room;
  if (!any_in_ground_axes(around.wrenches)) return room;
  std::fill(d.outside.begin(), d.outside.end(), WorldWrench<double>{});
  add_turning(robot.system(), around.wrenches, work.view(), d.outside.data());
  room.outside = d.outside.data();
  return room;
}

void Dynamics::Impl::run_inverse_derivatives(std::span<const double> q_, std::span<const double> v_,
                                             std::span<const double> a_,
                                             const Surroundings& around) {
  DerivativeWork& d = derivatives;
  const State<double> x = load(q_, v_, a_, zeros, around);
  DerivativeRoom<double> room = room_for(around);
  const InverseDerivatives<double> tree = d.tree();
  kernel.inverse_derivatives(robot.model(), x, work.view(), lane_body.data(), wide.data(),
                             d.in_lanes, !d.custom && room.outside == nullptr, room, tree);
  fold_square(d.dq, d.folded_dq);
  fold_square(d.dv, d.folded_dv);
  fold_square(d.da, d.folded_da);
  const InverseDerivatives<double> out = d.robots();
  const int n = robot.nv();
  if (!around.passive) return;
  for_each_passive_entry(
      q_, v_, [&](int l, int k, double slope) { out.dq[n * k + l] += slope; },
      [&](int k, double slope) { out.dv[n * k + k] += slope; });
}

InverseDerivativesResult Dynamics::inverse_derivatives(const VectorArg& q, const VectorArg& v,
                                                       const VectorArg& a,
                                                       const Surroundings& around) {
  Impl& d = *impl_;
  check_state(d.robot, "inverse_derivatives", q, {{"v", v}, {"a", a}});
  check_surroundings(d.robot, "inverse_derivatives", around);
  const bool tame = d.all_moderate(q, v, a, around);
  d.run_inverse_derivatives(q, v, a, around);
  const InverseDerivatives<double> out = d.derivatives.robots();
  const int n = d.robot.nv();
  InverseDerivativesResult found{{out.dq, n, n}, {out.dv, n, n}, {out.da, n, n}};
  if (!tame)
    require_finite(
        d.robot, "inverse_derivatives",
        {{"dtau_dq", found.dtau_dq}, {"dtau_dv", found.dtau_dv}, {"dtau_da", found.dtau_da}});
  return found;
}

ForwardDerivativesResult Dynamics::Impl::run_forward_derivatives(const char* caller,
                                                                 std::span<const double> q_,
                                                                 std::span<const double> v_,
                                                                 std::span<const double> tau_,
                                                                 const Surroundings& around) {
  DerivativeWork& d = derivatives;
  const VectorView found_a = run_forward(caller, q_, v_, tau_, around);
  std::copy(found_a.begin(), found_a.end(), d.a.begin());
  run_inverse_derivatives(q_, v_, d.a, around);
  const InverseDerivatives<double> inverse = d.robots();
  invert_mass(caller, tree_state(q_, v_, d.a), inverse.da);
  const bool tame = moderate_inverse && all_moderate(q_, v_, d.a, around);
  const int n = robot.nv();
  const RelatedCoordinates related{n, d.related_at.data(), d.related.data()};
  kernel.minus_inverse_times(related, mass_inverse.data(), pattern.stride, inverse.dq, inverse.dv,
                             d.a_dq.data(), d.a_dv.data());
  ForwardDerivativesResult found{{d.a_dq.data(), n, n},
                                 {d.a_dv.data(), n, n},
                                 {mass_inverse.data(), n, n, Eigen::OuterStride<>(pattern.stride)}};
  if (!tame)
    require_finite(robot, caller,
                   {{"da_dq", found.da_dq}, {"da_dv", found.da_dv}, {"da_dtau", found.da_dtau}});
  return found;
}

ForwardDerivativesResult Dynamics::forward_derivatives(const VectorArg& q, const VectorArg& v,
                                                       const VectorArg& tau,
                                                       const Surroundings& around) {
  Impl& d = *impl_;
  const char* name = "forward_derivatives";
  check_state(d.robot, name, q, {{"v", v}, {"tau", tau}});
  check_surroundings(d.robot, name, around);
  return d.run_forward_derivatives(name, d.kept_q(q), d.kept(v), tau, around);
}

/// to_x = -M x and to_y = -M y, of the prescribed rows at least: by rows where M is mostly zero.
void Dynamics::Impl::minus_mass_times(const bool* prescribed, const double* x, const double* y,
                                      double* to_x, double* to_y) {
  const DerivativeWork& d = derivatives;
  const int n = robot.nv(), stride = pattern.stride;
  if (4 * d.related.size() > d.all.size()) {
    const RelatedCoordinates all{n, d.all_at.data(), d.all.data()};
    kernel.minus_inverse_times(all, d.padded_mass.data(), stride, x, y, to_x, to_y);
    return;
  }
  for (int k = 0; k < n * n; k += n)
    for (int p = 0; p < n; ++p) {
      if (!prescribed[p]) continue;
      const double* M = d.padded_mass.data() + stride * p;
      const auto group = size_t(p / RelatedCoordinates::group);
      double sum_x = 0, sum_y = 0;
      for (int c = d.related_at[group]; c < d.related_at[group + 1]; ++c) {
        const int j = d.related[size_t(c)];
        sum_x -= M[j] * x[k + j];
        sum_y -= M[j] * y[k + j];
      }
      to_x[k + p] = sum_x;
      to_y[k + p] = sum_y;
    }
}

/// Columns of hybrid derivatives from those of inverse dynamics, X: free coordinates move so that
/// their forces do not change, M_ff a_f = -X_f, and the forces of prescribed ones follow,
/// X_p + M_pf a_f. mass_inverse is that of M with prescribed rows and columns those of 1.
void Dynamics::Impl::hybrid_columns(const bool* prescribed, const double* X, const double* Y,
                                    double* x, double* y) {
  DerivativeWork& d = derivatives;
  const int n = robot.nv(), stride = pattern.stride;
  for (int k = 0; k < n * n; ++k) {
    const bool fixed = prescribed[k % n];
    d.masked_X[size_t(k)] = fixed ? 0 : X[k];
    d.masked_Y[size_t(k)] = fixed ? 0 : Y[k];
  }
  const RelatedCoordinates related{n, d.related_at.data(), d.related.data()};
  kernel.minus_inverse_times(related, mass_inverse.data(), stride, d.masked_X.data(),
                             d.masked_Y.data(), x, y);
  minus_mass_times(prescribed, x, y, d.masked_X.data(), d.masked_Y.data());
  for (int k = 0; k < n * n; ++k)
    if (prescribed[k % n]) {
      x[k] = X[k] - d.masked_X[size_t(k)];
      y[k] = Y[k] - d.masked_Y[size_t(k)];
    }
}

HybridDerivativesResult Dynamics::hybrid_derivatives(std::span<const bool> prescribed,
                                                     const VectorArg& q, const VectorArg& v,
                                                     const VectorArg& a, const VectorArg& tau,
                                                     const Surroundings& around) {
  Impl& d = *impl_;
  const char* name = "hybrid_derivatives";
  check_prescribed(d.robot, name, prescribed);
  check_state(d.robot, name, q, {{"v", v}, {"a", a}, {"tau", tau}});
  check_surroundings(d.robot, name, around);
  const std::span<const double> at = d.kept_q(q), speed = d.kept(v);
  const VectorView found_a = d.run_hybrid(name, prescribed, at, speed, a, d.kept(tau, 1), around).a;
  DerivativeWork& work = d.derivatives;
  std::copy(found_a.begin(), found_a.end(), work.a.begin());
  d.run_inverse_derivatives(at, speed, work.a, around);
  const InverseDerivatives<double> inverse = work.robots();
  d.factor(name, inverse.da, prescribed.data());
  const int n = d.robot.nv();
  d.run_mass_inverse();
  const bool tame = d.moderate_inverse && d.all_moderate(at, speed, work.a, around);
  for (int k = 0; k < n; ++k) {
    std::copy(inverse.da + n * k, inverse.da + n * (k + 1),
              work.padded_mass.data() + d.pattern.stride * k);
    double* column = work.given_X.data() + n * k;
    std::fill(column, column + n, 0.0);
    if (prescribed[size_t(k)]) std::copy(inverse.da + n * k, inverse.da + n * (k + 1), column);
    else column[k] = -1;  // a force that is given need not be balanced
  }
  const double* given_X = work.given_X.data();
  d.hybrid_columns(prescribed.data(), given_X, given_X, work.given.data(), work.a_dv.data());
  d.hybrid_columns(prescribed.data(), inverse.dq, inverse.dv, work.a_dq.data(), work.a_dv.data());
  HybridDerivativesResult found{
      {work.a_dq.data(), n, n}, {work.a_dv.data(), n, n}, {work.given.data(), n, n}};
  if (!tame)
    require_finite(d.robot, name, {{"dq", found.dq}, {"dv", found.dv}, {"given", found.given}});
  return found;
}

}  // namespace jounce

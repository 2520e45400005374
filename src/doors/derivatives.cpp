// SPDX-License-Identifier: BSD-3-Clause
// Partial derivatives of inverse, forward and hybrid dynamics.
#include <algorithm>

#include "doors/derivatives_impl.hpp"

namespace jounce {

using Impl = detail::DerivativesImpl<double, double>;

Impl::DerivativesImpl(Robot robot_)
    : DerivativeEquations(std::move(robot_)),
      lanes(system()),
      lists(dense().pattern.view(), system().passive.bushings.count > 0),
      path(3 * size_t(model().bodies)),
      carried(3 * size_t(model().bodies)),
      sums(product_room(model().bodies, path.data(), carried.data())),
      tree_vectors(4 * size_t(model().nv)),
      product(size_t(nv())),
      vectors(3 * size_t(nv())),
      a(size_t(nv())),
      solved(size_t(nv())),
      six(24 * size_t(model().nv)),
      own_six(6 * size_t(nv())),
      inverse_dq(size_t(nv()) * size_t(nv())),
      inverse_dv(inverse_dq.size()),
      inverse_da(inverse_dq.size()),
      squares(4 * inverse_dq.size()),
      padded_mass(size_t(nv() * padded_row(nv()))),
      padded_inverse(padded_mass.size()) {
  for (int i = 1; i < model().bodies; ++i) custom = custom || is_custom(model(), i);
  tree.make_rates();
}

void Impl::run_inverse(const OwnState<double>& x, const Surroundings& around,
                       const InversePartials<double>& own, std::span<const BodyWrench> more,
                       RobotEquations<double>* placed, double* tree_tau) {
  const bool simple = in_lanes();
  const auto run = [&](const State<double>& given, DerivativeRoom<double>& with,
                       const InversePartials<double>& to) {
    State<double> state = given;
    if (!more.empty()) {  // beside wrenches as they were given, or among all in bodies' frames
      if (simple || around.wrenches.empty())
        std::fill(room.F_ext.begin(), room.F_ext.end(), Wrench<double>{});
      for (const BodyWrench& one : more) room.F_ext[size_t(one.body)] += one.F;
      state.F_ext = room.F_ext.data();
    }
    DerivativeLanes there = lanes.view();
    there.tau = tree_tau;
    if (placed == nullptr || !simple) {
      tree.kernel.inverse_derivatives(model(), state, workspace(), tree.bodies(), tree.wide(),
                                      there, simple, with, to);
      return;
    }
    there.screw = placed->tree.room().registers.screw, there.placed = true;
    tree.kernel.inverse_derivatives(model(), state, placed->workspace(), tree.bodies(),
                                    placed->tree.wide(), there, simple, with,
                                    {to.dq, to.dv, nullptr});
  };
  inverse_derivatives(equations(), storage, x, around, tree_partials(own), own, simple, run);
}

const double* Impl::run_inverse_with_forces(const OwnState<double>& x, const Surroundings& around,
                                            const InversePartials<double>& own) {
  run_inverse(x, around, own, {}, nullptr, workspace().tau);
  if (!in_lanes()) return equations().inverse(x, around);
  double* tau = equations().gathered();
  equations().add_passive(x, around, 1, tau);
  return tau;
}

void Impl::run_accelerations(const char* caller, const OwnState<double>& x, const double* tau,
                             const Surroundings& around, const bool* prescribed) {
  const double* found = prescribed != nullptr ? hybrid(caller, prescribed, x, tau, around)
                                              : forward(caller, x.q, x.v, tau, around);
  std::copy(found, found + nv(), a.begin());
}

void Impl::run_forward(const char* caller, const OwnState<double>& x, const double* tau,
                       const Surroundings& around, double* dq, double* dv, double* dtau) {
  run_accelerations(caller, x, tau, around, nullptr);
  run_inverse({x.q, x.v, a.data()}, around, inverse());
  const int n = nv();
  if (solves_by_factors()) {
    factor_matrix(caller, inverse().da, nullptr);
    write_inverse(dtau);
    tree.kernel.minus_inverse_times(lists.related(), dtau, padded_row(n), inverse().dq,
                                    inverse().dv, dq, dv);
    return;
  }
  invert_by_bodies(caller, x.q, dtau);
  tree.inverse_times(workspace(), -1, {inverse().dq, n, n}, dq, n);
  tree.inverse_times(workspace(), -1, {inverse().dv, n, n}, dv, n);
}

template <>
void Derivatives::run_forward(const Arg& q, const Arg& v, const Arg& tau, const Around& around,
                              double* dq, double* dv, double* dtau) {
  Impl& d = *impl_;
  const char* name = "forward_derivatives";
  const std::span<const double> at = q, speed = v, force = tau;
  const bool tame = d.check(name, at, {{"v", speed}, {"tau", force}}, around);
  d.run_forward(name, {at.data(), speed.data()}, force.data(), around, dq, dv, dtau);
  if (tame && d.all_moderate(d.a.data()) && d.moderate_inverse(dtau)) return;
  const int n = d.nv();
  require_finite_matrix(d.robot, name, "da_dq", dq, n, n);
  require_finite_matrix(d.robot, name, "da_dv", dv, n, n);
  require_finite_matrix(d.robot, name, "da_dtau", dtau, n, n, padded_row(n));
}

/// to_x = -M x and to_y = -M y, of the prescribed rows at least: by rows where M is mostly zero.
void Impl::minus_mass_times(const bool* prescribed, const double* x, const double* y, double* to_x,
                            double* to_y) {
  const int n = nv(), stride = padded_row(n);
  if (!lists.mostly_zero()) {
    tree.kernel.minus_inverse_times(lists.all(), padded_mass.data(), stride, x, y, to_x, to_y);
    return;
  }
  const RelatedCoordinates related = lists.related();
  for (int k = 0; k < n * n; k += n)
    for (int p = 0; p < n; ++p) {
      if (!prescribed[p]) continue;
      const double* M = padded_mass.data() + stride * p;
      const int group = p / related.group;
      double sum_x = 0, sum_y = 0;
      for (int c = related.at[group]; c < related.at[group + 1]; ++c) {
        const int j = related.index[c];
        sum_x -= M[j] * x[k + j];
        sum_y -= M[j] * y[k + j];
      }
      to_x[k + p] = sum_x;
      to_y[k + p] = sum_y;
    }
}

/// Free coordinates move so that their forces do not change, M_ff a_f = -X_f, and the forces of
/// prescribed ones follow, X_p + M_pf a_f. padded_inverse is that of M with prescribed rows and
/// columns those of 1.
void Impl::hybrid_columns(const bool* prescribed, const double* X, const double* Y, double* x,
                          double* y) {
  const int n = nv(), stride = padded_row(n);
  double *masked_X = square(0), *masked_Y = square(1);
  for (int k = 0; k < n * n; ++k) {
    const bool fixed = prescribed[k % n];
    masked_X[k] = fixed ? 0 : X[k];
    masked_Y[k] = fixed ? 0 : Y[k];
  }
  tree.kernel.minus_inverse_times(lists.related(), padded_inverse.data(), stride, masked_X,
                                  masked_Y, x, y);
  minus_mass_times(prescribed, x, y, masked_X, masked_Y);
  for (int k = 0; k < n * n; ++k)
    if (prescribed[k % n]) {
      x[k] = X[k] - masked_X[k];
      y[k] = Y[k] - masked_Y[k];
    }
}

void Impl::run_hybrid(const char* caller, const bool* fixed, const OwnState<double>& x,
                      const double* tau, const Surroundings& around, double* dq, double* dv,
                      double* dgiven) {
  run_accelerations(caller, x, tau, around, fixed);
  const InversePartials<double> partials = inverse();
  run_inverse({x.q, x.v, a.data()}, around, partials);
  factor_matrix(caller, partials.da, fixed);
  write_inverse(padded_inverse.data());
  const int n = nv(), stride = padded_row(n);
  double* given = square(2);
  for (int k = 0; k < n; ++k) {
    const double* M = partials.da + n * k;
    std::copy(M, M + n, padded_mass.data() + stride * k);
    std::fill(given + n * k, given + n * (k + 1), 0.0);
    if (fixed[k]) std::copy(M, M + n, given + n * k);
    else given[n * k + k] = -1;  // a force that is given need not be balanced
  }
  hybrid_columns(fixed, given, given, dgiven, dv);
  hybrid_columns(fixed, partials.dq, partials.dv, dq, dv);
}

template <>
void Derivatives::run_hybrid(std::span<const bool> prescribed, const Arg& q, const Arg& v,
                             const Arg& a, const Arg& tau, const Around& around, double* dq,
                             double* dv, double* dgiven) {
  Impl& d = *impl_;
  const char* name = "hybrid_derivatives";
  const std::span<const double> at = q, speed = v, change = a, force = tau;
  check_prescribed(d.robot, name, prescribed);
  const bool tame = d.check(name, at, {{"v", speed}, {"a", change}, {"tau", force}}, around);
  d.run_hybrid(name, prescribed.data(), {at.data(), speed.data(), change.data()}, force.data(),
               around, dq, dv, dgiven);
  const int n = d.nv();
  if (tame && d.all_moderate(d.a.data()) && d.moderate_inverse(d.padded_inverse.data())) return;
  require_finite_matrix(d.robot, name, "dq", dq, n, n);
  require_finite_matrix(d.robot, name, "dv", dv, n, n);
  require_finite_matrix(d.robot, name, "dgiven", dgiven, n, n);
}

template class BasicDerivatives<double>;
template class BasicDerivatives<float>;

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives of forward dynamics from those of inverse dynamics.
//
// tau = ID(q, v, a(q, v, tau)), differentiated twice, with T_k = M^-1 dM/dq_k:
//   a_qq(k, l) = -M^-1 ID_qq(k, l) - T_k a_q(l) - T_l a_q(k)      a_vv = -M^-1 ID_vv
//   a_qv(k, l) = -M^-1 ID_qv(k, l) - T_k a_v(l)                   a_tauq(k) = -T_k M^-1
// ID_..(k, l) has entries only in rows of coordinates that carry k or that k carries, and so have
// columns of T_k: products take no others.
// Products with y are those of inverse dynamics with M^-1 y in the place of y.
#include <algorithm>

#include "doors/second_impl.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {

void SecondDerivatives::Impl::minus_times(const double* by, double* x, double* y) {
  const int n = nv();
  double *from_x = square(0), *from_y = square(1);
  std::copy(x, x + n * n, from_x);
  std::copy(y, y + n * n, from_y);
  tree.kernel.minus_inverse_times(lists.all(), by, padded_row(n), from_x, from_y, x, y);
}

void SecondDerivatives::Impl::add_mass_slopes(const double* slopes,
                                              const SecondPartials<double>& out) {
  const std::ptrdiff_t n = nv(), square_size = n * n;
  const int stride = padded_row(nv());
  double *minus_T = square(0), *x = square(1), *y = square(2), *M_inverse = square(3);
  for (int j = 0; j < n; ++j) std::copy_n(padded_inverse.data() + stride * j, n, M_inverse + n * j);
  const auto times_T = [&](int k, const double* from_x, const double* from_y, double* to_x,
                           double* to_y) {
    tree.kernel.minus_inverse_times(lists.same(k), padded_mass.data(), stride, from_x, from_y, to_x,
                                    to_y);
  };
  for (int k = 0; k < n; ++k) {
    tree.kernel.minus_inverse_times(lists.related(), padded_inverse.data(), stride,
                                    slopes + square_size * k, nullptr, minus_T, nullptr);
    for (int j = 0; j < n; ++j) std::copy_n(minus_T + n * j, n, padded_mass.data() + stride * j);
    times_T(k, a_dq.data(), a_dv.data(), x, y);
    for (int l = 0; l < n; ++l) {
      dense::add_multiple(int(n), -1, x + n * l, out.dqdq + n * (k + n * l));
      dense::add_multiple(int(n), -1, y + n * l, out.dqdv + n * (k + n * l));
    }
    double* transposed = out.dqdq + square_size * k;
    for (std::ptrdiff_t i = 0; i < square_size; ++i) transposed[i] -= x[i];
    double* by_tau = out.dadq + square_size * k;
    times_T(k, M_inverse, nullptr, by_tau, nullptr);
    for (std::ptrdiff_t i = 0; i < square_size; ++i) by_tau[i] = -by_tau[i];
  }
}

void SecondDerivatives::run_forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                                    const Surroundings& around, const SecondBlocks& tree,
                                    const SecondBlocks& inverse,
                                    const SecondPartials<double>& out) {
  Impl& d = *impl_;
  const char* name = "forward_second_derivatives";
  const std::span<const double> at = q, speed = v, force = tau;
  const bool tame = d.check(name, at, {{"v", speed}, {"tau", force}}, around);
  double* M_inverse = d.padded_inverse.data();
  d.run_forward(name, {at.data(), speed.data()}, force.data(), around, d.a_dq.data(), d.a_dv.data(),
                M_inverse);
  d.run_inverse_twice({at.data(), speed.data(), d.a.data()}, around, tree, inverse);
  const int n = d.nv();
  const std::ptrdiff_t size = std::ptrdiff_t(n) * n * n;
  const SecondPartials<double>& of = inverse.blocks;
  const auto minus_solve = [&](const double* x, const double* y, double* to_x, double* to_y) {
    d.tree.kernel.minus_inverse_times(d.lists.related(), M_inverse, padded_row(n), x, y, to_x,
                                      to_y);
  };
  for (std::ptrdiff_t slice = 0; slice < size; slice += n * n) {
    minus_solve(of.dqdq + slice, of.dqdv + slice, out.dqdq + slice, out.dqdv + slice);
    minus_solve(of.dvdv + slice, nullptr, out.dvdv + slice, nullptr);
  }
  d.add_mass_slopes(of.dadq, out);
  if (tame && d.all_moderate(d.a.data()) && d.moderate_inverse(M_inverse)) return;
  require_finite_matrix(d.robot, name, "dqdq", out.dqdq, n, n * n);
  require_finite_matrix(d.robot, name, "dqdv", out.dqdv, n, n * n);
  require_finite_matrix(d.robot, name, "dvdv", out.dvdv, n, n * n);
  require_finite_matrix(d.robot, name, "dtaudq", out.dadq, n, n * n);
}

void SecondDerivatives::run_forward_products(const VectorArg& y, const VectorArg& q,
                                             const VectorArg& v, const VectorArg& tau,
                                             const Surroundings& around, const SecondBlocks& own) {
  Impl& d = *impl_;
  const char* name = "forward_second_products";
  const std::span<const double> given = y, at = q, speed = v, force = tau;
  d.check(name, at, {{"y", given}, {"v", speed}, {"tau", force}}, around);
  double* M_inverse = d.padded_inverse.data();
  d.run_forward(name, {at.data(), speed.data()}, force.data(), around, d.a_dq.data(), d.a_dv.data(),
                M_inverse);
  const int n = d.nv(), stride = padded_row(n), size = n * n;
  std::fill(d.weights.begin(), d.weights.end(), 0.0);
  for (int k = 0; k < n; ++k)  // M^-1 is symmetric
    dense::add_multiple(n, given[size_t(k)], M_inverse + stride * k, d.weights.data());
  const SecondPartials<double>& out = own.blocks;
  d.run_products(d.weights.data(), d.keep(at, speed, d.a), around, own);
  own.rounded = true;          // what follows fills it
  for (int k = 0; k < n; ++k)  // row k of dadq: how the force of acceleration k changes along q
    for (int l = 0; l < n; ++l) d.padded_mass.data()[stride * k + l] = out.dadq[k + n * l];
  double *mixed_q = d.square(2), *mixed_v = d.square(3);
  std::copy(d.a_dq.data(), d.a_dq.data() + size, mixed_q);
  std::copy(d.a_dv.data(), d.a_dv.data() + size, mixed_v);
  d.minus_times(d.padded_mass.data(), mixed_q, mixed_v);
  for (int l = 0; l < n; ++l)
    for (int k = 0; k < n; ++k)
      out.dqdq[k + n * l] = mixed_q[k + n * l] + mixed_q[l + n * k] - out.dqdq[k + n * l];
  for (int k = 0; k < size; ++k) {
    out.dqdv[k] = mixed_v[k] - out.dqdv[k];
    out.dvdv[k] = -out.dvdv[k];
  }
  d.minus_times(M_inverse, out.dadq, mixed_q);
  require_finite_matrix(d.robot, name, "dqdq", out.dqdq, n, n);
  require_finite_matrix(d.robot, name, "dqdv", out.dqdv, n, n);
  require_finite_matrix(d.robot, name, "dvdv", out.dvdv, n, n);
  require_finite_matrix(d.robot, name, "dtaudq", out.dadq, n, n);
}

}  // namespace jounce

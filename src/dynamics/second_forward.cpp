// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives of forward dynamics from those of inverse dynamics.
//
// tau = ID(q, v, a(q, v, tau)), differentiated twice, with M_k = dM/dq_k:
//   M a_qq(k, l) = -(ID_qq(k, l) + M_k a_q(l) + M_l a_q(k))      M a_vv = -ID_vv
//   M a_qv(k, l) = -(ID_qv(k, l) + M_k a_v(l))                   M a_tauq(k) = -M_k M^-1
// Products with y are those of inverse dynamics with M^-1 y in the place of y.
#include <algorithm>

#include "dynamics/second_fold.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {
/// x := -(by) x and y := -(by) y for n x n matrices, column by column; `by` has its columns as rows
/// of `stride` numbers.
void Dynamics::Impl::minus_times(const double* by, int stride, double* x, double* y) {
  const int n = robot.nv();
  const RelatedCoordinates all{n, derivatives.all_at.data(), derivatives.all.data()};
  std::vector<double>&from_x = derivatives.masked_X, &from_y = derivatives.masked_Y;
  std::copy(x, x + n * n, from_x.begin());
  std::copy(y, y + n * n, from_y.begin());
  kernel.minus_inverse_times(all, by, stride, from_x.data(), from_y.data(), x, y);
}

/// M_k a_q(l), M_k a_v(l) and M_k M^-1 where they belong.
void Dynamics::Impl::add_mass_slopes(const SecondDerivatives<double>& out) {
  const std::ptrdiff_t n = robot.nv();
  const int stride = pattern.stride;
  DerivativeWork& d = derivatives;
  for (int k = 0; k < n; ++k) {
    const double* slope = second->tensors().dadq + n * n * k;
    for (int j = 0; j < n; ++j)
      std::copy(slope + n * j, slope + n * (j + 1), d.padded_mass.data() + stride * j);
    double *x = second->square[0].data(), *y = second->square[1].data();
    std::copy(d.a_dq.begin(), d.a_dq.end(), x);
    std::copy(d.a_dv.begin(), d.a_dv.end(), y);
    minus_times(d.padded_mass.data(), stride, x, y);
    for (int l = 0; l < n; ++l) {
      double* qq = out.dqdq + n * (k + n * l);
      double* transposed = out.dqdq + n * (l + n * k);
      double* qv = out.dqdv + n * (k + n * l);
      for (int i = 0; i < n; ++i) {
        qq[i] -= x[i + n * l];
        transposed[i] -= x[i + n * l];
        qv[i] -= y[i + n * l];
      }
    }
    double* inverse = out.dadq + n * n * k;
    for (int j = 0; j < n; ++j)
      std::copy(mass_inverse.data() + stride * j, mass_inverse.data() + stride * j + n,
                inverse + n * j);
    minus_times(d.padded_mass.data(), stride, inverse, y);
    for (int i = 0; i < n * n; ++i) inverse[i] = -inverse[i];
  }
}

ForwardSecondDerivativesResult Dynamics::forward_second_derivatives(const VectorArg& q,
                                                                    const VectorArg& v,
                                                                    const VectorArg& tau,
                                                                    const Surroundings& around) {
  const char* name = "forward_second_derivatives";
  Impl& d = *impl_;
  check_state(d.robot, name, q, {{"v", v}, {"tau", tau}});
  check_surroundings(d.robot, name, around);
  SecondWork& second = d.second_work(name, SecondOrder::tensors);
  const std::span<const double> speed = d.kept(v), at = d.kept_q(q);
  d.run_forward_derivatives(name, at, speed, tau, around);
  d.run_second_derivatives(at, speed, d.derivatives.a, around);
  const SecondDerivatives<double> inverse = second.tensors(), out = second.forward.view();
  const bool tame = d.moderate_inverse && d.all_moderate(at, speed, d.derivatives.a, around);
  const int n = d.robot.nv();
  const size_t size = second.forward.dqdq.size();
  std::copy(inverse.dqdq, inverse.dqdq + size, out.dqdq);
  std::copy(inverse.dqdv, inverse.dqdv + size, out.dqdv);
  std::copy(inverse.dvdv, inverse.dvdv + size, out.dvdv);
  d.add_mass_slopes(out);
  for (size_t slice = 0; slice < size; slice += size_t(n * n)) {
    d.minus_times(d.mass_inverse.data(), d.pattern.stride, out.dqdq + slice, out.dqdv + slice);
    d.minus_times(d.mass_inverse.data(), d.pattern.stride, out.dvdv + slice, out.dadq + slice);
  }
  ForwardSecondDerivativesResult found{{out.dqdq, n}, {out.dqdv, n}, {out.dvdv, n}, {out.dadq, n}};
  if (!tame)
    require_finite(d.robot, name,
                   {{"d2a_dqdq", found.d2a_dqdq},
                    {"d2a_dqdv", found.d2a_dqdv},
                    {"d2a_dvdv", found.d2a_dvdv},
                    {"d2a_dtaudq", found.d2a_dtaudq}});
  return found;
}

SecondProductsResult Dynamics::forward_second_products(const VectorArg& y, const VectorArg& q,
                                                       const VectorArg& v, const VectorArg& tau,
                                                       const Surroundings& around) {
  const char* name = "forward_second_products";
  Impl& d = *impl_;
  d.robot.check_v(name, "y", y);
  check_state(d.robot, name, q, {{"v", v}, {"tau", tau}});
  check_surroundings(d.robot, name, around);
  SecondWork& second = d.second_work(name, SecondOrder::products);
  const std::span<const double> speed = d.kept(v), weights = d.kept(y, 1), at = d.kept_q(q);
  const ForwardDerivativesResult first = d.run_forward_derivatives(name, at, speed, tau, around);
  const int n = d.robot.nv();
  std::fill(second.y.begin(), second.y.end(), 0.0);
  for (int k = 0; k < n; ++k)  // M^-1 is symmetric
    dense::add_multiple(n, weights[size_t(k)], d.mass_inverse.data() + d.pattern.stride * k,
                        second.y.data());
  d.run_second_products(second.y.data(), at, speed, d.derivatives.a, around);
  const SecondDerivatives<double> inverse = second.products(), out = second.forward_product.view();
  const int stride = d.pattern.stride, size = n * n;
  for (int k = 0; k < n; ++k)  // row k of dadq: how the force of acceleration k changes along q
    for (int l = 0; l < n; ++l)
      d.derivatives.padded_mass[size_t(stride * k + l)] = inverse.dadq[k + n * l];
  double* mixed = second.square[0].data();
  std::copy(first.da_dq.data(), first.da_dq.data() + size, mixed);
  std::copy(first.da_dv.data(), first.da_dv.data() + size, out.dqdv);
  d.minus_times(d.derivatives.padded_mass.data(), stride, mixed, out.dqdv);
  for (int l = 0; l < n; ++l)
    for (int k = 0; k < n; ++k)
      out.dqdq[k + n * l] = mixed[k + n * l] + mixed[l + n * k] - inverse.dqdq[k + n * l];
  for (int k = 0; k < size; ++k) {
    out.dqdv[k] -= inverse.dqdv[k];
    out.dvdv[k] = -inverse.dvdv[k];
    out.dadq[k] = inverse.dadq[k];
  }
  d.minus_times(d.mass_inverse.data(), stride, out.dadq, mixed);
  SecondProductsResult found = as_matrices(out, n);
  require_finite(
      d.robot, name,
      {{"dqdq", found.dqdq}, {"dqdv", found.dqdv}, {"dvdv", found.dvdv}, {"dtaudq", found.dadq}});
  return found;
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Products of partial derivatives with vectors.
#include <algorithm>

#include "dynamics/passive_entries.hpp"

namespace jounce {

/// Coordinates of the robot -> of the tree, which mimic joints follow.
const double* Dynamics::Impl::spread(const double* x, int place) {
  double* to = derivatives.tree_vector.data() + robot.model().nv * place;
  const Coupling& c = robot.coupling();
  for (int k = 0; k < robot.model().nv; ++k)
    to[k] = c.v_ratio[size_t(k)] * x[c.v_source[size_t(k)]];
  return to;
}
/// And back, for forces.
VectorView Dynamics::Impl::gather(const double* tree, int place) {
  double* to = derivatives.product.data() + robot.nv() * place;
  const Coupling& c = robot.coupling();
  std::fill(to, to + robot.nv(), 0.0);
  for (int k = 0; k < robot.model().nv; ++k)
    to[c.v_source[size_t(k)]] += c.v_ratio[size_t(k)] * tree[k];
  return {to, robot.nv()};
}

void Dynamics::Impl::solve_mass(const char* caller, std::span<const double> q_,
                                std::vector<double>& x) {
  const State<double> at = tree_state(q_, zeros, zeros);
  if (robot.has_mimic()) {
    run_factors(caller, at, nullptr);
    ltdl_solve(pattern, factors.data(), x.data());
    return;
  }
  kernel.factor_articulated(&robot.model(), &at, &work.view());
  require_mass_behind_joints(caller, work.view(), nullptr);
  kernel.articulated_solve(&robot.model(), x.data(), &work.view(), x.data());
}

VectorJacobianResult Dynamics::inverse_vector_jacobian(const VectorArg& y, const VectorArg& q,
                                                       const VectorArg& v, const VectorArg& a,
                                                       std::span<const ExternalWrench> external) {
  Impl& d = *impl_;
  d.robot.check_v("inverse_vector_jacobian", "y", y);
  check_state(d.robot, "inverse_vector_jacobian", q, {{"v", v}, {"a", a}});
  DerivativeWork& work = d.derivatives;
  const std::span<const double> speed = d.kept(v), weights = d.kept(y, 1);
  const State<double> x = d.load(q, speed, a, d.zeros, external);
  d.load_world_wrenches(external);
  const int n = d.robot.model().nv;
  const double* tree_y = d.spread(weights.data(), 3);
  double* tree = work.tree_vector.data();
  const InverseDerivatives<double> out{tree, tree + n, tree + 2 * n};
  d.kernel.vector_jacobian(&d.robot.model(), &x, &d.work.view(), tree_y, &work.room, &work.sums,
                           &out);
  VectorJacobianResult found{d.gather(out.dq, 0), d.gather(out.dv, 1), d.gather(out.da, 2)};
  double *dq = work.product.data(), *dv = dq + d.robot.nv();
  d.for_each_passive_entry(
      q, speed, [&](int l, int k, double slope) { dq[k] += weights[size_t(l)] * slope; },
      [&](int k, double slope) { dv[k] += weights[size_t(k)] * slope; });
  return found;
}

/// With z = M^-1 y, y^T d a/d(q, v) = -z^T d tau/d(q, v), and M^-1 is symmetric.
VectorJacobianResult Dynamics::forward_vector_jacobian(const VectorArg& y, const VectorArg& q,
                                                       const VectorArg& v, const VectorArg& tau,
                                                       std::span<const ExternalWrench> external) {
  Impl& d = *impl_;
  d.robot.check_v("forward_vector_jacobian", "y", y);
  check_state(d.robot, "forward_vector_jacobian", q, {{"v", v}, {"tau", tau}});
  std::vector<double>&a = d.derivatives.a, &z = d.derivatives.solved;
  const std::span<const double> weights = d.kept(y, 1), speed = d.kept(v);
  const VectorView found_a = forward(q, speed, tau, external);
  std::copy(found_a.begin(), found_a.end(), a.begin());
  std::copy(weights.begin(), weights.end(), z.begin());
  d.solve_mass("forward_vector_jacobian", q, z);
  inverse_vector_jacobian(z, q, speed, a, external);
  const int n = d.robot.nv();
  double* product = d.derivatives.product.data();
  for (int k = 0; k < 2 * n; ++k) product[k] = -product[k];
  return {{product, n}, {product + n, n}, {z.data(), n}};
}

VectorView Dynamics::forward_jacobian_vector(const VectorArg& q, const VectorArg& v,
                                             const VectorArg& tau, const VectorArg& dq,
                                             const VectorArg& dv, const VectorArg& dtau,
                                             std::span<const ExternalWrench> external) {
  Impl& d = *impl_;
  const char* name = "forward_jacobian_vector";
  check_state(d.robot, name, q, {{"v", v}, {"tau", tau}, {"dq", dq}, {"dv", dv}, {"dtau", dtau}});
  std::vector<double>&a = d.derivatives.a, &rest = d.derivatives.solved;
  const std::span<const double> speed = d.kept(v), along_q = d.kept(dq, 1), along_v = d.kept(dv, 2),
                                given = d.kept(dtau, 3);
  const VectorView found_a = forward(q, speed, tau, external);
  std::copy(found_a.begin(), found_a.end(), a.begin());
  const VectorView taken =
      inverse_jacobian_vector(q, speed, a, along_q, along_v, d.zeros, external);
  for (size_t k = 0; k < rest.size(); ++k) rest[k] = given[k] - taken[Eigen::Index(k)];
  d.solve_mass(name, q, rest);
  return {rest.data(), d.robot.nv()};
}

VectorView Dynamics::inverse_jacobian_vector(const VectorArg& q, const VectorArg& v,
                                             const VectorArg& a, const VectorArg& dq,
                                             const VectorArg& dv, const VectorArg& da,
                                             std::span<const ExternalWrench> external) {
  Impl& d = *impl_;
  const char* name = "inverse_jacobian_vector";
  check_state(d.robot, name, q, {{"v", v}, {"a", a}, {"dq", dq}, {"dv", dv}, {"da", da}});
  DerivativeWork& work = d.derivatives;
  const std::span<const double> speed = d.kept(v), along_q = d.kept(dq, 1), along_v = d.kept(dv, 2),
                                along_a = da;
  const State<double> x = d.load(q, speed, a, d.zeros, external);
  d.load_world_wrenches(external);
  const InverseDerivatives<const double> along{
      d.spread(along_q.data(), 0), d.spread(along_v.data(), 1), d.spread(along_a.data(), 2)};
  double* tree = work.tree_vector.data() + 3 * d.robot.model().nv;
  d.kernel.jacobian_vector(&d.robot.model(), &x, &d.work.view(), &along, &work.room, &work.sums,
                           tree);
  const VectorView found = d.gather(tree, 0);
  double* tau = work.product.data();
  d.for_each_passive_entry(
      q, speed, [&](int l, int k, double slope) { tau[l] += slope * along_q[size_t(k)]; },
      [&](int k, double slope) { tau[k] += slope * along_v[size_t(k)]; });
  return found;
}

}  // namespace jounce

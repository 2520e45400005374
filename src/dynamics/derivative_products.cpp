// SPDX-License-Identifier: BSD-3-Clause
// Products of partial derivatives with vectors.
#include <algorithm>

#include "dynamics/passive_entries.hpp"

namespace jounce {

/// Coordinates of the robot -> of the tree, which mimic joints follow.
const double* Dynamics::Impl::spread(const double* x, int place) {
  double* to = derivatives.tree_vector.data() + robot.model().nv * place;
  expand(coupling, x, to);
  return to;
}
/// And back, for forces.
VectorView Dynamics::Impl::gather(const double* tree, int place) {
  double* to = derivatives.product.data() + robot.nv() * place;
  jounce::gather(coupling, tree, to);
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
  kernel.factor_articulated(robot.model(), at, work.view());
  require_mass(caller, work.view(), nullptr);
  kernel.articulated_solve(robot.model(), x.data(), work.view(), x.data());
}

VectorJacobianResult Dynamics::Impl::run_vector_jacobian(std::span<const double> y,
                                                         std::span<const double> q_,
                                                         std::span<const double> v_,
                                                         std::span<const double> a_,
                                                         const Surroundings& around) {
  DerivativeWork& d = derivatives;
  const State<double> x = load(q_, v_, a_, zeros, around);
  DerivativeRoom<double> room = room_for(around);
  const int n = robot.model().nv;
  const double* tree_y = spread(y.data(), 3);
  double* tree = d.tree_vector.data();
  const InverseDerivatives<double> out{tree, tree + n, tree + 2 * n};
  kernel.vector_jacobian(robot.model(), x, work.view(), tree_y, room, d.sums, out);
  VectorJacobianResult found{gather(out.dq, 0), gather(out.dv, 1), gather(out.da, 2)};
  double *dq = d.product.data(), *dv = dq + robot.nv();
  if (!around.passive) return found;
  for_each_passive_entry(
      q_, v_, [&](int l, int k, double slope) { dq[k] += y[size_t(l)] * slope; },
      [&](int k, double slope) { dv[k] += y[size_t(k)] * slope; });
  return found;
}

/// The three vectors of a product, by name.
void Dynamics::Impl::require_finite_products(const char* caller, const VectorJacobianResult& found,
                                             const char* last) const {
  const auto numbers = [](const VectorView& x) {
    return std::span<const double>(x.data(), size_t(x.size()));
  };
  require_finite(robot, caller, "dq", numbers(found.dq));
  require_finite(robot, caller, "dv", numbers(found.dv));
  require_finite(robot, caller, last, numbers(found.da));
}

VectorJacobianResult Dynamics::inverse_vector_jacobian(const VectorArg& y, const VectorArg& q,
                                                       const VectorArg& v, const VectorArg& a,
                                                       const Surroundings& around) {
  Impl& d = *impl_;
  const char* name = "inverse_vector_jacobian";
  check_v(d.robot, name, "y", y);
  check_state(d.robot, name, q, {{"v", v}, {"a", a}});
  check_surroundings(d.robot, name, around);
  VectorJacobianResult found =
      d.run_vector_jacobian(d.kept(y, 1), d.kept_q(q), d.kept(v), a, around);
  d.require_finite_products(name, found, "da");
  return found;
}

/// With z = M^-1 y, y^T d a/d(q, v) = -z^T d tau/d(q, v), and M^-1 is symmetric.
VectorJacobianResult Dynamics::forward_vector_jacobian(const VectorArg& y, const VectorArg& q,
                                                       const VectorArg& v, const VectorArg& tau,
                                                       const Surroundings& around) {
  Impl& d = *impl_;
  const char* name = "forward_vector_jacobian";
  check_v(d.robot, name, "y", y);
  check_state(d.robot, name, q, {{"v", v}, {"tau", tau}});
  check_surroundings(d.robot, name, around);
  std::vector<double>&a = d.derivatives.a, &z = d.derivatives.solved;
  const std::span<const double> weights = d.kept(y, 1), speed = d.kept(v), at = d.kept_q(q);
  const VectorView found_a = d.run_forward(name, at, speed, tau, around);
  std::copy(found_a.begin(), found_a.end(), a.begin());
  std::copy(weights.begin(), weights.end(), z.begin());
  d.solve_mass(name, at, z);
  d.run_vector_jacobian(z, at, speed, a, around);
  const int n = d.robot.nv();
  double* product = d.derivatives.product.data();
  for (int k = 0; k < 2 * n; ++k) product[k] = -product[k];
  VectorJacobianResult found{{product, n}, {product + n, n}, {z.data(), n}};
  d.require_finite_products(name, found, "dtau");
  return found;
}

VectorView Dynamics::forward_jacobian_vector(const VectorArg& q, const VectorArg& v,
                                             const VectorArg& tau, const VectorArg& dq,
                                             const VectorArg& dv, const VectorArg& dtau,
                                             const Surroundings& around) {
  Impl& d = *impl_;
  const char* name = "forward_jacobian_vector";
  check_state(d.robot, name, q, {{"v", v}, {"tau", tau}, {"dq", dq}, {"dv", dv}, {"dtau", dtau}});
  check_surroundings(d.robot, name, around);
  std::vector<double>&a = d.derivatives.a, &rest = d.derivatives.solved;
  const std::span<const double> speed = d.kept(v), along_q = d.kept(dq, 1), along_v = d.kept(dv, 2),
                                given = d.kept(dtau, 3), at = d.kept_q(q);
  const VectorView found_a = d.run_forward(name, at, speed, tau, around);
  std::copy(found_a.begin(), found_a.end(), a.begin());
  const VectorView taken = d.run_jacobian_vector(at, speed, a, along_q, along_v, d.zeros, around);
  for (size_t k = 0; k < rest.size(); ++k) rest[k] = given[k] - taken[Eigen::Index(k)];
  d.solve_mass(name, at, rest);
  require_finite(d.robot, name, "da", rest);
  return {rest.data(), d.robot.nv()};
}

VectorView Dynamics::Impl::run_jacobian_vector(
    std::span<const double> q_, std::span<const double> v_, std::span<const double> a_,
    std::span<const double> dq, std::span<const double> dv, std::span<const double> da,
    const Surroundings& around) {
  DerivativeWork& d = derivatives;
  const State<double> x = load(q_, v_, a_, zeros, around);
  DerivativeRoom<double> room = room_for(around);
  const InverseDerivatives<const double> along{spread(dq.data(), 0), spread(dv.data(), 1),
                                               spread(da.data(), 2)};
  double* tree = d.tree_vector.data() + 3 * robot.model().nv;
  kernel.jacobian_vector(robot.model(), x, work.view(), along, room, d.sums, tree);
  const VectorView found = gather(tree, 0);
  double* tau = d.product.data();
  if (!around.passive) return found;
  for_each_passive_entry(
      q_, v_, [&](int l, int k, double slope) { tau[l] += slope * dq[size_t(k)]; },
      [&](int k, double slope) { tau[k] += slope * dv[size_t(k)]; });
  return found;
}

VectorView Dynamics::inverse_jacobian_vector(const VectorArg& q, const VectorArg& v,
                                             const VectorArg& a, const VectorArg& dq,
                                             const VectorArg& dv, const VectorArg& da,
                                             const Surroundings& around) {
  Impl& d = *impl_;
  const char* name = "inverse_jacobian_vector";
  check_state(d.robot, name, q, {{"v", v}, {"a", a}, {"dq", dq}, {"dv", dv}, {"da", da}});
  check_surroundings(d.robot, name, around);
  const VectorView found =
      d.run_jacobian_vector(d.kept_q(q), d.kept(v), a, d.kept(dq, 1), d.kept(dv, 2), da, around);
  require_finite(d.robot, name, "dtau", {found.data(), size_t(found.size())});
  return found;
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Products of partial derivatives with vectors.
#include <algorithm>

#include "doors/derivatives_impl.hpp"

namespace jounce {

using Impl = detail::DerivativesImpl<double, double>;

const double* Impl::spread(const double* x, int k) {
  if (system().coupling.identity) return x;
  double* to = tree_vectors.data() + model().nv * k;
  expand(system().coupling, x, to);
  return to;
}

void Impl::solve_mass(double* x) {
  if (robot.has_mimic()) return ltdl_solve(dense().pattern.view(), dense().LD.data(), x);
  tree.keep_factors(workspace());
  tree.solve(x, workspace(), x);
}

void Impl::run_vector_jacobian(const double* y, const OwnState<double>& x,
                               const Surroundings& around, const InversePartials<double>& out) {
  auto [state, with] = storage.set_up(equations(), x, around, in_lanes());
  const int n = model().nv;
  const double* tree_y = spread(y, 3);
  const bool same = system().coupling.identity;
  double* found = tree_vectors.data();
  const InversePartials<double> of_tree{found, found + n, found + 2 * n};
  const InversePartials<double>& tree_out = same ? out : of_tree;
  tree.kernel.vector_jacobian(model(), state, workspace(), tree.bodies(), tree.wide(), lanes.view(),
                              in_lanes(), tree_y, with, sums, tree_out);
  if (!same) {
    gather(system().coupling, of_tree.dq, out.dq);
    gather(system().coupling, of_tree.dv, out.dv);
    gather(system().coupling, of_tree.da, out.da);
  }
  if (!around.passive) return;
  for_each_passive_slope(
      system(), x, storage.bushings.get(),
      [&](int l, int k, double slope) { out.dq[k] += y[l] * slope; },
      [&](int l, int k, double slope) { out.dv[k] += y[l] * slope; });
}

const double* Impl::run_jacobian_vector(const OwnState<double>& x,
                                        const InversePartials<const double>& along,
                                        const Surroundings& around) {
  auto [state, with] = storage.set_up(equations(), x, around, in_lanes());
  const InversePartials<const double> tree_along{spread(along.dq, 0), spread(along.dv, 1),
                                                 spread(along.da, 2)};
  const bool same = system().coupling.identity;
  double* dtau = product.data();
  double* found = same ? dtau : tree_vectors.data() + 3 * model().nv;
  tree.kernel.jacobian_vector(model(), state, workspace(), tree.bodies(), tree.wide(), lanes.view(),
                              in_lanes(), tree_along, with, sums, found);
  if (!same) gather(system().coupling, found, dtau);
  if (!around.passive) return dtau;
  for_each_passive_slope(
      system(), x, storage.bushings.get(),
      [&](int l, int k, double slope) { dtau[l] += slope * along.dq[k]; },
      [&](int l, int k, double slope) { dtau[l] += slope * along.dv[k]; });
  return dtau;
}

namespace {

/// Three vectors of a product in the door's memory, by name, and where they go.
struct ProductResult {
  const Robot& robot;
  const char* caller;
  const char* last;
  int n = robot.nv();
  double *dq, *dv, *da;

  ProductResult(const Robot& robot_, const char* caller_, const char* last_, const Into<double>& q,
                const Into<double>& v, const Into<double>& a)
      : robot(robot_),
        caller(caller_),
        last(last_),
        dq(detail::checked_into(robot, caller, "dq", q, n)),
        dv(detail::checked_into(robot, caller, "dv", v, n)),
        da(detail::checked_into(robot, caller, last, a, n)) {}
  /// `tame`: no product of the arguments can overflow (finite_results.hpp).
  void write(const InversePartials<double>& found, bool tame) const {
    if (!tame) {
      require_finite_vector(robot, caller, "dq", found.dq);
      require_finite_vector(robot, caller, "dv", found.dv);
      require_finite_vector(robot, caller, last, found.da);
    }
    std::copy(found.dq, found.dq + n, dq);
    std::copy(found.dv, found.dv + n, dv);
    std::copy(found.da, found.da + n, da);
  }
};

}  // namespace

template <>
void Derivatives::inverse_vector_jacobian(const Arg& y, const Arg& q, const Arg& v, const Arg& a,
                                          const Around& around, const Into<double>& dq,
                                          const Into<double>& dv, const Into<double>& da) {
  Impl& d = *impl_;
  const char* name = "inverse_vector_jacobian";
  const std::span<const double> weights = y, at = q, speed = v, change = a;
  const bool tame = d.check(name, at, {{"y", weights}, {"v", speed}, {"a", change}}, around);
  const ProductResult to(d.robot, name, "da", dq, dv, da);
  const InversePartials<double> found = d.three_vectors();
  d.run_vector_jacobian(weights.data(), {at.data(), speed.data(), change.data()}, around, found);
  to.write(found, tame);
}

/// With z = M^-1 y, y^T d a/d(q, v) = -z^T d tau/d(q, v), and M^-1 is symmetric.
template <>
void Derivatives::forward_vector_jacobian(const Arg& y, const Arg& q, const Arg& v, const Arg& tau,
                                          const Around& around, const Into<double>& dq,
                                          const Into<double>& dv, const Into<double>& dtau) {
  Impl& d = *impl_;
  const char* name = "forward_vector_jacobian";
  const std::span<const double> weights = y, at = q, speed = v, force = tau;
  d.check(name, at, {{"y", weights}, {"v", speed}, {"tau", force}}, around);
  const ProductResult to(d.robot, name, "dtau", dq, dv, dtau);
  d.run_accelerations(name, {at.data(), speed.data()}, force.data(), around, nullptr);
  std::copy(weights.begin(), weights.end(), d.solved.begin());
  d.solve_mass(d.solved.data());
  const int n = d.nv();
  const InversePartials<double> found = d.three_vectors();
  d.run_vector_jacobian(d.solved.data(), {at.data(), speed.data(), d.a.data()}, around, found);
  for (int k = 0; k < n; ++k) {
    found.dq[k] = -found.dq[k];
    found.dv[k] = -found.dv[k];
  }
  to.write({found.dq, found.dv, d.solved.data()}, false);
}

template <>
void Derivatives::inverse_jacobian_vector(const Arg& q, const Arg& v, const Arg& a, const Arg& dq,
                                          const Arg& dv, const Arg& da, const Around& around,
                                          const Into<double>& dtau) {
  Impl& d = *impl_;
  const char* name = "inverse_jacobian_vector";
  const std::span<const double> at = q, speed = v, change = a, along_q = dq, along_v = dv,
                                along_a = da;
  const bool tame = d.check(
      name, at, {{"v", speed}, {"a", change}, {"dq", along_q}, {"dv", along_v}, {"da", along_a}},
      around);
  double* to = detail::checked_into(d.robot, name, "dtau", dtau, d.nv());
  const double* found =
      d.run_jacobian_vector({at.data(), speed.data(), change.data()},
                            {along_q.data(), along_v.data(), along_a.data()}, around);
  if (!tame) require_finite_vector(d.robot, name, "dtau", found);
  std::copy(found, found + d.nv(), to);
}

template <>
void Derivatives::forward_jacobian_vector(const Arg& q, const Arg& v, const Arg& tau, const Arg& dq,
                                          const Arg& dv, const Arg& dtau, const Around& around,
                                          const Into<double>& da) {
  Impl& d = *impl_;
  const char* name = "forward_jacobian_vector";
  const std::span<const double> at = q, speed = v, force = tau, along_q = dq, along_v = dv,
                                along_tau = dtau;
  d.check(name, at,
          {{"v", speed}, {"tau", force}, {"dq", along_q}, {"dv", along_v}, {"dtau", along_tau}},
          around);
  double* to = detail::checked_into(d.robot, name, "da", da, d.nv());
  d.run_accelerations(name, {at.data(), speed.data()}, force.data(), around, nullptr);
  const double* taken =
      d.run_jacobian_vector({at.data(), speed.data(), d.a.data()},
                            {along_q.data(), along_v.data(), d.room.zeros.data()}, around);
  for (size_t k = 0; k < d.solved.size(); ++k) d.solved[k] = along_tau[k] - taken[k];
  d.solve_mass(d.solved.data());
  require_finite_vector(d.robot, name, "da", d.solved.data());
  std::copy(d.solved.begin(), d.solved.end(), to);
}

}  // namespace jounce

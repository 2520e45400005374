// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives of inverse dynamics, as tensors and as products.
#include <jounce/equations/outside.hpp>

#include "dynamics/passive_entries.hpp"
#include "dynamics/second_by_dual.hpp"
#include "dynamics/second_fold.hpp"

namespace jounce {
namespace {

size_t cube(int n) { return size_t(n) * size_t(n) * size_t(n); }

}  // namespace

SecondWork::SecondWork(const Robot& robot, const DerivativeLanes& first, SecondOrder what_)
    : what(what_),
      change(size_t(robot.model().nv)),
      product(change.size()),
      before(change.size()),
      W(size_t(robot.bodies())),
      change_lanes(change.size() + 3),
      moment(9 * size_t(first.stride)),
      y(size_t(robot.nv())),
      dual(std::make_unique<DualWork>(robot, what)) {
  const Model<double>& m = robot.model();
  for (int i = 1; i < m.bodies; ++i)
    for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) {
      const detail::PartRange part = detail::part_range(m, i, m.part[r]);
      part_first.insert(part_first.end(), size_t(part.last - part.first), part.first);
      part_last.insert(part_last.end(), size_t(part.last - part.first), part.last);
    }
  room = {change.data(),     product.data(),   before.data(), W.data(),
          part_first.data(), part_last.data(), first.ranges};
  ground_body.resize(size_t(m.bodies));
  for (int i = 1; i < m.bodies; ++i)
    ground_body[size_t(i)] = m.parent[i] > 0 ? ground_body[size_t(m.parent[i])] : i;
  in_lanes = {first,
              change_lanes.data(),
              moment.data(),
              part_first.data(),
              part_last.data(),
              ground_body.data()};
  const size_t n = size_t(m.nv), nv = size_t(robot.nv());
  tree_product = SecondBlocks(n * n);
  forward_product = SecondBlocks(nv * nv);
  if (robot.has_mimic()) folded_product = SecondBlocks(nv * nv);
  for (std::vector<double>& one : square) one.resize(nv * nv);
  if (what == SecondOrder::products) return;
  tree = SecondBlocks(cube(m.nv));
  forward = SecondBlocks(cube(robot.nv()));
  if (robot.has_mimic()) folded = SecondBlocks(cube(robot.nv()));
}
SecondWork::~SecondWork() = default;

SecondWork& Dynamics::Impl::second_work(const char* caller, SecondOrder needed) {
  if (second == nullptr || second->what < needed)
    throw InputError(std::string(caller) + ": call reserve_second_derivatives(" +
                     (needed == SecondOrder::products ? ")" : "SecondOrder::tensors)") + " first");
  return *second;
}

void Dynamics::reserve_second_derivatives(SecondOrder what) {
  Impl& d = *impl_;
  if (d.second != nullptr && d.second->what >= what) return;
  d.second = std::make_unique<SecondWork>(d.robot, d.derivatives.in_lanes, what);
}

void Dynamics::Impl::run_second_derivatives(std::span<const double> q_, std::span<const double> v_,
                                            std::span<const double> a_,
                                            const Surroundings& around) {
  const State<double> x = load(q_, v_, a_, zeros, around);
  Workspace<double>& w = work.view();
  DerivativeRoom<double>& room = derivatives.room;
  if (derivatives.custom || any_in_ground_axes(around.wrenches)) {
    second->dual->tensors(x, w.V[0], w.Vdot[0], around.wrenches, second->tree.for_dual_numbers());
  } else {
    const SecondDerivatives<double> tree = second->tree.without_rounding();
    kernel.second_derivatives(robot.model(), x, w, lane_body.data(), wide.data(), second->in_lanes,
                              room, second->room, tree);
  }
  for_each_block(second->tree, second->folded, [&](const ZeroNumbers& from, const ZeroNumbers& to) {
    fold_tensor(robot, from, to);
  });
  const SecondDerivatives<double> out = second->tensors();
  const std::ptrdiff_t n = robot.nv();
  if (!around.passive) return;
  for_each_passive_curve(
      q_, v_, [&](int i, int k, int l, double curve) { out.dqdq[i + n * (k + n * l)] += curve; },
      [&](int k, double curve) { out.dvdv[k + n * (k + n * k)] += curve; });
}

void Dynamics::Impl::run_second_products(const double* y, std::span<const double> q_,
                                         std::span<const double> v_, std::span<const double> a_,
                                         const Surroundings& around) {
  const State<double> x = load(q_, v_, a_, zeros, around);
  Workspace<double>& w = work.view();
  DerivativeRoom<double>& room = derivatives.room;
  const double* weights = spread(y, 3);
  if (derivatives.custom || any_in_ground_axes(around.wrenches)) {
    second->dual->products(x, w.V[0], w.Vdot[0], around.wrenches, weights,
                           second->tree_product.for_dual_numbers());
  } else {
    const SecondDerivatives<double> tree = second->tree_product.without_rounding();
    kernel.second_products(robot.model(), x, w, weights, room, derivatives.sums, second->room,
                           tree);
  }
  for_each_block(
      second->tree_product, second->folded_product,
      [&](const ZeroNumbers& from, const ZeroNumbers& to) { fold_matrix(robot, from, to); });
  const SecondDerivatives<double> out = second->products();
  const int n = robot.nv();
  if (!around.passive) return;
  for_each_passive_curve(
      q_, v_, [&](int i, int k, int l, double curve) { out.dqdq[k + n * l] += y[i] * curve; },
      [&](int k, double curve) { out.dvdv[k + n * k] += y[k] * curve; });
}

InverseSecondDerivativesResult Dynamics::inverse_second_derivatives(const VectorArg& q,
                                                                    const VectorArg& v,
                                                                    const VectorArg& a,
                                                                    const Surroundings& around) {
  const char* name = "inverse_second_derivatives";
  Impl& d = *impl_;
  check_state(d.robot, name, q, {{"v", v}, {"a", a}});
  check_surroundings(d.robot, name, around);
  const SecondWork& second = d.second_work(name, SecondOrder::tensors);
  const bool tame = d.all_moderate(q, v, a, around);
  d.run_second_derivatives(q, v, a, around);
  const SecondDerivatives<double> out = second.tensors();
  const int n = d.robot.nv();
  InverseSecondDerivativesResult found{{out.dqdq, n}, {out.dqdv, n}, {out.dvdv, n}, {out.dadq, n}};
  if (!tame)
    require_finite(d.robot, name,
                   {{"d2tau_dqdq", found.d2tau_dqdq},
                    {"d2tau_dqdv", found.d2tau_dqdv},
                    {"d2tau_dvdv", found.d2tau_dvdv},
                    {"d2tau_dadq", found.d2tau_dadq}});
  return found;
}

SecondProductsResult Dynamics::inverse_second_products(const VectorArg& y, const VectorArg& q,
                                                       const VectorArg& v, const VectorArg& a,
                                                       const Surroundings& around) {
  const char* name = "inverse_second_products";
  Impl& d = *impl_;
  d.robot.check_v(name, "y", y);
  check_state(d.robot, name, q, {{"v", v}, {"a", a}});
  check_surroundings(d.robot, name, around);
  const SecondWork& second = d.second_work(name, SecondOrder::products);
  const std::span<const double> weights = y;
  d.run_second_products(weights.data(), q, v, a, around);
  SecondProductsResult found = as_matrices(second.products(), d.robot.nv());
  if (!d.all_moderate(y, q, v, a, around))
    require_finite(
        d.robot, name,
        {{"dqdq", found.dqdq}, {"dqdv", found.dqdv}, {"dvdv", found.dvdv}, {"dadq", found.dadq}});
  return found;
}

}  // namespace jounce

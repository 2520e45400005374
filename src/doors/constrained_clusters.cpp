// SPDX-License-Identifier: BSD-3-Clause
// Clusters of loops where many right-hand sides follow: dynamics whose rows are taken apart cluster
// by cluster, with those of contacts as they stand behind them, and what is kept for further ones.
#include "doors/constrained_impl.hpp"
#include "finite_results.hpp"
#include "state_check.hpp"

namespace jounce {
namespace {

/// Coordinates from which on derivatives are faster by clusters than by factors.
constexpr int forward_columns = 40, hybrid_columns = 12;

}  // namespace

void detail::ConstrainedImpl::list_clusters() {
  clusters.list(robot, lists, picked);
  if (clusters.serves()) responses.list(model(), clusters.view());
}
bool detail::ConstrainedImpl::factor_responses(const double* q, const bool* held) {
  const double* still = room.zeros.data();
  responses.view().held = held;
  const ClusterPivots found = tree.kernel.factor_clusters(
      model(), clusters.view(), responses.view(), equations().tree_state({q, still, still}),
      workspace(), tree.room());
  return found.regular && found.margin >= rows_serve;
}

void detail::ConstrainedImpl::take_apart_by_clusters(const char* caller) {
  const double by_clusters = margin;
  if (!touching()) return take_apart(caller);
  const int n = nv(), many = lists.own_rows(), held = rows() - many;
  const double* row = rows_in_order();
  own.reduce(many, n, row, rank);
  std::copy_n(own.B(), n * rank, strain_rows.data());
  std::copy_n(row + n * many, n * held, strain_rows.data() + n * rank);
  apart = contacts_stand = true;
  B = strain_rows.data(), count = rank + held;
  margin = std::min(own.margin(), by_clusters), defect = own.defect();
}

bool detail::ConstrainedImpl::run_by_clusters(const char* caller, const bool* prescribed,
                                              const OwnState<double>& x, const double* tau,
                                              const Surroundings& around) {
  if (!clusters_serve_from(prescribed == nullptr ? forward_columns : hybrid_columns)) return false;
  const int n = nv();
  if (prescribed == nullptr) {
    const OwnState<double> still{x.q, x.v, room.zeros.data()};
    load_forces(still, tau, around);
    if (!solve_by_clusters(still, ClusterEquations::accelerations)) return false;
    require_finite_vector(robot, caller, "a", rhs.data());
    std::copy_n(rhs.begin(), n, step.begin());
  } else {
    for (int k = 0; k < n; ++k) step[size_t(k)] = prescribed[k] ? x.a[k] : 0;
    if (!hybrid_by_clusters(caller, prescribed, {x.q, x.v, step.data()}, tau, around)) return false;
  }
  write_rows({x.q, x.v, step.data()});
  take_apart_by_clusters(caller);
  gather(1, more.data(), nu.data());
  return true;
}

}  // namespace jounce

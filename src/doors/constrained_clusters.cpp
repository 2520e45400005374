// SPDX-License-Identifier: BSD-3-Clause
// Equations of robots with many small loops by clusters of bodies: for one right-hand side, and
// where others follow, with rows that are taken apart cluster by cluster, those of contacts as they
// stand behind them.
#include "doors/closure_rows.hpp"
#include "doors/constrained_impl.hpp"
#include "finite_results.hpp"
#include "linear_algebra/vectors.hpp"
#include "state_check.hpp"

namespace jounce {
namespace {

/// Coordinates from which on derivatives are faster by clusters than by factors.
constexpr int forward_columns = 40, hybrid_columns = 12;

}  // namespace

void detail::ConstrainedImpl::list_clusters() {
  clusters.list(robot, lists, picked);
  if (!clusters.serves()) return;
  responses.list(model(), clusters.view());
  int most_rows = 0, most_columns = 0;
  for (int k = 0; k < clusters.view().count; ++k) {
    const LoopCluster& c = clusters.view().cluster[k];
    if (c.m > 0) most_rows = std::max(most_rows, c.m), most_columns = std::max(most_columns, c.n);
  }
  of_cluster.resize(most_rows, most_columns);
  eight = detail::ZeroNumbers<double>(8 * size_t(nv() + lists.own_rows()));
  responses.base(8);
}
bool detail::ConstrainedImpl::solve_by_clusters(const OwnState<double>& x, ClusterEquations which,
                                                const bool* held) {
  if (!clusters_serve()) return false;
  if (touching()) write_contact_rows(x, which);
  const CarriedRows& carried = clusters.view().carried;
  const ClusterPivots found =
      tree.kernel.solve_clusters(model(), lists.view(), clusters.view(),
                                 {which, rhs.data(), more.data(), rate.data(), held, forces.data()},
                                 equations().tree_state(x), workspace(), tree.room());
  if (!found.regular || !(found.margin >= rows_serve)) return false;
  std::copy_n(carried.mu, carried.count, more.begin() + lists.own_rows());
  std::copy_n(carried.rate, carried.count, rate.begin() + lists.own_rows());
  count = rank + carried.count, margin = found.margin, defect = found.defect;
  return true;
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
  const double least = margin, most = defect;  // reports are those of the dynamics
  if (!touching()) {
    take_apart(caller);
  } else {
    const int n = nv(), many = lists.own_rows(), held = rows() - many;
    const double* row = rows_in_order();
    own.reduce(many, n, row, rank);
    std::copy_n(own.B(), n * rank, strain_rows.data());
    std::copy_n(row + n * many, n * held, strain_rows.data() + n * rank);
    apart = contacts_stand = true;
    B = strain_rows.data(), count = rank + held;
  }
  margin = least, defect = most;
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

double detail::ConstrainedImpl::write_closure_of_clusters(const bool* kept) {
  const Loops<double>& all = lists.view();
  const double* still = room.zeros.data();
  const State<double> x = equations().tree_state({at.data(), still, still});
  move_loops(model(), all, x, workspace());
  double longest = 0;
  for (int k = 0; k < clusters.view().count; ++k) {
    const LoopCluster& c = clusters.view().cluster[k];
    std::fill_n(c.A, c.m * c.n, 0.0);
    double* first = c.A;
    for (int l = 0; l < c.loops; ++l) {
      const Loop<double>& loop = all.loop[c.loop[l]];
      const int many = jounce::rows(loop.kind);
      const Twist<double>* X = column.data();
      const Opening opening(loop, loop_motion(model(), loop, x, workspace(), column.data()).E);
      for_each_velocity(system(), loop, [&](int t, double) {
        double rates[6];
        opening(*X++, rates);
        if (kept != nullptr && kept[t]) return;
        for (int i = 0; i < many; ++i) first[c.n * i + c.place[t]] = rates[i];
      });
      first += c.n * many;
    }
    longest = std::max(longest, dense::longest_row(c.m, c.n, c.A));
  }
  return longest;
}

bool detail::ConstrainedImpl::step_by_clusters(double smallest, const bool* kept) {
  const int n = nv();
  double *x = eight.data(), *g = x + 8 * n;
  std::fill_n(x, eight.size(), 0.0);
  responses.clear_rows();
  int rows_so_far = 0;
  for (int k = 0; k < clusters.view().count; ++k) {
    const LoopCluster& c = clusters.view().cluster[k];
    if (c.m == 0) continue;
    double* next = c.lambda;
    for (int l = 0; l < c.loops; ++l) {
      const Loop<double>& loop = lists.view().loop[c.loop[l]];
      next = std::copy_n(open.begin() + loop.row, jounce::rows(loop.kind), next);
    }
    of_cluster.reduce(c.m, c.n, c.A, -1, smallest);
    of_cluster.gather(c.lambda, c.rate);
    for (int i = 0; i < of_cluster.rank(); ++i, ++rows_so_far) {
      double* row = responses.add_row(k, rows_so_far);
      if (row == nullptr) return false;
      std::copy_n(of_cluster.B() + c.n * i, c.n, row);
      g[8 * rows_so_far] = c.rate[i];
    }
  }
  if (!factor_responses(at.data(), kept)) return false;
  tree.kernel.solve_clusters_beside(responses.view(), x, g, responses.base(8));
  for (int t = 0; t < n; ++t) step[size_t(t)] = kept != nullptr && kept[t] ? 0 : x[8 * t];
  return true;
}

}  // namespace jounce

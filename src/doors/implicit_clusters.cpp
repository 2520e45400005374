// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of robots with many small loops: right-hand sides go through the clusters of their
// bodies (algorithm/cluster_response.hpp), each in time that grows with the number of loops alone.
#include "doors/implicit_columns.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {

std::optional<ConstraintReport> ImplicitColumns::run_by_clusters(const char* caller,
                                                                 std::span<const bool> prescribed,
                                                                 const OwnState<double>& x,
                                                                 const double* tau,
                                                                 const Surroundings& around) {
  const bool* held = prescribed.empty() ? nullptr : prescribed.data();
  if (!dyn_.run_by_clusters(caller, held, x, tau, around)) return {};
  const ConstraintReport found = held != nullptr ? dyn_.balance_report() : dyn_.report();
  if (!choose_by_clusters(prescribed)) return {};
  return found;
}
bool ImplicitColumns::choose_by_clusters(std::span<const bool> held) {
  by_clusters_ = true, turns_ = false, held_ = held;
  bends_ = dyn_.count < dyn_.rows();
  if (dyn_.count != dyn_.rank + dyn_.rows() - dyn_.lists.own_rows()) return false;
  return dyn_.responses.take_rows(dyn_.rank, dyn_.B) && (!bends_ || bend_by_clusters());
}

bool ImplicitColumns::bend_by_clusters() {
  const int n = dyn_.nv(), own = dyn_.rank, more = dyn_.count - own;
  double* rows = dyn_.picked_rows.data();
  std::copy_n(dyn_.B, n * dyn_.count, rows);
  for (int i = 0; i < dyn_.count && !held_.empty(); ++i)
    for (int k = 0; k < n; ++k)
      if (held_[size_t(k)]) rows[n * i + k] = 0;
  dyn_.part.reduce(own, n, rows, -1, dyn_.no_row * dense::longest_row(own, n, rows));
  if (dyn_.part.rank() < own) return false;
  dyn_.part.solve(dyn_.nu.data(), mu_.data());
  if (more == 0) return true;
  // what is left of contacts across the loops
  const int width = padded_constraints(more);
  double *across = rows + n * own, *gram = contact_S_.data();
  for (int j = 0; j < more; ++j) {
    double* row = across + n * j;
    open_[size_t(j)] = dyn_.nu[size_t(own + j)] - dense::dot(n, row, mu_.data());
    for (int i = 0; i < own; ++i) gathered_[size_t(i)] = dense::dot(n, rows + n * i, row);
    dyn_.part.solve(gathered_.data(), force_.data());
    dense::add_multiple(n, -1, force_.data(), row);
  }
  for (int i = 0; i < more; ++i)
    for (int j = 0; j < more; ++j)
      gram[width * i + j] = dense::dot(n, across + n * i, across + n * j);
  symmetric_factor(more, width, gram);
  symmetric_solve(more, width, gram, open_.data());
  for (int j = 0; j < more; ++j)
    dense::add_multiple(n, open_[size_t(j)], across + n * j, mu_.data());
  return true;
}

bool ImplicitColumns::factor_by_clusters(const double* q) {
  return dyn_.factor_responses(q, held_.empty() ? nullptr : held_.data()) && factor_contacts();
}

/// What unit forces along the rows of contacts do, and S.
bool ImplicitColumns::factor_contacts() {
  static_assert(ClusterStorage::most_carried <= constrained_columns, "they are solved at once");
  const int n = dyn_.nv(), own = dyn_.rank, count = dyn_.count - own, all = n + own;
  contacts_ = {};
  if (count == 0) return true;
  const double* rows = dyn_.B + n * own;
  for (int j = 0; j < count; ++j) {
    std::copy_n(rows + n * j, n, x_.data() + columns_.stride * j);
    std::fill_n(nu_.data() + dyn_.width * j, own, 0.0);
  }
  solve_loaded();
  const int width = padded_constraints(count);
  double *C = contact_C_.data(), *X = contact_X_.data(), *S = contact_S_.data();
  for (int j = 0; j < count; ++j) {
    std::copy_n(x_.data() + columns_.stride * j, n, X + all * j);
    std::copy_n(nu_.data() + dyn_.width * j, own, X + all * j + n);
    for (int k = 0; k < n; ++k)
      C[width * k + j] = !held_.empty() && held_[size_t(k)] ? 0 : rows[n * j + k];
  }
  std::fill_n(S, count * width, 0.0);
  for (int j = 0; j < count; ++j)
    for (int k = 0; k < n; ++k)
      dense::add_multiple(count, X[all * j + k], C + width * k, S + width * j);
  const PivotRange<double> pivots = symmetric_factor(count, width, S);
  contacts_ = {count, width, own, C, X, S};
  const double limit = dyn_.rows_serve * dyn_.rows_serve;
  return pivots.smallest > limit * pivots.largest;
}

}  // namespace jounce

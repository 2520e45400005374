// SPDX-License-Identifier: BSD-3-Clause
#include "model/response_storage.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace jounce {

namespace {

/// Numbers of a cluster with so many lines inside, beside those of its carrier's motion.
int numbers_of(int n, int inside) {
  return (inside - n) * n + inside * (inside + 6) + n * (inside + 6);
}

}  // namespace

/// Coordinates of each cluster, what it hangs on, and the most rows that it may have.
void ResponseStorage::number(const Model<double>& m, const LoopClusters& clusters) {
  responses_.assign(size_t(clusters.count), {});
  most_rows_.resize(responses_.size());
  cluster_of_.resize(size_t(m.nv)), coordinate_.resize(size_t(m.nv));
  std::vector<int> cluster_of_body(size_t(m.bodies), -1);
  int* next = coordinate_.data();
  for (int k = 0; k < clusters.count; ++k) {
    const LoopCluster& c = clusters.cluster[k];
    ClusterResponse& to = responses_[size_t(k)];
    most_rows_[size_t(k)] = std::min(c.n, c.m);
    to.n = c.n, to.on = c.carrier > 0 ? cluster_of_body[size_t(c.carrier)] : -1;
    to.coordinate = next;
    for (int b = 0; b < c.bodies; ++b) {
      cluster_of_body[size_t(c.body[b])] = k;
      for (int t = m.v_at[c.body[b]]; t < m.v_at[c.body[b] + 1]; ++t)
        cluster_of_[size_t(t)] = k, *next++ = t;
    }
  }
}

void ResponseStorage::list(const Model<double>& m, const LoopClusters& clusters) {
  number(m, clusters);
  int rows = 0, numbers = 0, lines = 0;
  const auto each = [&](auto f) {  // of a response, the lines that it may have inside
    for (size_t k = 0; k < responses_.size(); ++k)
      f(responses_[k], responses_[k].n + most_rows_[k]);
  };
  const auto of_carrier = [&](const ClusterResponse& r) {
    return r.on < 0 ? 0 : 6 * (6 + responses_[size_t(r.on)].n);
  };
  each([&](const ClusterResponse& one, int inside) {
    rows += inside - one.n;
    numbers += numbers_of(one.n, inside) + of_carrier(one);
    lines = std::max(lines, response_room(one.n, inside - one.n, one.on >= 0));
  });
  row_.resize(size_t(rows));
  numbers_ = detail::ZeroNumbers<double>(size_t(numbers));
  lines_ = detail::ZeroNumbers<double>(size_t(lines));
  double* next = numbers_.data();
  int* next_row = row_.data();
  each([&](ClusterResponse& to, int inside) {
    const auto take = [&](int count) { return std::exchange(next, next + count); };
    to.row = std::exchange(next_row, next_row + inside - to.n);
    to.B = take((inside - to.n) * to.n), to.K = take(inside * inside), to.P = take(6 * inside);
    to.held = take(to.n * (inside + 6)), to.C = take(of_carrier(to));
  });
  ascending_.resize(size_t(most_cluster_lines));
  std::iota(ascending_.begin(), ascending_.end(), 0);
  zeros_.assign(size_t(m.nv), 0.0);
  view_ = {responses_.data(), clusters.count, nullptr,
           lines_.data(),     zeros_.data(),  ascending_.data()};
}

double* ResponseStorage::base(int columns) {
  const size_t wanted = 6 * responses_.size() * size_t(columns);
  if (base_.size() < wanted) base_ = detail::ZeroNumbers<double>(wanted);
  return base_.data();
}

void ResponseStorage::clear_rows() {
  for (ClusterResponse& one : responses_) one.rows = 0;
}
double* ResponseStorage::add_row(int cluster, int number) {
  ClusterResponse& to = responses_[size_t(cluster)];
  if (to.rows == most_rows_[size_t(cluster)]) return nullptr;
  to.row[to.rows] = number;
  return to.B + to.n * to.rows++;
}
bool ResponseStorage::take_rows(int count, const double* rows) {
  const int n = int(cluster_of_.size());
  clear_rows();
  for (int i = 0; i < count; ++i) {
    const double* row = rows + n * i;
    const auto first = std::find_if(row, row + n, [](double x) { return x != 0; });
    if (first == row + n) return false;
    const int cluster = cluster_of_[size_t(first - row)];
    for (int k = int(first - row); k < n; ++k)
      if (row[k] != 0 && cluster_of_[size_t(k)] != cluster) return false;
    double* to = add_row(cluster, i);
    if (to == nullptr) return false;
    const ClusterResponse& one = responses_[size_t(cluster)];
    for (int k = 0; k < one.n; ++k) to[k] = row[one.coordinate[k]];
  }
  return true;
}

}  // namespace jounce

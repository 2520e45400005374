// SPDX-License-Identifier: BSD-3-Clause
#include "model/response_storage.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace jounce {

void ResponseStorage::list(const Model<double>& m, const LoopClusters& clusters) {
  const auto size = [](int n) { return static_cast<size_t>(n); };
  responses_.assign(size(clusters.count), {});
  most_rows_.resize(responses_.size());
  cluster_of_.resize(size(m.nv)), coordinate_.resize(size(m.nv));
  std::vector<int> cluster_of_body(size(m.bodies), -1);
  int coordinates = 0, rows = 0, numbers = 0, lines = 0;
  const auto each = [&](auto f) {  // of a cluster, its response and the most that it has inside
    for (int k = 0; k < clusters.count; ++k) {
      const LoopCluster& c = clusters.cluster[k];
      f(k, c, responses_[size(k)], c.n + most_rows_[size(k)]);
    }
  };
  const auto width_of_carrier = [&](const ClusterResponse& r) {
    return r.on < 0 ? 0 : 6 + clusters.cluster[r.on].n;
  };
  for (int k = 0; k < clusters.count; ++k)
    most_rows_[size(k)] = std::min(clusters.cluster[k].n, clusters.cluster[k].m);
  each([&](int k, const LoopCluster& c, ClusterResponse& to, int inside) {
    to.n = c.n, to.on = c.carrier > 0 ? cluster_of_body[size(c.carrier)] : -1;
    to.coordinate = coordinate_.data() + coordinates;
    for (int b = 0; b < c.bodies; ++b) {
      cluster_of_body[size(c.body[b])] = k;
      for (int t = m.v_at[c.body[b]]; t < m.v_at[c.body[b] + 1]; ++t) {
        cluster_of_[size(t)] = k;
        coordinate_[size(coordinates++)] = t;
      }
    }
    rows += inside - c.n;
    numbers += inside * (inside + 6) + (inside - c.n) * c.n + c.n * (inside + 6);
    numbers += 6 * width_of_carrier(to);
    const ClusterLines most = response_lines(c.n, inside - c.n, to.on >= 0, nullptr);
    lines = std::max(lines,
                     most.width * (most.lines + (most.inside + most.width - 1) / most.width + c.n));
  });
  row_.resize(size(rows));
  numbers_ = detail::ZeroNumbers<double>(size(numbers));
  lines_ = detail::ZeroNumbers<double>(size(lines));
  double* next = numbers_.data();
  int* next_row = row_.data();
  each([&](int, const LoopCluster& c, ClusterResponse& to, int inside) {
    const auto take = [&](int count) { return std::exchange(next, next + count); };
    to.row = std::exchange(next_row, next_row + inside - c.n);
    to.B = take((inside - c.n) * c.n), to.K = take(inside * inside), to.P = take(6 * inside);
    to.held = take(c.n * (inside + 6)), to.C = take(6 * width_of_carrier(to));
  });
  ascending_.resize(size(most_cluster_lines));
  std::iota(ascending_.begin(), ascending_.end(), 0);
  zeros_.assign(size(std::max(m.nv, most_cluster_lines)), 0.0);
  view_ = {responses_.data(), clusters.count, nullptr,
           lines_.data(),     zeros_.data(),  ascending_.data()};
}

double* ResponseStorage::base(int columns) {
  const size_t wanted = 6 * responses_.size() * static_cast<size_t>(columns);
  if (base_.size() < wanted) base_ = detail::ZeroNumbers<double>(wanted);
  return base_.data();
}

void ResponseStorage::clear_rows() {
  for (ClusterResponse& one : responses_) one.rows = 0;
}
double* ResponseStorage::add_row(int cluster, int number) {
  ClusterResponse& to = responses_[static_cast<size_t>(cluster)];
  if (to.rows == most_rows_[static_cast<size_t>(cluster)]) return nullptr;
  to.row[to.rows] = number;
  return to.B + to.n * to.rows++;
}
bool ResponseStorage::take_rows(int count, const double* rows) {
  const int n = static_cast<int>(cluster_of_.size());
  clear_rows();
  for (int i = 0; i < count; ++i) {
    const double* row = rows + n * i;
    const auto first = std::find_if(row, row + n, [](double x) { return x != 0; });
    if (first == row + n) return false;
    const int cluster = cluster_of_[static_cast<size_t>(first - row)];
    double* to = add_row(cluster, i);
    if (to == nullptr) return false;
    const ClusterResponse& one = responses_[static_cast<size_t>(cluster)];
    for (int k = 0; k < one.n; ++k) to[k] = row[one.coordinate[k]];
  }
  return true;
}

}  // namespace jounce

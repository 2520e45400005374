// SPDX-License-Identifier: BSD-3-Clause
// Clusters: the bodies on the way of a loop belong together, and loops that share a body.
#include "model/cluster_storage.hpp"

#include <algorithm>
#include <numeric>

namespace jounce {
namespace {

int root_of(const std::vector<int>& tied_to, int i) {
  while (tied_to[size_t(i)] != i) i = tied_to[size_t(i)];
  return i;
}

}  // namespace

/// Bodies by the first body of their cluster.
void ClusterStorage::gather(const Model<double>& m, const Loops<double>& loops) {
  std::vector<int> tied_to(size_t(m.bodies)), of(size_t(m.bodies), -1);
  std::iota(tied_to.begin(), tied_to.end(), 0);
  for (const Loop<double>& loop : jounce::list(loops))
    for (int b = 1; b < loop.down + loop.up; ++b) {
      const int one = root_of(tied_to, loop.way[0]), two = root_of(tied_to, loop.way[b]);
      tied_to[size_t(std::max(one, two))] = std::min(one, two);
    }
  memory_.clear();
  for (int i = 1; i < m.bodies; ++i) {
    const auto root = size_t(root_of(tied_to, i));
    if (of[root] < 0) of[root] = int(memory_.size()), memory_.emplace_back();
    memory_[size_t(of[root])].body.push_back(i);
  }
  for (int k = 0; k < loops.count; ++k) {
    const auto root = size_t(root_of(tied_to, loops.loop[k].way[0]));
    memory_[size_t(of[root])].loop.push_back(k);
  }
}

void ClusterStorage::finish(const Model<double>& m, const Loops<double>& loops,
                            std::span<const int> picked, Memory& one) {
  LoopCluster c;
  c.carrier = m.parent[one.body[0]];
  one.first = {0};
  for (const int i : one.body) {
    const auto carrier = std::find(one.body.begin(), one.body.end(), m.parent[i]);
    one.inner.push_back(carrier == one.body.end() ? -1 : int(carrier - one.body.begin()));
    for (int t = m.v_at[i]; t < m.v_at[i + 1]; ++t) place_[size_t(t)] = c.n++;
    one.first.push_back(c.n);
  }
  for (const int k : one.loop)
    for (int r = 0; r < rows(loops.loop[k]); ++r, ++c.m) {
      const bool counts = std::binary_search(picked.begin(), picked.end(), loops.loop[k].row + r);
      (counts ? one.chosen : one.other).push_back(c.m);
    }
  const int inside = c.n + int(one.chosen.size()), outer = inside + (c.carrier > 0 ? 6 : 0);
  serves_ = serves_ && (c.m == 0 || c.n <= most_cluster_velocities) &&
            int(one.body.size()) <= most_cluster_velocities && outer <= most_cluster_lines &&
            padded_constraints(outer + 1) <= widest_cluster;
  c.lines.n = c.n, c.lines.inside = inside, c.lines.outer = outer;
  one.A.resize(size_t(c.m * c.n));
  for (auto* x : {&one.rate, &one.lambda}) x->resize(size_t(c.m));
  for (auto* x : {&one.carries, &one.felt}) x->assign(one.body.size(), 0);
  c.bodies = int(one.body.size()), c.loops = int(one.loop.size());
  c.body = one.body.data(), c.inner = one.inner.data(), c.first = one.first.data();
  c.loop = one.loop.data(), c.place = place_.data();
  c.rows = {one.chosen.data(), one.other.data(), int(one.chosen.size()), int(one.other.size())};
  c.carries = one.carries.data(), c.felt = one.felt.data();
  c.A = one.A.data(), c.rate = one.rate.data(), c.lambda = one.lambda.data();
  clusters_.push_back(c);
}

/// Lines of all clusters with the rows that are carried on.
void ClusterStorage::place_lines() {
  for (size_t k = 0; k < clusters_.size(); ++k) {
    ClusterLines& to = clusters_[k].lines;
    std::vector<double>& Z = memory_[k].Z;
    to.lines = to.outer + view_.carried.count;
    to.width = padded_constraints(to.lines + 1);
    const int all = to.lines + (to.inside + to.width - 1) / to.width + to.n;
    if (Z.size() < size_t(all * to.width)) Z.resize(size_t(all * to.width));
    to.Z = Z.data(), to.inverse = to.line(to.lines), to.kept = to.line(all - to.n);
  }
}
void ClusterStorage::carry(const Model<double>& m, const LoopLists& lists) {
  const int count = lists.view().rows - lists.own_rows();
  if (!serves_ || count == view_.carried.count) return;
  const size_t width = size_t(padded_constraints(count));
  const auto grow = [](std::vector<double>& x, size_t size) {
    if (x.size() < size) x.resize(size);
  };
  grow(C_, size_t(m.nv) * width), grow(K_, 8 * size_t(count) * size_t(m.bodies));
  grow(S_, size_t(count) * width), grow(contact_rate_, width), grow(mu_, width);
  std::fill(K_.begin(), K_.end(), 0.0);
  view_.carried = {count,     int(width),           C_.data(), K_.data(),
                   S_.data(), contact_rate_.data(), mu_.data()};
  if (count <= most_carried) place_lines();
}
ClusterStorage::ContactRows ClusterStorage::contact_rows(const LoopLists& lists) {
  Loops<double> some = lists.view();
  contact_.assign(some.loop + lists.own(), some.loop + some.count);
  for (Loop<double>& loop : contact_) loop.row -= lists.own_rows();
  some.loop = contact_.data(), some.count = int(contact_.size()), some.rows = view_.carried.count;
  return {some, C_.data(), contact_rate_.data(), view_.carried.width};
}

/// On which bodies other clusters hang.
void ClusterStorage::find_carriers() {
  std::vector<bool> carries(place_.size() + 1);
  for (const LoopCluster& c : clusters_) carries[size_t(c.carrier)] = true;
  for (Memory& one : memory_)
    for (size_t b = one.body.size(); b-- > 0;) {
      one.carries[b] = carries[size_t(one.body[b])];
      one.felt[b] |= one.carries[b];
      if (one.inner[b] >= 0) one.felt[size_t(one.inner[b])] |= one.felt[b];
    }
}

void ClusterStorage::list(const Robot& robot, const LoopLists& lists, std::span<const int> picked) {
  const Model<double>& m = robot.model();
  const Loops<double>& loops = lists.view();
  const auto plain = [](const Loop<double>& loop) {
    return has_frames(loop.kind) && loop.kind != LoopKind::rolling;
  };
  const auto all = jounce::list(loops);
  serves_ = !robot.has_mimic() && loops.count > 0 && std::all_of(all.begin(), all.end(), plain);
  if (!serves_) return;
  gather(m, loops);
  clusters_.clear();
  place_.resize(size_t(m.nv));
  column_.resize(size_t(loops.longest) + 1);
  int tied = 0, width = 0;
  for (Memory& one : memory_) {
    finish(m, loops, picked, one);
    tied += clusters_.back().m > 0;
    width = std::max(width, padded_constraints(clusters_.back().m));
  }
  find_carriers();
  serves_ = serves_ && (tied > 1 || tied == int(clusters_.size()));
  for (auto* x : {&gram_, &ties_}) x->resize(size_t(width) * size_t(width));
  view_ = {clusters_.data(), int(clusters_.size()), column_.data(), gram_.data(), ties_.data(), {}};
  place_lines();
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Which bodies the loops of a robot tie together, and memory for algorithm/loop_clusters.hpp.
#pragma once

#include <jounce/algorithm/loop_clusters.hpp>

#include "model/loop_lists.hpp"

namespace jounce {

class ClusterStorage {
 public:
  /// With the rows that count of all loops, ascending. Nothing is listed where clusters do not
  /// serve: see `serves`.
  void list(const Robot& robot, const LoopLists& lists, std::span<const int> picked);

  /// Whether there are several clusters of loops, or nothing else, all of them small.
  bool serves() const { return serves_; }
  const LoopClusters& view() const { return view_; }

 private:
  /// Lists and numbers of one cluster.
  struct Memory {
    std::vector<int> body, inner, first, loop, chosen, other;
    std::vector<unsigned char> carries, felt;
    std::vector<double> Z, A, rate, lambda;
  };

  void gather(const Model<double>& m, const Loops<double>& loops);
  void finish(const Model<double>& m, const Loops<double>& loops, std::span<const int> picked,
              Memory& one);
  void find_carriers();

  std::vector<Memory> memory_;
  std::vector<LoopCluster> clusters_;
  std::vector<int> place_;
  std::vector<Twist<double>> column_;
  std::vector<double> gram_, ties_;
  bool serves_ = false;
  LoopClusters view_;
};

}  // namespace jounce

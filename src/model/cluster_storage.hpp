// SPDX-License-Identifier: BSD-3-Clause
// Which bodies the loops of a robot tie together, and memory for algorithm/loop_clusters.hpp.
#pragma once

#include <jounce/algorithm/loop_clusters.hpp>

#include "model/loop_lists.hpp"

namespace jounce {

class ClusterStorage {
 public:
  static constexpr int most_carried = 32;  ///< rows of contacts

  /// With the rows that count of all loops, ascending. Nothing is listed where clusters do not
  /// serve: see `serves`.
  void list(const Robot& robot, const LoopLists& lists, std::span<const int> picked);

  /// The contacts that follow the robot's own loops: so many rows are carried through all clusters.
  /// Takes memory only for more than ever before.
  void carry(const Model<double>& m, const LoopLists& lists);
  /// Room for the rows of the contacts, numbered from zero; `loops` are the contacts alone.
  struct ContactRows {
    Loops<double> loops;
    double *C = nullptr, *rate = nullptr;
    int width = 0;
  };
  ContactRows contact_rows(const LoopLists& lists);

  /// Whether there are several clusters of loops, or nothing else, all of them small, and not too
  /// many contacts.
  bool serves() const { return serves_ && view_.carried.count <= most_carried; }
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
  void place_lines();

  std::vector<Memory> memory_;
  std::vector<LoopCluster> clusters_;
  std::vector<int> place_;
  std::vector<Twist<double>> column_;
  std::vector<double> gram_, ties_;
  std::vector<Loop<double>> contact_;
  std::vector<double> C_, K_, S_, contact_rate_, mu_;  ///< of rows that are carried
  bool serves_ = false;
  LoopClusters view_;
};

}  // namespace jounce

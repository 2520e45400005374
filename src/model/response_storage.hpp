// SPDX-License-Identifier: BSD-3-Clause
// Memory for algorithm/cluster_response.hpp, and which cluster a row belongs to.
#pragma once

#include <jounce/algorithm/cluster_response.hpp>
#include <jounce/door/owned.hpp>
#include <vector>

namespace jounce {

class ResponseStorage {
 public:
  /// For the clusters of a robot without mimic joints.
  void list(const Model<double>& m, const LoopClusters& clusters);

  ClusterResponses& view() { return view_; }
  /// Six numbers of each cluster, for so many columns beside one another.
  double* base(int columns);

  void clear_rows();
  /// Room for one more row of a cluster, of this number; null where it has as many as it can.
  double* add_row(int cluster, int number);
  /// Rows [count][nv]; false where one is of no cluster or of several, or a cluster has too many.
  bool take_rows(int count, const double* rows);

 private:
  void number(const Model<double>& m, const LoopClusters& clusters);

  std::vector<ClusterResponse> responses_;
  std::vector<int> most_rows_;         ///< of each
  std::vector<int> coordinate_, row_;  ///< of all, one cluster after the other
  std::vector<int> cluster_of_;        ///< [nv]
  std::vector<int> ascending_;
  std::vector<double> zeros_;
  detail::ZeroNumbers<double> numbers_, lines_, base_;
  ClusterResponses view_;
};

}  // namespace jounce

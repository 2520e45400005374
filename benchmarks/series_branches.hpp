// SPDX-License-Identifier: BSD-3-Clause
// [Ali] section 7: the branches of a tree are independent between the base's motion and the base's
// wrench, so that threads may take one each.
#pragma once

namespace jounce::bench {

struct BranchesInParallel {
  int branches = 0, threads = 0;
  double difference = 0;  ///< of all forces from those of the whole tree, relative
  double speedup = 0;     ///< one thread's time over that of all, by the clock
};

/// Inverse dynamics of a floating base with five branches, to an order, a branch at a time.
BranchesInParallel branches_in_parallel(int branch_length, int order);

}  // namespace jounce::bench

// SPDX-License-Identifier: BSD-3-Clause
// Comparison with a peer: every quantity must agree, and the largest error of each is printed.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

namespace jounce::test {

/// Errors are relative to the largest entry of both values, or to 1e-3 (metres, radians, seconds)
/// where all entries are smaller: what cancels to zero leaves rounding of that size at most.
class Agreement {
 public:
  explicit Agreement(std::string peer, double tolerance = 1e-10)
      : peer_(std::move(peer)), tolerance_(tolerance) {}
  Agreement(const Agreement&) = delete;
  Agreement& operator=(const Agreement&) = delete;
  ~Agreement() {
    for (const auto& [what, entry] : entries_)
      std::printf("  %-10s %-32s %7d compared, largest error %.1e\n", peer_.c_str(), what.c_str(),
                  entry.count, entry.error);
  }

  /// What the next comparisons are about: robot, state and link.
  void at(std::string where) { where_ = std::move(where); }

  void compare(const std::string& what, const Eigen::MatrixXd& ours,
               const Eigen::MatrixXd& theirs) {
    ASSERT_EQ(ours.rows(), theirs.rows()) << what << " of " << where_;
    ASSERT_EQ(ours.cols(), theirs.cols()) << what << " of " << where_;
    if (ours.size() == 0) return;
    const double scale = std::max({ours.cwiseAbs().maxCoeff(), theirs.cwiseAbs().maxCoeff(), 1e-3});
    compare(what, ours, theirs, scale);
  }
  /// The same with errors relative to `scale`: the size of what is summed, for backward errors.
  void compare(const std::string& what, const Eigen::MatrixXd& ours, const Eigen::MatrixXd& theirs,
               double scale) {
    const double error = (ours - theirs).cwiseAbs().maxCoeff() / scale;
    Entry& entry = entries_[what];
    ++entry.count;
    entry.error = std::max(entry.error, error);
    EXPECT_TRUE(error <= tolerance_ && ours.allFinite() && theirs.allFinite())
        << what << " of " << where_ << " differs from " << peer_ << " by " << error << " of "
        << scale << ", tolerance " << tolerance_ << "\nours\n"
        << ours << "\ntheirs\n"
        << theirs;
  }

 private:
  struct Entry {
    int count = 0;
    double error = 0;
  };

  std::string peer_, where_;
  double tolerance_;
  std::map<std::string, Entry> entries_;
};

}  // namespace jounce::test

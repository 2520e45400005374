// SPDX-License-Identifier: BSD-3-Clause
// Laws on random states that say of how many they were checked: a state that is nearly singular is
// left out, and with it, by and by, a law that nobody misses.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace jounce::test {

/// Seeds of random states. A suite fails that leaves out more than half of those of one of its
/// tests.
class CountedStates : public testing::TestWithParam<int> {
 protected:
  static void SetUpTestSuite() { counts_.clear(); }
  static void TearDownTestSuite() {
    for (const auto& [test, count] : counts_)
      EXPECT_GE(2 * count.compared, count.all) << test << ": states that were compared, and all";
  }
  /// Whether a state can be compared, which is counted.
  static bool compares(bool possible) {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    Count& count = counts_[name.substr(0, name.find('/'))];
    ++count.all;
    count.compared += possible;
    return possible;
  }

 private:
  struct Count {
    int compared = 0, all = 0;
  };
  static inline std::map<std::string, Count> counts_;
};

}  // namespace jounce::test

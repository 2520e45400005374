// SPDX-License-Identifier: BSD-3-Clause
// Counts the allocations of a thread, to prove that hot calls make none.
//
// Linking allocation_guard.cpp replaces the global operators new and delete. An allocation inside
// a NoAllocation scope is a test failure when the scope ends.
#pragma once

namespace jounce::test {

/// How often this thread has called any operator new so far.
long allocations_of_this_thread() noexcept;

class NoAllocation {
 public:
  NoAllocation() : before_(allocations_of_this_thread()) {}
  NoAllocation(const NoAllocation&) = delete;
  NoAllocation& operator=(const NoAllocation&) = delete;
  ~NoAllocation();

  /// Allocations of this thread since the scope began.
  long count() const { return allocations_of_this_thread() - before_; }

 private:
  long before_;
};

}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// Proves that the allocation guard sees every form of new and malloc, and that the group makes no
// allocation.
#include "support/allocation_guard.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "support/random.hpp"
#include "support/sanitized.hpp"

namespace jounce::test {
namespace {

/// Keeps the optimiser from removing an allocation whose result nobody reads.
void* volatile sink;

void grow_a_vector() {
  std::vector<double> v;
  v.push_back(1);
  sink = v.data();
}

struct alignas(64) Wide {
  double x[8];
};

TEST(AllocationGuard, PlantedViolationFailsTheTest) {
  EXPECT_NONFATAL_FAILURE(
      {
        NoAllocation scope;
        grow_a_vector();
      },
      "1 allocation(s)");
}

template <class F>
long allocations_of(F f) {
  const long before = allocations_of_this_thread();
  f();
  return allocations_of_this_thread() - before;
}

TEST(AllocationGuard, CountsEveryFormOfNew) {
  EXPECT_EQ(allocations_of(grow_a_vector), 1);
  EXPECT_EQ(allocations_of([] { sink = std::make_unique<double>(1).get(); }), 1);
  EXPECT_EQ(allocations_of([] { sink = std::make_unique<double[]>(3).get(); }), 1);
  EXPECT_EQ(allocations_of([] { sink = std::make_unique<Wide>().get(); }), 1);
  EXPECT_EQ(allocations_of([] { sink = std::make_unique<Wide[]>(3).get(); }), 1);
  EXPECT_EQ(allocations_of([] {
              void* plain = ::operator new(8, std::nothrow);
              void* array = ::operator new[](8, std::nothrow);
              sink = plain;
              sink = array;
              ::operator delete(plain, std::nothrow);
              ::operator delete[](array, std::nothrow);
            }),
            2);
}

#if defined(__GLIBC__) && !defined(JOUNCE_SANITIZED)
TEST(AllocationGuard, CountsWhatIsAskedOfC) {
  const auto use = [](void* memory) {
    sink = memory;
    std::free(memory);
  };
  EXPECT_EQ(allocations_of([&] { use(std::malloc(8)); }), 1);
  EXPECT_EQ(allocations_of([&] { use(std::calloc(8, 8)); }), 1);
  EXPECT_EQ(allocations_of([&] { use(std::aligned_alloc(64, 64)); }), 1);
}
#endif

TEST(AllocationGuard, AlignedMemoryIsAligned) {
  for (int n : {1, 2, 7}) {
    const auto memory = std::make_unique<Wide[]>(n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.get()) % alignof(Wide), 0u);
  }
}

TEST(AllocationGuard, OtherThreadsDoNotCount) {
  long here = -1, there = -1;
  const auto work = [&there] { there = allocations_of(grow_a_vector); };
  const long before = allocations_of_this_thread();
  std::thread thread(work);
  const long started = allocations_of_this_thread();
  thread.join();
  here = allocations_of_this_thread() - started;
  EXPECT_GE(started, before);
  EXPECT_EQ(here, 0);
  EXPECT_EQ(there, 1);
}

TEST(AllocationGuard, TheGroupDoesNotAllocate) {
  Random rng(1);
  const Twist<double> X = rng.twist(), Y = rng.twist();
  const Wrench<double> F = rng.wrench();
  const Inertia<double> G = rng.inertia();
  double checksum = 0;
  {
    NoAllocation scope;
    const SE3<double> T = exp(X);
    const Twist<double> Z = Ad(T, Ad_inv(T, dexp_body(X, Y))) + log(T) + dexp_body_inv(X, Y);
    const Wrench<double> H = dual_Ad(T, F) + push_forward(T, G) * ad(X, Z);
    checksum = dot(H, solve(push_forward(T, ArticulatedInertia<double>(G)), F));
    EXPECT_EQ(scope.count(), 0);
  }
  EXPECT_TRUE(std::isfinite(checksum));
}

TEST(AllocationGuard, SeriesAndPacksDoNotAllocate) {
  using Real = Taylor<Pack<double, 4>, 3>;
  Random rng(2);
  const Twist<Real> X = rng.twist<Real>();
  NoAllocation scope;
  const Twist<Real> Y = log(exp(X));
  EXPECT_EQ(scope.count(), 0);
  EXPECT_TRUE(std::isfinite(value_of(Y.w.x)));
}

}  // namespace
}  // namespace jounce::test

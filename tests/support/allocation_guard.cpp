// SPDX-License-Identifier: BSD-3-Clause
// Global operators new and delete that count, and malloc and calloc too where they can be replaced:
// Eigen calls the one, the library's matrices the other. Sanitizers bring their own; there only new
// is counted.
#include "support/allocation_guard.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "support/sanitized.hpp"

namespace {

thread_local long allocations = 0;

}  // namespace

#if defined(__GLIBC__) && !defined(JOUNCE_SANITIZED)
extern "C" {
void* __libc_malloc(std::size_t size);                           // NOLINT: glibc's own names
void* __libc_calloc(std::size_t count, std::size_t size);        // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT
void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++allocations;
  return __libc_calloc(count, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}
constexpr int counted_by_new = 0;
#else
constexpr int counted_by_new = 1;
#endif

namespace {

void* allocate(std::size_t size) noexcept {
  allocations += counted_by_new;
  return std::malloc(size > 0 ? size : 1);
}
void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
  allocations += counted_by_new;
  const auto step = static_cast<std::size_t>(alignment);
  const std::size_t unit = step < sizeof(void*) ? sizeof(void*) : step;
  return std::aligned_alloc(unit, (size + unit) / unit * unit);
}
void* checked(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

namespace jounce::test {

long allocations_of_this_thread() noexcept { return allocations; }

NoAllocation::~NoAllocation() {
  if (const long n = count(); n != 0) ADD_FAILURE() << n << " allocation(s) where none is allowed";
}

}  // namespace jounce::test

void* operator new(std::size_t size) { return checked(allocate(size)); }
void* operator new[](std::size_t size) { return checked(allocate(size)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return checked(allocate(size, alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return checked(allocate(size, alignment));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, alignment);
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}

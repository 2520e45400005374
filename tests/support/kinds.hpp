// SPDX-License-Identifier: BSD-3-Clause
// A law on several kinds of number in one test: far less to compile than a typed test for each.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace jounce::test {

template <class... Real>
struct Kinds {};

[[gnu::noinline]] inline void on_kind(const std::string& name, void (*law)()) {
  SCOPED_TRACE(name);
  law();
}
/// law<Real>() of every kind, of a lambda that captures nothing; a failure names the kind.
template <class... Real, class Law>
void on_every(Kinds<Real...>, Law) {
  (on_kind(testing::internal::GetTypeName<Real>(), [] { Law().template operator()<Real>(); }), ...);
}

}  // namespace jounce::test

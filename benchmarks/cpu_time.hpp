// SPDX-License-Identifier: BSD-3-Clause
// The time a call takes on its processor, whatever else runs on the machine.
#pragma once

#include <algorithm>
#include <ctime>

namespace jounce::bench {

/// Seconds of processor time of this thread.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// Nanoseconds of processor time of one call of f: the fastest of many batches.
template <class F>
double cpu_nanoseconds(F f, double seconds) {
  const auto time = [&](long calls) {
    const double start = thread_seconds();
    for (long k = 0; k < calls; ++k) f();
    return thread_seconds() - start;
  };
  long calls = 1;
  while (time(calls) < 5e-5) calls *= 2;
  double best = 1e300;
  const double start = thread_seconds();
  do best = std::min(best, time(calls) / double(calls));
  while (thread_seconds() - start < seconds);
  return best * 1e9;
}

}  // namespace jounce::bench

// SPDX-License-Identifier: BSD-3-Clause
// Times of several ways to the same in turn, so that all of them meet the machine as it is.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "benchmarks/cpu_time.hpp"

namespace jounce::bench {

using StateCall = std::function<void(size_t state)>;

/// Nanoseconds of processor time of one call of each: the median of so many batches, each of at
/// least 0.12 ms, the calls in turn. States are gone through one after the other. A batch starts
/// with a call that is not counted: it finds the caches full of what another side left there.
inline std::vector<double> interleaved(std::span<const StateCall> calls, size_t states,
                                       int batches) {
  struct Side {
    long count = 1;
    size_t state = 0;
    std::vector<double> times;
  };
  std::vector<Side> sides(calls.size());
  const auto time = [&](size_t which) {
    Side& side = sides[which];
    const StateCall& call = calls[which];
    const auto next = [&] {
      call(side.state);
      if (++side.state == states) side.state = 0;
    };
    next();
    const double start = thread_seconds();
    for (long k = 0; k < side.count; ++k) next();
    return thread_seconds() - start;
  };
  for (size_t k = 0; k < calls.size(); ++k)
    while (time(k) < 1.2e-4) sides[k].count *= 2;
  for (int batch = 0; batch < batches; ++batch)
    for (size_t k = 0; k < calls.size(); ++k)
      sides[k].times.push_back(1e9 * time(k) / double(sides[k].count));
  std::vector<double> medians;
  for (Side& side : sides) {
    const auto middle = side.times.begin() + batches / 2;
    std::nth_element(side.times.begin(), middle, side.times.end());
    medians.push_back(*middle);
  }
  return medians;
}

}  // namespace jounce::bench

// SPDX-License-Identifier: BSD-3-Clause
// The processor's peak, which the table's fractions refer to.
#include <algorithm>

#include "benchmarks/bench.hpp"
#include "benchmarks/pack_kernels.hpp"

namespace jounce::bench {
namespace {

double peak_gflops(const PeakKernel& kernel) {
  constexpr int rounds = 2000;
  double flops = 0;
  const double ns = nanoseconds([&] { flops = kernel(rounds); });
  return flops / ns;
}

}  // namespace

double peak_gflops_double() {
  static const double peak = peak_gflops(pack_kernels().peak_double);
  return peak;
}
double peak_gflops_float() {
  static const double peak = peak_gflops(pack_kernels().peak_float);
  return peak;
}

Row with_peak(Row row) {
  const double peak = row.mode == "batch32" ? peak_gflops_float() : peak_gflops_double();
  if (row.flops > 0) row.peak_fraction = row.flops / row.ns / peak;
  return row;
}

}  // namespace jounce::bench

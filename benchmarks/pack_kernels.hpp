// SPDX-License-Identifier: BSD-3-Clause
// Kernels on packs that exist once per instruction set, and the choice between them.
#pragma once

#include <jounce/model/model.hpp>

namespace jounce::bench {

/// Nanoseconds per state, of so many states in step.
struct DynamicsTimes {
  static constexpr int lanes = 8;
  double inverse, forward, mass;
};

/// Runs independent multiply-adds and returns how many operations it did.
using PeakKernel = double (*)(int rounds);

struct PackKernels {
  void (*sincos_double)(int n, const double* x, double* s, double* c);  ///< n a multiple of 8
  void (*sincos_float)(int n, const float* x, float* s, float* c);      ///< n a multiple of 16
  void (*exp_double)(int n, const double* x, double* y);  ///< 8 twists of 6 in, 12 numbers out
  PeakKernel peak_double;
  PeakKernel peak_float;
  DynamicsTimes (*dynamics)(const Model<double>& m, const double* q);
};

/// The kernels for this processor.
const PackKernels& pack_kernels();

}  // namespace jounce::bench

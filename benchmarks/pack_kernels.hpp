// SPDX-License-Identifier: BSD-3-Clause
// Kernels on packs that exist once per instruction set, and the choice between them.
#pragma once

namespace jounce::bench {

/// Runs independent multiply-adds and returns how many operations it did.
using PeakKernel = double (*)(int rounds);

struct PackKernels {
  void (*sincos_double)(int n, const double* x, double* s, double* c);  ///< n a multiple of 8
  void (*sincos_float)(int n, const float* x, float* s, float* c);      ///< n a multiple of 16
  void (*exp_double)(int n, const double* x, double* y);  ///< 8 twists of 6 in, 12 numbers out
  PeakKernel peak_double;
  PeakKernel peak_float;
};

/// The kernels for this processor.
const PackKernels& pack_kernels();

}  // namespace jounce::bench

// SPDX-License-Identifier: BSD-3-Clause
// Newton's method, scans and paths of Gough-Stewart platforms, compiled once per instruction set;
// see kernels/kernels.hpp.
#pragma once

namespace jounce {

namespace stewart_detail {
struct Homotopy;
struct Path;
struct TrackOptions;
}  // namespace stewart_detail

/// The six legs in lanes, coordinate by coordinate; lanes 6 and 7 repeat leg 6. Platform points are
/// relative to their centre.
struct StewartLegs {
  alignas(64) double a[3][8], b[3][8];
  double size;
};

/// A pose of the platform's centre, what Newton's method may do, and what came out.
struct StewartNewton {
  double q[4];  ///< unit quaternion x, y, z, w
  double p[3];
  double R[9];  ///< of q, by rows; written by the kernel
  double tolerance;
  int max_iterations;
  int iterations;      ///< linear systems solved
  double error;        ///< largest |(|leg|^2 - L^2) / (2 L)|, the error of a length near zero
  double determinant;  ///< of the last system, each row divided by its leg; 0 before the first
  bool converged;
};

/// Geometry and limits of a scan. Cosines below -1 limit nothing.
struct StewartScan {
  double a[6][3], b[6][3], c[3];
  double shortest2[6], longest2[6];
  double base_axis[6][3], platform_axis[6][3];
  double cos_base, cos_platform;
  double inverse_size;
  double least_determinant;
  double sign;  ///< 0: either
};

struct StewartKernels {
  void (*newton)(const StewartLegs& legs, const double* lengths, StewartNewton& state);
  /// Eight poses per block: 12 rows (R by rows, p) of 8 numbers. flags: sums of reach::.
  void (*scan)(const StewartScan& scan, const double* poses, int blocks, unsigned char* flags,
               double* determinants);
  /// Follows paths[0..count).
  void (*track_paths)(const stewart_detail::Homotopy& homotopy,
                      const stewart_detail::TrackOptions& options, stewart_detail::Path* paths,
                      int count);
};

/// The kernels for this processor.
const StewartKernels& stewart_kernels();

}  // namespace jounce

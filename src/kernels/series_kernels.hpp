// SPDX-License-Identifier: BSD-3-Clause
// The recursions of higher order, compiled once per instruction set; see kernels.hpp.
#pragma once

namespace kernel_interface {

/// model: Model<double>, workspace: SeriesWorkspace<double>, lanes: SeriesLanes.
struct SeriesKernels {
  /// start_series and start_ground. V_0: Twist<double>[order + 2], or null for a ground at rest.
  void (*start)(const void* model, const double* q, const void* V_0, int order, void* workspace);
  void (*twists)(const void* model, const double* q, int last, void* workspace);
  void (*forces)(const void* model, int order, void* workspace);
  void (*hybrid_start)(const void* model, const double* q, void* workspace);
  void (*hybrid_step)(const void* model, const double* q, const bool* prescribed, int k,
                      void* workspace);

  // The same in lanes, after start_ground; null where registers are too short to gain by it.
  void (*start_ground)(const void* model, const void* V_0, int order, void* workspace);
  void (*inverse_in_lanes)(const void* model, const double* q, int order, bool external,
                           void* workspace, void* lanes);
  void (*hybrid_start_in_lanes)(const void* model, const double* q, const bool* prescribed,
                                int order, void* workspace, void* lanes);
  void (*hybrid_step_in_lanes)(const void* model, const double* q, const bool* prescribed, int k,
                               bool external, void* workspace, void* lanes);
};

/// The kernels for this processor.
const SeriesKernels& series_kernels();

}  // namespace kernel_interface

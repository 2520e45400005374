// SPDX-License-Identifier: BSD-3-Clause
// The recursions of higher order for one instruction set; compiled once for each.
#include "kernels/lanes/hybrid_series_in_lanes.hpp"
#include "kernels/series_kernels.hpp"

namespace jounce {
namespace {

const Model<double>& model_of(const void* x) { return *static_cast<const Model<double>*>(x); }
SeriesWorkspace<double>& workspace_of(void* x) { return *static_cast<SeriesWorkspace<double>*>(x); }
SeriesLanes& lanes_of(void* x) { return *static_cast<SeriesLanes*>(x); }

void start(const void* model, const double* q, const void* V_0, int order, void* workspace) {
  start_series(model_of(model), q, workspace_of(workspace));
  start_ground(model_of(model), static_cast<const Twist<double>*>(V_0), order,
               workspace_of(workspace));
}
void twists(const void* model, const double* q, int last, void* workspace) {
  forward_twist_series(model_of(model), q, last, workspace_of(workspace));
}
void forces(const void* model, int order, void* workspace) {
  inverse_force_series(model_of(model), order, workspace_of(workspace));
}
void hybrid_start(const void* model, const double* q, void* workspace) {
  start_hybrid_series(model_of(model), q, workspace_of(workspace));
}
void hybrid_step(const void* model, const double* q, const bool* prescribed, int k,
                 void* workspace) {
  hybrid_series_step(model_of(model), q, prescribed, k, workspace_of(workspace));
}

void ground(const void* model, const void* V_0, int order, void* workspace) {
  start_ground(model_of(model), static_cast<const Twist<double>*>(V_0), order,
               workspace_of(workspace));
}
[[maybe_unused]] void inverse_in_lanes(const void* model, const double* q, int order, bool external,
                                       void* workspace, void* lanes) {
  inverse_series_in_lanes(model_of(model), q, order, external, workspace_of(workspace),
                          lanes_of(lanes));
}
[[maybe_unused]] void hybrid_start_in_lanes(const void* model, const double* q,
                                            const bool* prescribed, int order, void* workspace,
                                            void* lanes) {
  start_hybrid_series_in_lanes(model_of(model), q, prescribed, order, workspace_of(workspace),
                               lanes_of(lanes));
}
[[maybe_unused]] void hybrid_step_in_lanes(const void* model, const double* q,
                                           const bool* prescribed, int k, bool external,
                                           void* workspace, void* lanes) {
  hybrid_series_step_in_lanes(model_of(model), q, prescribed, k, external, workspace_of(workspace),
                              lanes_of(lanes));
}

}  // namespace

void fill_series_kernels(kernel_interface::SeriesKernels& k) {
  k = {start, twists, forces, hybrid_start, hybrid_step, ground, nullptr, nullptr, nullptr};
  if constexpr (register_bytes(native_isa) >= 32) {
    k.inverse_in_lanes = inverse_in_lanes;
    k.hybrid_start_in_lanes = hybrid_start_in_lanes;
    k.hybrid_step_in_lanes = hybrid_step_in_lanes;
  }
}

}  // namespace jounce

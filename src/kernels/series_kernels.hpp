// SPDX-License-Identifier: BSD-3-Clause
// The recursions of higher order, compiled once per instruction set; see kernels.hpp.
#pragma once

#include <jounce/model/model.hpp>

namespace jounce {

struct SeriesLanes;
template <class Real>
struct SeriesWorkspace;

struct SeriesKernels {
  /// start_series and start_ground. V_0: [order + 2], or null for a ground at rest.
  void (*start)(const Model<double>& m, const double* q, const Twist<double>* V_0, int order,
                SeriesWorkspace<double>& w);
  void (*twists)(const Model<double>& m, const double* q, int last, SeriesWorkspace<double>& w);
  void (*forces)(const Model<double>& m, int order, SeriesWorkspace<double>& w);
  void (*hybrid_start)(const Model<double>& m, const double* q, SeriesWorkspace<double>& w);
  void (*hybrid_step)(const Model<double>& m, const double* q, const bool* prescribed, int k,
                      SeriesWorkspace<double>& w);

  // The same in lanes, after start_ground; null where registers are too short to gain by it.
  void (*start_ground)(const Model<double>& m, const Twist<double>* V_0, int order,
                       SeriesWorkspace<double>& w);
  /// Twists up to `order`, poses and screws up to order + 1, after V[0] is set; start_ground is
  /// not asked for.
  void (*kinematics_in_lanes)(const Model<double>& m, const double* q, int order,
                              SeriesWorkspace<double>& w, SeriesLanes& lanes);
  /// The pose in the ground of a body, at the instant itself, after twists or hybrid_start. placed:
  /// [bodies] not 0 where the workspace has it.
  SE3<double> (*body_pose_in_lanes)(const Model<double>& m, int body, const int* placed,
                                    const SeriesWorkspace<double>& w, const SeriesLanes& lanes);
  // Wrenches from outside are taken off the lanes' forces between twists and forces.
  void (*inverse_twists_in_lanes)(const Model<double>& m, const double* q, int order,
                                  SeriesWorkspace<double>& w, SeriesLanes& lanes);
  void (*inverse_forces_in_lanes)(const Model<double>& m, int order, SeriesWorkspace<double>& w,
                                  SeriesLanes& lanes);
  void (*hybrid_start_in_lanes)(const Model<double>& m, const double* q, const bool* prescribed,
                                int order, SeriesWorkspace<double>& w, SeriesLanes& lanes);
  void (*hybrid_step_in_lanes)(const Model<double>& m, const double* q, const bool* prescribed,
                               int k, bool external, SeriesWorkspace<double>& w,
                               SeriesLanes& lanes);
};

/// The kernels for this processor.
const SeriesKernels& series_kernels();

}  // namespace jounce

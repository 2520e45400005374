// SPDX-License-Identifier: BSD-3-Clause
// The hot algorithms for one instruction set; compiled once for each, in a namespace of its own.
#include <jounce/algorithm/crba.hpp>
#include <jounce/algorithm/hybrid.hpp>
#include <jounce/algorithm/jacobian.hpp>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/algorithm/path_jacobian.hpp>

#include "kernels/kernels.hpp"
#include "kernels/lanes/aba_in_lanes.hpp"
#include "kernels/lanes/crba_in_lanes.hpp"

namespace jounce {
namespace {

template <class T>
const T& as(const void* x) {
  return *static_cast<const T*>(x);
}
template <class T>
T& as(void* x) {
  return *static_cast<T*>(x);
}

void poses(const void* model, const void* state, void* workspace, void* wide) {
  const auto& m = as<Model<double>>(model);
  const auto& x = as<State<double>>(state);
  auto& w = as<Workspace<double>>(workspace);
  if constexpr (register_bytes(native_isa) >= 32)
    forward_poses_in_lanes(m, x, w, static_cast<WidePose*>(wide));
  else forward_poses(m, x, w);
}
void twists(const void* model, const void* state, void* workspace) {
  forward_twists(as<Model<double>>(model), as<State<double>>(state),
                 as<Workspace<double>>(workspace));
}
void accelerations(const void* model, const void* state, void* workspace) {
  forward_accelerations(as<Model<double>>(model), as<State<double>>(state),
                        as<Workspace<double>>(workspace));
}
void jacobian_of(const void* model, const void* workspace, int body, const void* offset, int in,
                 double* J) {
  jacobian(as<Model<double>>(model), as<Workspace<double>>(workspace), body,
           as<SE3<double>>(offset), Representation(in), J);
}

void rnea_of(const void* model, const void* state, void* workspace, const void* body,
             const void* room) {
  const auto& m = as<Model<double>>(model);
  const auto& x = as<State<double>>(state);
  auto& w = as<Workspace<double>>(workspace);
  if constexpr (register_bytes(native_isa) >= 32)
    rnea_in_lanes(m, x, w, &as<LaneBody>(body), as<LaneRoom>(room));
  else rnea(m, x, w);
}
void aba_of(const void* model, const void* state, void* workspace, const void* body,
            const void* room) {
  const auto& m = as<Model<double>>(model);
  const auto& x = as<State<double>>(state);
  auto& w = as<Workspace<double>>(workspace);
  if constexpr (register_bytes(native_isa) >= 32)
    aba_in_lanes(m, x, w, &as<LaneBody>(body), as<LaneRoom>(room));
  else aba(m, x, w);
}
void hybrid_of(const void* model, const void* state, const bool* prescribed, void* workspace) {
  hybrid(as<Model<double>>(model), as<State<double>>(state), prescribed,
         as<Workspace<double>>(workspace));
}
void crba_of(const void* model, const void* state, void* workspace, const void* body,
             const void* room, void* pose, void* composite, double* M) {
  const auto& m = as<Model<double>>(model);
  const auto& x = as<State<double>>(state);
  auto& w = as<Workspace<double>>(workspace);
  if constexpr (register_bytes(native_isa) >= 32) {
    crba_in_lanes(m, x, w, &as<LaneBody>(body), as<LaneRoom>(room), static_cast<WidePose*>(pose),
                  M);
  } else {
    move_angles(m, x, w);
    for (int i = 1; i < m.bodies; ++i) move_joint(m, x, i, w);
    crba(m, w, static_cast<Inertia<double>*>(composite), M);
  }
}

void path_jacobian_of(const void* model, const void* state, void* workspace, int body,
                      const void* offset, int in, double* J) {
  path_jacobian(as<Model<double>>(model), as<State<double>>(state),
                as<Workspace<double>>(workspace), body, as<SE3<double>>(offset), Representation(in),
                J);
}

}  // namespace

void fill_kernels(kernel_interface::Kernels& k) {
  k = {.poses = poses,
       .twists = twists,
       .accelerations = accelerations,
       .jacobian = jacobian_of,
       .rnea = rnea_of,
       .aba = aba_of,
       .hybrid = hybrid_of,
       .crba = crba_of,
       .path_jacobian = path_jacobian_of};
}

}  // namespace jounce

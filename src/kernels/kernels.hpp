// SPDX-License-Identifier: BSD-3-Clause
// The hot algorithms, compiled once per instruction set and chosen at run time.
//
// A kernel file is compiled with the namespace jounce renamed (jounce_avx2, ...), so that no
// function of one build can stand in for that of another. Types therefore cross as plain pointers:
// both sides include the same headers and agree on every layout.
#pragma once

namespace kernel_interface {

struct Kernels {
  /// forward_poses. model: Model<double>, state: State<double>, workspace: Workspace<double>,
  /// wide: WidePose[bodies].
  void (*poses)(const void* model, const void* state, void* workspace, void* wide);
  void (*twists)(const void* model, const void* state, void* workspace);
  void (*accelerations)(const void* model, const void* state, void* workspace);
  /// jacobian. offset: SE3<double>; in: Representation as a number.
  void (*jacobian)(const void* model, const void* workspace, int body, const void* offset, int in,
                   double* J);
  /// rnea, aba: only tau and a, and the factors D, are left. body: LaneBody[bodies], room:
  /// LaneRoom.
  void (*rnea)(const void* model, const void* state, void* workspace, const void* body,
               const void* room);
  void (*aba)(const void* model, const void* state, void* workspace, const void* body,
              const void* room);
  void (*hybrid)(const void* model, const void* state, const bool* prescribed, void* workspace);
  /// crba, from the state. pose: WidePose[bodies], composite: Inertia<double>[bodies]; M is zero
  /// where it is for every q.
  void (*crba)(const void* model, const void* state, void* workspace, const void* body,
               const void* room, void* pose, void* composite, double* M);
  /// ltdl_factor and ltdl_inverse. pattern: MassPattern.
  void (*ltdl_factor)(const void* pattern, double* M);
  void (*ltdl_inverse)(const void* pattern, const double* LD, double* X, double* Y,
                       double* inverse);
  void (*factor_articulated)(const void* model, const void* state, void* workspace);
  void (*articulated_solve)(const void* model, const double* tau, void* workspace, double* a);
  /// articulated_inverse. room: InverseRoom.
  void (*articulated_inverse)(const void* model, const void* workspace, const void* room,
                              int stride, double* inverse);
  /// path_jacobian. offset: SE3<double>.
  void (*path_jacobian)(const void* model, const void* state, void* workspace, int body,
                        const void* offset, int in, double* J);
  /// coriolis. factorization: Factorization as a number; room: SubtreeRoom<double>.
  void (*coriolis)(const void* model, const void* state, const void* workspace, int factorization,
                   void* room, double* C, double* Mdot);
  /// regressor_in_lanes. link: LinkUnits[links], V_r and S: Twist<double>[bodies] and [nv].
  void (*regressor)(const void* model, const void* state, const double* v_r, int factorization,
                    const void* link, int links, void* workspace, void* V_r, void* S, double* Y);
  /// rnea_derivatives, from the state. lanes: DerivativeLanes, used where `simple`: no custom
  /// joint, no wrench in ground axes. room: DerivativeRoom<double>, out:
  /// InverseDerivatives<double>.
  void (*inverse_derivatives)(const void* model, const void* state, void* workspace,
                              const void* body, void* pose, const void* lanes, bool simple,
                              void* room, const void* out);
  /// rnea_vector_jacobian and rnea_jacobian_vector, from the state. sums: ProductRoom<double>, out:
  /// InverseDerivatives<double>, along: InverseDerivatives<const double>.
  void (*vector_jacobian)(const void* model, const void* state, void* workspace, const double* y,
                          void* room, void* sums, const void* out);
  void (*jacobian_vector)(const void* model, const void* state, void* workspace, const void* along,
                          void* room, void* sums, double* tau);
  /// minus_inverse_times. related: RelatedCoordinates.
  void (*minus_inverse_times)(const void* related, const double* inverse, int stride,
                              const double* dq, const double* dv, double* a_dq, double* a_dv);
  /// rnea_second_derivatives and rnea_second_products, from the state. lanes: SecondLanes, second:
  /// SecondRoom<double>, out: SecondDerivatives<double>.
  void (*second_derivatives)(const void* model, const void* state, void* workspace,
                             const void* body, void* pose, const void* lanes, void* room,
                             void* second, const void* out);
  void (*second_products)(const void* model, const void* state, void* workspace, const double* y,
                          void* room, void* sums, void* second, const void* out);
};

/// The kernels for this processor.
const Kernels& kernels();

}  // namespace kernel_interface

// SPDX-License-Identifier: BSD-3-Clause
// The hot algorithms, compiled once per instruction set and chosen at run time.
//
// A kernel file is compiled once for each, its functions in an inline namespace of their own
// (avx2_kernels, ...), so that none of one build can stand in for that of another. Types are the
// same in all builds (jounce/scalar/isa.hpp).
#pragma once

#include <jounce/model/model.hpp>

namespace jounce {

namespace lanes {
struct Pose;
}
struct ArticulatedColumns;
struct ClusterCall;
struct ClusterContacts;
struct ClusterPivots;
struct ClusterResponses;
struct ColumnBlock;
struct ConstrainedBodies;
struct ConstrainedColumns;
struct ConstrainedResponse;
struct ConstrainedProducts;
enum class Factorization : unsigned char;
enum class FrameQuantity : unsigned char;
enum class Representation : unsigned char;
struct DerivativeLanes;
struct LaneBody;
struct KernelRoom;
struct LinkUnits;
struct LoopClusters;
struct MassPattern;
struct RelatedCoordinates;
struct SecondLanes;
struct SixByQr;
template <class Real>
struct ConstrainedFactors;
template <class Real>
struct DerivativeRoom;
template <class Real>
struct EnergyGradients;
template <class Real>
struct FramePartials;
template <class Real>
struct InversePartials;
template <class Real>
struct LoopDerivatives;
template <class Real>
struct LoopRows;
template <class P>
struct Loops;
template <class Real>
struct MomentumPartials;
template <class Real>
struct PivotRange;
template <class Real>
struct ProductRoom;
template <class Real>
struct SecondPartials;
template <class Real>
struct SecondRoom;
template <class Real>
struct SubtreeRoom;

template <class P>
struct System;

struct Kernels {
  /// forward_poses. wide: [bodies].
  void (*poses)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                lanes::Pose* wide);
  /// forward_motion: twists alone, or accelerations too.
  void (*twists)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                 const KernelRoom& room);
  void (*motions)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                  const KernelRoom& room);
  void (*jacobian)(const Model<double>& m, const Workspace<double>& w, int body,
                   const SE3<double>& offset, Representation in, double* J);
  void (*jacobian_rate)(const Model<double>& m, const Workspace<double>& w, int body,
                        const SE3<double>& offset, Representation in, double* J);
  /// inverse_dynamics, forward_dynamics, hybrid_dynamics and mass_matrix, on vectors in registers
  /// or, where those are too small, of three numbers.
  bool in_registers;
  void (*inverse)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                  const KernelRoom& room);
  /// The same with w.F of all bodies.
  void (*inverse_with_wrenches)(const Model<double>& m, const State<double>& x,
                                Workspace<double>& w, const KernelRoom& room);
  void (*forward)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                  const KernelRoom& room);
  void (*mass)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
               const KernelRoom& room, double* M);
  /// Factors of its lower triangle in the pattern's rows, with as much room behind them.
  void (*mass_factors)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                       const KernelRoom& room, const MassPattern& pattern, double* LD,
                       double* diagonal);
  /// Of a model with several anchors after poses.
  void (*centroidal_matrix)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                            const KernelRoom& room, double* A);
  /// M, and what inverse gives where x.a is zero.
  void (*mass_and_bias)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                        const KernelRoom& room, double* M);
  void (*hybrid)(const Model<double>& m, const State<double>& x, const bool* prescribed,
                 Workspace<double>& w, const KernelRoom& room);
  void (*ltdl_factor)(const MassPattern& pattern, double* M);
  void (*ltdl_solve)(const MassPattern& pattern, const double* LD, double* x);
  void (*ltdl_solve_beside)(const MassPattern& pattern, const double* LD, bool whole, double* x);
  void (*ltdl_inverse)(const MassPattern& pattern, const double* LD, double* inverse);
  void (*six_by_qr)(int n, double* A, double* Q, SixByQr& found);
  void (*six_by_six)(int count, const double (*columns)[8], double* sum);
  void (*factor_articulated)(const Model<double>& m, const State<double>& x, Workspace<double>& w);
  void (*articulated_solve)(const Model<double>& m, const double* tau, Workspace<double>& w,
                            double* a);
  void (*turn_joints)(const Model<double>& m, const Workspace<double>& w,
                      const ArticulatedColumns& room);
  void (*articulated_inverse)(const Model<double>& m, const Workspace<double>& w,
                              const ArticulatedColumns& room, int stride, double* inverse);
  /// For eight right-hand sides side by side.
  void (*articulated_beside)(const Model<double>& m, const Workspace<double>& w,
                             const ArticulatedColumns& room, double* x);
  void (*articulated_times)(const Model<double>& m, const Workspace<double>& w,
                            const ArticulatedColumns& room, double sign, const ColumnBlock& x,
                            double* to, int to_stride);
  void (*path_jacobian)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                        const KernelRoom& room, int body, const SE3<double>& offset,
                        Representation in, double* J);
  void (*path_derivatives)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                           const KernelRoom& room, int body, const SE3<double>& offset,
                           FrameQuantity quantity, Representation in,
                           const FramePartials<double>& out);
  /// Of a model with several anchors after poses.
  void (*momentum_derivatives)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                               const KernelRoom& room, const MomentumPartials<double>& out);
  void (*energy_gradients)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                           const KernelRoom& room, const EnergyGradients<double>& out);
  /// After poses, but in registers not for Christoffel's.
  void (*coriolis)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                   Factorization f, SubtreeRoom<double>& subtrees, const KernelRoom& room,
                   double* C, double* Mdot);
  /// A and A a + Adot v, from the state of the tree.
  void (*loop_rows)(const System<double>& s, const Loops<double>& all, const State<double>& x,
                    Workspace<double>& w, const LoopRows<double>& to);
  /// After loop_rows at the same q.
  void (*loop_derivatives)(const System<double>& s, const Loops<double>& all,
                           const State<double>& x, const Workspace<double>& w, const double* lambda,
                           const LoopDerivatives<double>& to);
  PivotRange<double> (*constrained_factor)(const ConstrainedFactors<double>& f);
  void (*constrained_solve)(const ConstrainedFactors<double>& f, double* x, double* nu);
  void (*constrained_finish)(const ConstrainedFactors<double>& f, double* x, double* nu);
  /// The same with the factors of articulated bodies.
  PivotRange<double> (*constrained_bodies_factor)(const Model<double>& m,
                                                  const Workspace<double>& w,
                                                  const ConstrainedBodies& f);
  void (*constrained_bodies_solve)(const Model<double>& m, Workspace<double>& w,
                                   const ConstrainedBodies& f, double* x, double* nu);
  ClusterPivots (*solve_clusters)(const Model<double>& m, const Loops<double>& loops,
                                  const LoopClusters& all, const ClusterCall& call,
                                  const State<double>& x, Workspace<double>& w,
                                  const KernelRoom& room);
  ClusterPivots (*factor_clusters)(const Model<double>& m, const LoopClusters& all,
                                   const ClusterResponses& to, const State<double>& x,
                                   Workspace<double>& w, const KernelRoom& room);
  /// The same equations for constrained_columns right-hand sides, n numbers each and `width` more,
  /// and, where nothing touches, for eight that lie beside one another. base: [clusters][6] of as
  /// many.
  void (*solve_cluster_columns)(const ClusterResponses& all, const ClusterContacts& contacts, int n,
                                int width, const ConstrainedColumns& columns, double* base);
  void (*solve_clusters_beside)(const ClusterResponses& all, double* x, double* nu, double* base);
  void (*constrained_solve_columns)(const ConstrainedFactors<double>& f,
                                    const ConstrainedColumns& columns);
  void (*constrained_response)(const ConstrainedFactors<double>& f, const ConstrainedResponse& to);
  bool (*constrained_by_force)(const ConstrainedResponse& in, double* x, double* nu, int nu_stride);
  bool (*constrained_products)(const ConstrainedResponse& in, const ConstrainedProducts& products);
  /// link: [links], V_r: [bodies].
  void (*regressor)(const Model<double>& m, const State<double>& x, const double* v_r,
                    Factorization f, const LinkUnits* link, int links, Workspace<double>& w,
                    const KernelRoom& room, Twist<double>* V_r, double* Y);
  /// rnea_derivatives, from the state. lanes are used where `simple`: in registers, no custom
  /// joint. They take wrenches from outside as they were given, the reference those of F_ext.
  void (*inverse_derivatives)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                              const LaneBody* body, lanes::Pose* pose, const DerivativeLanes& lanes,
                              bool simple, DerivativeRoom<double>& room,
                              const InversePartials<double>& out);
  /// rnea_vector_jacobian and rnea_jacobian_vector, likewise.
  void (*vector_jacobian)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                          const LaneBody* body, lanes::Pose* pose, const DerivativeLanes& lanes,
                          bool simple, const double* y, DerivativeRoom<double>& room,
                          ProductRoom<double>& sums, const InversePartials<double>& out);
  void (*jacobian_vector)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                          const LaneBody* body, lanes::Pose* pose, const DerivativeLanes& lanes,
                          bool simple, const InversePartials<const double>& along,
                          DerivativeRoom<double>& room, ProductRoom<double>& sums, double* tau);
  int columns_together;  ///< a group of RelatedCoordinates
  void (*minus_inverse_times)(const RelatedCoordinates& related, const double* inverse, int stride,
                              const double* dq, const double* dv, double* a_dq, double* a_dv);
  /// rnea_second_derivatives and rnea_second_products, from the state.
  void (*second_derivatives)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                             const LaneBody* body, lanes::Pose* pose, const SecondLanes& lanes,
                             DerivativeRoom<double>& room, SecondRoom<double>& second,
                             const SecondPartials<double>& out);
  void (*second_products)(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                          const double* y, DerivativeRoom<double>& room, ProductRoom<double>& sums,
                          SecondRoom<double>& second, const SecondPartials<double>& out);
};

/// The kernels for this processor.
const Kernels& kernels();

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// What Derivatives and SecondDerivatives own: the equations, and memory for what they
// differentiate.
#pragma once

#include <jounce/algorithm/derivative_products.hpp>
#include <jounce/algorithm/kinematics_derivatives.hpp>
#include <jounce/door/derivatives.hpp>

#include "doors/derivative_lists.hpp"
#include "kernels/kernel_tree.hpp"
#include "state_check.hpp"

namespace jounce {

/// In the body's frame.
struct BodyWrench {
  int body = 0;
  Wrench<double> F;
};

template <>
struct detail::DerivativesImpl<double, double> : DerivativeEquations<double, double> {
  explicit DerivativesImpl(Robot robot_);

  /// d tau/d(q, v, a) in `own`.
  void run_inverse(const OwnState<double>& x, const Surroundings& around,
                   const InversePartials<double>& own) {
    run_inverse(x, around, own, {}, nullptr);
  }
  /// The same, and the forces of the motion, [nv], until the next call.
  const double* run_inverse_with_forces(const OwnState<double>& x, const Surroundings& around,
                                        const InversePartials<double>& own);
  /// The same with further wrenches, each constant in its body's frame, where another's equations
  /// may have left poses and screws of this state, and inertias in `lanes`: d tau/da is not found
  /// then. tree_tau: where in lanes the tree's forces go, or null.
  void run_inverse(const OwnState<double>& x, const Surroundings& around,
                   const InversePartials<double>& own, std::span<const BodyWrench> more,
                   RobotEquations<double>* placed, double* tree_tau = nullptr);
  /// The accelerations of forward or hybrid dynamics, in `a`.
  void run_accelerations(const char* caller, const OwnState<double>& x, const double* tau,
                         const Surroundings& around, const bool* prescribed);
  /// d a/d(q, v, tau), after which `a` and `inverse()` are those of the state.
  void run_forward(const char* caller, const OwnState<double>& x, const double* tau,
                   const Surroundings& around, double* dq, double* dv, double* dtau);
  /// The unknowns of hybrid dynamics by q, v and what is given, after which `a` is that of the
  /// state.
  void run_hybrid(const char* caller, const bool* fixed, const OwnState<double>& x,
                  const double* tau, const Surroundings& around, double* dq, double* dv,
                  double* dgiven);
  /// Columns of hybrid derivatives x, y from those of inverse dynamics, X, Y.
  void hybrid_columns(const bool* prescribed, const double* X, const double* Y, double* x,
                      double* y);
  void minus_mass_times(const bool* prescribed, const double* x, const double* y, double* to_x,
                        double* to_y);

  /// y^T d tau/d(q, v, a) and d tau along (dq, dv, da), [nv].
  void run_vector_jacobian(const double* y, const OwnState<double>& x, const Surroundings& around,
                           const InversePartials<double>& out);
  const double* run_jacobian_vector(const OwnState<double>& x,
                                    const InversePartials<const double>& along,
                                    const Surroundings& around);
  /// x := M^-1 x, after run_accelerations of forward dynamics and what keeps its factors.
  void solve_mass(double* x);
  /// Coordinates of the robot -> of the tree, in place k of four.
  const double* spread(const double* x, int k);

  /// A state with poses, on a moving ground and without gravity.
  State<double> set_poses(const OwnState<double>& x, const OptionalGround<double>& ground);
  /// Where matrix k of up to four of 6 x nv goes on its way to `own`, and the rest of it.
  double* six_rows(int k, double* own);
  void gather_six_rows(int k, double* own);
  /// Matrix k of `six` in the robot's coordinates, until the next one is asked for.
  const double* gathered_six_rows(int k);
  void run_frame(const char* caller, FrameId frame, FrameQuantity quantity, Representation in,
                 const OwnState<double>& x, const OptionalGround<double>& ground, bool tame,
                 double* dq, double* dv, double* da);
  /// Of the tree.
  void run_momentum(const OwnState<double>& x, const OptionalGround<double>& ground,
                    const MomentumPartials<double>& out);

  /// Derivatives of inverse dynamics on the way to others.
  InversePartials<double> inverse() const {
    return {inverse_dq.data(), inverse_dv.data(), inverse_da.data()};
  }
  /// Room for the three vectors of a product.
  InversePartials<double> three_vectors() {
    return {vectors.data(), vectors.data() + nv(), vectors.data() + 2 * nv()};
  }
  /// Whether derivatives run in lanes, which take wrenches from outside as they were given.
  bool in_lanes() const { return tree.kernel.in_registers && !custom; }
  double* square(int k) { return squares.data() + size_t(nv()) * size_t(nv()) * size_t(k); }
  bool all_moderate(const double* x) const {
    return moderate(std::span<const double>(x, size_t(nv())));
  }

  DerivativeLanesStorage lanes;
  RelatedLists lists;
  bool custom = false;  ///< whether there are custom joints
  std::vector<Twist<double>> path;
  std::vector<Wrench<double>> carried;
  ProductRoom<double> sums;
  std::vector<double> tree_vectors;                        ///< [4 tree nv]
  std::vector<double> product;                             ///< [nv]
  std::vector<double> vectors;                             ///< [3 nv]
  std::vector<double> a, solved;                           ///< [nv]
  std::vector<double> six;                                 ///< [4 x 6 tree nv]
  std::vector<double> own_six;                             ///< [6 nv]
  ZeroNumbers<double> inverse_dq, inverse_dv, inverse_da;  ///< [nv squared]
  ZeroNumbers<double> squares;                             ///< [4 nv squared]
  ZeroNumbers<double> padded_mass, padded_inverse;         ///< [nv stride]
};

}  // namespace jounce

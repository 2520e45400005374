// SPDX-License-Identifier: BSD-3-Clause
// What SecondDerivatives owns; tensors belong to their result objects.
#pragma once

#include <jounce/second_derivatives.hpp>

#include "doors/derivatives_impl.hpp"
#include "doors/second_by_dual.hpp"
#include "kernels/lanes/second_lanes.hpp"

namespace jounce {

struct SecondDerivatives::Impl : detail::DerivativesImpl<double, double> {
  explicit Impl(Robot robot_);

  /// Second derivatives of inverse dynamics in `own`, by way of the tree's.
  void run_inverse_twice(const OwnState<double>& x, const Surroundings& around,
                         const SecondBlocks& tree_blocks, const SecondBlocks& own);
  /// sum_i y_i d2 tau_i in `own`.
  void run_products(const double* y, const OwnState<double>& x, const Surroundings& around,
                    const SecondBlocks& own);
  /// What the derivatives of the mass matrix need, in the room.
  void load_mass(const double* q);
  /// x := -(by) x and y := -(by) y for n x n matrices; `by` has its columns as rows of `stride`.
  void minus_times(const double* by, double* x, double* y);
  /// -T_k a_q(l), -T_l a_q(k), -T_k a_v(l) and -T_k M^-1 where they belong; `slopes` are dM/dq.
  void add_mass_slopes(const double* slopes, const SecondPartials<double>& out);
  /// Blocks for a kernel, which writes nothing where there is always zero: dual numbers leave their
  /// rounding there. n: numbers of a block.
  static SecondPartials<double> without_rounding(const SecondBlocks& x, size_t n);
  /// f(i, k, l, d2 tau_i/dq_k dq_l), g(k, d2 tau_k/dv_k dv_k) and h(i, k, l, d2 tau_i/dq_k dv_l) of
  /// damping, friction, springs and bushings.
  template <class F, class G, class H>
  void for_each_passive_curve(const OwnState<double>& x, F f, G g, H h) {
    const Passive<double>& p = system().passive;
    if (!p.any) return;
    for (int k = 0; k < nv(); ++k) g(k, resistance_curve(p, k, x.v[k]));
    for_each_spring_curve(p, x.q, f);
    if (bushings != nullptr) for_each_bushing_curve(system(), x.q, x.v, *bushings, f, h);
  }
  bool moderate_inverse_now() const { return moderate_inverse(padded_inverse.data()); }

  std::vector<SubtreeChange<double>> change;
  std::vector<ProductColumn<double>> product_column;
  std::vector<Twist<double>> before;
  std::vector<Inertia<double>> W;
  std::vector<int> part_first, part_last;
  SecondRoom<double> second_room;
  std::vector<lanes::ChangeLanes> change_lanes;
  std::vector<double> moment;
  std::vector<StandingChange<double>> standing;
  std::vector<Mat3<double>> weighted;   ///< [2 bodies]
  std::vector<double> standing_by_row;  ///< [18 stride]
  SecondLanes second_lanes;
  detail::ZeroNumbers<double> tree_product[4];  ///< [tree nv squared] where there are mimic joints
  bool tree_product_rounded = false;
  detail::ZeroNumbers<double> a_dq, a_dv;   ///< [nv squared]
  std::vector<double> weights;              ///< [nv]
  DualWork dual;                            ///< for custom joints
  std::unique_ptr<BushingCurves> bushings;  ///< where there are any
};

}  // namespace jounce

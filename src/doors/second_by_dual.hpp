// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives by dual numbers through the first ones: any joint, O(n^2 d).
#pragma once

#include <jounce/algorithm/derivative_products.hpp>
#include <jounce/algorithm/second_room.hpp>
#include <jounce/equations/derivatives.hpp>

namespace jounce {

struct DualWork {
  static constexpr int directions = 8;
  using Number = Dual<double, directions>;

  explicit DualWork(const Robot& robot_);

  /// Derivatives in the tree's coordinates at the state x, on a ground that moves with V and Vdot.
  void tensors(const State<double>& x, const Twist<double>& V, const Twist<double>& Vdot,
               std::span<const OutsideWrench<double>> given, const SecondPartials<double>& out);
  void products(const State<double>& x, const Twist<double>& V, const Twist<double>& Vdot,
                std::span<const OutsideWrench<double>> given, const double* weights,
                const SecondPartials<double>& out);
  /// Adds scale times d2 M/(dq_k dq_l) to out: d tau/dq_k, in O(n), along q_l
  /// for every unit acceleration.
  void add_mass_curve(const State<double>& x, int k, int l, double scale, double* out);

 private:
  void load(const State<double>& x, const Twist<double>& V, const Twist<double>& Vdot,
            std::span<const OutsideWrench<double>> given);
  void seed_q(const State<double>& x, int first);
  void seed_v(const State<double>& x, int first);
  void move(std::span<const OutsideWrench<double>> given);

  Robot robot;
  WorkspaceStorage<Number> storage;
  std::vector<Number> q, v, a, y, none;
  std::vector<Wrench<Number>> F_ext, carried;
  std::vector<Twist<Number>> path;
  std::vector<Number> rows;        ///< [3 nv] the three products
  std::vector<Number> dq, dv, da;  ///< [nv squared] zero where coordinates do not meet
  DerivativeStorage<Number> derivatives;
  DerivativeRoom<Number> room;
  ProductRoom<Number> sums;
};

}  // namespace jounce

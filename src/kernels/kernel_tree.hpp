// SPDX-License-Identifier: BSD-3-Clause
// The recursions of a robot's tree by the kernels of this processor: what TemplateTree is for other
// kinds of number.
#pragma once

#include <jounce/algorithm/coriolis.hpp>
#include <jounce/algorithm/mass_bound.hpp>
#include <jounce/equations/template_tree.hpp>
#include <memory>

#include "kernels/kernels.hpp"
#include "kernels/lanes/articulated_columns.hpp"
#include "kernels/lanes/in_registers.hpp"

namespace jounce {

class KernelTree {
 public:
  static constexpr bool takes_outside = true;

  explicit KernelTree(const Robot& robot)
      : system_(robot.system()),
        bodies_(lane_bodies(robot.model())),
        composite_(size_t(robot.bodies())),
        spread_(composite_.size()) {
    if (kernel.in_registers) registers_ = RoomStorage<lanes::InRegisters>(m());
    else numbers_ = RoomStorage<InNumbers>(m());
    // of more coordinates C itself takes far more memory: when it is first asked for
    if (kernel.in_registers && m().nv <= 1000) registers_.make_rates();
    const int stride = padded_row(m().nv + 3);
    components_.resize(size_t(ComponentRows::most * stride));
    runs_.resize(bodies_.size());
    for (int i = 1; i < m().bodies; ++i)
      runs_[size_t(i)] = m().parent[i] > 0 && m().parent[i] == i - 1 ? runs_[size_t(i - 1)] : i;
    room_ = {bodies_.data(), registers_.view(), numbers_.view(),
             system_.frame,  nullptr,           {components_.data(), stride},
             runs_.data()};
  }

  const System<double>& system() const { return system_; }

  void poses(const State<double>& x, Workspace<double>& w) { kernel.poses(m(), x, w, wide()); }
  void twists(const State<double>& x, Workspace<double>& w) { kernel.twists(m(), x, w, room_); }
  void motions(const State<double>& x, Workspace<double>& w) { kernel.motions(m(), x, w, room_); }
  void jacobian(const Workspace<double>& w, const FrameSeat<double>& seat, Representation in,
                double* J) {
    kernel.jacobian(m(), w, seat.body, seat.offset, in, J);
  }
  void jacobian_rate(const Workspace<double>& w, const FrameSeat<double>& seat, Representation in,
                     double* J) {
    kernel.jacobian_rate(m(), w, seat.body, seat.offset, in, J);
  }
  void path_jacobian(const State<double>& x, Workspace<double>& w, const FrameSeat<double>& seat,
                     Representation in, double* J) {
    kernel.path_jacobian(m(), x, w, room_, seat.body, seat.offset, in, J);
  }
  /// Of trees without custom joints.
  void path_derivatives(const State<double>& x, Workspace<double>& w, const FrameSeat<double>& seat,
                        FrameQuantity quantity, Representation in,
                        const FramePartials<double>& out) {
    kernel.path_derivatives(m(), x, w, room_, seat.body, seat.offset, quantity, in, out);
  }
  void inverse(const State<double>& x, Workspace<double>& w) { kernel.inverse(m(), x, w, room_); }
  void inverse_with_wrenches(const State<double>& x, Workspace<double>& w) {
    kernel.inverse_with_wrenches(m(), x, w, room_);
  }
  void forward(const State<double>& x, Workspace<double>& w) { kernel.forward(m(), x, w, room_); }
  void hybrid(const State<double>& x, const bool* prescribed, Workspace<double>& w) {
    kernel.hybrid(m(), x, prescribed, w, room_);
  }
  void mass(const State<double>& x, Workspace<double>& w, double* M) {
    kernel.mass(m(), x, w, room_, M);
  }
  /// Factors of its lower triangle in the pattern's rows, and its diagonal as it was.
  void mass_factors(const State<double>& x, Workspace<double>& w, const MassPattern& s, double* LD,
                    double* diagonal) {
    kernel.mass_factors(m(), x, w, room_, s, LD, diagonal);
  }
  /// T and U of all joints, after forward.
  void keep_factors(Workspace<double>& w) {
    turn_revolute_joints(m(), w);
    for (int i = 1; i < m().bodies; ++i)
      if (is_revolute(m(), i))
        w.U[m().v_at[i]] = kernel.in_registers
                               ? lanes::InRegisters::numbers(registers_.view().force[i])
                               : numbers_.view().force[i];
  }
  /// f(k, bound) with M_kk <= bound, and f(k, M_kk), after forward or hybrid.
  template <class F>
  void for_each_mass_bound(const Workspace<double>& w, F f) {
    jounce::for_each_mass_bound(m(), w, spread_.data(), f);
  }
  template <class F>
  void for_each_mass_diagonal(Workspace<double>& w, F f) {
    turn_revolute_joints(m(), w);
    jounce::for_each_mass_diagonal(m(), w, composite_.data(), f);
  }
  void mass_again(const Workspace<double>& w, double* M) { crba(m(), w, composite_.data(), M); }
  void factor(const State<double>& x, Workspace<double>& w) {
    kernel.factor_articulated(m(), x, w);
  }
  void solve(const double* tau, Workspace<double>& w, double* a) {
    kernel.articulated_solve(m(), tau, w, a);
  }
  void inverse_of_mass(const Workspace<double>& w, int stride, double* inverse) {
    kernel.articulated_inverse(m(), w, columns(), stride, inverse);
  }
  /// The joints as they are after `factor`, for the products that follow.
  void keep_joints(const Workspace<double>& w) { kernel.turn_joints(m(), w, columns()); }
  /// x := M^-1 x for eight right-hand sides side by side, [nv][8], after keep_joints.
  void solve_beside(const Workspace<double>& w, double* x) {
    kernel.articulated_beside(m(), w, columns(), x);
  }
  /// to = sign M^-1 x, column by column, after keep_joints or inverse_of_mass.
  void inverse_times(const Workspace<double>& w, double sign, const ColumnBlock& x, double* to,
                     int to_stride) {
    kernel.articulated_times(m(), w, columns(), sign, x, to, to_stride);
  }
  void ltdl_factor(const MassPattern& pattern, double* M) { kernel.ltdl_factor(pattern, M); }
  void ltdl_solve(const MassPattern& pattern, const double* LD, double* x) {
    kernel.ltdl_solve(pattern, LD, x);
  }
  /// x := M^-1 x, or L^-T x alone, for eight right-hand sides side by side, [n][8].
  void ltdl_solve_beside(const MassPattern& pattern, const double* LD, bool whole, double* x) {
    kernel.ltdl_solve_beside(pattern, LD, whole, x);
  }
  void ltdl_inverse(const MassPattern& pattern, const double* LD, double* inverse) {
    kernel.ltdl_inverse(pattern, LD, inverse);
  }
  bool centroidal_matrix(const State<double>& x, Workspace<double>& w, double* A) {
    if (m().anchors > 1) poses(x, w);
    kernel.centroidal_matrix(m(), x, w, room_, A);
    return true;
  }
  /// Room for rates of screws and inertias: made when the tree is, or by who asks for it first.
  void make_rates() {
    if (kernel.in_registers && room_.registers.moving == nullptr) {
      registers_.make_rates();
      room_.registers = registers_.view();
    } else if (!kernel.in_registers && room_.numbers.moving == nullptr) {
      numbers_.make_rates();
      room_.numbers = numbers_.view();
    }
  }
  /// After make_rates.
  void momentum_derivatives(const State<double>& x, Workspace<double>& w,
                            const MomentumPartials<double>& out) {
    if (m().anchors > 1) poses(x, w);
    kernel.momentum_derivatives(m(), x, w, room_, out);
  }
  void energy_gradients(const State<double>& x, Workspace<double>& w,
                        const EnergyGradients<double>& out) {
    if (m().anchors > 1) poses(x, w);
    kernel.energy_gradients(m(), x, w, room_, out);
  }
  void coriolis(const State<double>& x, Workspace<double>& w, Factorization f,
                SubtreeRoom<double>& room, double* C, double* Mdot) {
    if (!kernel.in_registers || f != Factorization::christoffel) poses(x, w);
    else make_rates();
    kernel.coriolis(m(), x, w, f, room, room_, C, Mdot);
  }

  const LaneBody* bodies() const { return bodies_.data(); }
  lanes::Pose* wide() { return registers_.view().pose; }
  const KernelRoom& room() const { return room_; }
  void keep_inertias(lanes::CompositeInertia* to) { room_.kept = to; }

  const Kernels& kernel = kernels();

 private:
  const Model<double>& m() const { return system_.tree; }
  const ArticulatedColumns& columns() {
    if (columns_ == nullptr) columns_ = std::make_unique<ArticulatedColumnsStorage>(m());
    return columns_->view;
  }

  const System<double>& system_;
  std::vector<LaneBody> bodies_;               ///< constants
  RoomStorage<lanes::InRegisters> registers_;  ///< one of the two is empty
  RoomStorage<InNumbers> numbers_;
  std::vector<double> components_;
  std::vector<int> runs_;
  KernelRoom room_;
  std::vector<Inertia<double>> composite_;
  std::vector<MassSpread<double>> spread_;
  std::unique_ptr<ArticulatedColumnsStorage> columns_;  ///< where they are asked for
};

}  // namespace jounce

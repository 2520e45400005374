// SPDX-License-Identifier: BSD-3-Clause
// Regressors: a class of their own, because they need far more room than Dynamics.
#include <algorithm>
#include <jounce/equations/coupling.hpp>
#include <jounce/equations/ground.hpp>
#include <jounce/equations/passive.hpp>
#include <jounce/model/workspace.hpp>
#include <jounce/regressor.hpp>

#include "finite_results.hpp"
#include "kernels/kernels.hpp"
#include "kernels/lanes/regressor_in_lanes.hpp"
#include "state_check.hpp"

namespace jounce {

struct Regressor::Impl {
  Impl(Robot robot_, RegressorColumns with_)
      : robot(std::move(robot_)),
        with(with_),
        links(static_cast<int>(robot.description().links.size())),
        columns(10 * links + robot.nv() * (with.armature + with.damping + with.friction)),
        storage(robot.model()),
        q(size_t(robot.model().nq)),
        v(size_t(robot.model().nv)),
        v_r(v),
        a(v),
        V_r(size_t(robot.bodies())),
        S(size_t(robot.model().nv)),
        tree(robot.has_mimic() ? size_t(robot.model().nv) * size_t(10 * links) : 0),
        Y(size_t(std::max(robot.nv(), 6)) * size_t(columns)),
        Y_energy(2 * size_t(columns)),
        Y_momentum(6 * size_t(columns)) {
    for (int k = 0; k < links; ++k) {
      const FrameInfo& frame = robot.frames()[size_t(k)];
      seats.emplace_back(LinkSeat{frame.body, frame.offset});
    }
  }

  /// Coordinates of all joints, mimics included.
  State<double> state(std::span<const double> q_, std::span<const double> v_,
                      std::span<const double> v_r_, std::span<const double> a_) {
    const Coupling<double>& c = robot.system().coupling;
    expand_positions(c, q_.data(), q.data());
    expand(c, v_.data(), v.data());
    expand(c, v_r_.data(), v_r.data());
    expand(c, a_.data(), a.data());
    return {q.data(), v.data(), a.data()};
  }

  /// Columns of the links; rows of mimic joints go to their leader's.
  void link_columns(const State<double>& x, Factorization f) {
    double* to = robot.has_mimic() ? tree.data() : Y.data();
    kernels().regressor(robot.model(), x, v_r.data(), f, seats.data(), links, storage.view(),
                        V_r.data(), S.data(), to);
    if (!robot.has_mimic()) return;
    const Coupling<double>& c = robot.system().coupling;
    for (std::ptrdiff_t column = 0; column < 10 * links; ++column)
      gather(c, tree.data() + c.tree_nv * column, Y.data() + c.nv * column);
  }

  /// f(first column) for each group of joint columns that was asked for.
  template <class F>
  void joint_columns(F f) const {
    int first = 10 * links;
    for (const auto& [on, kind] :
         {std::pair(with.armature, 0), std::pair(with.damping, 1), std::pair(with.friction, 2)}) {
      if (!on) continue;
      f(first, kind);
      first += robot.nv();
    }
  }

  MatrixView forces(std::span<const double> q_, std::span<const double> v_,
                    std::span<const double> v_r_, std::span<const double> a_, Factorization f,
                    const OptionalGround<double>& ground) {
    const int nv = robot.nv();
    const State<double> x = state(q_, v_, v_r_, a_);
    Workspace<double>& w = storage.view();
    set_ground(robot.model(), Surroundings{.ground = ground}, w);
    V_r[0] = w.V[0];
    link_columns(x, f);
    joint_columns([&](int first, int kind) {
      for (int k = 0; k < nv; ++k) {
        const double speed = v_[size_t(k)];
        Y[size_t(nv) * size_t(first + k) + size_t(k)] =
            kind == 0   ? a_[size_t(k)]
            : kind == 1 ? resistance(1.0, 0.0, speed, 0.0)
                        : resistance(0.0, 1.0, speed, coulomb(speed));
      }
    });
    return {Y.data(), nv, columns};
  }

  void require_finite_columns(const char* caller, const MatrixView& found, bool tame) const {
    if (!(tame && moderate_robot)) require_finite(robot, caller, {{"Y", found}});
  }

  void move(std::span<const double> q_, std::span<const double> v_,
            const OptionalGround<double>& ground) {
    const State<double> x = state(q_, v_, v_, v_);
    set_ground(ground, storage.view());
    forward_poses(robot.model(), x, storage.view());
    forward_twists(robot.model(), x, storage.view());
  }

  Robot robot;
  RegressorColumns with;
  int links, columns;
  WorkspaceStorage<double> storage;
  std::vector<LinkUnits> seats;
  bool moderate_robot = moderate(robot);
  std::vector<double> q, v, v_r, a;  ///< of the tree
  std::vector<Twist<double>> V_r, S;
  std::vector<double> tree;  ///< [tree nv x 10 links] zero where a link is not carried
  std::vector<double> Y, Y_energy, Y_momentum;
};

Regressor::Regressor(Robot robot, RegressorColumns columns)
    : impl_(std::make_unique<Impl>(std::move(robot), columns)) {}
Regressor::Regressor(Regressor&&) noexcept = default;
Regressor& Regressor::operator=(Regressor&&) noexcept = default;
Regressor::~Regressor() = default;

const Robot& Regressor::robot() const { return impl_->robot; }
int Regressor::links() const { return impl_->links; }
int Regressor::columns() const { return impl_->columns; }

void Regressor::write_parameters(std::span<double> pi) const {
  const Impl& d = *impl_;
  if (pi.size() != size_t(d.columns))
    throw InputError("parameters: room for " + std::to_string(pi.size()) + " numbers, needs " +
                     std::to_string(d.columns));
  std::fill(pi.begin(), pi.end(), 0.0);
  for (int k = 0; k < d.links; ++k) {
    double ten[10];
    to_parameters(link_inertia(d.robot.description().links[size_t(k)]), ten);
    std::copy(ten, ten + 10, pi.begin() + 10 * k);
  }
  const PassiveData& passive = d.robot.passive();
  d.joint_columns([&](int first, int kind) {
    const std::vector<double>& values = kind == 0   ? passive.armature
                                        : kind == 1 ? passive.damping
                                                    : passive.friction;
    std::copy(values.begin(), values.end(), pi.begin() + first);
  });
}

MatrixView Regressor::force(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                            const OptionalGround<double>& ground) {
  Impl& d = *impl_;
  const bool tame = check_state(d.robot, "regressor", q, {{"v", v}, {"a", a}});
  check_ground("regressor", ground);
  const MatrixView Y = d.forces(q, v, v, a, Factorization::plain, ground);
  d.require_finite_columns("regressor", Y, tame && moderate(ground));
  return Y;
}

MatrixView Regressor::passive(const VectorArg& q, const VectorArg& v, const VectorArg& v_r,
                              const VectorArg& a_r, Factorization factorization) {
  Impl& d = *impl_;
  check_state(d.robot, "passive regressor", q, {{"v", v}, {"v_r", v_r}, {"a_r", a_r}});
  if (factorization == Factorization::plain)
    throw InputError("passive regressor: the plain factorization is not skew-symmetric");
  const MatrixView Y = d.forces(q, v, v_r, a_r, factorization, {});
  d.require_finite_columns("passive regressor", Y,
                           moderate(q) && moderate(v) && moderate(v_r) && moderate(a_r));
  return Y;
}

MatrixView Regressor::energy(const VectorArg& q, const VectorArg& v,
                             const OptionalGround<double>& ground) {
  Impl& d = *impl_;
  check_state(d.robot, "energy regressor", q, {{"v", v}});
  check_ground("energy regressor", ground);
  d.move(q, v, ground);
  for (int k = 0; k < d.links; ++k)
    if (d.seats[size_t(k)].seat.body > 0)
      energy_columns(d.robot.model(), d.storage.view(), d.seats[size_t(k)].seat,
                     &d.Y_energy[size_t(20 * k)]);
  const std::span<const double> speed = v;
  d.joint_columns([&](int first, int kind) {
    for (int k = 0; k < d.robot.nv(); ++k)
      d.Y_energy[size_t(2 * (first + k))] =
          kind == 0 ? 0.5 * speed[size_t(k)] * speed[size_t(k)] : 0;
  });
  const MatrixView Y(d.Y_energy.data(), 2, d.columns);
  d.require_finite_columns("energy regressor", Y, moderate(q) && moderate(v) && moderate(ground));
  return Y;
}

MatrixView Regressor::momentum(const VectorArg& q, const VectorArg& v,
                               const OptionalGround<double>& ground) {
  Impl& d = *impl_;
  check_state(d.robot, "momentum regressor", q, {{"v", v}});
  check_ground("momentum regressor", ground);
  d.move(q, v, ground);
  for (int k = 0; k < d.links; ++k)
    if (d.seats[size_t(k)].seat.body > 0)
      momentum_columns(d.storage.view(), d.seats[size_t(k)].seat, &d.Y_momentum[size_t(60 * k)]);
  const MatrixView Y(d.Y_momentum.data(), 6, d.columns);
  d.require_finite_columns("momentum regressor", Y, moderate(q) && moderate(v) && moderate(ground));
  return Y;
}

}  // namespace jounce

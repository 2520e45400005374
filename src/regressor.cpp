// SPDX-License-Identifier: BSD-3-Clause
// Regressors: a class of their own, because they need far more room than Dynamics.
#include <algorithm>
#include <jounce/equations/equations.hpp>
#include <jounce/regressor.hpp>

#include "kernels/kernel_tree.hpp"
#include "kernels/lanes/regressor_in_lanes.hpp"
#include "state_check.hpp"

namespace jounce {

struct Regressor::Impl {
  Impl(Robot robot_, RegressorColumns with_)
      : robot(std::move(robot_)),
        with(with_),
        links(static_cast<int>(robot.description().links.size())),
        columns(joint_columns([](int, const ResistanceInfo*) {})),
        tree(robot),
        room(tree.system()),
        v_r(robot.has_mimic() ? size_t(robot.model().nv) : 0),
        V_r(size_t(robot.bodies())),
        tree_Y(robot.has_mimic() ? size_t(robot.model().nv) * size_t(10 * links) : 0),
        Y_energy(2 * size_t(columns)),
        Y_momentum(6 * size_t(columns)) {
    for (int k = 0; k < links; ++k) {
      const FrameInfo& frame = robot.frames()[size_t(k)];
      seats.emplace_back(LinkSeat{frame.body, frame.offset});
    }
  }

  Equations<double, double, KernelTree> equations() { return {tree, room}; }
  const Workspace<double>& w() const { return room.tree.view(); }

  /// Columns of the links, without a reference those of the motion itself; rows of mimic joints go
  /// to their leader's.
  void link_columns(const State<double>& x, const double* reference, Factorization f, double* Y) {
    const Coupling<double>& c = robot.system().coupling;
    const double* tree_v_r = reference;
    if (reference == nullptr) {
      tree.poses(x, room.tree.view());
      tree.motions(x, room.tree.view());
    } else if (!c.identity) {
      expand(c, reference, v_r.data());
      tree_v_r = v_r.data();
    }
    double* to = c.identity ? Y : tree_Y.data();
    tree.kernel.regressor(robot.model(), x, tree_v_r, f, seats.data(), links, room.tree.view(),
                          tree.room(), V_r.data(), to);
    if (c.identity) return;
    for (std::ptrdiff_t column = 0; column < 10 * links; ++column)
      gather(c, to + c.tree_nv * column, Y + c.nv * column);
  }

  /// f(first column, law) for each group of joint columns that was asked for; a null law is
  /// armature's. Returns the column after them.
  template <class F>
  int joint_columns(F f) const {
    int first = 10 * links;
    const auto one = [&](bool on, const ResistanceInfo* law) {
      if (!on) return;
      f(first, law);
      first += robot.nv();
    };
    one(with.armature, nullptr);
    for (const ResistanceInfo& law : resistances)
      one(with.*detail::resistance_columns[size_t(law.law)], &law);
    return first;
  }

  void forces(const OwnState<double>& x, const double* reference, Factorization f,
              const OptionalGround<double>& ground, double* Y) {
    const int nv = robot.nv();
    const State<double> state = equations().set_up(x, {.ground = ground});
    V_r[0] = w().V[0];
    link_columns(state, reference, f, Y);
    joint_columns([&](int first, const ResistanceInfo* law) {
      for (int k = 0; k < nv; ++k)
        Y[std::ptrdiff_t(nv) * (first + k) + k] =
            law == nullptr ? x.a[k] : unit_resistance(law->law, x.v[k]);
    });
  }

  /// f(seat, first column) for the links that move.
  template <class F>
  void moving_links(F f) const {
    for (int k = 0; k < links; ++k)
      if (seats[size_t(k)].seat.body > 0) f(seats[size_t(k)].seat, 10 * k);
  }
  void require_finite_columns(const char* caller, bool tame, const double* Y, int rows) const {
    if (!(tame && moderate_robot)) require_finite_matrix(robot, caller, "Y", Y, rows, columns);
  }

  Robot robot;
  RegressorColumns with;
  int links, columns;
  KernelTree tree;
  EquationsStorage<double> room;
  std::vector<LinkUnits> seats;
  bool moderate_robot = moderate(robot);
  std::vector<double> v_r;  ///< of the tree, where there are mimic joints
  std::vector<Twist<double>> V_r;
  std::vector<double> tree_Y;  ///< likewise, zero where a link is not carried
  std::vector<double> Y_energy, Y_momentum;
};

Regressor::Regressor(Robot robot, RegressorColumns columns)
    : impl_(std::make_unique<Impl>(std::move(robot), columns)) {}
Regressor::Regressor(Regressor&&) noexcept = default;
Regressor& Regressor::operator=(Regressor&&) noexcept = default;
Regressor::~Regressor() = default;

const Robot& Regressor::robot() const { return impl_->robot; }
Regressor Regressor::another() const { return Regressor(robot(), impl_->with); }
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
  d.joint_columns([&](int first, const ResistanceInfo* law) {
    const std::vector<double>& values = law == nullptr ? passive.armature : passive.*law->of_robot;
    std::copy(values.begin(), values.end(), pi.begin() + first);
  });
}

void Regressor::run_force(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                          const OptionalGround<double>& ground, double* Y) {
  Impl& d = *impl_;
  const std::span<const double> at = q, speed = v, change = a;
  const bool tame = check_state(d.robot, "regressor", at, {{"v", speed}, {"a", change}});
  check_ground("regressor", ground);
  d.forces({at.data(), speed.data(), change.data()}, nullptr, Factorization::plain, ground, Y);
  d.require_finite_columns("regressor", tame && moderate(ground), Y, d.robot.nv());
}

void Regressor::run_reference(const VectorArg& q, const VectorArg& v, const VectorArg& v_r,
                              const VectorArg& a_r, Factorization factorization, double* Y) {
  Impl& d = *impl_;
  const char* name = "reference regressor";
  const std::span<const double> at = q, speed = v, reference = v_r, change = a_r;
  const bool tame =
      check_state(d.robot, name, at, {{"v", speed}, {"v_r", reference}, {"a_r", change}});
  if (factorization == Factorization::plain)
    throw InputError("reference regressor: the plain factorization is not skew-symmetric");
  d.forces({at.data(), speed.data(), change.data()}, reference.data(), factorization, {}, Y);
  d.require_finite_columns(name, tame, Y, d.robot.nv());
}

void Regressor::energy(const VectorArg& q, const VectorArg& v, const OptionalGround<double>& ground,
                       const Into<double>& Y) {
  Impl& d = *impl_;
  const char* name = "energy regressor";
  const std::span<const double> at = q, speed = v;
  const bool tame = check_state(d.robot, name, at, {{"v", speed}});
  check_ground(name, ground);
  double* to = detail::checked_into(d.robot, name, "Y", Y, 2, d.columns);
  d.equations().move(at.data(), speed.data(), nullptr, ground);
  double* found = d.Y_energy.data();
  d.moving_links([&](const LinkSeat& seat, int first) {
    energy_columns(d.robot.model(), d.w(), seat, found + 2 * first);
  });
  d.joint_columns([&](int first, const ResistanceInfo* law) {
    for (int k = 0; law == nullptr && k < d.robot.nv(); ++k)
      found[2 * (first + k)] = 0.5 * speed[size_t(k)] * speed[size_t(k)];
  });
  d.require_finite_columns(name, tame && moderate(ground), found, 2);
  std::copy(d.Y_energy.begin(), d.Y_energy.end(), to);
}

void Regressor::momentum(const VectorArg& q, const VectorArg& v,
                         const OptionalGround<double>& ground, const Into<double>& Y) {
  Impl& d = *impl_;
  const char* name = "momentum regressor";
  const std::span<const double> at = q, speed = v;
  const bool tame = check_state(d.robot, name, at, {{"v", speed}});
  check_ground(name, ground);
  double* to = detail::checked_into(d.robot, name, "Y", Y, 6, d.columns);
  d.equations().move(at.data(), speed.data(), nullptr, ground);
  double* found = d.Y_momentum.data();
  d.moving_links(
      [&](const LinkSeat& seat, int first) { momentum_columns(d.w(), seat, found + 6 * first); });
  d.require_finite_columns(name, tame && moderate(ground), found, 6);
  std::copy(d.Y_momentum.begin(), d.Y_momentum.end(), to);
}

}  // namespace jounce

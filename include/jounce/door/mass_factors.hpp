// SPDX-License-Identifier: BSD-3-Clause
// The members of BasicMassFactors, for any kind of number.
#pragma once

#include <jounce/door/robot_equations.hpp>
#include <jounce/mass_factors.hpp>

namespace jounce {

template <class Real, class P>
struct detail::MassFactorsImpl : RobotEquations<Real, P> {
  using Base = RobotEquations<Real, P>;
  using Base::robot, Base::room;

  explicit MassFactorsImpl(Robot robot_)
      : Base(std::move(robot_)),
        q(static_cast<size_t>(robot.nq()), Real(0)),
        columns(16 * room.forces.size(), Real(0)),
        beside(8 * room.forces.size() + 8, Real(0)),
        tree_columns(robot.has_mimic() ? 6 * room.zeros.size() : 0, Real(0)),
        roots(room.forces) {
    if (!Base::solves_by_factors())
      bodies = std::make_unique<WorkspaceStorage<Real>>(Base::model());
  }

  void require_state(const char* caller) const {
    if (!known) throw InputError(std::string(caller) + ": needs a configuration, call at(q) first");
  }
  /// Sparse factors of the state, in dense room: those of `at`, or now where bodies serve better.
  void sparse_factors(const char* caller) {
    if (!Base::solves_by_factors()) Base::factor_rows(caller, q.data());
  }

  std::vector<Real> q;  ///< of the state
  bool known = false;
  bool tame = false;               ///< no product of the state's numbers can overflow
  bool turned = false;             ///< whether the tree keeps the bodies' joints of the state
  std::vector<Real> columns;       ///< [2 nv][8]
  std::vector<Real> beside;        ///< [nv][8]
  std::vector<Real> tree_columns;  ///< [6 tree nv] where there are mimic joints
  std::vector<Real> roots;         ///< [nv] of the pivots
  std::unique_ptr<WorkspaceStorage<Real>> bodies;  ///< articulated, where they serve better
};

template <class Real, class P>
BasicMassFactors<Real, P>::BasicMassFactors(Robot robot)
    : impl_(std::make_unique<Impl>(std::move(robot))) {}
template <class Real, class P>
BasicMassFactors<Real, P>::BasicMassFactors(BasicMassFactors&&) noexcept = default;
template <class Real, class P>
BasicMassFactors<Real, P>& BasicMassFactors<Real, P>::operator=(BasicMassFactors&&) noexcept =
    default;
template <class Real, class P>
BasicMassFactors<Real, P>::~BasicMassFactors() = default;

template <class Real, class P>
const Robot& BasicMassFactors<Real, P>::robot() const {
  return impl_->robot;
}

template <class Real, class P>
BasicMassFactors<Real, P>& BasicMassFactors<Real, P>::at(const Arg& q) {
  Impl& d = *impl_;
  const std::span<const Real> x = q;
  d.tame = d.check("at", x, {});
  d.known = d.turned = false;
  std::copy(x.begin(), x.end(), d.q.begin());
  if (d.solves_by_factors()) {
    d.factor_rows("at", x.data());
  } else {
    d.tree.factor(d.equations().at(x.data()), d.bodies->view());
    d.require_pivots("at", x.data(), d.bodies->view(), nullptr);
  }
  d.known = true;
  return *this;
}

template <class Real, class P>
void BasicMassFactors<Real, P>::solve(const Arg& x, const Into<Real>& found) {
  Impl& d = *impl_;
  const std::span<const Real> given = x;
  d.require_state("solve");
  check_v(d.robot, "solve", Named<Real>{"x", given});
  Real* to = detail::checked_into(d.robot, "solve", "x", found, d.robot.nv());
  Real* y = d.room.solution.data();
  std::copy(given.begin(), given.end(), y);
  if (d.solves_by_factors()) d.tree.ltdl_solve(d.dense().pattern.view(), d.dense().LD.data(), y);
  else d.tree.solve(y, d.bodies->view(), y);
  require_finite_vector(d.robot, "solve", "x", y);
  std::copy(y, y + d.robot.nv(), to);
}

}  // namespace jounce

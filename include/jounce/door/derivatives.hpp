// SPDX-License-Identifier: BSD-3-Clause
// The members of BasicDerivatives, for any kind of number.
#pragma once

#include <jounce/derivatives.hpp>
#include <jounce/door/robot_equations.hpp>
#include <jounce/equations/derivatives.hpp>

namespace jounce {

/// What derivatives own: the equations, and the matrices of the tree where there are mimic joints.
template <class Real, class P>
struct DerivativeEquations : RobotEquations<Real, P> {
  using Base = RobotEquations<Real, P>;

  explicit DerivativeEquations(Robot robot_)
      : Base(std::move(robot_)),
        storage(Base::model().nv, Base::model().bodies),
        kept(static_cast<size_t>(Base::robot.nq() + 3 * Base::robot.nv()), Real(0)),
        tree_dq(Base::robot.has_mimic() ? Base::dense().tree.size() : 0),
        tree_dv(tree_dq.size()),
        tree_da(tree_dq.size()) {
    storage.add_bushings(Base::system());
  }

  /// The arguments in memory of their own: results may be written where they lie.
  OwnState<Real> keep(std::span<const Real> q, std::span<const Real> v, std::span<const Real> a) {
    Real* at = kept.data();
    Real* speed = std::copy(q.begin(), q.end(), at);
    Real* change = std::copy(v.begin(), v.end(), speed);
    std::copy(a.begin(), a.end(), change);
    return {at, speed, change};
  }
  /// The same of the weights of a product, after them.
  const Real* keep_weights(std::span<const Real> y) {
    return std::copy(y.begin(), y.end(), kept.data() + (kept.size() - y.size())) - y.size();
  }
  /// Where the tree's derivatives go on the way to the robot's.
  InversePartials<Real> tree_partials(const InversePartials<Real>& own) const {
    if (tree_dq.size() == 0) return own;
    return {tree_dq.data(), tree_dv.data(), tree_da.data()};
  }
  /// d tau/d(q, v, a) in `own`, by the templates.
  void run_inverse(const OwnState<Real>& x, const BasicSurroundings<Real>& around,
                   const InversePartials<Real>& own) {
    inverse_derivatives(
        Base::equations(), storage, x, around, tree_partials(own), own, false,
        [&](const State<Real>& state, DerivativeRoom<Real>& with, const InversePartials<Real>& to) {
          forward_poses(Base::model(), state, Base::workspace());
          rnea_derivatives(Base::model(), state, Base::workspace(), with, to);
        });
  }

  DerivativeStorage<Real> storage;
  std::vector<Real> kept;  ///< [nq + 3 nv] q, v, a and weights of the call
  detail::ZeroNumbers<Real> tree_dq, tree_dv, tree_da;
};

template <class Real, class P>
struct detail::DerivativesImpl : DerivativeEquations<Real, P> {
  using DerivativeEquations<Real, P>::DerivativeEquations;
};

template <class Real, class P>
BasicDerivatives<Real, P>::BasicDerivatives(Robot robot)
    : impl_(std::make_unique<Impl>(std::move(robot))) {}
template <class Real, class P>
BasicDerivatives<Real, P>::BasicDerivatives(BasicDerivatives&&) noexcept = default;
template <class Real, class P>
BasicDerivatives<Real, P>& BasicDerivatives<Real, P>::operator=(BasicDerivatives&&) noexcept =
    default;
template <class Real, class P>
BasicDerivatives<Real, P>::~BasicDerivatives() = default;

template <class Real, class P>
const Robot& BasicDerivatives<Real, P>::robot() const {
  return impl_->robot;
}

template <class Real, class P>
void BasicDerivatives<Real, P>::run_inverse(const Arg& q, const Arg& v, const Arg& a,
                                            const Around& around, Real* dq, Real* dv, Real* da) {
  Impl& d = *impl_;
  const std::span<const Real> at = q, speed = v, change = a;
  const char* name = "inverse_derivatives";
  const bool tame = d.check(name, at, {{"v", speed}, {"a", change}}, around);
  d.run_inverse(d.keep(at, speed, change), around, {dq, dv, da});
  if (tame) return;
  const int n = d.robot.nv();
  require_finite_matrix(d.robot, name, "dtau_dq", dq, n, n);
  require_finite_matrix(d.robot, name, "dtau_dv", dv, n, n);
  require_finite_matrix(d.robot, name, "dtau_da", da, n, n);
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// The members of BasicDynamics, for any kind of number.
#pragma once

#include <jounce/door/robot_equations.hpp>
#include <jounce/dynamics.hpp>

namespace jounce {

template <class Real, class P>
struct detail::DynamicsImpl : RobotEquations<Real, P> {
  using Base = RobotEquations<Real, P>;
  using Base::robot, Base::room, Base::model, Base::system, Base::equations, Base::workspace;

  explicit DynamicsImpl(Robot robot_)
      : Base(std::move(robot_)),
        S(size(model().nv)),
        Psi(S.size()),
        V(size(model().bodies)),
        G(V.size()),
        Gdot(V.size()),
        K(V.size()),
        V_r(V.size()),
        v_r(robot.has_mimic() ? S.size() : 0, Real(0)),
        tree_columns(robot.has_mimic() ? 12 * S.size() : 0, Real(0)),
        rates(robot.has_mimic() ? Base::dense().tree.size() : 0) {
    for (const JointInfo& joint : robot.joints()) {
      const auto& link = robot.description().joints[size(joint.description)].child;
      child.push_back(Base::seat(robot.frame(link)).offset);
    }
  }

  static size_t size(int n) { return static_cast<size_t>(n); }
  SubtreeRoom<Real> subtrees() {
    return {S.data(), Psi.data(), V.data(), G.data(), Gdot.data(), K.data()};
  }
  Real inner(const Real* x, const Real* y) const {
    Real sum(0);
    for (int k = 0; k < robot.nv(); ++k) sum += x[k] * y[k];
    return sum;
  }
  /// A result, refused where it is not finite, written last.
  void write(const char* caller, const char* name, const Real* found, Real* to) const {
    require_finite_vector(robot, caller, name, found);
    std::copy(found, found + robot.nv(), to);
  }
  void require(const char* caller, const char* what, const Real& x) const {
    require_finite_number(caller, what, x);
  }

  std::vector<Twist<Real>> S, Psi, V;
  std::vector<Inertia<Real>> G, Gdot;
  std::vector<SkewBlock<Real>> K;
  std::vector<Twist<Real>> V_r;     ///< [bodies] twists of a reference motion
  std::vector<Real> v_r;            ///< [tree nv] where there are mimic joints
  std::vector<Real> tree_columns;   ///< [2 x 6 tree nv] likewise
  detail::ZeroNumbers<Real> rates;  ///< [tree nv squared] likewise
  std::vector<SE3<P>> child;        ///< [joints] the child link's frame in the body's
};

template <class Real, class P>
BasicDynamics<Real, P>::BasicDynamics(Robot robot)
    : impl_(std::make_unique<Impl>(std::move(robot))) {}
template <class Real, class P>
BasicDynamics<Real, P>::BasicDynamics(BasicDynamics&&) noexcept = default;
template <class Real, class P>
BasicDynamics<Real, P>& BasicDynamics<Real, P>::operator=(BasicDynamics&&) noexcept = default;
template <class Real, class P>
BasicDynamics<Real, P>::~BasicDynamics() = default;

template <class Real, class P>
const Robot& BasicDynamics<Real, P>::robot() const {
  return impl_->robot;
}
template <class Real, class P>
template <class Q>
requires(!std::same_as<Q, double> || !std::same_as<Real, double>) Inertia<Q>
&BasicDynamics<Real, P>::inertia(int body) {
  Impl& d = *impl_;
  if (body < 1 || body >= d.model().bodies)
    throw InputError("inertia: body is " + std::to_string(body) + ", robot \"" + d.robot.name() +
                     "\" has 1 to " + std::to_string(d.model().bodies - 1));
  d.inertias_changed = true;
  return d.tree.inertia(body);
}

template <class Real, class P>
void BasicDynamics<Real, P>::inverse(const Arg& q, const Arg& v, const Arg& a, const Around& around,
                                     const Into<Real>& tau) {
  Impl& d = *impl_;
  const std::span<const Real> at = q, speed = v, change = a;
  const bool tame = d.check("inverse", at, {{"v", speed}, {"a", change}}, around);
  const int n = d.system().nv;
  Real* to = detail::checked_into(d.robot, "inverse", "tau", tau, n);
  const Real* found = d.equations().inverse({at.data(), speed.data(), change.data()}, around);
  if (!tame) require_finite_vector(d.robot, "inverse", "tau", found);
  for (int k = 0; k < n; ++k) to[k] = found[k];
}

template <class Real, class P>
void BasicDynamics<Real, P>::forward(const Arg& q, const Arg& v, const Arg& tau,
                                     const Around& around, const Into<Real>& a) {
  Impl& d = *impl_;
  const std::span<const Real> at = q, speed = v, force = tau;
  d.check("forward", at, {{"v", speed}, {"tau", force}}, around);
  const int n = d.system().nv;
  Real* to = detail::checked_into(d.robot, "forward", "a", a, n);
  const Real* found = d.forward("forward", at.data(), speed.data(), force.data(), around);
  for (int k = 0; k < n; ++k) to[k] = found[k];
}

template <class Real, class P>
void BasicDynamics<Real, P>::hybrid(std::span<const bool> prescribed, const Arg& q, const Arg& v,
                                    const Arg& a, const Arg& tau, const Around& around,
                                    const Into<Real>& a_found, const Into<Real>& tau_found) {
  Impl& d = *impl_;
  const std::span<const Real> at = q, speed = v, change = a, force = tau;
  check_prescribed(d.robot, "hybrid", prescribed);
  d.check("hybrid", at, {{"v", speed}, {"a", change}, {"tau", force}}, around);
  Real* to_a = detail::checked_into(d.robot, "hybrid", "a", a_found, d.robot.nv());
  Real* to_tau = detail::checked_into(d.robot, "hybrid", "tau", tau_found, d.robot.nv());
  const Real* found = d.hybrid("hybrid", prescribed.data(),
                               {at.data(), speed.data(), change.data()}, force.data(), around);
  std::copy(found, found + d.robot.nv(), to_a);
  std::copy(d.room.forces.begin(), d.room.forces.end(), to_tau);
}

template <class Real, class P>
void BasicDynamics<Real, P>::run_mass(const Arg& q, Real* M) {
  Impl& d = *impl_;
  const std::span<const Real> at = q;
  const bool tame = d.check("mass", at, {});
  const State<Real> x = d.equations().at(at.data());
  d.equations().run_mass(x, d.robot.has_mimic() ? d.dense().tree.data() : M, M);
  if (!tame) require_finite_matrix(d.robot, "mass", "M", M, d.robot.nv(), d.robot.nv());
}
template <class Real, class P>
void BasicDynamics<Real, P>::run_mass_inverse(const Arg& q, Real* inverse) {
  Impl& d = *impl_;
  const std::span<const Real> at = q;
  d.check("mass_inverse", at, {});
  d.invert("mass_inverse", at.data(), inverse);
  const int n = d.robot.nv(), stride = padded_row(n);
  if (!d.moderate_inverse(inverse))
    require_finite_matrix(d.robot, "mass_inverse", "inverse", inverse, n, n, stride);
}

template <class Real, class P>
void BasicDynamics<Real, P>::bias(const Arg& q, const Arg& v, const GroundMotion& ground,
                                  const Into<Real>& tau) {
  Impl& d = *impl_;
  const std::span<const Real> at = q, speed = v;
  d.check("bias", at, {{"v", speed}}, ground);
  Real* to = detail::checked_into(d.robot, "bias", "tau", tau, d.robot.nv());
  const OwnState<Real> x{at.data(), speed.data(), d.room.zeros.data()};
  d.write("bias", "tau", d.equations().bias(x, ground), to);
}
template <class Real, class P>
void BasicDynamics<Real, P>::gravity(const Arg& q, const Into<Real>& tau) {
  Impl& d = *impl_;
  const std::span<const Real> at = q;
  d.check("gravity", at, {});
  Real* to = detail::checked_into(d.robot, "gravity", "tau", tau, d.robot.nv());
  const Real* zeros = d.room.zeros.data();
  d.write("gravity", "tau", d.equations().bias({at.data(), zeros, zeros}, {}), to);
}

template <class Real, class P>
BasicEnergy<Real> BasicDynamics<Real, P>::energy(const Arg& q, const Arg& v,
                                                 const GroundMotion& ground) {
  Impl& d = *impl_;
  const std::span<const Real> at = q, speed = v;
  d.check("energy", at, {{"v", speed}}, ground);
  const State<Real> x = d.equations().move(at.data(), speed.data(), nullptr, ground);
  const Workspace<Real>& w = d.workspace();
  const Model<P>& m = d.model();
  BasicEnergy<Real> sum{Real(0), Real(0)};
  for (int i = 1; i < m.bodies; ++i) {
    sum.kinetic += kinetic_energy(m.G[i], w.V[i]);
    sum.potential -= dot(w.pose[i].p * m.G[i].mass + w.pose[i].R * m.G[i].h, m.gravity);
  }
  for (int k = 0; k < m.nv; ++k) sum.kinetic += x.v[k] * x.v[k] * (m.armature[k] * P(0.5));
  d.require("energy", "kinetic", sum.kinetic);
  d.require("energy", "potential", sum.potential);
  return sum;
}
template <class Real, class P>
Real BasicDynamics<Real, P>::elastic_energy(const Arg& q) {
  Impl& d = *impl_;
  const std::span<const Real> at = q;
  d.check("elastic_energy", at, {});
  const Real found = d.equations().elastic_energy(at.data());
  d.require("elastic_energy", "found", found);
  return found;
}
template <class Real, class P>
EnergyRate<Real> BasicDynamics<Real, P>::energy_rate(const Arg& q, const Arg& v, const Arg& a,
                                                     const GroundMotion& ground) {
  Impl& d = *impl_;
  const std::span<const Real> at = q, speed = v, change = a;
  d.check("energy_rate", at, {{"v", speed}, {"a", change}}, ground);
  const EnergyRate<Real> rate =
      d.equations().energy_rate(at.data(), speed.data(), change.data(), ground);
  d.require("energy_rate", "kinetic", rate.kinetic);
  d.require("energy_rate", "potential", rate.potential);
  return rate;
}
template <class Real, class P>
BasicPowerBalance<Real> BasicDynamics<Real, P>::power_balance(const Arg& q, const Arg& v,
                                                              const Arg& a, const Around& around) {
  Impl& d = *impl_;
  const std::span<const Real> at = q, speed = v, change = a;
  d.check("power_balance", at, {{"v", speed}, {"a", change}}, around);
  const OwnState<Real> motion{at.data(), speed.data(), change.data()};
  const auto rate = d.equations().energy_rate(motion.q, motion.v, motion.a, around.ground);
  const State<Real> x = d.equations().inverse_with_wrenches(motion, around);
  const Workspace<Real>& w = d.workspace();
  Real* tau = d.equations().gathered();
  const Real moving = d.inner(tau, motion.v);
  d.equations().add_passive(motion, around, 1, tau);
  const Real actuators = d.inner(tau, motion.v);
  Real outside(0);
  for (int i = 1; i < d.model().bodies; ++i) outside += dot(x.F_ext[i], w.V[i]);
  const BasicPowerBalance<Real> found{rate.kinetic, around.gravity ? rate.potential : Real(0),
                                      actuators,    moving - actuators,
                                      outside,      dot(w.F[0], w.V[0])};
  d.require("power_balance", "kinetic_rate", found.kinetic_rate);
  d.require("power_balance", "potential_rate", found.potential_rate);
  d.require("power_balance", "actuators", found.actuators);
  d.require("power_balance", "passive", found.passive);
  d.require("power_balance", "outside", found.outside);
  d.require("power_balance", "ground", found.ground);
  return found;
}

template <class Real, class P>
void BasicDynamics<Real, P>::run_coriolis(const Arg& q, const Arg& v, Factorization factorization,
                                          Real* C, Real* Mdot) {
  Impl& d = *impl_;
  const std::span<const Real> at = q, speed = v;
  const bool tame = d.check("coriolis", at, {{"v", speed}});
  const State<Real> x = d.equations().tree_state({at.data(), speed.data(), d.room.zeros.data()});
  const bool folds = d.robot.has_mimic();
  Real *tree_C = folds ? d.dense().tree.data() : C, *tree_Mdot = folds ? d.rates.data() : Mdot;
  SubtreeRoom<Real> room = d.subtrees();
  d.tree.coriolis(x, d.workspace(), factorization, room, tree_C, tree_Mdot);
  if (folds) {
    gather_square(d.system().coupling, tree_C, C);
    gather_square(d.system().coupling, tree_Mdot, Mdot);
  }
  if (tame) return;
  require_finite_matrix(d.robot, "coriolis", "C", C, d.robot.nv(), d.robot.nv());
  require_finite_matrix(d.robot, "coriolis", "Mdot", Mdot, d.robot.nv(), d.robot.nv());
}
template <class Real, class P>
void BasicDynamics<Real, P>::inverse_reference(const Arg& q, const Arg& v, const Arg& v_r,
                                               const Arg& a_r, Factorization factorization,
                                               const Into<Real>& tau) {
  Impl& d = *impl_;
  const std::span<const Real> at = q, speed = v, reference = v_r, change = a_r;
  const char* name = "inverse_reference";
  d.check(name, at, {{"v", speed}, {"v_r", reference}, {"a_r", change}});
  if (factorization == Factorization::plain)
    throw InputError("inverse_reference: the plain factorization is not skew-symmetric");
  Real* to = detail::checked_into(d.robot, name, "tau", tau, d.robot.nv());
  const Real* tree_v_r = reference.data();
  if (d.robot.has_mimic()) {
    expand(d.system().coupling, reference.data(), d.v_r.data());
    tree_v_r = d.v_r.data();
  }
  d.write(name, "tau",
          d.equations().inverse_reference({at.data(), speed.data(), change.data()}, tree_v_r,
                                          factorization, d.V_r.data()),
          to);
}

template <class Real, class P>
Momentum<Real> BasicDynamics<Real, P>::momentum(const Arg& q, const Arg& v,
                                                const GroundMotion& ground) {
  Impl& d = *impl_;
  const std::span<const Real> at = q, speed = v;
  d.check("momentum", at, {{"v", speed}}, ground);
  require_moving_mass(d.robot, "momentum");
  d.equations().move(at.data(), speed.data(), nullptr, ground);
  const Momentum<Real> found = jounce::momentum(d.model(), d.workspace());
  if (!detail::finite(found.about_com) || !detail::finite(found.com))
    throw_not_finite("momentum", "the momentum");
  return found;
}
template <class Real, class P>
void BasicDynamics<Real, P>::run_centroidal(const Arg& q, const Arg& v, Real* A, Real* Adot) {
  Impl& d = *impl_;
  const std::span<const Real> at = q, speed = v;
  const bool tame = d.check("centroidal", at, {{"v", speed}});
  require_moving_mass(d.robot, "centroidal");
  const State<Real> x = d.equations().tree_state({at.data(), speed.data(), d.room.zeros.data()});
  const bool folds = d.robot.has_mimic();
  Real* tree_A = folds ? d.tree_columns.data() : A;
  Real* tree_Adot = folds ? tree_A + 6 * d.model().nv : Adot;
  SubtreeRoom<Real> room = d.subtrees();
  d.tree.poses(x, d.workspace());
  jounce::centroidal(d.model(), x, d.workspace(), room, tree_A, tree_Adot);
  if (folds) {
    gather_columns(d.system().coupling, 6, tree_A, A);
    gather_columns(d.system().coupling, 6, tree_Adot, Adot);
  }
  if (tame) return;
  require_finite_matrix(d.robot, "centroidal", "A", A, 6, d.robot.nv());
  require_finite_matrix(d.robot, "centroidal", "Adot", Adot, 6, d.robot.nv());
}

template <class Real, class P>
void BasicDynamics<Real, P>::centroidal_matrix(const Arg& q, const Into<Real>& A) {
  Impl& d = *impl_;
  const std::span<const Real> at = q;
  const bool tame = d.check("centroidal_matrix", at, {});
  require_moving_mass(d.robot, "centroidal_matrix");
  Real* to = detail::checked_into(d.robot, "centroidal_matrix", "A", A, 6, d.robot.nv());
  const State<Real> x = d.equations().at(at.data());
  Real* tree_A = d.robot.has_mimic() ? d.tree_columns.data() : to;
  if (!d.tree.centroidal_matrix(x, d.workspace(), tree_A)) {
    SubtreeRoom<Real> room = d.subtrees();
    d.tree.poses(x, d.workspace());
    jounce::centroidal(d.model(), x, d.workspace(), room, tree_A, static_cast<Real*>(nullptr));
  }
  if (d.robot.has_mimic()) gather_columns(d.system().coupling, 6, tree_A, to);
  if (!tame) require_finite_matrix(d.robot, "centroidal_matrix", "A", to, 6, d.robot.nv());
}

template <class Real, class P>
Wrench<Real> BasicDynamics<Real, P>::joint_wrenches(const Arg& q, const Arg& v, const Arg& a,
                                                    Representation in, const Around& around,
                                                    const Into<Wrench<Real>>& joints) {
  Impl& d = *impl_;
  const std::span<const Real> at = q, speed = v, change = a;
  d.check("joint_wrenches", at, {{"v", speed}, {"a", change}}, around);
  const long count = static_cast<long>(d.robot.joints().size());
  Wrench<Real>* to = detail::checked_into(d.robot, "joint_wrenches", "joints", joints, count);
  const State<Real> x =
      d.equations().inverse_with_bushings({at.data(), speed.data(), change.data()}, around);
  Workspace<Real>& w = d.workspace();
  if (in != Representation::body) d.tree.poses(x, w);
  for (size_t k = 0; k < d.child.size(); ++k) {
    const JointInfo& joint = d.robot.joints()[k];
    Wrench<Real> found = dual_Ad(d.child[k], w.F[joint.body]);
    if (in != Representation::body) {
      const SE3<Real> T = w.pose[joint.body] * d.child[k];
      found = in == Representation::space ? dual_Ad_inv(T, found)
                                          : Wrench<Real>{T.R * found.m, T.R * found.f};
    }
    if (!detail::finite(found))
      throw_not_finite("joint_wrenches", "the wrench of joint \"" + joint.name + "\"");
    to[k] = found;
  }
  if (!detail::finite(w.F[0])) throw_not_finite("joint_wrenches", "the wrench of the ground");
  return w.F[0];
}

}  // namespace jounce

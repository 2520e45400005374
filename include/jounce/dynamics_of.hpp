// SPDX-License-Identifier: BSD-3-Clause
// Dynamics for other kinds of number: the words of Dynamics, in the same order, on float,
// packs (W states in step), Taylor and dual numbers, and the scalar that counts.
//
//   jounce::DynamicsOf<jounce::Pack<double, 8>> dyn(arm);   // eight states at a time
//   std::span<const Pack> tau = dyn.inverse(q, v, a);       // q[k] holds coordinate k of all eight
//
// The algorithms are the generic templates; Dynamics has the fast kernels for one state of doubles.
// Arguments are checked as by Dynamics, in every lane and derivative. All memory is made by the
// constructor; results are views that are valid until the next call on the same object. Constants
// of the robot are P: float where the numbers are made of floats, else double. With P = Dual the
// inertias are variables too (inertia(body)).
#pragma once

#include <jounce/algorithm/com.hpp>
#include <jounce/algorithm/passive_rnea.hpp>
#include <jounce/algorithm/regressor.hpp>
#include <jounce/dynamics_of_derivatives.hpp>
#include <jounce/dynamics_of_frame.hpp>

namespace jounce {

template <class Real, class P = Plain<Real>>
class DynamicsOf {
 public:
  using Vector = std::span<const Real>;
  using Around = BasicSurroundings<Real>;
  using GroundMotion = OptionalGround<Real>;
  using Matrix = MatrixViewOf<Real>;

  explicit DynamicsOf(Robot robot) : d(std::move(robot)), e(d) {
    const std::vector<double> q = d.robot.neutral();
    kinematics(std::vector<Real>(q.begin(), q.end()));
  }

  const Robot& robot() const { return d.robot; }
  const Model<P>& model() const { return d.model(); }
  /// The inertia of a body in its frame; a change holds for all calls that follow.
  Inertia<P>& inertia(int body) {
    if (body < 1 || body >= model().bodies)
      throw InputError("inertia: body is " + std::to_string(body) + ", robot \"" + d.robot.name() +
                       "\" has 1 to " + std::to_string(model().bodies - 1));
    d.inertias_changed = true;
    return d.constants.inertia(body);
  }

  void kinematics(Vector q) { kinematics(q, d.zeros, d.zeros); }
  void kinematics(Vector q, Vector v) { kinematics(q, v, d.zeros); }
  void kinematics(Vector q, Vector v, Vector a, const GroundMotion& ground = {}) {
    check("kinematics", q, {{"v", v}, {"a", a}}, {.ground = ground});
    d.move(d.tree_state(q, v, a), ground, d.storage.view());
  }
  SE3<Real> pose(FrameId frame) const {
    detail::require_finite(
        "pose", [&] { return at(frame).name(); }, at(frame).pose());
    return at(frame).pose();
  }
  Twist<Real> twist_body(FrameId frame) const {
    return at(frame).checked("twist_body", at(frame).twist());
  }
  Twist<Real> twist_space(FrameId frame) const {
    return at(frame).checked("twist_space", at(frame).in_space(at(frame).twist()));
  }
  Twist<Real> twist_hybrid(FrameId frame) const {
    return at(frame).checked("twist_hybrid", at(frame).turned(at(frame).twist()));
  }
  Twist<Real> spatial_acceleration_body(FrameId frame) const {
    return at(frame).checked("spatial_acceleration_body", at(frame).spatial());
  }
  Twist<Real> spatial_acceleration_space(FrameId frame) const {
    return at(frame).checked("spatial_acceleration_space", at(frame).in_space(at(frame).spatial()));
  }
  Twist<Real> classical_acceleration_body(FrameId frame) const {
    return at(frame).checked("classical_acceleration_body", at(frame).classical());
  }
  Twist<Real> classical_acceleration_hybrid(FrameId frame) const {
    return at(frame).checked("classical_acceleration_hybrid",
                             at(frame).turned(at(frame).classical()));
  }
  Matrix jacobian(FrameId frame, Representation in) { return run_jacobian("jacobian", frame, in); }
  Matrix jacobian_body(FrameId frame) {
    return run_jacobian("jacobian_body", frame, Representation::body);
  }
  Matrix jacobian_space(FrameId frame) {
    return run_jacobian("jacobian_space", frame, Representation::space);
  }
  Matrix jacobian_hybrid(FrameId frame) {
    return run_jacobian("jacobian_hybrid", frame, Representation::hybrid);
  }
  Matrix jacobian_rate(FrameId frame, Representation in) {
    const detail::FrameOf<Real, P> seat = at(frame);
    jounce::jacobian_rate(model(), d.storage.view(), seat.info.body, seat.offset, seat.twist(), in,
                          d.tree_columns.data());
    return finite("jacobian_rate", "rate", d.fold_columns(6, d.tree_columns, d.columns));
  }
  Com<Real> com() const {
    d.require_mass("com");
    const Com<Real> found = jounce::com(model(), d.storage.view());
    detail::require_finite("com", [] { return "the centre of mass"; },
                           {found.position, found.velocity, found.acceleration});
    return found;
  }
  Matrix com_jacobian() {
    d.require_mass("com_jacobian");
    jounce::com_jacobian(model(), d.storage.view(), d.subtree_mass.data(), d.subtree_moment.data(),
                         d.tree_columns.data());
    return finite("com_jacobian", "J", d.fold_columns(3, d.tree_columns, d.columns));
  }

  Vector inverse(Vector q, Vector v, Vector a, const Around& around = {}) {
    check("inverse", q, {{"v", v}, {"a", a}}, around);
    q = d.kept_q(q), v = d.kept(v);
    rnea(model(), d.load(q, v, a, around), d.work.view());
    d.fold_forces();
    if (around.passive) d.add_passive(q, v, 1, d.forces);
    return finite("inverse", "tau", d.forces);
  }
  Vector forward(Vector q, Vector v, Vector tau, const Around& around = {}) {
    check("forward", q, {{"v", v}, {"tau", tau}}, around);
    q = d.kept_q(q), v = d.kept(v);
    if (d.robot.has_mimic()) {
      d.coupled_hybrid("forward", nullptr, q, v, d.zeros, tau, around);
      return finite("forward", "a", d.solution);
    }
    std::copy(tau.begin(), tau.end(), d.given.begin());
    if (around.passive) d.add_passive(q, v, -1, d.given);
    State<Real> x = d.load(q, v, d.zeros, around);
    x.tau = d.given.data();
    aba(model(), x, d.work.view());
    d.require_tree_pivots("forward", nullptr, d.work.view());
    return finite("forward", "a", Vector{d.work.view().a, d.zeros.size()});
  }
  HybridResultOf<Real> hybrid(std::span<const bool> prescribed, Vector q, Vector v, Vector a,
                              Vector tau, const Around& around = {}) {
    if (prescribed.size() != d.zeros.size())
      throw InputError("hybrid: prescribed has " + std::to_string(prescribed.size()) +
                       " elements, robot \"" + d.robot.name() + "\" needs " +
                       std::to_string(d.zeros.size()));
    check("hybrid", q, {{"v", v}, {"a", a}, {"tau", tau}}, around);
    q = d.kept_q(q), v = d.kept(v), tau = d.kept(tau, 1);
    if (d.robot.has_mimic()) {
      d.coupled_hybrid("hybrid", prescribed.data(), q, v, a, tau, around);
      return {finite("hybrid", "a", d.solution), finite("hybrid", "tau", d.forces)};
    }
    std::copy(tau.begin(), tau.end(), d.given.begin());
    std::copy(a.begin(), a.end(), d.tree_a.begin());  // a may be a view of work
    if (around.passive) d.add_passive(q, v, -1, d.given);
    State<Real> x = d.load(q, v, d.tree_a, around);
    x.tau = d.given.data();
    jounce::hybrid(model(), x, prescribed.data(), d.work.view());
    d.require_tree_pivots("hybrid", prescribed.data(), d.work.view());
    std::copy_n(d.work.view().tau, tau.size(), d.given.begin());
    if (around.passive) d.add_passive(q, v, 1, d.given);
    for (size_t k = 0; k < tau.size(); ++k) d.forces[k] = prescribed[k] ? d.given[k] : tau[k];
    return {finite("hybrid", "a", Vector{d.work.view().a, d.zeros.size()}),
            finite("hybrid", "tau", d.forces)};
  }

  Matrix mass(Vector q) {
    check("mass", q, {});
    return finite("mass", "M", d.run_mass(d.tree_state(q, d.zeros, d.zeros)));
  }
  Matrix mass_inverse(Vector q) {
    check("mass_inverse", q, {});
    d.factor("mass_inverse", q, d.work.view());
    const size_t n = d.zeros.size();
    for (size_t k = 0; k < n; ++k) {
      std::fill(d.solution.begin(), d.solution.end(), Real(0));
      d.solution[k] = Real(1);
      d.solve(d.factors, d.work.view());
      std::copy(d.solution.begin(), d.solution.end(),
                d.second_square.begin() + std::ptrdiff_t(n * k));
    }
    return finite("mass_inverse", "inverse", Matrix{d.second_square.data(), int(n), int(n)});
  }
  /// Factors that mass_solve uses until the next such call.
  void factor_mass(Vector q) {
    check("factor_mass", q, {});
    d.factored = false;
    d.factor("factor_mass", q, d.articulated.view());
    std::copy(d.factors.begin(), d.factors.end(), d.solving_factors.begin());
    d.factored = true;
  }
  Vector mass_solve(Vector x) {
    d.check_v("mass_solve", "x", x);
    if (!d.factored) throw InputError("mass_solve: call factor_mass first");
    std::copy(x.begin(), x.end(), d.solution.begin());
    d.solve(d.solving_factors, d.articulated.view());
    return finite("mass_solve", "x", d.solution);
  }
  Vector bias(Vector q, Vector v, const GroundMotion& ground = {}) {
    check("bias", q, {{"v", v}}, {.ground = ground});
    rnea(model(), d.load(q, v, d.zeros, {.ground = ground}), d.work.view());
    return finite("bias", "tau", d.fold_forces());
  }
  Vector gravity(Vector q) {
    check("gravity", q, {});
    rnea(model(), d.load(q, d.zeros, d.zeros, {}), d.work.view());
    return finite("gravity", "tau", d.fold_forces());
  }
  EnergyOf<Real> energy(Vector q, Vector v, const GroundMotion& ground = {}) {
    check("energy", q, {{"v", v}}, {.ground = ground});
    const State<Real> x = d.tree_state(q, v, d.zeros);
    d.move(x, ground, d.work.view());
    const Workspace<Real>& w = d.work.view();
    EnergyOf<Real> sum{Real(0), Real(0)};
    for (int i = 1; i < model().bodies; ++i) {
      const Inertia<P>& G = model().G[i];
      sum.kinetic += kinetic_energy(G, w.V[i]);
      sum.potential -= dot(w.pose[i].p * G.mass + w.pose[i].R * G.h, model().gravity);
    }
    for (int k = 0; k < model().nv; ++k)
      sum.kinetic += x.v[k] * x.v[k] * (model().armature[k] * P(0.5));
    detail::require_finite<Real>("energy",
                                 {{"kinetic", sum.kinetic}, {"potential", sum.potential}});
    return sum;
  }

  CoriolisResultOf<Real> coriolis(Vector q, Vector v,
                                  Factorization factorization = Factorization::christoffel) {
    check("coriolis", q, {{"v", v}});
    const State<Real> x = d.tree_state(q, v, d.zeros);
    forward_poses(model(), x, d.work.view());
    SubtreeRoom<Real> room = d.room();
    jounce::coriolis(model(), x, d.work.view(), factorization, room, d.tree_square.data(),
                     d.second_tree_square.data());
    return {finite("coriolis", "C", d.fold_square(d.tree_square, d.square)),
            finite("coriolis", "Mdot", d.fold_square(d.second_tree_square, d.second_square))};
  }
  Vector inverse_passive(Vector q, Vector v, Vector v_r, Vector a_r,
                         Factorization factorization = Factorization::ploen) {
    check("inverse_passive", q, {{"v", v}, {"v_r", v_r}, {"a_r", a_r}});
    if (factorization == Factorization::plain)
      throw InputError("inverse_passive: the plain factorization is not skew-symmetric");
    const State<Real> x = d.tree_state(q, v, a_r);
    Workspace<Real>& w = d.work.view();
    set_ground(model(), Around{}, w);
    d.V_r[0] = {};
    passive_rnea(model(), x, d.expand(v_r, d.tree_v_r), factorization, d.V_r.data(), w);
    return finite("inverse_passive", "tau", d.fold_forces());
  }
  CentroidalResultOf<Real> centroidal(Vector q, Vector v) {
    check("centroidal", q, {{"v", v}});
    d.require_mass("centroidal");
    const State<Real> x = d.tree_state(q, v, d.zeros);
    forward_poses(model(), x, d.work.view());
    SubtreeRoom<Real> room = d.room();
    jounce::centroidal(model(), x, d.work.view(), room, d.tree_columns.data(),
                       d.second_tree_columns.data());
    return {
        finite("centroidal", "A", d.fold_columns(6, d.tree_columns, d.columns)),
        finite("centroidal", "Adot", d.fold_columns(6, d.second_tree_columns, d.second_columns))};
  }
  Momentum<Real> momentum(Vector q, Vector v, const GroundMotion& ground = {}) {
    check("momentum", q, {{"v", v}}, {.ground = ground});
    d.require_mass("momentum");
    d.move(d.tree_state(q, v, d.zeros), ground, d.work.view());
    const Momentum<Real> found = jounce::momentum(model(), d.work.view());
    detail::require_finite("momentum", [] { return "the momentum"; },
                           {found.about_com.m, found.about_com.f, found.com});
    return found;
  }
  EnergyRate<Real> energy_rate(Vector q, Vector v, Vector a, const GroundMotion& ground = {}) {
    check("energy_rate", q, {{"v", v}, {"a", a}}, {.ground = ground});
    const EnergyRate<Real> rate = d.energy_rate(q, v, a, ground);
    detail::require_finite<Real>("energy_rate",
                                 {{"kinetic", rate.kinetic}, {"potential", rate.potential}});
    return rate;
  }
  PowerBalanceOf<Real> power_balance(Vector q, Vector v, Vector a, const Around& around = {}) {
    check("power_balance", q, {{"v", v}, {"a", a}}, around);
    q = d.kept_q(q), v = d.kept(v);
    EnergyRate<Real> rate = d.energy_rate(q, v, a, around.ground);
    if (!around.gravity) rate.potential = Real(0);
    const State<Real> x = d.load(q, v, a, around);
    const Workspace<Real>& w = d.work.view();
    rnea(model(), x, d.work.view());
    const Real moving = d.inner(d.fold_forces(), v);
    if (around.passive) d.add_passive(q, v, 1, d.forces);
    const Real actuators = d.inner(d.forces, v);
    Real outside(0);
    for (int i = 1; i < model().bodies; ++i) outside += dot(x.F_ext[i], w.V[i]);
    const Real base = dot(w.F[0], w.V[0]);
    detail::require_finite<Real>("power_balance", {{"kinetic_rate", rate.kinetic},
                                                   {"potential_rate", rate.potential},
                                                   {"actuators", actuators},
                                                   {"passive", moving - actuators},
                                                   {"external", outside},
                                                   {"base", base}});
    return {rate.kinetic, rate.potential, actuators, moving - actuators, outside, base};
  }
  JointWrenchesOf<Real> joint_wrenches(Vector q, Vector v, Vector a,
                                       Representation in = Representation::body,
                                       const Around& around = {}) {
    check("joint_wrenches", q, {{"v", v}, {"a", a}}, around);
    const State<Real> x = d.load(q, v, a, around);
    Workspace<Real>& w = d.work.view();
    rnea(model(), x, w);
    if (in != Representation::body) forward_poses(model(), x, w);
    for (size_t k = 0; k < d.wrenches.size(); ++k) {
      const int child = d.robot.joints()[k].body;
      const SE3<Real> T = w.pose[child] * d.child[k];
      const Wrench<Real> F = dual_Ad(d.child[k], w.F[child]);
      d.wrenches[k] = in == Representation::body    ? F
                      : in == Representation::space ? dual_Ad_inv(T, F)
                                                    : Wrench<Real>{T.R * F.m, T.R * F.f};
      detail::require_finite(
          "joint_wrenches",
          [&] { return "the wrench of joint \"" + d.robot.joints()[k].name + "\""; },
          {d.wrenches[k].m, d.wrenches[k].f});
    }
    detail::require_finite("joint_wrenches", [] { return "the wrench of the ground"; },
                           {w.F[0].m, w.F[0].f});
    return {d.wrenches, w.F[0]};
  }
  InverseDerivativesOf<Real> inverse_derivatives(Vector q, Vector v, Vector a,
                                                 const Around& around = {}) {
    check("inverse_derivatives", q, {{"v", v}, {"a", a}}, around);
    e.run(d, q, v, a, around);
    const int n = d.robot.nv();
    const auto matrix = [&](const char* name, const std::vector<Real>& own,
                            const std::vector<Real>& folded) {
      return finite("inverse_derivatives", name,
                    Matrix{(d.robot.has_mimic() ? folded : own).data(), n, n});
    };
    return {matrix("dtau_dq", e.dq, e.folded_dq), matrix("dtau_dv", e.dv, e.folded_dv),
            matrix("dtau_da", e.da, e.folded_da)};
  }
  /// The regressor of inverse without armature and passive forces, written to Y: nv rows, ten
  /// columns per link in the order of the file, column by column.
  void regressor(Vector q, Vector v, Vector a, std::span<Real> Y, const GroundMotion& ground = {}) {
    check("regressor", q, {{"v", v}, {"a", a}}, {.ground = ground});
    const size_t links = d.robot.description().links.size(), nv = d.zeros.size();
    if (Y.size() != 10 * links * nv)
      throw InputError("regressor: Y has " + std::to_string(Y.size()) + " elements, robot \"" +
                       d.robot.name() + "\" needs " + std::to_string(10 * links * nv));
    const State<Real> x = d.tree_state(q, v, a);
    Workspace<Real>& w = d.work.view();
    set_ground(model(), Around{.ground = ground}, w);
    d.V_r[0] = w.V[0];
    passive_motion(model(), x, x.v, d.V_r.data(), w);
    std::fill(Y.begin(), Y.end(), Real(0));
    for (size_t k = 0; k < links; ++k) d.add_link_columns(int(k), Y.subspan(10 * nv * k, 10 * nv));
    finite("regressor", "Y", Matrix{Y.data(), int(nv), 10 * int(links)});
  }

 private:
  struct Argument {
    const char* name;
    Vector x;
  };
  void check(const char* caller, Vector q, std::initializer_list<Argument> others) const {
    d.check_q(caller, "q", q);
    for (const Argument& one : others) d.check_v(caller, one.name, one.x);
  }
  void check(const char* caller, Vector q, std::initializer_list<Argument> others,
             const Around& around) const {
    check(caller, q, others);
    detail::check_surroundings(d.robot, caller, around);
  }
  /// A result, refused where it is not finite.
  Vector finite(const char* caller, const char* name, Vector x) const {
    detail::require_finite(d.robot, caller, name, x);
    return x;
  }
  Matrix finite(const char* caller, const char* name, const Matrix& x) const {
    detail::require_finite(d.robot, caller, name, x);
    return x;
  }
  detail::FrameOf<Real, P> at(FrameId frame) const {
    return {d.robot.frame_info(frame), d.seat(frame).offset, d.storage.view()};
  }
  Matrix run_jacobian(const char* caller, FrameId frame, Representation in) {
    const detail::FrameOf<Real, P> seat = at(frame);
    jounce::jacobian(model(), d.storage.view(), seat.info.body, seat.offset, in,
                     d.tree_columns.data());
    return finite(caller, "J", d.fold_columns(6, d.tree_columns, d.columns));
  }

  detail::DynamicsMemory<Real, P> d;
  detail::DerivativeMemory<Real, P> e;
};

}  // namespace jounce

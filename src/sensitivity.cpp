// SPDX-License-Identifier: BSD-3-Clause
// Sensitivities to named parameters; a class of its own, with its own memory.
#include <algorithm>
#include <jounce/algorithm/ltdl.hpp>
#include <jounce/algorithm/sensitivity.hpp>
#include <jounce/door/robot_equations.hpp>
#include <jounce/group/lie_derivative.hpp>
#include <jounce/sensitivity.hpp>

#include "kernels/kernel_tree.hpp"
#include "parameter_target.hpp"
#include "state_check.hpp"

namespace jounce {
namespace {

/// Kinds from damping to the last are those of Resistance.
constexpr Resistance resistance_of(ParameterKind kind) {
  return Resistance(int(kind) - int(ParameterKind::damping));
}

}  // namespace

struct Sensitivity::Impl : RobotEquations<double> {
  Impl(Robot robot_, std::vector<Parameter> parameters_)
      : RobotEquations(std::move(robot_)),
        parameters(std::move(parameters_)),
        tree_column(size_t(robot.model().nv)),
        found_a(size_t(robot.nv())),
        own_rest(robot.passive().rest),
        dF_ext(size_t(robot.bodies())),
        dG(size_t(robot.bodies())),
        dh(size_t(robot.bodies())),
        dS(size_t(robot.model().nv)),
        V(size_t(robot.bodies())),
        Vdot(V),
        F(dF_ext),
        changes{V.data(), Vdot.data(), F.data()},
        matrix(size_t(robot.nv()) * parameters.size()) {
    for (const Parameter& p : parameters) targets.push_back(resolve(robot, p));
    for (const JointInfo& joint : robot.joints()) {  // a leader's without what its mimics add
      const auto& rest = robot.description().joints[size_t(joint.description)].properties.rest;
      if (joint.mimic || joint.nq != 1) continue;
      own_rest[size_t(joint.q)] = rest.empty() ? 0 : rest[0];
    }
    if (robot.bushings().empty()) return;
    bushings = std::make_unique<BushingRoom<Moved>>(system());
    moved_q.resize(size_t(model().nq));
    moved_v.resize(size_t(model().nv));
    taken.resize(size_t(robot.nv()));
  }

  void write_force(const OwnState<double>& x, const Surroundings& around);
  void write_joint_column(const ParameterTarget& target, const OwnState<double>& x,
                          const Surroundings& around, double* column) const;
  void turn_wrenches(const ParameterTarget& target, const Surroundings& around);
  bool carries(int body, int other) const;
  void write_column(const ParameterTarget& target, const State<double>& x,
                    const Surroundings& around, double* column);
  void add_bushings(const ParameterTarget& target, const State<double>& x, double* column);
  void write_bushing_column(const ParameterTarget& target, const State<double>& x, double* column);
  void write_spring_column(const ParameterTarget& target, const double* q_, double* column) const;
  Change<double> change_of(const ParameterTarget& target, const State<double>& x);
  void clear(const ParameterTarget& target);
  /// Factors of the mass matrix at q, and x := M^-1 x with them.
  void factor_mass(const char* caller, const double* q) {
    if (solves_by_factors()) return factor(caller, q, nullptr);
    tree.factor(equations().at(q), workspace());
    require_pivots(caller, q, workspace(), nullptr);
  }
  void solve_mass(double* x) {
    if (solves_by_factors()) ltdl_solve(dense().pattern.view(), dense().LD.data(), x);
    else tree.solve(x, workspace(), x);
  }
  /// The matrix, refused where it is not finite, written last.
  void write(const char* caller, double* to) const {
    require_finite_matrix(robot, caller, "matrix", matrix.data(), robot.nv(), int(targets.size()));
    std::copy(matrix.begin(), matrix.end(), to);
  }

  std::vector<Parameter> parameters;
  std::vector<ParameterTarget> targets;
  std::vector<double> tree_column;
  std::vector<double> found_a;
  std::vector<double> own_rest;  ///< [nq] where each joint's own spring is free
  std::vector<Wrench<double>> dF_ext;
  std::vector<Inertia<double>> dG;  ///< zero between calls, as the two below
  std::vector<Twist<double>> dh, dS;
  std::vector<Twist<double>> V, Vdot;
  std::vector<Wrench<double>> F;
  SensitivityRoom<double> changes;
  std::vector<double> matrix;

  using Moved = Dual<double, 1>;
  std::unique_ptr<BushingRoom<Moved>> bushings;  ///< where there are any, as what follows
  std::vector<Moved> moved_q, moved_v, taken;    ///< of the tree, of the tree, [nv]
};

Change<double> Sensitivity::Impl::change_of(const ParameterTarget& t, const State<double>& x) {
  Change<double> change{.first = std::max(t.body, 1), .last = t.body + 1};
  const auto body = size_t(t.body);
  if (t.kind == ParameterKind::gravity) {
    change.Vdot_0.v = -unit_twist(t.component).w;
  } else if (moves_joint(t.kind)) {
    const JointChange joint = joint_change(model(), workspace(), t, x.q);
    dh[body] = joint.h;
    change.h = dh.data();
    if (t.kind == ParameterKind::placement) return change;
    dS[size_t(model().v_at[t.body])] = joint.S;
    change.S = dS.data();
  } else {
    dG[body] = t.dG;
    change.G = dG.data();
  }
  return change;
}
void Sensitivity::Impl::clear(const ParameterTarget& t) {
  dG[size_t(t.body)] = {};
  dh[size_t(t.body)] = {};
  if (t.kind == ParameterKind::axis || t.kind == ParameterKind::pitch)
    dS[size_t(robot.model().v_at[t.body])] = {};
}

bool Sensitivity::Impl::carries(int body, int other) const {
  while (other > body) other = robot.model().parent[other];
  return other == body;
}

/// Wrenches in ground axes, seen from a body that the parameter moves by the twist Y.
void Sensitivity::Impl::turn_wrenches(const ParameterTarget& t, const Surroundings& around) {
  std::fill(dF_ext.begin(), dF_ext.end(), Wrench<double>{});
  const SE3<double>* pose = workspace().pose;
  const Twist<double> by = Ad(pose[t.body], dh[size_t(t.body)]);
  for (const OutsideWrench<double>& one : around.wrenches) {
    const auto& [body, offset] = robot.system().frame[static_cast<int>(one.frame)];
    if (one.in == Representation::body || !carries(t.body, body)) continue;
    const Twist<Moved> Y = detail::cast<Moved>(Ad_inv(pose[body], by)) * Moved::variable(0, 0);
    const SE3<Moved> T = detail::displaced(Side::right, detail::cast<Moved>(pose[body]), Y);
    const Wrench<Moved> given{detail::cast<Moved>(one.wrench.m), detail::cast<Moved>(one.wrench.f)};
    const auto [m, f] = seen_in_body(given, one.in, offset, T);
    dF_ext[size_t(body)] +=
        Wrench<double>{{m.x.d[0], m.y.d[0], m.z.d[0]}, {f.x.d[0], f.y.d[0], f.z.d[0]}};
  }
}

void Sensitivity::Impl::write_column(const ParameterTarget& t, const State<double>& x,
                                     const Surroundings& around, double* column) {
  Change<double> change = change_of(t, x);
  if (change.h != nullptr && !around.wrenches.empty()) {
    turn_wrenches(t, around);
    change.F_ext = dF_ext.data();
  }
  rnea_sensitivity(model(), x, workspace(), change, changes, tree_column.data());
  gather(system().coupling, tree_column.data(), column);
  if (change.h != nullptr && bushings != nullptr && around.passive) add_bushings(t, x, column);
  clear(t);
}

/// What bushings take where a joint moves by dh, and its screw by dS.
void Sensitivity::Impl::add_bushings(const ParameterTarget& t, const State<double>& x,
                                     double* column) {
  std::copy_n(x.q, moved_q.size(), moved_q.begin());
  std::copy_n(x.v, moved_v.size(), moved_v.begin());
  const State<Moved> state{moved_q.data(), moved_v.data(), nullptr, nullptr, nullptr};
  bushings->move(system(), state);
  const Moved step = Moved::variable(0, 0);
  SE3<Moved>& T = bushings->tree.view().T[t.body];
  Twist<Moved>& S = bushings->tree.view().S[model().v_at[t.body]];
  const SE3<Moved> T_before = T;
  const Twist<Moved> S_before = S;
  T = T * exp(detail::cast<Moved>(dh[size_t(t.body)]) * step);
  S += detail::cast<Moved>(dS[size_t(model().v_at[t.body])]) * step;
  std::fill(taken.begin(), taken.end(), Moved(0));
  add_moved_bushings(system(), state, 1.0, *bushings, taken.data());
  for (size_t k = 0; k < taken.size(); ++k) column[k] += taken[k].d[0];
  T = T_before, S = S_before;
}

/// What the bushing would take if its stiffness or damping were 1 along one axis and 0 elsewhere.
void Sensitivity::Impl::write_bushing_column(const ParameterTarget& t, const State<double>& x,
                                             double* column) {
  Bushing<double> unit = system().passive.bushings.bushing[t.bushing];
  for (int k = 0; k < 6; ++k) {
    const double one = k == t.component ? 1 : 0;
    unit.stiffness[k] = t.kind == ParameterKind::bushing_stiffness ? one : 0;
    unit.damping[k] = t.kind == ParameterKind::bushing_damping ? one : 0;
  }
  BushingRoom<double>& own = *room.bushings;
  own.move(system(), x);
  const Wrench<double> pull = bushing_state(model(), unit, x, own).F;
  const Twist<double>* twist = own.column.data();
  for_each_velocity(system(), unit,
                    [&](int k, double ratio) { column[k] += dot(pull, *twist++) * ratio; });
}

/// What the spring would take if its stiffness were 1 in this coordinate and 0 in the others.
void Sensitivity::Impl::write_spring_column(const ParameterTarget& t, const double* q_,
                                            double* column) const {
  double unit[6] = {}, u[6];
  unit[t.coordinate - t.spring.v] = 1;
  difference(t.spring, own_rest.data() + t.spring.q, q_ + t.spring.q, u);
  spring_force(t.spring, unit, u, column + t.spring.v);
}

/// Of what acts on one coordinate alone.
void Sensitivity::Impl::write_joint_column(const ParameterTarget& t, const OwnState<double>& x,
                                           const Surroundings& around, double* column) const {
  const int k = t.coordinate;
  if (t.kind == ParameterKind::armature) column[k] = x.a[k];
  else if (!around.passive) return;
  else if (t.kind == ParameterKind::stiffness) write_spring_column(t, x.q, column);
  else column[k] = unit_resistance(resistance_of(t.kind), x.v[k]);
}

void Sensitivity::Impl::write_force(const OwnState<double>& x, const Surroundings& around) {
  const State<double> state = equations().inverse_with_wrenches(x, around);
  double* column = matrix.data();
  std::fill(matrix.begin(), matrix.end(), 0.0);
  for (const ParameterTarget& t : targets) {
    const bool acts =
        of_bushing(t.kind) ? around.passive : t.kind != ParameterKind::gravity || around.gravity;
    if (t.kind >= ParameterKind::armature) write_joint_column(t, x, around, column);
    else if (acts && of_bushing(t.kind)) write_bushing_column(t, state, column);
    else if (acts) write_column(t, state, around, column);
    column += robot.nv();
  }
}

Sensitivity::Sensitivity(Robot robot, std::vector<Parameter> parameters)
    : impl_(std::make_unique<Impl>(std::move(robot), std::move(parameters))) {}
Sensitivity::Sensitivity(Sensitivity&&) noexcept = default;
Sensitivity& Sensitivity::operator=(Sensitivity&&) noexcept = default;
Sensitivity::~Sensitivity() = default;

const Robot& Sensitivity::robot() const { return impl_->robot; }
std::span<const Parameter> Sensitivity::parameters() const { return impl_->parameters; }

void Sensitivity::force(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                        const Surroundings& around, const Into<double>& found) {
  write_force("force sensitivity", q, v, a, around, found);
}
void Sensitivity::write_force(const char* name, const VectorArg& q, const VectorArg& v,
                              const VectorArg& a, const Surroundings& around,
                              const Into<double>& found) {
  Impl& d = *impl_;
  const std::span<const double> at = q, speed = v, change = a;
  d.check(name, at, {{"v", speed}, {"a", change}}, around);
  double* to = detail::checked_into(d.robot, name, "found", found, d.robot.nv(),
                                    static_cast<long>(d.targets.size()));
  d.write_force({at.data(), speed.data(), change.data()}, around);
  d.write(name, to);
}

/// M da = -dtau at the accelerations that tau gives.
void Sensitivity::acceleration(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                               const Surroundings& around, const Into<double>& found) {
  Impl& d = *impl_;
  const char* name = "acceleration sensitivity";
  const std::span<const double> at = q, speed = v, force = tau;
  d.check(name, at, {{"v", speed}, {"tau", force}}, around);
  const int n = d.robot.nv();
  double* to =
      detail::checked_into(d.robot, name, "found", found, n, static_cast<long>(d.targets.size()));
  std::copy_n(d.forward(name, at.data(), speed.data(), force.data(), around), n, d.found_a.begin());
  d.write_force({at.data(), speed.data(), d.found_a.data()}, around);
  d.factor_mass(name, at.data());
  for (size_t j = 0; j < d.targets.size(); ++j) d.solve_mass(d.matrix.data() + size_t(n) * j);
  for (double& x : d.matrix) x = -x;
  d.write(name, to);
}

}  // namespace jounce

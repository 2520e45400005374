// SPDX-License-Identifier: BSD-3-Clause
// Sensitivities to named parameters; a class of its own, with its own memory.
#include <algorithm>
#include <jounce/algorithm/ltdl.hpp>
#include <jounce/algorithm/sensitivity.hpp>
#include <jounce/door/robot_equations.hpp>
#include <jounce/group/lie_derivative.hpp>
#include <jounce/sensitivity.hpp>

#include "bushing_columns.hpp"
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
        still(found_a),
        moving(found_a),
        own_rest(robot.passive().rest),
        dF_ext(size_t(robot.bodies())),
        dG(size_t(robot.bodies())),
        dh(size_t(robot.bodies())),
        dS(size_t(robot.model().nv)),
        V(size_t(robot.bodies())),
        Vdot(V),
        F(dF_ext),
        changes{V.data(), Vdot.data(), F.data()},
        matrix(size_t(robot.nv()) * parameters.size()),
        energies(2 * parameters.size()) {
    for (const Parameter& p : parameters) targets.push_back(resolve(robot, p));
    for (const JointInfo& joint : robot.joints()) {  // a leader's without what its mimics add
      const auto& rest = robot.description().joints[size_t(joint.description)].properties.rest;
      if (joint.mimic || joint.nq != 1) continue;
      own_rest[size_t(joint.q)] = rest.empty() ? 0 : rest[0];
    }
    if (robot.bushings().empty()) return;
    bushings = std::make_unique<BushingColumns>(system());
  }

  using Moved = Dual<double, 1>;

  void write_force(const OwnState<double>& x, const Surroundings& around);
  /// Of M a alone.
  void write_inertial(const double* q, const double* a);
  void write_joint_column(const ParameterTarget& target, const OwnState<double>& x,
                          const Surroundings& around, double* column) const;
  void turn_wrenches(const ParameterTarget& target, const Surroundings& around);
  bool carries(int body, int other) const {
    while (other > body) other = robot.model().parent[other];
    return other == body;
  }
  void write_column(const ParameterTarget& target, const State<double>& x,
                    const Surroundings& around, double* column);
  void write_spring_column(const ParameterTarget& target, const double* q_, double* column) const;
  void write_rest_column(const ParameterTarget& target, const double* q_, double* column) const;
  void solve_hybrid(const bool* prescribed);
  double potential_of(const ParameterTarget& target, const State<double>& x);
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
  double* room_of(const char* caller, const Into<double>& found, size_t rows) const {
    return detail::checked_into(robot, caller, "found", found, long(rows), long(targets.size()));
  }
  /// Numbers, refused where they are not finite, written last.
  void write(const char* caller, const std::vector<double>& from, size_t rows, double* to) const {
    require_finite_matrix(robot, caller, "matrix", from.data(), int(rows), int(targets.size()));
    std::copy(from.begin(), from.end(), to);
  }
  void write(const char* caller, double* to) const { write(caller, matrix, found_a.size(), to); }

  std::vector<Parameter> parameters;
  std::vector<ParameterTarget> targets;
  std::vector<double> tree_column;
  std::vector<double> found_a;
  std::vector<double> still, moving;  ///< [nv] zero between calls
  std::vector<double> masses;         ///< [parameters][nv][nv], where they have been asked for
  std::vector<double> own_rest;       ///< [nq] where each joint's own spring is free
  std::vector<Wrench<double>> dF_ext;
  std::vector<Inertia<double>> dG;  ///< zero between calls, as the two below
  std::vector<Twist<double>> dh, dS;
  std::vector<Twist<double>> V, Vdot;
  std::vector<Wrench<double>> F;
  SensitivityRoom<double> changes;
  std::vector<double> matrix;
  std::vector<double> energies;  ///< [parameters][2]: kinetic, potential

  std::unique_ptr<BushingColumns> bushings;  ///< where there are any
};

Change<double> Sensitivity::Impl::change_of(const ParameterTarget& t, const State<double>& x) {
  Change<double> change{.first = std::max(t.body, 1), .last = t.body + 1};
  const auto body = size_t(t.body);
  if (t.kind == ParameterKind::wrench) {
    std::fill(dF_ext.begin(), dF_ext.end(), Wrench<double>{});
    dF_ext[body] = t.F;
    change.F_ext = dF_ext.data();
  } else if (t.kind == ParameterKind::gravity) {
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
  if (change.h != nullptr && bushings != nullptr && around.passive)
    bushings->add_moved(t.body, joint_change(model(), workspace(), t, x.q), x, column);
  clear(t);
}

/// What the spring would take if its stiffness were 1 in this coordinate and 0 in the others.
void Sensitivity::Impl::write_spring_column(const ParameterTarget& t, const double* q_,
                                            double* column) const {
  double unit[6] = {}, u[6];
  unit[t.coordinate - t.spring.v] = 1;
  difference(t.spring, own_rest.data() + t.spring.q, q_ + t.spring.q, u);
  spring_force(t.spring, unit, u, column + t.spring.v);
}

/// How the force of the spring changes where it is free elsewhere: -u = log(q^-1 rest) moves by
/// dexp^-1.
void Sensitivity::Impl::write_rest_column(const ParameterTarget& t, const double* q_,
                                          double* column) const {
  const Factor& f = t.spring;
  double back[6], along[6] = {}, du[6];
  Moved u[6], force[6];
  difference(f, q_ + f.q, own_rest.data() + f.q, back);
  along[t.coordinate - f.v] = 1;
  dexp_inv(f, back, along, du);
  for (int k = 0; k < f.nv; ++k) u[k].a = -back[k], u[k].d[0] = -du[k];
  spring_force(f, t.own, u, force);
  for (int k = 0; k < f.nv; ++k) column[f.v + k] = force[k].d[0];
}

/// Of what acts on one coordinate alone.
void Sensitivity::Impl::write_joint_column(const ParameterTarget& t, const OwnState<double>& x,
                                           const Surroundings& around, double* column) const {
  const int k = t.coordinate;
  if (t.kind == ParameterKind::armature) column[k] = x.a[k];
  else if (!around.passive) return;
  else if (t.kind == ParameterKind::stiffness) write_spring_column(t, x.q, column);
  else if (t.kind == ParameterKind::rest) write_rest_column(t, x.q, column);
  else column[k] = unit_resistance(resistance_of(t.kind), x.v[k]);
}

void Sensitivity::Impl::write_force(const OwnState<double>& x, const Surroundings& around) {
  const State<double> state = equations().inverse_in_full(x, around);
  double* column = matrix.data();
  std::fill(matrix.begin(), matrix.end(), 0.0);
  for (const ParameterTarget& t : targets) {
    const bool acts =
        of_bushing(t.kind) ? around.passive : t.kind != ParameterKind::gravity || around.gravity;
    if (t.kind >= ParameterKind::armature) write_joint_column(t, x, around, column);
    else if (acts && of_bushing(t.kind)) bushings->add_own(t, state, column);
    else if (acts && !of_loop(t.kind)) write_column(t, state, around, column);
    column += robot.nv();
  }
}

void Sensitivity::Impl::write_inertial(const double* q, const double* a) {
  write_force({q, still.data(), a}, {.passive = false, .gravity = false});
  const size_t n = size_t(robot.nv());
  for (size_t p = 0; p < targets.size(); ++p)
    if (targets[p].kind == ParameterKind::wrench) std::fill_n(matrix.data() + n * p, n, 0.0);
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
  double* to = d.room_of(name, found, size_t(d.robot.nv()));
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
  double* to = d.room_of(name, found, size_t(n));
  std::copy_n(d.forward(name, at.data(), speed.data(), force.data(), around), n, d.found_a.begin());
  d.write_force({at.data(), speed.data(), d.found_a.data()}, around);
  d.factor_mass(name, at.data());
  for (size_t j = 0; j < d.targets.size(); ++j) d.solve_mass(d.matrix.data() + size_t(n) * j);
  for (double& x : d.matrix) x = -x;
  d.write(name, to);
}

/// From columns X of forces at the accelerations found to M_ff a_f = -X_f and X_p + M_pf a_f, with
/// the factors of factor(..., prescribed). [Kim] (34), differentiated.
void Sensitivity::Impl::solve_hybrid(const bool* prescribed) {
  const int n = robot.nv();
  const double* M = dense().view().own;
  for (size_t j = 0; j < targets.size(); ++j) {
    double* X = matrix.data() + size_t(n) * j;
    for (int k = 0; k < n; ++k) moving[size_t(k)] = prescribed[k] ? 0 : -X[k];
    ltdl_solve(dense().pattern.view(), dense().LD.data(), moving.data());
    for (int k = 0; k < n; ++k) {
      if (!prescribed[k]) X[k] = moving[size_t(k)];
      else
        for (int f = 0; f < n; ++f) X[k] += M[n * k + f] * moving[size_t(f)];
    }
  }
  std::fill(moving.begin(), moving.end(), 0.0);
}

/// After rnea at rest: every joint's wrench holds up what it carries.
double Sensitivity::Impl::potential_of(const ParameterTarget& t, const State<double>& x) {
  const Workspace<double>& w = workspace();
  const Model<double>& m = model();
  const auto first_moment = [&](int i, const Inertia<double>& G) {
    return w.pose[i].p * G.mass + w.pose[i].R * G.h;
  };
  if (t.kind == ParameterKind::gravity) {
    Vec3<double> sum{};
    for (int i = 1; i < m.bodies; ++i) sum += first_moment(i, m.G[i]);
    return -dot(unit_twist(t.component).w, sum);
  }
  if (moves_joint(t.kind)) return dot(w.F[t.body], joint_change(m, w, t, x.q).h);
  return t.body == 0 ? 0 : -dot(m.gravity, first_moment(t.body, t.dG));
}

void Sensitivity::hybrid(std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v,
                         const VectorArg& a, const VectorArg& tau, const Surroundings& around,
                         const Into<double>& found) {
  Impl& d = *impl_;
  const char* name = "hybrid sensitivity";
  const std::span<const double> at = q, speed = v, change = a, force = tau;
  check_prescribed(d.robot, name, prescribed);
  d.check(name, at, {{"v", speed}, {"a", change}, {"tau", force}}, around);
  double* to = d.room_of(name, found, d.found_a.size());
  const OwnState<double> given{at.data(), speed.data(), change.data()};
  std::copy_n(d.hybrid(name, prescribed.data(), given, force.data(), around), d.found_a.size(),
              d.found_a.begin());
  d.write_force({at.data(), speed.data(), d.found_a.data()}, around);
  d.factor(name, at.data(), prescribed.data());
  d.solve_hybrid(prescribed.data());
  d.write(name, to);
}

void Sensitivity::mass(const VectorArg& q, const Into<double>& found) {
  Impl& d = *impl_;
  const char* name = "mass sensitivity";
  const std::span<const double> at = q;
  d.check(name, at, {});
  const size_t n = size_t(d.robot.nv()), count = d.targets.size();
  double* to = d.room_of(name, found, n * n);
  d.masses.resize(n * n * count);
  for (size_t j = 0; j < n; ++j) {  // forces of a motion that starts are a column of M
    d.moving[j] = 1;
    d.write_inertial(at.data(), d.moving.data());
    d.moving[j] = 0;
    for (size_t p = 0; p < count; ++p)
      std::copy_n(d.matrix.data() + n * p, n, d.masses.data() + n * (n * p + j));
  }
  d.write(name, d.masses, n * n, to);
}

void Sensitivity::energy(const VectorArg& q, const VectorArg& v, const Into<double>& found) {
  Impl& d = *impl_;
  const char* name = "energy sensitivity";
  const std::span<const double> at = q, speed = v;
  d.check(name, at, {{"v", speed}});
  const size_t n = d.found_a.size();
  double* to = d.room_of(name, found, 2);
  d.write_inertial(at.data(), speed.data());
  const State<double> state =
      d.equations().inverse_in_full({at.data(), d.still.data(), d.still.data()}, {});
  d.tree.poses(state, d.workspace());
  for (size_t p = 0; p < d.targets.size(); ++p) {
    double power = 0;
    for (size_t k = 0; k < n; ++k) power += d.matrix[n * p + k] * speed[k];
    d.energies[2 * p] = power / 2;  // v^T dM v / 2
    d.energies[2 * p + 1] = d.potential_of(d.targets[p], state);
  }
  d.write(name, d.energies, 2, to);
}

}  // namespace jounce

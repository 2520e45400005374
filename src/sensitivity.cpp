// SPDX-License-Identifier: BSD-3-Clause
// Sensitivities to named parameters; a class of its own, with its own memory.
#include <algorithm>
#include <jounce/algorithm/sensitivity.hpp>
#include <jounce/equations/coupling.hpp>
#include <jounce/equations/ground.hpp>
#include <jounce/equations/outside.hpp>
#include <jounce/equations/passive.hpp>
#include <jounce/group/lie_derivative.hpp>
#include <jounce/model/workspace.hpp>
#include <jounce/sensitivity.hpp>

#include "finite_results.hpp"
#include "state_check.hpp"

namespace jounce {
namespace {

/// A parameter, resolved.
struct Target {
  ParameterKind kind;
  int component = 0;
  int body = 0;        ///< whose inertia or joint it is; 0: nothing moves with it
  int coordinate = 0;  ///< of the robot: armature, damping, friction, stiffness
  Factor spring{};     ///< stiffness: the part of the joint that has the coordinate
  Inertia<double> dG;
  Twist<double> motion;  ///< placement: in the parent body's frame; axis, pitch: in the body's
};

Twist<double> unit_twist(int k) {
  double x[6] = {};
  x[k] = 1;
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

int components(ParameterKind kind, const JointInfo* joint) {
  switch (kind) {
    case ParameterKind::inertia:
      return 10;
    case ParameterKind::placement:
      return 6;
    case ParameterKind::axis:
    case ParameterKind::gravity:
      return 3;
    case ParameterKind::payload:
    case ParameterKind::pitch:
      return 1;
    default:
      return joint->nv;
  }
}

/// The factor that has a velocity of the robot.
const Factor& factor_of(const System<double>& s, int velocity) {
  int k = s.factors - 1;
  while (s.factor[k].v > velocity) --k;
  return s.factor[k];
}

void require(bool good, const Parameter& p, const char* what) {
  if (!good) throw InputError("Sensitivity: joint \"" + p.name + "\" " + what);
}

/// What a joint's placement, axis and pitch move.
void resolve_geometry(const Robot& robot, const JointInfo& joint, const Parameter& p, Target& to) {
  const JointDescription& given = robot.description().joints[size_t(joint.description)];
  const bool one_axis = is_revolute(joint) || is_prismatic(joint) || is_helical(joint);
  if (p.kind == ParameterKind::placement) {
    SE3<double> parent;
    if (!given.parent.empty()) parent = robot.frame_info(robot.frame(given.parent)).offset;
    to.motion = Ad(parent * given.geometry.placement, unit_twist(p.component));
  } else if (p.kind == ParameterKind::axis) {
    require(one_axis, p, "has no single axis");
    const SE3<double> child = robot.frame_info(robot.frame(given.child)).offset;
    to.motion = Ad(child * inverse(given.child_placement), unit_twist(p.component));
  } else {
    require(is_helical(joint), p, "is not a helical joint");
    to.motion = {{0, 0, 0}, {0, 0, 1}};
  }
}

Target resolve(const Robot& robot, const Parameter& p) {
  Target to{.kind = p.kind, .component = p.component, .dG = {}, .motion = {}};
  const JointInfo* joint = nullptr;
  if (p.kind >= ParameterKind::placement && p.kind != ParameterKind::gravity)
    joint = &robot.joint(p.name);
  const int known = components(p.kind, joint);
  if (p.component < 0 || p.component >= known)
    throw InputError("Sensitivity: component " + std::to_string(p.component) + " of \"" + p.name +
                     "\", which has " + std::to_string(known));
  if (joint == nullptr && p.kind != ParameterKind::gravity) {
    const FrameInfo& frame = robot.frame_info(robot.frame(p.name));
    double pi[10] = {};
    pi[p.component] = 1;
    to.body = frame.body;
    to.dG = push_forward(frame.offset, inertia_from_parameters(pi));
  } else if (p.kind == ParameterKind::placement || p.kind == ParameterKind::axis ||
             p.kind == ParameterKind::pitch) {
    to.body = joint->body;
    resolve_geometry(robot, *joint, p, to);
  } else if (joint != nullptr) {
    require(!joint->mimic, p, "follows another joint");
    to.coordinate = joint->v + p.component;
    to.spring = factor_of(robot.system(), to.coordinate);
  }
  return to;
}

}  // namespace

struct Sensitivity::Impl {
  Impl(Robot robot_, std::vector<Parameter> parameters_)
      : robot(std::move(robot_)),
        parameters(std::move(parameters_)),
        dynamics(robot),
        storage(robot.model()),
        q(size_t(robot.model().nq)),
        v(size_t(robot.model().nv)),
        a(v),
        tree(v),
        found_a(size_t(robot.nv())),
        own_rest(robot.passive().rest),
        F_ext(size_t(robot.bodies())),
        dF_ext(F_ext),
        dG(size_t(robot.bodies())),
        dh(size_t(robot.bodies())),
        dS(size_t(robot.model().nv)),
        V(size_t(robot.bodies())),
        Vdot(V),
        F(F_ext),
        room{V.data(), Vdot.data(), F.data()},
        matrix(size_t(robot.nv()) * parameters.size()) {
    for (const Parameter& p : parameters) targets.push_back(resolve(robot, p));
    for (const JointInfo& joint : robot.joints()) {  // a leader's without what its mimics add
      const auto& rest = robot.description().joints[size_t(joint.description)].properties.rest;
      if (joint.mimic || joint.nq != 1) continue;
      own_rest[size_t(joint.q)] = rest.empty() ? 0 : rest[0];
    }
  }

  void write_force(std::span<const double> q_, std::span<const double> v_,
                   std::span<const double> a_, const Surroundings& around);
  void turn_wrenches(const Target& target, const Surroundings& around);
  bool carries(int body, int other) const;
  void write_column(const Target& target, const State<double>& x, const Surroundings& around,
                    double* column);
  void write_spring_column(const Target& target, const double* q_, double* column) const;
  Change<double> change_of(const Target& target, const State<double>& x);
  void clear(const Target& target);

  Robot robot;
  std::vector<Parameter> parameters;
  Dynamics dynamics;
  std::vector<Target> targets;
  WorkspaceStorage<double> storage;
  std::vector<double> q, v, a, tree;  ///< of all joints
  std::vector<double> found_a;
  std::vector<double> own_rest;  ///< [nq] where each joint's own spring is free
  std::vector<Wrench<double>> F_ext, dF_ext;
  std::vector<Inertia<double>> dG;  ///< zero between calls, as the two below
  std::vector<Twist<double>> dh, dS;
  std::vector<Twist<double>> V, Vdot;
  std::vector<Wrench<double>> F;
  SensitivityRoom<double> room;
  std::vector<double> matrix;
};

/// An axis that turns by the twist X: T = H e^X e^{S q} e^-X.
Change<double> Sensitivity::Impl::change_of(const Target& t, const State<double>& x) {
  const Workspace<double>& w = storage.view();
  const Model<double>& m = robot.model();
  Change<double> change{.first = std::max(t.body, 1), .last = t.body + 1};
  const auto body = size_t(t.body), first = size_t(m.v_at[t.body]);
  if (t.kind == ParameterKind::gravity) {
    change.Vdot_0.v = -unit_twist(t.component).w;
  } else if (t.kind == ParameterKind::placement) {
    dh[body] = Ad_inv(w.T[t.body], t.motion);
    change.h = dh.data();
  } else if (t.kind == ParameterKind::axis || t.kind == ParameterKind::pitch) {
    const Twist<double> S = w.S[first];
    const double angle = x.q[m.q_at[t.body]];
    const bool axis = t.kind == ParameterKind::axis;
    dS[first] = axis ? ad(t.motion, S) : t.motion;
    dh[body] = axis ? Ad(exp(S * -angle), t.motion) - t.motion : t.motion * angle;
    change.S = dS.data();
    change.h = dh.data();
  } else {
    dG[body] = t.dG;
    change.G = dG.data();
  }
  return change;
}
void Sensitivity::Impl::clear(const Target& t) {
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
void Sensitivity::Impl::turn_wrenches(const Target& t, const Surroundings& around) {
  using Moved = Dual<double, 1>;
  std::fill(dF_ext.begin(), dF_ext.end(), Wrench<double>{});
  const SE3<double>* pose = storage.view().pose;
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

void Sensitivity::Impl::write_column(const Target& t, const State<double>& x,
                                     const Surroundings& around, double* column) {
  Change<double> change = change_of(t, x);
  if (change.h != nullptr && !around.wrenches.empty()) {
    turn_wrenches(t, around);
    change.F_ext = dF_ext.data();
  }
  rnea_sensitivity(robot.model(), x, storage.view(), change, room, tree.data());
  clear(t);
  gather(robot.system().coupling, tree.data(), column);
}

/// What the spring would take if its stiffness were 1 in this coordinate and 0 in the others.
void Sensitivity::Impl::write_spring_column(const Target& t, const double* q_,
                                            double* column) const {
  double unit[6] = {}, u[6];
  unit[t.coordinate - t.spring.v] = 1;
  difference(t.spring, own_rest.data() + t.spring.q, q_ + t.spring.q, u);
  spring_force(t.spring, unit, u, column + t.spring.v);
}

void Sensitivity::Impl::write_force(std::span<const double> q_, std::span<const double> v_,
                                    std::span<const double> a_, const Surroundings& around) {
  const Coupling<double>& c = robot.system().coupling;
  expand_positions(c, q_.data(), q.data());
  expand(c, v_.data(), v.data());
  expand(c, a_.data(), a.data());
  const State<double> x{q.data(), v.data(), a.data(), nullptr, F_ext.data()};
  Workspace<double>& w = storage.view();
  set_ground(robot.model(), around, w);
  std::fill(F_ext.begin(), F_ext.end(), Wrench<double>{});
  if (!around.wrenches.empty()) {
    forward_poses(robot.model(), x, w);
    add_outside(robot.system(), around.wrenches, w, F_ext.data());
  }
  rnea(robot.model(), x, w);
  const size_t n = size_t(robot.nv());
  for (size_t j = 0; j < targets.size(); ++j) {
    double* column = matrix.data() + n * j;
    const Target& t = targets[j];
    if (t.kind == ParameterKind::gravity && !around.gravity) {
      std::fill(column, column + n, 0.0);
      continue;
    }
    if (t.kind < ParameterKind::armature) {
      write_column(t, x, around, column);
      continue;
    }
    const size_t k = size_t(t.coordinate);
    std::fill(column, column + n, 0.0);
    if (t.kind != ParameterKind::armature && !around.passive) continue;
    if (t.kind == ParameterKind::stiffness) write_spring_column(t, q_.data(), column);
    else
      column[k] = t.kind == ParameterKind::armature  ? a_[k]
                  : t.kind == ParameterKind::damping ? resistance(1.0, 0.0, v_[k], 0.0)
                                                     : resistance(0.0, 1.0, v_[k], coulomb(v_[k]));
  }
}

Sensitivity::Sensitivity(Robot robot, std::vector<Parameter> parameters)
    : impl_(std::make_unique<Impl>(std::move(robot), std::move(parameters))) {}
Sensitivity::Sensitivity(Sensitivity&&) noexcept = default;
Sensitivity& Sensitivity::operator=(Sensitivity&&) noexcept = default;
Sensitivity::~Sensitivity() = default;

const Robot& Sensitivity::robot() const { return impl_->robot; }
std::span<const Parameter> Sensitivity::parameters() const { return impl_->parameters; }

MatrixView Sensitivity::force(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                              const Surroundings& around) {
  Impl& d = *impl_;
  check_state(d.robot, "force sensitivity", q, {{"v", v}, {"a", a}});
  check_surroundings(d.robot, "force sensitivity", around);
  d.write_force(q, v, a, around);
  const MatrixView found(d.matrix.data(), d.robot.nv(),
                         static_cast<Eigen::Index>(d.targets.size()));
  require_finite(d.robot, "force sensitivity", {{"matrix", found}});
  return found;
}

/// M da = -dtau at the accelerations that tau gives.
MatrixView Sensitivity::acceleration(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                                     const Surroundings& around) {
  Impl& d = *impl_;
  check_state(d.robot, "acceleration sensitivity", q, {{"v", v}, {"tau", tau}});
  check_surroundings(d.robot, "acceleration sensitivity", around);
  const VectorView a = d.dynamics.forward(q, v, tau, around);
  std::copy(a.begin(), a.end(), d.found_a.begin());
  d.write_force(q, v, d.found_a, around);
  d.dynamics.factor_mass(q);
  const size_t n = size_t(d.robot.nv());
  for (size_t j = 0; j < d.targets.size(); ++j) {
    double* column = d.matrix.data() + n * j;
    const VectorView solved = d.dynamics.mass_solve(std::span<const double>(column, n));
    for (size_t k = 0; k < n; ++k) column[k] = -solved[static_cast<Eigen::Index>(k)];
  }
  const MatrixView found(d.matrix.data(), d.robot.nv(),
                         static_cast<Eigen::Index>(d.targets.size()));
  require_finite(d.robot, "acceleration sensitivity", {{"matrix", found}});
  return found;
}

}  // namespace jounce

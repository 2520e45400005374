// SPDX-License-Identifier: BSD-3-Clause
// Momentum, power and transmitted wrenches.
#include <algorithm>
#include <cmath>
#include <jounce/algorithm/rnea.hpp>

#include "dynamics/dynamics_impl.hpp"

namespace jounce {
namespace {

double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

CentroidalResult Dynamics::centroidal(const VectorArg& q, const VectorArg& v) {
  Impl& d = *impl_;
  check_state(d.robot, "centroidal", q, {{"v", v}});
  require_moving_mass(d.robot, "centroidal");
  const bool tame = d.all_moderate(q, v);
  const State<double> x = d.tree_state(q, v, d.zeros);
  MatrixWork& work = d.matrices;
  d.kernel.poses(d.robot.model(), x, d.work.view(), d.wide.data());
  jounce::centroidal(d.robot.model(), x, d.work.view(), work.room, work.A.data(), work.Adot.data());
  CentroidalResult found{d.fold_columns(6, work.A.data(), work.folded_A.data()),
                         d.fold_columns(6, work.Adot.data(), work.folded_Adot.data())};
  if (!tame) require_finite(d.robot, "centroidal", {{"A", found.matrix}, {"Adot", found.rate}});
  return found;
}

Momentum<double> Dynamics::momentum(const VectorArg& q, const VectorArg& v,
                                    const OptionalGround<double>& ground) {
  Impl& d = *impl_;
  check_state(d.robot, "momentum", q, {{"v", v}});
  check_ground("momentum", ground);
  require_moving_mass(d.robot, "momentum");
  const State<double> x = d.load_motion(q, v, d.zeros, ground);
  d.kernel.poses(d.robot.model(), x, d.work.view(), d.wide.data());
  d.kernel.twists(d.robot.model(), x, d.work.view());
  Momentum<double> found = jounce::momentum(d.robot.model(), d.work.view());
  require_finite("momentum", "the momentum", finite(found.about_com) && finite(found.com));
  return found;
}

EnergyRate<double> Dynamics::Impl::run_energy_rate(std::span<const double> q_,
                                                   std::span<const double> v_,
                                                   std::span<const double> a_,
                                                   const OptionalGround<double>& ground) {
  const State<double> x = load_motion(q_, v_, a_, ground);
  const Model<double>& m = robot.model();
  kernel.poses(m, x, work.view(), wide.data());
  kernel.twists(m, x, work.view());
  kernel.accelerations(m, x, work.view());
  EnergyRate<double> rate = jounce::energy_rate(m, work.view());
  for (int k = 0; k < m.nv; ++k) rate.kinetic += m.armature[k] * x.v[k] * x.a[k];
  return rate;
}

EnergyRate<double> Dynamics::energy_rate(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                                         const OptionalGround<double>& ground) {
  Impl& d = *impl_;
  check_state(d.robot, "energy_rate", q, {{"v", v}, {"a", a}});
  check_ground("energy_rate", ground);
  const EnergyRate<double> rate = d.run_energy_rate(q, v, a, ground);
  require_finite("energy_rate", "kinetic", std::isfinite(rate.kinetic));
  require_finite("energy_rate", "potential", std::isfinite(rate.potential));
  return rate;
}

PowerBalance Dynamics::power_balance(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                                     const Surroundings& around) {
  Impl& d = *impl_;
  check_state(d.robot, "power_balance", q, {{"v", v}, {"a", a}});
  check_surroundings(d.robot, "power_balance", around);
  const std::span<const double> at = d.kept_q(q), speed = d.kept(v);
  const EnergyRate<double> rate = d.run_energy_rate(at, speed, a, around.ground);
  const State<double> x = d.load(at, speed, a, d.zeros, around);
  const Workspace<double>& w = d.work.view();
  rnea(d.robot.model(), x, d.work.view());
  PowerBalance balance{rate.kinetic, around.gravity ? rate.potential : 0};
  d.fold_forces();
  const double moving = inner(d.forces, speed);
  if (around.passive) d.add_passive(at, speed, 1, d.forces);
  balance.actuators = inner(d.forces, speed);
  balance.passive = moving - balance.actuators;
  for (int i = 1; i < d.robot.bodies(); ++i) balance.external += dot(x.F_ext[i], w.V[i]);
  balance.base = dot(w.F[0], w.V[0]);
  const double power[] = {balance.kinetic_rate, balance.potential_rate, balance.actuators,
                          balance.passive,      balance.external,       balance.base};
  require_finite("power_balance", "the power", all_finite(power));
  return balance;
}

JointWrenches Dynamics::joint_wrenches(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                                       Representation in, const Surroundings& around) {
  Impl& d = *impl_;
  check_state(d.robot, "joint_wrenches", q, {{"v", v}, {"a", a}});
  check_surroundings(d.robot, "joint_wrenches", around);
  const State<double> x = d.load(q, v, a, d.zeros, around);
  Workspace<double>& w = d.work.view();
  rnea(d.robot.model(), x, w);
  if (in != Representation::body) d.kernel.poses(d.robot.model(), x, w, d.wide.data());
  MatrixWork& work = d.matrices;
  for (size_t k = 0; k < work.wrenches.size(); ++k) {
    const int body = d.robot.joints()[k].body;
    const Wrench<double> F = dual_Ad(work.child[k], w.F[body]);
    const SE3<double> T = w.pose[body] * work.child[k];
    work.wrenches[k] = in == Representation::body    ? F
                       : in == Representation::space ? dual_Ad_inv(T, F)
                                                     : Wrench<double>{T.R * F.m, T.R * F.f};
    if (!finite(work.wrenches[k]))
      throw_not_finite("joint_wrenches",
                       "the wrench of joint \"" + d.robot.joints()[k].name + "\"");
  }
  require_finite("joint_wrenches", "the wrench of the ground", finite(w.F[0]));
  return {work.wrenches, w.F[0]};
}

Vec3<double> Dynamics::zero_moment_point(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                                         const Plane& plane, const Surroundings& around) {
  Impl& d = *impl_;
  check_state(d.robot, "zero_moment_point", q, {{"v", v}, {"a", a}});
  check_surroundings(d.robot, "zero_moment_point", around);
  const double length = norm(plane.normal);
  if (!(length > 0) || !std::isfinite(length) || !std::isfinite(norm(plane.point)))
    throw InputError("zero_moment_point: the plane needs a finite point and a normal");
  const State<double> x = d.load(q, v, a, d.zeros, around);
  rnea(d.robot.model(), x, d.work.view());
  const Wrench<double>& F = d.work.view().F[0];
  const Vec3<double> n = plane.normal * (1 / length), moment = F.m - cross(plane.point, F.f);
  const double push = dot(n, F.f);
  require_finite("zero_moment_point", "the wrench of the ground", finite(F));
  if (!(push > 1e-9 * norm(F.f)))
    throw ComputationError("zero_moment_point: the ground does not push along the normal");
  const Vec3<double> point = plane.point + cross(n, moment) * (1 / push);
  require_finite("zero_moment_point", "the point", finite(point));
  return point;
}

}  // namespace jounce

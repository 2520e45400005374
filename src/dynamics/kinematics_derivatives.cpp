// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of frames, the centre of mass, momentum and energy.
#include <algorithm>

#include "dynamics/dynamics_impl.hpp"

namespace jounce {
namespace {

void require_representation(const char* caller, Representation in, Representation one,
                            Representation other, const char* names) {
  if (in != one && in != other)
    throw InputError(std::string(caller) + ": the representation must be " + names);
}

}  // namespace

/// The state of the last kinematics call, with no wrench from outside.
State<double> Dynamics::Impl::kinematic_state() {
  State<double> x = still ? tree_state(q, zeros, zeros) : tree_state(q, v, a);
  x.F_ext = no_wrench.data();
  return x;
}

MatrixView Dynamics::Impl::kinematic_matrix(size_t k) {
  KinematicDerivativeWork& d = kinematic_derivatives;
  return fold_columns(6, d.tree_matrix(k), d.folded_matrix(k));
}

AccelerationDerivativesResult Dynamics::Impl::run_frame_derivatives(const char* caller,
                                                                    FrameId frame,
                                                                    FrameQuantity quantity,
                                                                    Representation in) {
  KinematicDerivativeWork& d = kinematic_derivatives;
  const FrameInfo& info = robot.frame_info(frame);
  const Workspace<double>& w = storage.view();
  frame_derivatives(robot.model(), kinematic_state(), w, info.body, info.offset, quantity, in,
                    derivatives.room, {d.tree_matrix(0), d.tree_matrix(1), d.tree_matrix(2)});
  AccelerationDerivativesResult found{kinematic_matrix(0), kinematic_matrix(1),
                                      kinematic_matrix(2)};
  if (!moderate_state)
    require_finite(robot, caller, {{"dq", found.dq}, {"dv", found.dv}, {"da", found.da}});
  return found;
}

TwistDerivativesResult Dynamics::twist_derivatives(FrameId frame, Representation in) {
  const auto [dq, dv, da] =
      impl_->run_frame_derivatives("twist_derivatives", frame, FrameQuantity::twist, in);
  return {dq, dv};
}

AccelerationDerivativesResult Dynamics::spatial_acceleration_derivatives(FrameId frame,
                                                                         Representation in) {
  const char* name = "spatial_acceleration_derivatives";
  require_representation(name, in, Representation::body, Representation::space, "body or space");
  return impl_->run_frame_derivatives(name, frame, FrameQuantity::spatial_acceleration, in);
}

AccelerationDerivativesResult Dynamics::classical_acceleration_derivatives(FrameId frame,
                                                                           Representation in) {
  const char* name = "classical_acceleration_derivatives";
  require_representation(name, in, Representation::body, Representation::hybrid, "body or hybrid");
  return impl_->run_frame_derivatives(name, frame, FrameQuantity::classical_acceleration, in);
}

void Dynamics::Impl::run_momentum_derivatives(const State<double>& x, const Workspace<double>& w) {
  KinematicDerivativeWork& d = kinematic_derivatives;
  jounce::momentum_derivatives(
      robot.model(), x, w, derivatives.room,
      {d.tree_matrix(0), d.tree_matrix(1), d.tree_matrix(2), d.tree_matrix(3)});
}

ComDerivativesResult Dynamics::com_derivatives() {
  Impl& d = *impl_;
  require_moving_mass(d.robot, "com_derivatives");
  d.run_momentum_derivatives(d.kinematic_state(), d.storage.view());
  const int nv = d.robot.nv();
  const double scale = 1 / d.robot.mass();
  double* com = d.kinematic_derivatives.com.data();
  for (int n = 0; n < 4; ++n) {  // linear rows over the mass
    const MatrixView all = d.kinematic_matrix(size_t(n));
    for (int k = 0; k < nv; ++k)
      for (int r = 0; r < 3; ++r) com[3 * (nv * n + k) + r] = all(3 + r, k) * scale;
  }
  const auto matrix = [&](int n) { return MatrixView(com + 3 * nv * n, 3, nv); };
  if (!d.moderate_state)
    require_finite(d.robot, "com_derivatives",
                   {{"velocity_dq", matrix(0)},
                    {"acceleration_dq", matrix(1)},
                    {"acceleration_dv", matrix(2)},
                    {"position_dq", matrix(3)}});
  return {matrix(3), matrix(0), matrix(3), matrix(1), matrix(2), matrix(3)};
}

MomentumDerivativesResult Dynamics::momentum_derivatives(const VectorArg& q, const VectorArg& v,
                                                         const VectorArg& a,
                                                         const OptionalGround<double>& ground) {
  Impl& d = *impl_;
  check_state(d.robot, "momentum_derivatives", q, {{"v", v}, {"a", a}});
  require_moving_mass(d.robot, "momentum_derivatives");
  check_ground("momentum_derivatives", ground);
  const bool tame = d.all_moderate(q, v, a, ground);
  const State<double> x = d.load_motion(q, v, a, ground);
  d.kernel.poses(d.robot.model(), x, d.work.view(), d.wide.data());
  d.run_momentum_derivatives(x, d.work.view());
  const MatrixView momentum_dq = d.kinematic_matrix(0), rate_dq = d.kinematic_matrix(1),
                   rate_dv = d.kinematic_matrix(2), A = d.kinematic_matrix(3);
  if (!tame)
    require_finite(d.robot, "momentum_derivatives",
                   {{"momentum_dq", momentum_dq},
                    {"momentum_dv", A},
                    {"rate_dq", rate_dq},
                    {"rate_dv", rate_dv}});
  return {momentum_dq, A, rate_dq, rate_dv, A};
}

EnergyDerivativesResult Dynamics::energy_derivatives(const VectorArg& q, const VectorArg& v,
                                                     const OptionalGround<double>& ground) {
  Impl& d = *impl_;
  check_state(d.robot, "energy_derivatives", q, {{"v", v}});
  check_ground("energy_derivatives", ground);
  const State<double> x = d.load_motion(q, v, d.zeros, ground);
  const Model<double>& m = d.robot.model();
  d.kernel.poses(m, x, d.work.view(), d.wide.data());
  double* tree = d.derivatives.tree_vector.data();
  const EnergyGradients<double> out{tree, tree + m.nv, tree + 2 * m.nv};
  energy_gradients(m, x, d.work.view(), d.derivatives.room, out);
  for (int k = 0; k < m.nv; ++k) out.kinetic_dv[k] += m.armature[k] * x.v[k];
  EnergyDerivativesResult found{d.gather(out.kinetic_dq, 0), d.gather(out.kinetic_dv, 1),
                                d.gather(out.potential_dq, 2)};
  const double* x_found = d.derivatives.product.data();
  const auto nv = size_t(d.robot.nv());
  require_finite(d.robot, "energy_derivatives", "kinetic_dq", {x_found, nv});
  require_finite(d.robot, "energy_derivatives", "kinetic_dv", {x_found + nv, nv});
  require_finite(d.robot, "energy_derivatives", "potential_dq", {x_found + 2 * nv, nv});
  return found;
}

}  // namespace jounce

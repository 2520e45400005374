// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of frames, the centre of mass, momentum and energy.
#include <algorithm>
#include <jounce/algorithm/momentum_derivatives.hpp>

#include "doors/derivatives_impl.hpp"

namespace jounce {

using Impl = detail::DerivativesImpl<double, double>;

State<double> Impl::set_poses(const OwnState<double>& x, const OptionalGround<double>& ground) {
  const State<double> state = equations().set_up(x, {.ground = ground, .gravity = false});
  tree.poses(state, workspace());
  return state;
}

double* Impl::six_rows(int k, double* own) {
  return robot.has_mimic() ? six.data() + 6 * model().nv * k : own;
}
void Impl::gather_six_rows(int k, double* own) {
  if (robot.has_mimic()) gather_columns(system().coupling, 6, six_rows(k, own), own);
}

const double* Impl::gathered_six_rows(int k) {
  const double* tree_rows = six.data() + 6 * model().nv * k;
  if (!robot.has_mimic()) return tree_rows;
  gather_columns(system().coupling, 6, tree_rows, own_six.data());
  return own_six.data();
}

void Impl::run_frame(const char* caller, FrameId frame, FrameQuantity quantity, Representation in,
                     const OwnState<double>& x, const OptionalGround<double>& ground, bool tame,
                     double* dq, double* dv, double* da) {
  const FrameSeat<double>& at = seat(frame);
  double* const own[] = {dq, dv, da};
  const FramePartials<double> to{six_rows(0, dq), six_rows(1, dv),
                                 da != nullptr ? six_rows(2, da) : nullptr};
  if (custom) {
    const State<double> state = set_poses(x, ground);
    frame_derivatives(model(), state, workspace(), at.body, at.offset, quantity, in, storage.room,
                      to);
  } else {
    const State<double> state = equations().set_up(x, {.ground = ground, .gravity = false});
    tree.path_derivatives(state, workspace(), at, quantity, in, to);
  }
  constexpr const char* names[] = {"dq", "dv", "da"};
  for (int k = 0; k < 3; ++k) {
    if (own[k] == nullptr) continue;
    gather_six_rows(k, own[k]);
    if (!tame) require_finite_matrix(robot, caller, names[k], own[k], 6, nv());
  }
}

template <>
void Derivatives::run_twist(FrameId frame, Representation in, const Arg& q, const Arg& v,
                            const GroundMotion& ground, double* dq, double* dv) {
  Impl& d = *impl_;
  const std::span<const double> at = q, speed = v;
  const bool tame = d.check("twist_derivatives", at, {{"v", speed}}, ground);
  d.run_frame("twist_derivatives", frame, FrameQuantity::twist, in,
              d.keep(at, speed, std::span(d.room.zeros).first(speed.size())), ground, tame, dq, dv,
              nullptr);
}
template <>
void Derivatives::run_acceleration(Acceleration kind, FrameId frame, Representation in,
                                   const Arg& q, const Arg& v, const Arg& a,
                                   const GroundMotion& ground, double* dq, double* dv, double* da) {
  const char* name = name_of(kind);
  const bool spatial = kind == Acceleration::spatial;
  if (in != Representation::body &&
      in != (spatial ? Representation::space : Representation::hybrid))
    throw InputError(std::string(name) + ": the representation must be body or " +
                     (spatial ? "space" : "hybrid"));
  const std::span<const double> at = q, speed = v, change = a;
  const bool tame = impl_->check(name, at, {{"v", speed}, {"a", change}}, ground);
  impl_->run_frame(
      name, frame,
      spatial ? FrameQuantity::spatial_acceleration : FrameQuantity::classical_acceleration, in,
      impl_->keep(at, speed, change), ground, tame, dq, dv, da);
}

void Impl::run_momentum(const OwnState<double>& x, const OptionalGround<double>& ground,
                        const MomentumPartials<double>& out) {
  const State<double> state = equations().set_up(x, {.ground = ground, .gravity = false});
  tree.momentum_derivatives(state, workspace(), out);
}

template <>
void Derivatives::run_com(const Arg& q, const Arg& v, const Arg& a, const GroundMotion& ground,
                          double* position_dq, double* velocity_dq, double* acceleration_dq,
                          double* acceleration_dv) {
  Impl& d = *impl_;
  const char* name = "com_derivatives";
  const std::span<const double> at = q, speed = v, change = a;
  const bool tame = d.check(name, at, {{"v", speed}, {"a", change}}, ground);
  require_moving_mass(d.robot, name);
  double* six = d.six.data();
  const int size = 6 * d.model().nv;
  d.run_momentum({at.data(), speed.data(), change.data()}, ground,
                 {six, six + size, six + 2 * size, six + 3 * size});
  const double scale = 1 / d.robot.mass();
  const struct {
    const char* name;
    double* to;
  } found[] = {{"velocity_dq", velocity_dq},
               {"acceleration_dq", acceleration_dq},
               {"acceleration_dv", acceleration_dv},
               {"position_dq", position_dq}};
  for (int n = 0; n < 4; ++n) {  // linear rows over the mass
    const double* all = d.gathered_six_rows(n);
    for (int k = 0; k < d.nv(); ++k)
      for (int r = 0; r < 3; ++r) found[n].to[3 * k + r] = all[6 * k + 3 + r] * scale;
    if (!(tame && scale < 1e30))
      require_finite_matrix(d.robot, name, found[n].name, found[n].to, 3, d.nv());
  }
}

template <>
void Derivatives::run_momentum(const Arg& q, const Arg& v, const Arg& a, const GroundMotion& ground,
                               double* momentum_dq, double* rate_dq, double* rate_dv, double* A) {
  Impl& d = *impl_;
  const char* name = "momentum_derivatives";
  const std::span<const double> at = q, speed = v, change = a;
  const bool tame = d.check(name, at, {{"v", speed}, {"a", change}}, ground);
  require_moving_mass(d.robot, name);
  d.run_momentum(d.keep(at, speed, change), ground,
                 {d.six_rows(0, momentum_dq), d.six_rows(1, rate_dq), d.six_rows(2, rate_dv),
                  d.six_rows(3, A)});
  double* const own[] = {momentum_dq, rate_dq, rate_dv, A};
  constexpr const char* names[] = {"momentum_dq", "rate_dq", "rate_dv", "momentum_dv"};
  for (int k = 0; k < 4; ++k) {
    d.gather_six_rows(k, own[k]);
    if (!tame) require_finite_matrix(d.robot, name, names[k], own[k], 6, d.nv());
  }
}

template <>
void Derivatives::energy(const Arg& q, const Arg& v, const GroundMotion& ground,
                         const Into<double>& kinetic_dq, const Into<double>& kinetic_dv,
                         const Into<double>& potential_dq) {
  Impl& d = *impl_;
  const char* name = "energy_derivatives";
  const std::span<const double> at = q, speed = v;
  const bool tame = d.check(name, at, {{"v", speed}}, ground);
  const auto room = [&](const char* one, const Into<double>& to) {
    return detail::checked_into(d.robot, name, one, to, d.nv());
  };
  double* const own[] = {room("kinetic_dq", kinetic_dq), room("kinetic_dv", kinetic_dv),
                         room("potential_dq", potential_dq)};
  const State<double> state = d.equations().set_up({at.data(), speed.data(), d.room.zeros.data()},
                                                   {.ground = ground, .gravity = false});
  const Model<double>& m = d.model();
  double* found = d.tree_vectors.data();
  const EnergyGradients<double> out{found, found + m.nv, found + 2 * m.nv};
  d.tree.energy_gradients(state, d.workspace(), out);
  for (int k = 0; k < m.nv; ++k) out.kinetic_dv[k] += m.armature[k] * state.v[k];
  constexpr const char* names[] = {"kinetic_dq", "kinetic_dv", "potential_dq"};
  for (int k = 0; k < 3; ++k) {
    gather(d.system().coupling, found + k * m.nv, own[k]);
    if (!tame) require_finite_vector(d.robot, name, names[k], own[k]);
  }
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// The members of BasicKinematics, for any kind of number.
#pragma once

#include <jounce/algorithm/com.hpp>
#include <jounce/door/check.hpp>
#include <jounce/equations/equations.hpp>
#include <jounce/kinematics.hpp>

namespace jounce {

template <class Real, class P>
struct detail::KinematicsImpl {
  using Tree = typename TreeFor<Real, P>::type;
  enum Known { nothing, positions, velocities, accelerations };

  explicit KinematicsImpl(Robot robot_)
      : robot(std::move(robot_)),
        tree(robot),
        scratch(tree.system()),
        state(tree.system().tree),
        columns(6 * scratch.zeros.size(), Real(0)),
        subtree_mass(static_cast<size_t>(robot.bodies())),
        subtree_moment(subtree_mass.size()) {}

  Equations<P, Real, Tree> equations() { return {tree, scratch}; }
  const Workspace<Real>& w() const { return state.view(); }

  /// Refuses a question whose answer needs more than `at` was given.
  void require(const char* caller, Known needed) const {
    if (known >= needed) return;
    throw InputError(std::string(caller) +
                     (needed == positions    ? ": needs a state, call at(q) first"
                      : needed == velocities ? ": needs velocities, call at(q, v) first"
                                             : ": needs accelerations, call at(q, v, a) first"));
  }
  /// `given` says which of q, v and a are there: of a robot without coordinates they are empty.
  void move(Known given, const Real* q, const Real* v, const Real* a,
            const OptionalGround<Real>& ground) {
    const Real* zeros = scratch.zeros.data();
    known = nothing;
    const State<Real> x = equations().tree_state(
        {q, given >= velocities ? v : zeros, given >= accelerations ? a : zeros});
    tree.poses(x, state.view());
    if (given >= velocities) set_ground(ground, state.view());
    if (given == velocities) tree.twists(x, state.view());
    if (given == accelerations) tree.motions(x, state.view());
    known = given;
  }

  const FrameSeat<P>& seat(FrameId frame) const {
    static_cast<void>(robot.frame_info(frame));  // refuses a number that no frame has
    return tree.system().frame[static_cast<int>(frame)];
  }
  SE3<Real> pose(FrameId frame) const { return w().pose[seat(frame).body] * seat(frame).offset; }
  /// Of a frame, in its own axes.
  Twist<Real> twist(const char* caller, FrameId frame) const {
    require(caller, velocities);
    return Ad_inv(seat(frame).offset, w().V[seat(frame).body]);
  }
  Twist<Real> spatial(const char* caller, FrameId frame) const {
    require(caller, accelerations);
    return Ad_inv(seat(frame).offset, w().Vdot[seat(frame).body]);
  }
  Twist<Real> classical(const char* caller, FrameId frame) const {
    const Twist<Real> A = spatial(caller, frame), V = twist(caller, frame);
    return {A.w, A.v + cross(V.w, V.v)};
  }
  Twist<Real> turned(FrameId frame, const Twist<Real>& V) const {
    const SO3<Real> R = pose(frame).R;
    return {R * V.w, R * V.v};
  }
  /// What is found about a frame, refused where it is not finite.
  template <class Found>
  Found checked(const char* caller, FrameId frame, const Found& x) const {
    if (!tame && !detail::finite(x))
      throw_not_finite(caller, "frame \"" + robot.frame_info(frame).name + "\"");
    return x;
  }
  template <ComQuantity quantity>
  Vec3<Real> checked_com(const char* caller, Known needed) const {
    require(caller, needed);
    require_moving_mass(robot, caller);
    const Vec3<Real> found = jounce::com<quantity>(tree.system().tree, w());
    if (!tame && !detail::finite(found)) throw_not_finite(caller, "the centre of mass");
    return found;
  }
  /// Columns of the tree in `columns` or, without mimic joints, where they belong already.
  Real* tree_columns(Real* found) {
    return tree.system().coupling.identity ? found : columns.data();
  }
  void gather_found(const char* caller, const char* name, int rows, bool tame_, Real* found) {
    const Coupling<P>& c = tree.system().coupling;
    if (!c.identity) gather_columns(c, rows, columns.data(), found);
    if (!tame_) require_finite_matrix(robot, caller, name, found, rows, c.nv);
  }
  bool check(std::span<const Real> q, std::initializer_list<Named<Real>> others) const {
    return check_state(robot, "at", q, others) && moderate_robot;
  }

  Robot robot;
  Tree tree;
  EquationsStorage<Real> scratch;
  WorkspaceStorage<Real> state;
  Known known = nothing;
  bool moderate_robot = moderate(robot);
  bool tame = false;          ///< nothing about the state can overflow
  std::vector<Real> columns;  ///< [6 tree nv]
  std::vector<Real> subtree_mass;
  std::vector<Vec3<Real>> subtree_moment;
  std::vector<Real> state_q = std::vector<Real>(static_cast<size_t>(robot.nq()), Real(0));
  std::vector<Real> J =  // here and below: for manipulability
      std::vector<Real>(6 * static_cast<size_t>(robot.nv()), Real(0));
  std::vector<Real> across =  ///< its rows turned over, [2 nv][8]
      std::vector<Real>(16 * static_cast<size_t>(robot.nv()), Real(0));
  std::vector<Real> tree_gradient = scratch.zeros;
  std::vector<Twist<Real>> X = std::vector<Twist<Real>>(scratch.zeros.size());
  std::vector<Wrench<Real>> weight = std::vector<Wrench<Real>>(X.size());
};

template <class Real, class P>
BasicKinematics<Real, P>::BasicKinematics(Robot robot)
    : impl_(std::make_unique<Impl>(std::move(robot))) {}
template <class Real, class P>
BasicKinematics<Real, P>::BasicKinematics(BasicKinematics&&) noexcept = default;
template <class Real, class P>
BasicKinematics<Real, P>& BasicKinematics<Real, P>::operator=(BasicKinematics&&) noexcept = default;
template <class Real, class P>
BasicKinematics<Real, P>::~BasicKinematics() = default;

template <class Real, class P>
const Robot& BasicKinematics<Real, P>::robot() const {
  return impl_->robot;
}

template <class Real, class P>
BasicKinematics<Real, P>& BasicKinematics<Real, P>::at(const Arg& q) {
  const std::span<const Real> x = q;
  impl_->tame = impl_->check(x, {});
  std::copy(x.begin(), x.end(), impl_->state_q.begin());
  impl_->move(Impl::positions, x.data(), nullptr, nullptr, {});
  return *this;
}
template <class Real, class P>
BasicKinematics<Real, P>& BasicKinematics<Real, P>::at(const Arg& q, const Arg& v) {
  const std::span<const Real> x = q, speed = v;
  impl_->tame = impl_->check(x, {{"v", speed}});
  std::copy(x.begin(), x.end(), impl_->state_q.begin());
  impl_->move(Impl::velocities, x.data(), speed.data(), nullptr, {});
  return *this;
}
template <class Real, class P>
BasicKinematics<Real, P>& BasicKinematics<Real, P>::at(const Arg& q, const Arg& v, const Arg& a,
                                                       const GroundMotion& ground) {
  const std::span<const Real> x = q, speed = v, change = a;
  const bool tame = impl_->check(x, {{"v", speed}, {"a", change}});
  detail::check_ground("at", ground);
  impl_->tame = tame && moderate(ground);
  std::copy(x.begin(), x.end(), impl_->state_q.begin());
  impl_->move(Impl::accelerations, x.data(), speed.data(), change.data(), ground);
  return *this;
}

template <class Real, class P>
SE3<Real> BasicKinematics<Real, P>::pose(FrameId frame) const {
  impl_->require("pose", Impl::positions);
  return impl_->checked("pose", frame, impl_->pose(frame));
}

template <class Real, class P>
Twist<Real> BasicKinematics<Real, P>::twist_body(FrameId frame) const {
  return impl_->checked("twist_body", frame, impl_->twist("twist_body", frame));
}
template <class Real, class P>
Twist<Real> BasicKinematics<Real, P>::twist_space(FrameId frame) const {
  const Twist<Real> V = impl_->twist("twist_space", frame);
  return impl_->checked("twist_space", frame, Ad(impl_->pose(frame), V));
}
template <class Real, class P>
Twist<Real> BasicKinematics<Real, P>::twist_hybrid(FrameId frame) const {
  const Twist<Real> V = impl_->twist("twist_hybrid", frame);
  return impl_->checked("twist_hybrid", frame, impl_->turned(frame, V));
}

template <class Real, class P>
Twist<Real> BasicKinematics<Real, P>::spatial_acceleration_body(FrameId frame) const {
  const char* name = "spatial_acceleration_body";
  return impl_->checked(name, frame, impl_->spatial(name, frame));
}
template <class Real, class P>
Twist<Real> BasicKinematics<Real, P>::spatial_acceleration_space(FrameId frame) const {
  const char* name = "spatial_acceleration_space";
  const Twist<Real> A = impl_->spatial(name, frame);
  return impl_->checked(name, frame, Ad(impl_->pose(frame), A));  // ad_V V = 0
}
template <class Real, class P>
Twist<Real> BasicKinematics<Real, P>::classical_acceleration_body(FrameId frame) const {
  const char* name = "classical_acceleration_body";
  return impl_->checked(name, frame, impl_->classical(name, frame));
}
template <class Real, class P>
Twist<Real> BasicKinematics<Real, P>::classical_acceleration_hybrid(FrameId frame) const {
  const char* name = "classical_acceleration_hybrid";
  return impl_->checked(name, frame, impl_->turned(frame, impl_->classical(name, frame)));
}

template <class Real, class P>
void BasicKinematics<Real, P>::jacobian(FrameId frame, Representation in, const Into<Real>& J) {
  Impl& d = *impl_;
  d.require("jacobian", Impl::positions);
  Real* found = detail::checked_into(d.robot, "jacobian", "J", J, 6, d.robot.nv());
  d.tree.jacobian(d.w(), d.seat(frame), in, d.tree_columns(found));
  d.gather_found("jacobian", "J", 6, d.tame, found);
}
template <class Real, class P>
void BasicKinematics<Real, P>::jacobian(FrameId frame, Representation in, const Arg& q,
                                        const Into<Real>& J) {
  Impl& d = *impl_;
  const std::span<const Real> x = q;
  const bool tame = check_state(d.robot, "jacobian", x, {}) && d.moderate_robot;
  Real* found = detail::checked_into(d.robot, "jacobian", "J", J, 6, d.robot.nv());
  d.tree.path_jacobian(d.equations().at(x.data()), d.scratch.tree.view(), d.seat(frame), in,
                       d.tree_columns(found));
  d.gather_found("jacobian", "J", 6, tame, found);
}
template <class Real, class P>
void BasicKinematics<Real, P>::jacobian_rate(FrameId frame, Representation in,
                                             const Into<Real>& rate) {
  Impl& d = *impl_;
  d.require("jacobian_rate", Impl::velocities);
  Real* found = detail::checked_into(d.robot, "jacobian_rate", "rate", rate, 6, d.robot.nv());
  d.tree.jacobian_rate(d.w(), d.seat(frame), in, d.tree_columns(found));
  d.gather_found("jacobian_rate", "rate", 6, d.tame, found);
}

template <class Real, class P>
Vec3<Real> BasicKinematics<Real, P>::com() const {
  return impl_->template checked_com<ComQuantity::position>("com", Impl::positions);
}
template <class Real, class P>
Vec3<Real> BasicKinematics<Real, P>::com_velocity() const {
  return impl_->template checked_com<ComQuantity::velocity>("com_velocity", Impl::velocities);
}
template <class Real, class P>
Vec3<Real> BasicKinematics<Real, P>::com_acceleration() const {
  return impl_->template checked_com<ComQuantity::acceleration>("com_acceleration",
                                                                Impl::accelerations);
}
template <class Real, class P>
void BasicKinematics<Real, P>::com_jacobian(const Into<Real>& J) {
  Impl& d = *impl_;
  d.require("com_jacobian", Impl::positions);
  require_moving_mass(d.robot, "com_jacobian");
  Real* found = detail::checked_into(d.robot, "com_jacobian", "J", J, 3, d.robot.nv());
  jounce::com_jacobian(d.tree.system().tree, d.w(), d.subtree_mass.data(), d.subtree_moment.data(),
                       d.tree_columns(found));
  d.gather_found("com_jacobian", "J", 3, d.tame, found);
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Joints once more, straight from their description: what model/joint.hpp is tested against.
//
// Nothing here knows of parts, of axes turned onto z or of screws: a pose is a product of
// exponentials in the frames of the description, and a rate is the derivative of a coordinate.
#pragma once

#include <jounce/model/custom.hpp>
#include <jounce/model/model.hpp>

#include "model/robot_data.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {

/// The shortest rotation from z to a unit vector: where x and y of a planar joint point.
inline SO3<double> shortest_to(const Vec3<double>& axis) {
  const Vec3<double> sine = cross(Vec3<double>{0, 0, 1}, axis);
  if (norm(sine) == 0) return exp(Vec3<double>{axis.z < 0 ? pi : 0, 0, 0});
  return exp(sine * (std::atan2(norm(sine), axis.z) / norm(sine)));
}

/// exp of an angle about an axis.
template <class Real>
SE3<Real> turn(const Vec3<double>& axis, const Real& angle) {
  return {exp(axis * angle), as<Real>(Vec3<double>{})};
}
template <class Real>
SE3<Real> move(const Vec3<Real>& p) {
  return {as<Real>(SO3<double>{}), p};
}

/// The motion of a joint alone, without its placement.
template <class Real>
SE3<Real> described_motion(const JointGeometry& joint, const Real* q);

/// The moving joint frame in the frame before the joint.
template <class Real>
SE3<Real> described_pose(const JointGeometry& joint, const Real* q) {
  return joint.placement * described_motion(joint, q);
}

template <class Real>
SE3<Real> composite_motion(const JointGeometry& joint, const Real* q) {
  SE3<Real> T;
  for (const JointGeometry& part : joint.parts) {
    T = T * described_pose(part, q);
    q += joint_nq(part);
  }
  return T;
}

template <class Real>
SE3<Real> described_motion(const JointGeometry& joint, const Real* q) {
  const auto& axes = joint.axes;
  switch (joint.kind) {
    case JointKind::fixed:
      return {};
    case JointKind::revolute:
      return turn(axes[0], q[0]);
    case JointKind::prismatic:
      return move(axes[0] * q[0]);
    case JointKind::helical:
      return exp(Twist<Real>{axes[0] * q[0], axes[0] * (joint.pitch * q[0])});
    case JointKind::cylindrical:
      return move(axes[0] * q[1]) * turn(axes[0], q[0]);
    case JointKind::universal:
      return turn(axes[0], q[0]) * turn(axes[1], q[1]);
    case JointKind::planar: {
      const SO3<double> plane = shortest_to(axes[0]);
      return move(plane * Vec3<Real>{q[0], q[1], Real(0)}) * turn(axes[0], q[2]);
    }
    case JointKind::translational:
      return move(Vec3<Real>{q[0], q[1], q[2]});
    case JointKind::spherical:
      return {to_rotation(Quaternion<Real>{q[0], q[1], q[2], q[3]}), as<Real>(Vec3<double>{})};
    case JointKind::euler_ball:
      return turn(axes[0], q[0]) * turn(axes[1], q[1]) * turn(axes[2], q[2]);
    case JointKind::free:
      return {to_rotation(Quaternion<Real>{q[3], q[4], q[5], q[6]}), {q[0], q[1], q[2]}};
    case JointKind::circle:
      return turn(axes[0], atan2(q[1], q[0]));
    case JointKind::composite:
      return composite_motion(joint, q);
    case JointKind::custom: {
      const Real rest[6] = {Real(0), Real(0), Real(0), Real(0), Real(0), Real(0)};
      SE3<Real> T;
      move_custom(*joint.custom, q, rest, [&](const CustomMotion<Real>& at) { T = at.T(); });
      return T;
    }
  }
  return {};
}

/// dq/dt of a quaternion that turns with body angular velocity w: q w / 2.
template <class Real>
void quaternion_rate(const Real* q, const Real* w, Real* rate) {
  const Quaternion<Real> product = Quaternion<Real>{q[0], q[1], q[2], q[3]} *
                                   Quaternion<Real>{w[0] * 0.5, w[1] * 0.5, w[2] * 0.5, Real(0)};
  rate[0] = product.x, rate[1] = product.y, rate[2] = product.z, rate[3] = product.w;
}

/// dq/dt of a joint whose velocity is v.
template <class Real>
void coordinate_rate(const JointGeometry& joint, const Real* q, const Real* v, Real* rate) {
  switch (joint.kind) {
    case JointKind::planar: {
      const SinCos<Real> t = sincos(q[2]);
      rate[0] = t.cos * v[1] - t.sin * v[2];
      rate[1] = t.sin * v[1] + t.cos * v[2];
      rate[2] = v[0];
      return;
    }
    case JointKind::spherical:
      return quaternion_rate(q, v, rate);
    case JointKind::free: {
      const SO3<Real> R = to_rotation(Quaternion<Real>{q[3], q[4], q[5], q[6]});
      const Vec3<Real> p = R * Vec3<Real>{v[3], v[4], v[5]};
      rate[0] = p.x, rate[1] = p.y, rate[2] = p.z;
      return quaternion_rate(q + 3, v, rate + 3);
    }
    case JointKind::circle:
      rate[0] = -(q[1] * v[0]), rate[1] = q[0] * v[0];
      return;
    case JointKind::composite:
      for (const JointGeometry& part : joint.parts) {
        coordinate_rate(part, q, v, rate);
        q += joint_nq(part), rate += joint_nq(part), v += joint_nv(part);
      }
      return;
    default:
      for (int k = 0; k < joint_nq(joint); ++k) rate[k] = v[k];
  }
}

/// Random coordinates of a joint: numbers in [-2, 2], unit quaternions, cosines with their sines.
template <class Real>
void random_coordinates(const JointGeometry& joint, Random& random, std::vector<Real>& q) {
  const auto add_quaternion = [&] {
    const Quaternion<Real> r = random.quaternion<Real>();
    q.insert(q.end(), {r.x, r.y, r.z, r.w});
  };
  if (joint.kind == JointKind::spherical) return add_quaternion();
  if (joint.kind == JointKind::circle) {
    const SinCos<Real> t = sincos(random.number<Real>(-2, 2));
    q.insert(q.end(), {t.cos, t.sin});
    return;
  }
  if (joint.kind == JointKind::composite) {
    for (const JointGeometry& part : joint.parts) random_coordinates(part, random, q);
    return;
  }
  const int numbers = joint.kind == JointKind::free ? 3 : joint_nq(joint);
  for (int k = 0; k < numbers; ++k) q.push_back(random.number<Real>(-2, 2));
  if (joint.kind == JointKind::free) add_quaternion();
}
template <class Real>
std::vector<Real> random_numbers(Random& random, int n) {
  std::vector<Real> x;
  for (int k = 0; k < n; ++k) x.push_back(random.number<Real>());
  return x;
}

/// Completes the series q(t) from its value, for a velocity v(t): q' = rate(q, v), term by term.
/// `rate(q, v, out)` is any function of that form.
template <class T, int K, class Rate>
void follow(std::vector<Taylor<T, K>>& q, const std::vector<Taylor<T, K>>& v, Rate rate) {
  std::vector<Taylor<T, K>> dq(q.size());
  for (auto& x : q) x = Taylor<T, K>(x.c[0]);
  for (int k = 0; k < K; ++k) {
    rate(q.data(), v.data(), dq.data());
    for (std::size_t i = 0; i < q.size(); ++i) q[i].c[k + 1] = dq[i].c[k] * (1.0 / (k + 1));
  }
}

/// (T^-1 dT/dt)^vee of a curve of poses; its last coefficient is not known.
template <class Real>
Twist<Real> twist_of_curve(const SE3<Real>& T) {
  const SE3<Real> dT = map(T, [](const Real& x) { return time_derivative(x); });
  return {vee(transpose(T.R.m) * dT.R.m), inverse_times(T.R, dT.p)};
}
template <class Real>
Twist<Real> time_derivative_of(const Twist<Real>& V) {
  return map(V, [](const Real& x) { return time_derivative(x); });
}

/// A series without its terms above order K.
template <int K, class Value>
auto up_to(const Value& value) {
  return map(value, [](const auto& x) {
    Taylor<double, K> y;
    for (int k = 0; k <= K; ++k) y.c[k] = x.c[k];
    return y;
  });
}

}  // namespace jounce::test

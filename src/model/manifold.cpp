// SPDX-License-Identifier: BSD-3-Clause
// The configuration manifold: neutral, random, normalize, integrate, difference, joint by joint.
//
// A joint moves along its own body screws: q (+) dv is T(q) exp(dv). Angles and displacements add;
// planar, spherical and free joints, alone or as parts of a composite, move on SE(2), SO(3), SE(3).
#include <algorithm>
#include <cmath>
#include <jounce/model/joint.hpp>
#include <jounce/model/manifold.hpp>

#include "finite_results.hpp"
#include "model/robot_data.hpp"
#include "split_mix.hpp"

namespace jounce {
namespace {

Quaternion<double> quaternion_at(const double* q) { return {q[0], q[1], q[2], q[3]}; }
void store(const Quaternion<double>& r, double* q) {
  q[0] = r.x, q[1] = r.y, q[2] = r.z, q[3] = r.w;
}
Vec3<double> vec3_at(const double* x) { return {x[0], x[1], x[2]}; }
void store(const Vec3<double>& a, double* x) { x[0] = a.x, x[1] = a.y, x[2] = a.z; }

/// Factors of the robot's configuration manifold.
std::span<const Factor> factors(const Robot& robot) {
  return {robot.system().factor, static_cast<size_t>(robot.system().factors)};
}

void integrate_factor(const Factor& part, const double* q, const double* v, double* out) {
  switch (part.kind) {
    case JointKind::planar: {
      const SE3<double> T = manifold_pose<double>(part.kind, q) * exp(manifold_twist(part.kind, v));
      out[2] = q[2] + v[0];
      out[0] = T.p.x, out[1] = T.p.y;
      return;
    }
    case JointKind::spherical:
      return store(normalize(quaternion_at(q) * exp_quaternion(vec3_at(v))), out);
    case JointKind::free: {
      const Quaternion<double> before = quaternion_at(q + 3);
      const SE3<double> T = manifold_pose<double>(part.kind, q) * exp(manifold_twist(part.kind, v));
      store(T.p, out);
      return store(normalize(before * exp_quaternion(vec3_at(v))), out + 3);
    }
    default:
      for (int k = 0; k < part.nq; ++k) out[k] = q[k] + v[k];
  }
}

/// Files that need a number where there is no limit write one as large as this.
bool is_limit(double x) { return std::abs(x) < 1e300; }

/// Uniform on the unit quaternions (Shoemake 1992).
Quaternion<double> random_rotation(SplitMix& random) {
  const double u = random.uniform(), a = random.uniform(-M_PI, M_PI);
  const double b = random.uniform(-M_PI, M_PI);
  const double s = std::sqrt(1 - u), c = std::sqrt(u);
  return {s * std::sin(a), s * std::cos(a), c * std::sin(b), c * std::cos(b)};
}

void check_room(const Robot& robot, const char* caller, const char* name, size_t found,
                int needed) {
  if (found != static_cast<size_t>(needed))
    throw InputError(std::string(caller) + ": " + name + " has " + std::to_string(found) +
                     " elements, robot \"" + robot.name() + "\" needs " + std::to_string(needed));
}

}  // namespace

std::vector<double> Robot::neutral() const {
  std::vector<double> q(static_cast<size_t>(nq()), 0.0);
  for (const QuaternionPlace& place : data_->quaternions) q[static_cast<size_t>(place.q + 3)] = 1;
  return q;
}
std::vector<double> Robot::random(std::uint64_t seed) const {
  std::vector<double> q(static_cast<size_t>(nq()));
  random(seed, q);
  return q;
}
void Robot::random(std::uint64_t seed, std::span<double> q) const {
  check_room(*this, "random", "q", q.size(), nq());
  SplitMix random(seed);
  for (const Factor& part : factors(*this)) {
    const JointInfo& joint = joints()[static_cast<size_t>(part.joint)];
    const int quaternion = quaternion_offset(part.kind);
    for (int k = 0; k < (quaternion >= 0 ? quaternion : part.nq); ++k) {
      const double half = k == elementary_angle(part.kind) ? M_PI : 1;
      double low = -half, high = half;
      if (joint.nq == joint.nv) {
        const double lower = limits().lower[static_cast<size_t>(part.v + k)];
        const double upper = limits().upper[static_cast<size_t>(part.v + k)];
        if (is_limit(lower)) low = lower, high = std::max(high, lower + half);
        if (is_limit(upper))
          high = upper, low = is_limit(lower) ? lower : std::min(low, upper - half);
      }
      q[static_cast<size_t>(part.q + k)] = random.uniform(low, high);
    }
    if (quaternion >= 0)
      store(random_rotation(random), &q[static_cast<size_t>(part.q + quaternion)]);
  }
}

void Robot::normalize(std::span<double> q) const {
  check_vector("normalize", "q", q, nq(), name());
  for (const QuaternionPlace& place : data_->quaternions) {
    double* r = &q[static_cast<size_t>(place.q)];
    double largest = 0;  // squares of what is divided by it neither vanish nor overflow
    for (int k = 0; k < 4; ++k) largest = std::max(largest, std::abs(r[k]));
    if (largest == 0)
      throw InputError("normalize: the quaternion of joint \"" +
                       joints()[static_cast<size_t>(place.joint)].name + "\" has no direction");
    for (int k = 0; k < 4; ++k) r[k] /= largest;
    store(jounce::normalize(quaternion_at(r)), r);
  }
}

void Robot::integrate(std::span<const double> q, std::span<const double> dv,
                      std::span<double> out) const {
  check_vector("integrate", "q", q, nq(), name());
  check_v("integrate", "dv", dv);
  check_room(*this, "integrate", "out", out.size(), nq());
  for (const Factor& part : factors(*this))
    integrate_factor(part, q.data() + part.q, dv.data() + part.v, out.data() + part.q);
  require_finite(*this, "integrate", "q", out);
}

void Robot::difference(std::span<const double> q0, std::span<const double> q1,
                       std::span<double> dv) const {
  check_vector("difference", "q0", q0, nq(), name());
  check_vector("difference", "q1", q1, nq(), name());
  check_room(*this, "difference", "dv", dv.size(), nv());
  tangent_difference(*this, q0.data(), q1.data(), dv.data());
  require_finite(*this, "difference", "dv", dv);
}
void tangent_difference(const Robot& robot, const double* q0, const double* q1, double* dv) {
  for (const Factor& part : factors(robot)) {
    const double *from = q0 + part.q, *to = q1 + part.q;
    double* out = dv + part.v;
    if (!is_flat(part.kind)) manifold_difference(part.kind, from, to, out);
    else
      for (int k = 0; k < part.nq; ++k) out[k] = to[k] - from[k];
  }
}

}  // namespace jounce

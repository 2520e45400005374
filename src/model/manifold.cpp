// SPDX-License-Identifier: BSD-3-Clause
// The configuration manifold: neutral, random, normalize, integrate, difference, joint by joint.
//
// A joint moves along its own body screws: q (+) dv is T(q) exp(dv). Angles and displacements add;
// planar, spherical and free joints, alone or as parts of a composite, move on SE(2), SO(3), SE(3),
// circles on SO(2).
#include <algorithm>
#include <cmath>
#include <jounce/model/joint.hpp>
#include <jounce/model/manifold.hpp>

#include "finite_results.hpp"
#include "model/robot_data.hpp"
#include "split_mix.hpp"

namespace jounce {
namespace {

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
  std::vector<double> q(static_cast<size_t>(nq()));
  for (const Factor& f : factors(system())) jounce::neutral(f, q.data() + f.q);
  return q;
}
std::vector<double> Robot::closed() const {
  std::vector<double> q = neutral();
  for (const JointInfo& joint : joints()) {
    const std::vector<double>& closed =
        description().joints[static_cast<size_t>(joint.description)].closed;
    if (!joint.mimic) std::copy(closed.begin(), closed.end(), q.begin() + joint.q);
  }
  normalize(q);
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
  for (const Factor& part : factors(system())) {
    const JointInfo& joint = joints()[static_cast<size_t>(part.joint)];
    const UnitCoordinates unit = unit_coordinates(part.kind);
    for (int k = 0; k < (unit.count > 0 ? unit.first : part.nq); ++k) {
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
    if (unit.count == 4)
      detail::store_quaternion(random_rotation(random),
                               &q[static_cast<size_t>(part.q + unit.first)]);
    if (is_circle(part)) {
      const double angle = random.uniform(-M_PI, M_PI);
      double* r = &q[static_cast<size_t>(part.q)];
      r[0] = std::cos(angle), r[1] = std::sin(angle);
    }
  }
}

void Robot::normalize(std::span<double> q) const {
  check_vector("normalize", "q", q, nq(), name());
  for (const UnitPlace& place : data_->unit_places) {
    double* r = &q[static_cast<size_t>(place.q)];
    double largest = 0;  // squares of what is divided by it neither vanish nor overflow
    for (int k = 0; k < place.count; ++k) largest = std::max(largest, std::abs(r[k]));
    if (largest == 0)
      throw InputError(std::string("normalize: the ") + unit_name(place.count) + " of joint \"" +
                       joints()[static_cast<size_t>(place.joint)].name + "\" has no direction");
    for (int k = 0; k < place.count; ++k) r[k] /= largest;
    const double scale = 1 / std::sqrt(squared_length(r, place.count));
    for (int k = 0; k < place.count; ++k) r[k] *= scale;
  }
}

void Robot::integrate(std::span<const double> q, std::span<const double> dv,
                      std::span<double> out) const {
  check_vector("integrate", "q", q, nq(), name());
  check_v("integrate", "dv", dv);
  check_room(*this, "integrate", "out", out.size(), nq());
  for (const Factor& f : factors(system()))
    jounce::integrate(f, q.data() + f.q, dv.data() + f.v, out.data() + f.q);
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
  for (const Factor& f : factors(robot.system())) difference(f, q0 + f.q, q1 + f.q, dv + f.v);
}

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Conversions joint by joint: a permutation of coordinates, and for joints whose velocities differ
// a linear map E(q) with v_theirs = E v, a_theirs = E a + Edot v and tau_theirs = E^-T tau.
#include <algorithm>
#include <cmath>
#include <jounce/group/matrices.hpp>
#include <jounce/model/manifold.hpp>
#include <jounce/state_conventions.hpp>

#include "linear_algebra/elimination.hpp"

namespace jounce {
namespace {

enum class Library : unsigned char { pinocchio, mujoco, drake, rbdl, spatial };
constexpr const char* names[] = {"pinocchio", "mujoco", "drake", "rbdl", "spatial_base"};
constexpr const char* called[] = {"Pinocchio", "MuJoCo", "Drake", "RBDL", "a spatial base"};

/// E and Edot of a joint; the first n rows and columns count, the others are those of 1 and 0.
struct VelocityMap {
  Mat6<double> E, rate;

  Mat6<double> inverse() const {
    Mat6<double> X;
    dense::Elimination<6>(transpose(E)).inverse(&X.m[0][0]);  // by columns, which are rows of X
    return X;
  }
};

/// y += sign E x, of n rows and columns of E.
void add_mapped(const Mat6<double>& E, const double* x, int n, double sign, double* y) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) y[i] += sign * E(i, j) * x[j];
}
/// y = E x.
void map(const Mat6<double>& E, const double* x, int n, double* y) {
  std::fill(y, y + n, 0.0);
  add_mapped(E, x, n, 1, y);
}

/// The map of a free joint; q and v are ours.
VelocityMap free_map(Library library, const double* q, const double* v) {
  const SE3<double> T{to_rotation(Quaternion<double>{q[3], q[4], q[5], q[6]}), {q[0], q[1], q[2]}};
  const Twist<double> V{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
  const Mat3<double> one = Mat3<double>::identity(), &R = T.R.m, R_rate = R * hat(V.w);
  if (library == Library::spatial) return {Ad_matrix(T), Ad_matrix(T) * ad_matrix(V)};
  VelocityMap map;
  if (library == Library::drake) {
    for (const int k : {0, 3}) map.E.set_block(k, k, R), map.rate.set_block(k, k, R_rate);
    return map;
  }
  map.E.set_block(3, 0, one);
  map.E.set_block(0, 3, library == Library::pinocchio ? one : R);
  if (library != Library::pinocchio) map.rate.set_block(0, 3, R_rate);
  return map;
}

/// The map of a planar joint: ours (w, v_x, v_y) in body axes; Pinocchio's (v_x, v_y, w), Drake's
/// in parent axes.
VelocityMap planar_map(Library library, const double* q, const double* v) {
  VelocityMap map{Mat6<double>::identity(), {}};
  const double angle = library == Library::drake ? q[2] : 0;
  const double c = std::cos(angle), s = std::sin(angle), w = library == Library::drake ? v[0] : 0;
  map.E.set_block(0, 0, {{{0, c, -s}, {0, s, c}, {1, 0, 0}}});
  map.rate.set_block(0, 0, {{{0, -s * w, -c * w}, {0, c * w, -s * w}, {0, 0, 0}}});
  return map;
}

/// One joint's place in their vectors.
struct Place {
  const JointInfo* joint;
  int q, v, nq;
};

class Converter {
 public:
  Converter(const Robot& robot, Library library, const JointOrder& order, const char* direction)
      : robot_(robot), library_(library), caller_(std::string(direction) + names[int(library)]) {
    if (order.empty()) {
      for (const JointInfo& joint : robot.joints())
        if (!joint.mimic) add(joint);
    } else {
      for (const std::string& name : order) add(robot.joint(name));
    }
    nq_ = next_q_ + (library == Library::rbdl ? quaternions_ : 0);
    if (next_v_ != robot.nv())
      throw InputError(caller_ + ": the order names joints with " + std::to_string(next_v_) +
                       " velocities, robot \"" + robot.name() + "\" has " +
                       std::to_string(robot.nv()));
  }

  RobotState to(const RobotState& ours) const {
    check(ours, robot_.nq());
    RobotState theirs{std::vector<double>(size_t(nq_)), ours.v, ours.a, ours.tau};
    int last_w = next_q_;
    for (const Place& place : places_) {
      positions_to(place, ours.q.data() + place.joint->q, theirs.q.data(), last_w);
      const int n = place.joint->nv, from = place.joint->v, at = place.v;
      if (!has_map(*place.joint)) {
        copy_velocities(ours, from, n, theirs, at);
        continue;
      }
      const VelocityMap by = map_of(*place.joint, ours.q, ours.v);
      map(by.E, ours.v.data() + from, n, theirs.v.data() + at);
      if (!ours.a.empty()) {
        map(by.E, ours.a.data() + from, n, theirs.a.data() + at);
        add_mapped(by.rate, ours.v.data() + from, n, 1, theirs.a.data() + at);
      }
      if (!ours.tau.empty())
        map(transpose(by.inverse()), ours.tau.data() + from, n, theirs.tau.data() + at);
    }
    return theirs;
  }

  RobotState from(const RobotState& theirs) const {
    check(theirs, nq_);
    RobotState ours{std::vector<double>(size_t(robot_.nq())), theirs.v, theirs.a, theirs.tau};
    int last_w = next_q_;
    for (const Place& place : places_)
      positions_from(place, theirs.q.data(), ours.q.data() + place.joint->q, last_w);
    for (const Place& place : places_) {
      const int n = place.joint->nv, at = place.joint->v, from = place.v;
      if (!has_map(*place.joint)) {
        copy_velocities(theirs, from, n, ours, at);
        continue;
      }
      const VelocityMap by = map_of(*place.joint, ours.q, theirs.v);  // E does not depend on v
      const Mat6<double> inverse = by.inverse();
      map(inverse, theirs.v.data() + from, n, ours.v.data() + at);
      if (!theirs.tau.empty())
        map(transpose(by.E), theirs.tau.data() + from, n, ours.tau.data() + at);
      if (theirs.a.empty()) continue;
      double rest[6];
      std::copy_n(theirs.a.data() + from, n, rest);
      add_mapped(map_of(*place.joint, ours.q, ours.v).rate, ours.v.data() + at, n, -1, rest);
      map(inverse, rest, n, ours.a.data() + at);
    }
    return ours;
  }

 private:
  void add(const JointInfo& joint) {
    if (joint.mimic)
      throw InputError(caller_ + ": joint \"" + joint.name + "\" has no coordinates of its own");
    for (const Place& place : places_)
      if (place.joint->name == joint.name)
        throw InputError(caller_ + ": the order names joint \"" + joint.name + "\" twice");
    const bool quaternion = quaternion_offset(joint.kind) >= 0;
    const bool unknown =
        (library_ == Library::drake && is_spherical(joint)) ||
        (is_planar(joint) && (library_ == Library::mujoco || library_ == Library::rbdl));
    if (unknown)
      throw InputError(caller_ + ": joint \"" + joint.name + "\": " + called[size_t(library_)] +
                       " has no " + name(joint.kind) + " joint");
    int nq = joint.nq;
    if (library_ == Library::pinocchio && (is_continuous(joint) || is_planar(joint))) ++nq;
    if (has_own_angle(joint)) --nq;
    if (library_ == Library::rbdl && quaternion) {
      --nq;
      ++quaternions_;
    }
    places_.push_back({&joint, next_q_, next_v_, nq});
    next_q_ += nq;
    next_v_ += joint.nv;
  }

  bool is_continuous(const JointInfo& joint) const {
    return is_revolute(joint) && joint.nv == 1 &&
           std::isinf(robot_.limits().lower[size_t(joint.v)]) &&
           std::isinf(robot_.limits().upper[size_t(joint.v)]);
  }

  void check(const RobotState& state, int nq) const {
    const auto size = [&](const std::vector<double>& x, const char* name, int n, bool optional) {
      if (x.size() != size_t(n) && !(optional && x.empty()))
        throw InputError(caller_ + ": " + name + " has " + std::to_string(x.size()) +
                         " elements, robot \"" + robot_.name() + "\" needs " + std::to_string(n));
    };
    size(state.q, "q", nq, false);
    size(state.v, "v", robot_.nv(), false);
    size(state.a, "a", robot_.nv(), true);
    size(state.tau, "tau", robot_.nv(), true);
  }

  /// Whether a joint's velocities are other numbers there.
  bool has_map(const JointInfo& joint) const {
    return is_free(joint) || (is_planar(joint) && library_ != Library::spatial);
  }
  VelocityMap map_of(const JointInfo& joint, const std::vector<double>& q,
                     const std::vector<double>& v) const {
    return (is_free(joint) ? free_map : planar_map)(library_, q.data() + joint.q,
                                                    v.data() + joint.v);
  }
  static void copy_velocities(const RobotState& x, int from, int n, RobotState& y, int at) {
    std::copy_n(x.v.data() + from, n, y.v.data() + at);
    if (!x.a.empty()) std::copy_n(x.a.data() + from, n, y.a.data() + at);
    if (!x.tau.empty()) std::copy_n(x.tau.data() + from, n, y.tau.data() + at);
  }

  /// Where x, y, z, w of a quaternion stand that starts at `at`; RBDL keeps w at the end.
  struct QuaternionPlace {
    int x, y, z, w;
  };
  QuaternionPlace quaternion_at(int at, int& last_w) const {
    switch (library_) {
      case Library::mujoco:
      case Library::drake:
        return {at + 1, at + 2, at + 3, at};
      case Library::rbdl:
        return {at, at + 1, at + 2, last_w++};
      default:
        return {at, at + 1, at + 2, at + 3};
    }
  }
  /// Calls f(ours, theirs) for every coordinate of a joint that both have.
  template <class F>
  void for_each_coordinate(const Place& place, int& last_w, F f) const {
    const int first = quaternion_offset(place.joint->kind);
    if (first < 0) {
      for (int k = 0; k < place.joint->nq; ++k) f(k, place.q + k);
      return;
    }
    const bool rotation_first = library_ == Library::drake;
    for (int k = 0; k < first; ++k) f(k, place.q + (rotation_first ? 4 : 0) + k);
    const int at = place.q + (rotation_first ? 0 : first);
    const QuaternionPlace to = quaternion_at(at, last_w);
    f(first, to.x), f(first + 1, to.y), f(first + 2, to.z), f(first + 3, to.w);
  }
  bool has_cosine(const Place& place) const { return place.nq == place.joint->nq + 1; }
  /// Whether a circle is an angle there.
  bool has_own_angle(const JointInfo& joint) const {
    return is_circle(joint) && library_ != Library::pinocchio && library_ != Library::spatial;
  }

  void positions_to(const Place& place, const double* ours, double* theirs, int& last_w) const {
    if (has_own_angle(*place.joint)) {
      theirs[place.q] = std::atan2(ours[1], ours[0]);
      return;
    }
    for_each_coordinate(place, last_w, [&](int k, int at) { theirs[at] = ours[k]; });
    if (!has_cosine(place)) return;
    const int angle = place.joint->nq - 1;
    theirs[place.q + angle] = std::cos(ours[angle]);
    theirs[place.q + angle + 1] = std::sin(ours[angle]);
  }
  void positions_from(const Place& place, const double* theirs, double* ours, int& last_w) const {
    if (has_own_angle(*place.joint)) {
      ours[0] = std::cos(theirs[place.q]), ours[1] = std::sin(theirs[place.q]);
      return;
    }
    for_each_coordinate(place, last_w, [&](int k, int at) { ours[k] = theirs[at]; });
    if (!has_cosine(place)) return;
    const int angle = place.joint->nq - 1;
    ours[angle] = std::atan2(theirs[place.q + angle + 1], theirs[place.q + angle]);
  }

  const Robot& robot_;
  Library library_;
  std::string caller_;
  std::vector<Place> places_;
  int next_q_ = 0, next_v_ = 0, nq_ = 0, quaternions_ = 0;
};

RobotState to(Library library, const Robot& robot, const RobotState& x, const JointOrder& order) {
  return Converter(robot, library, order, "to_").to(x);
}
RobotState from(Library library, const Robot& robot, const RobotState& x, const JointOrder& order) {
  return Converter(robot, library, order, "from_").from(x);
}

}  // namespace

RobotState to_pinocchio(const Robot& robot, const RobotState& ours, const JointOrder& order) {
  return to(Library::pinocchio, robot, ours, order);
}
RobotState from_pinocchio(const Robot& robot, const RobotState& theirs, const JointOrder& order) {
  return from(Library::pinocchio, robot, theirs, order);
}
RobotState to_mujoco(const Robot& robot, const RobotState& ours, const JointOrder& order) {
  return to(Library::mujoco, robot, ours, order);
}
RobotState from_mujoco(const Robot& robot, const RobotState& theirs, const JointOrder& order) {
  return from(Library::mujoco, robot, theirs, order);
}
RobotState to_drake(const Robot& robot, const RobotState& ours, const JointOrder& order) {
  return to(Library::drake, robot, ours, order);
}
RobotState from_drake(const Robot& robot, const RobotState& theirs, const JointOrder& order) {
  return from(Library::drake, robot, theirs, order);
}
RobotState to_rbdl(const Robot& robot, const RobotState& ours, const JointOrder& order) {
  return to(Library::rbdl, robot, ours, order);
}
RobotState from_rbdl(const Robot& robot, const RobotState& theirs, const JointOrder& order) {
  return from(Library::rbdl, robot, theirs, order);
}
RobotState to_spatial_base(const Robot& robot, const RobotState& ours) {
  return to(Library::spatial, robot, ours, {});
}
RobotState from_spatial_base(const Robot& robot, const RobotState& theirs) {
  return from(Library::spatial, robot, theirs, {});
}

}  // namespace jounce

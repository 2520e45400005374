// SPDX-License-Identifier: BSD-3-Clause
// Products of exponentials: a serial chain of one-dof joints as screws, in Park's three forms.
//
// [Park] 1995, equations (12)-(14) and Jacobians (18)-(20), any kind of number:
//   PoeLocal   f = e^{P_1 x_1} M_1 e^{P_2 x_2} M_2 ... e^{P_n x_n} M_n       (12)
//   PoeSpace   f = e^{A_1 x_1} e^{A_2 x_2} ... e^{A_n x_n} M                 (13)
//   PoeBody    f = M e^{B_1 x_1} e^{B_2 x_2} ... e^{B_n x_n}                 (14)
// With the home poses H_i = M_1 ... M_i:  A_i = Ad_{H_{i-1}} P_i,  M = H_n,  B_i = Ad_{M^-1} A_i.
// A Denavit-Hartenberg table is form (12) read row by row.
//
// These are for reading, converting and checking. Robots of every shape run on algorithm/.
#pragma once

#include <jounce/model/robot.hpp>

namespace jounce {

namespace detail {

template <class Numbers>
using NumberIn = std::remove_cvref_t<decltype(std::declval<const Numbers&>()[0])>;

/// InputError unless q holds one number per joint, and P one screw per pose M.
void check_chain(const char* caller, std::size_t numbers, std::size_t joints);
void check_chain(const char* caller, std::size_t numbers, std::size_t screws, std::size_t poses);

}  // namespace detail

/// Screws in the frame before each joint, and the pose of each link frame in the one before it at
/// zero: form (12).
struct PoeLocal {
  std::vector<Twist<double>> P;
  std::vector<SE3<double>> M;

  /// f(q); q is anything with q[i] and a size, of any kind of number.
  template <class Numbers>
  auto forward(const Numbers& q) const {
    detail::check_chain("forward", std::size(q), P.size(), M.size());
    SE3<detail::NumberIn<Numbers>> f;
    for (std::size_t i = 0; i < P.size(); ++i) f = f * exp(P[i] * q[i]) * M[i];  // (12)
    return f;
  }
  /// f^-1 fdot = sum J_i qdot_i: one column per joint, in the frame of the tip.
  template <class Numbers>
  auto jacobian_body(const Numbers& q) const {
    detail::check_chain("jacobian_body", std::size(q), P.size(), M.size());
    std::vector<Twist<detail::NumberIn<Numbers>>> J(P.size());
    SE3<detail::NumberIn<Numbers>> tail;
    for (std::size_t i = P.size(); i-- > 0;) {
      tail = M[i] * tail;
      J[i] = Ad_inv(tail, P[i]);
      tail = exp(P[i] * q[i]) * tail;
    }
    return J;
  }
  /// fdot f^-1 = sum J_i qdot_i: in the frame of the ground.
  template <class Numbers>
  auto jacobian_space(const Numbers& q) const {
    detail::check_chain("jacobian_space", std::size(q), P.size(), M.size());
    std::vector<Twist<detail::NumberIn<Numbers>>> J(P.size());
    SE3<detail::NumberIn<Numbers>> head;
    for (std::size_t i = 0; i < P.size(); ++i) {
      J[i] = Ad(head, P[i]);
      head = head * exp(P[i] * q[i]) * M[i];
    }
    return J;
  }
};

/// Screws in the frame of the ground and the pose of the tip, all at zero: form (13).
struct PoeSpace {
  std::vector<Twist<double>> A;
  SE3<double> M;

  template <class Numbers>
  auto forward(const Numbers& q) const {
    detail::check_chain("forward", std::size(q), A.size());
    SE3<detail::NumberIn<Numbers>> f;
    for (std::size_t i = 0; i < A.size(); ++i) f = f * exp(A[i] * q[i]);
    return f * M;  // (13)
  }
  template <class Numbers>
  auto jacobian_body(const Numbers& q) const {
    detail::check_chain("jacobian_body", std::size(q), A.size());
    std::vector<Twist<detail::NumberIn<Numbers>>> J(A.size());
    SE3<detail::NumberIn<Numbers>> tail;
    for (std::size_t i = A.size(); i-- > 0;) {
      J[i] = Ad_inv(M, Ad_inv(tail, A[i]));  // (20)
      tail = exp(A[i] * q[i]) * tail;
    }
    return J;
  }
  template <class Numbers>
  auto jacobian_space(const Numbers& q) const {
    detail::check_chain("jacobian_space", std::size(q), A.size());
    std::vector<Twist<detail::NumberIn<Numbers>>> J(A.size());
    SE3<detail::NumberIn<Numbers>> head;
    for (std::size_t i = 0; i < A.size(); ++i) {
      J[i] = Ad(head, A[i]);
      head = head * exp(A[i] * q[i]);
    }
    return J;
  }
};

/// Screws in the frame of the tip and its pose, all at zero: form (14).
struct PoeBody {
  std::vector<Twist<double>> B;
  SE3<double> M;

  template <class Numbers>
  auto forward(const Numbers& q) const {
    detail::check_chain("forward", std::size(q), B.size());
    SE3<detail::NumberIn<Numbers>> f;
    for (std::size_t i = 0; i < B.size(); ++i) f = f * exp(B[i] * q[i]);
    return M * f;  // (14)
  }
  template <class Numbers>
  auto jacobian_body(const Numbers& q) const {
    detail::check_chain("jacobian_body", std::size(q), B.size());
    std::vector<Twist<detail::NumberIn<Numbers>>> J(B.size());
    SE3<detail::NumberIn<Numbers>> tail;
    for (std::size_t i = B.size(); i-- > 0;) {
      J[i] = Ad_inv(tail, B[i]);  // (18)
      tail = exp(B[i] * q[i]) * tail;
    }
    return J;
  }
  template <class Numbers>
  auto jacobian_space(const Numbers& q) const {
    detail::check_chain("jacobian_space", std::size(q), B.size());
    std::vector<Twist<detail::NumberIn<Numbers>>> J(B.size());
    SE3<detail::NumberIn<Numbers>> head;
    for (std::size_t i = 0; i < B.size(); ++i) {
      J[i] = Ad(M, Ad(head, B[i]));
      head = head * exp(B[i] * q[i]);
    }
    return J;
  }
};

PoeSpace to_space(const PoeLocal& local);
PoeSpace to_space(const PoeBody& body);
PoeBody to_body(const PoeLocal& local);
PoeBody to_body(const PoeSpace& space);

/// Form (12) depends on where the link frames lie. Without further word all but the last lie in the
/// ground frame at zero; else home[i] is the pose of link frame i + 1 at zero, i = 0 ... n - 2.
PoeLocal to_local(const PoeSpace& space);
PoeLocal to_local(const PoeBody& body);
PoeLocal to_local(const PoeSpace& space, std::span<const SE3<double>> home);
PoeLocal to_local(const PoeBody& body, std::span<const SE3<double>> home);
/// The poses H_1 ... H_n of all link frames at zero; the last is M of the other forms.
std::vector<SE3<double>> home_poses(const PoeLocal& local);

/// The joints between the ground and a frame.
struct RobotChain {
  PoeSpace poe;
  std::vector<int> q;  ///< poe's coordinate i is the robot's coordinate q[i]
};
/// InputError that names the first joint on the way that is not one screw of its own coordinate.
RobotChain chain_to(const Robot& robot, FrameId frame);

/// The screw of a joint at home, in the ground frame, from its axis (a unit vector), a point on it
/// and its pitch in m/rad; of a prismatic joint from its axis alone.            [Ali] (8)
inline Twist<double> home_screw(const Vec3<double>& axis, const Vec3<double>& point,
                                double pitch = 0) {
  return {axis, cross(point, axis) + axis * pitch};
}
inline Twist<double> home_screw(const Vec3<double>& axis) { return {{}, axis}; }

/// A tree at zero, in the ground frame: what [Ali] appendix D sets up.
struct HomeScrews {
  std::vector<Twist<double>> Y;  ///< [nv of the tree] screws
  std::vector<SE3<double>> A;    ///< [bodies] poses
};
HomeScrews home_screws(const Robot& robot);

/// A robot with links "base", "link_1", ... in the frames of form (12), joints "joint_1", ... and a
/// frame "tool" at the tip. `links` gives names and inertias of link 1 ... n; without it links have
/// no mass. A screw needs an angular part of length 1, or none and a linear part of length 1.
RobotDescription to_description(const PoeLocal& local, const std::string& name,
                                std::span<const LinkDescription> links = {});

/// Which of the two conventions a Denavit-Hartenberg table follows.
enum class DhConvention : unsigned char {
  standard,  ///< T_i = Rot_z(theta) Trans_z(d) Trans_x(a) Rot_x(alpha)
  modified   ///< T_i = Rot_x(alpha) Trans_x(a) Rot_z(theta) Trans_z(d)   (Craig)
};
/// One joint and link. The number that moves adds to its entry: theta + q or d + q.
struct DhRow {
  double a = 0, alpha = 0, d = 0, theta = 0;
  JointKind kind = JointKind::revolute;  ///< or prismatic
};
struct DhTable {
  DhConvention convention = DhConvention::standard;
  std::vector<DhRow> rows;
  SE3<double> base, tool;  ///< frame 0 in the ground; the tip in frame n
};

/// Form (12), whose link frames are the table's.
PoeLocal to_local(const DhTable& table);
/// The same as a robot, with link frames as in the table and the tip as frame "tool".
RobotDescription to_description(const DhTable& table, const std::string& name,
                                std::span<const LinkDescription> links = {});

}  // namespace jounce

// SPDX-License-Identifier: BSD-3-Clause
// Kinematics in Python: poses, twists and Jacobians of frames, and the centre of mass.
#include <jounce/kinematics.hpp>

#include "calls.hpp"

namespace jounce::python {

template <>
inline constexpr bool keeps_state<Kinematics> = true;

namespace {

using OptionalVector = std::optional<std::span<const double>>;

Kinematics& stand(Kinematics& kinematics, std::span<const double> q, const OptionalVector& v,
                  const OptionalVector& a, const OptionalGround<double>& ground) {
  if (a && !v) throw InputError("at: a is given without v, needs at(q, v, a)");
  if (ground && !a)
    throw InputError("at: ground is given without v and a, needs at(q, v, a, ground=...)");
  if (a) return kinematics.at(q, *v, *a, ground);
  if (v) return kinematics.at(q, *v);
  return kinematics.at(q);
}

/// A function of a frame, by its number.
template <class Answer>
auto of_frame(Answer (Kinematics::*function)(FrameId) const) {
  return function;
}

void add_motions(py::class_<Kinematics>& c) {
  const std::string body = " in the frame's own axes, at its origin.";
  const std::string space = " in the ground's axes, at the ground's origin.";
  const std::string hybrid = " in the ground's axes, at the frame's origin.";
  const std::string spatial = "The derivative, component by component, of ";
  const std::string classical =
      "Angular acceleration, and the acceleration of the frame's origin as a point, a Twist";
  add(c, "pose", of_frame(&Kinematics::pose), "The SE3 pose of a link or frame in the ground.",
      word::frame);
  add(c, "twist_body", of_frame(&Kinematics::twist_body), "The velocity, a Twist" + body,
      word::frame);
  add(c, "twist_space", of_frame(&Kinematics::twist_space), "The velocity, a Twist" + space,
      word::frame);
  add(c, "twist_hybrid", of_frame(&Kinematics::twist_hybrid), "The velocity, a Twist" + hybrid,
      word::frame);
  add(c, "spatial_acceleration_body", of_frame(&Kinematics::spatial_acceleration_body),
      spatial + "twist_body, a Twist" + body, word::frame);
  add(c, "spatial_acceleration_space", of_frame(&Kinematics::spatial_acceleration_space),
      spatial + "twist_space, a Twist" + space, word::frame);
  add(c, "classical_acceleration_body", of_frame(&Kinematics::classical_acceleration_body),
      classical + " in the frame's own axes.", word::frame);
  add(c, "classical_acceleration_hybrid", of_frame(&Kinematics::classical_acceleration_hybrid),
      classical + " in the ground's axes: the derivative of twist_hybrid.", word::frame);
}

/// The Jacobian of one kind and its rate.
void add_jacobian(py::class_<Kinematics>& c, Name jacobian, Name rate, Representation in,
                  const std::string& kind) {
  add(c, jacobian,
      filled(rows_of(6), [in](auto& k, FrameId frame, auto to) { k.jacobian(frame, in, to); }),
      "The Jacobian, shape (6, nv), angular part first: J v is, on a ground at rest, twist_" +
          kind + ".",
      word::frame);
  add(c, rate,
      filled(rows_of(6), [in](auto& k, FrameId frame, auto to) { k.jacobian_rate(frame, in, to); }),
      "The time derivative of " + std::string(jacobian.method) + ", shape (6, nv); needs at(q, v).",
      word::frame);
}

void add_jacobians(py::class_<Kinematics>& c) {
  add_jacobian(c, "jacobian_body", "jacobian_body_rate", Representation::body, "body");
  add_jacobian(c, "jacobian_space", "jacobian_space_rate", Representation::space, "space");
  add_jacobian(c, "jacobian_hybrid", "jacobian_hybrid_rate", Representation::hybrid, "hybrid");
  add(c, "jacobian",
      filled(rows_of(6),
             [](Kinematics& k, FrameId frame, Representation in, const OptionalVector& q,
                const Into<double>& J) {
               if (q) k.jacobian(frame, in, *q, J);
               else k.jacobian(frame, in, J);
             }),
      "jacobian_body, jacobian_space or jacobian_hybrid: kind is 'body', 'space' or 'hybrid'. With "
      "q it is that of another configuration, and only the joints that carry the frame are moved; "
      "the state of at stays.",
      word::frame, word::kind, word::optional_vector("q"));
  add(c, "jacobian_rate",
      filled(rows_of(6), [](auto& k, const auto&... x) { k.jacobian_rate(x...); }),
      "The time derivative of jacobian(frame, kind); needs at(q, v).", word::frame, word::kind);
}

void add_com(py::class_<Kinematics>& c) {
  add(c, "com", &Kinematics::com,
      "The centre of mass of the moving links in ground axes, shape (3,).");
  add(c, "com_velocity", &Kinematics::com_velocity,
      "The velocity of the centre of mass in ground axes, shape (3,); needs at(q, v).");
  add(c, "com_acceleration", &Kinematics::com_acceleration,
      "The acceleration of the centre of mass in ground axes, shape (3,); needs at(q, v, a).");
  add(c, "com_jacobian", filled(rows_of(3), [](auto& k, auto to) { k.com_jacobian(to); }),
      "The Jacobian of the centre of mass, shape (3, nv): J v is, on a ground at rest, its "
      "velocity.");
}

void add_manipulability(py::class_<Kinematics>& c) {
  add(
      c, "manipulability", [](auto& k, FrameId frame) { return k.manipulability(frame); },
      "Yoshikawa's sqrt(det(J J^T)) of the body Jacobian; zero where J has not full row rank.",
      word::frame);
  add(
      c, "manipulability_gradient",
      [](auto& k, const auto&... x) { k.manipulability_gradient(x...); },
      "The derivative of manipulability along every velocity coordinate, shape (nv,).", word::frame,
      word::out);
  add(c, "null_space_projector",
      filled(square, [](auto& k, const auto&... x) { k.null_space_projector(x...); }),
      "1 - J^+ J, shape (nv, nv): joint velocities that do not move the frame. Singular values "
      "below cutoff times the largest count as zero.",
      word::frame, word::cutoff(1e-9));
}

}  // namespace

void bind_kinematics(py::module_& m) {
  auto c = add_door<Kinematics>(
      m, "Kinematics",
      "Where the frames of one robot are and how they move: Kinematics(robot).at(q, v).pose(frame)."
      "\n\nThe state given to at is what everything else answers about; what was not given is "
      "refused: twists and rates need v, accelerations need a. A frame is a name or a number. "
      "Arrays that come back belong to the caller; matrices are in Fortran order, column by "
      "column. Threads may share a Robot, but every thread needs its own Kinematics. Loops of the "
      "robot are left open, with a warning: this is the tree without them.");
  add(c, "at", &stand,
      "The state that the other methods tell about: poses from q, twists with v, accelerations "
      "with a. Gives this object back. With ground, velocities, accelerations and rates are those "
      "seen from inertial axes, with components in the axes that the ground has at this instant.",
      "q", word::optional_vector("v"), word::optional_vector("a"), word::ground);
  add_motions(c);
  add_jacobians(c);
  add_com(c);
  add_manipulability(c);
}

}  // namespace jounce::python

// SPDX-License-Identifier: BSD-3-Clause
// Dynamics in Python: kinematics of frames, Jacobians and the centre of mass.
#include "series.hpp"

namespace jounce::python {
namespace {

template <class Matrix>
Array to_python(const Eigen::MatrixBase<Matrix>& x) {
  return copied(x);
}
double to_python(double x) { return x; }
SE3<double> to_python(const SE3<double>& T) { return T; }
Twist<double> to_python(const Twist<double>& V) { return V; }

/// A method of one frame, by name or number. Result is R (Dynamics::*)(FrameId), const or not.
template <class Result>
void add_frame_method(py::class_<Dynamics>& c, const char* name, Result function,
                      const std::string& doc) {
  c.def(
      name,
      [name, function](Dynamics& d, const py::object& frame) {
        return to_python((d.*function)(checked_frame(d.robot(), frame, name)));
      },
      py::arg("frame"), (std::string(name) + "($self, frame)\n--\n\n" + doc).c_str());
}

void run_kinematics(Dynamics& d, Object q_, Object v_, Object a_, Object ground_) {
  const int nv = d.robot().nv();
  const Array q = vector_of(q_, {"kinematics", "q"}, d.robot().nq());
  const OptionalGround<double> ground = ground_of(ground_, "kinematics");
  if (v_.is_none() && a_.is_none() && !ground) return d.kinematics(view(q));
  const Array zeros = to_array(std::vector<double>(static_cast<std::size_t>(nv), 0.0));
  const Array v = v_.is_none() ? zeros : vector_of(v_, {"kinematics", "v"}, nv);
  if (a_.is_none() && !ground) return d.kinematics(view(q), view(v));
  const Array a = a_.is_none() ? zeros : vector_of(a_, {"kinematics", "a"}, nv);
  d.kinematics(view(q), view(v), view(a), ground);
}

/// Warns where the robot has loops; Python shows it once for each line that makes such a Dynamics.
Dynamics dynamics_of_tree(Robot robot) {
  const auto loops = robot.loops();
  if (!loops.empty()) {
    const std::string warning = "robot \"" + robot.name() + "\": " + std::to_string(loops.size()) +
                                (loops.size() == 1 ? " loop (" : " loops (") + loops[0].name +
                                (loops.size() == 1 ? ")" : ", ...)") +
                                " left open, Dynamics is of the tree";
    if (PyErr_WarnEx(PyExc_UserWarning, warning.c_str(), 1) < 0) throw py::error_already_set();
  }
  return Dynamics(std::move(robot));
}

void add_state(py::class_<Dynamics>& c) {
  c.def(py::init(&dynamics_of_tree), py::arg("robot"));
  c.def_property_readonly("robot", &Dynamics::robot, py::return_value_policy::copy, "Its Robot.");
  c.def("kinematics", &run_kinematics, py::arg("q"), py::arg("v") = py::none(),
        py::arg("a") = py::none(), py::kw_only(), py::arg("ground") = py::none(),
        "kinematics($self, q, v=None, a=None, *, ground=None)\n--\n\n"
        "Poses of all bodies; with v also twists, with a also accelerations (zero otherwise). All "
        "other methods tell about the state of the last such call; a new Dynamics stands at "
        "robot.neutral(). ground is (V, Vdot) where the ground moves: its body Twist and that "
        "twist's derivative. Velocities, accelerations and rates are then those seen from inertial "
        "axes, with components in the axes that the ground has at this instant.");
  add_frame_method(c, "pose", &Dynamics::pose, "The SE3 pose of a link or frame in the ground.");
}

void add_motions(py::class_<Dynamics>& c) {
  const std::string body = " in the frame's own axes, at its origin.";
  const std::string space = " in the ground's axes, at the ground's origin.";
  const std::string hybrid = " in the ground's axes, at the frame's origin.";
  const std::string spatial = "The derivative, component by component, of ";
  const std::string classical =
      "Angular acceleration, and the acceleration of the frame's origin as a point, a Twist";
  add_frame_method(c, "twist_body", &Dynamics::twist_body, "The velocity, a Twist" + body);
  add_frame_method(c, "twist_space", &Dynamics::twist_space, "The velocity, a Twist" + space);
  add_frame_method(c, "twist_hybrid", &Dynamics::twist_hybrid, "The velocity, a Twist" + hybrid);
  add_frame_method(c, "spatial_acceleration_body", &Dynamics::spatial_acceleration_body,
                   spatial + "twist_body, a Twist" + body);
  add_frame_method(c, "spatial_acceleration_space", &Dynamics::spatial_acceleration_space,
                   spatial + "twist_space, a Twist" + space);
  add_frame_method(c, "classical_acceleration_body", &Dynamics::classical_acceleration_body,
                   classical + " in the frame's own axes.");
  add_frame_method(c, "classical_acceleration_hybrid", &Dynamics::classical_acceleration_hybrid,
                   classical + " in the ground's axes: the derivative of twist_hybrid.");
}

void add_jacobians(py::class_<Dynamics>& c) {
  const std::string jacobian =
      "Shape (6, nv), angular part first: J v is, on a ground at rest, twist_";
  const std::string rate = "The time derivative of jacobian_";
  const std::string needs = ", shape (6, nv); needs kinematics with v.";
  add_frame_method(c, "jacobian_body", &Dynamics::jacobian_body, jacobian + "body.");
  add_frame_method(c, "jacobian_space", &Dynamics::jacobian_space, jacobian + "space.");
  add_frame_method(c, "jacobian_hybrid", &Dynamics::jacobian_hybrid, jacobian + "hybrid.");
  add_frame_method(c, "jacobian_body_rate", &Dynamics::jacobian_body_rate, rate + "body" + needs);
  add_frame_method(c, "jacobian_space_rate", &Dynamics::jacobian_space_rate,
                   rate + "space" + needs);
  add_frame_method(c, "jacobian_hybrid_rate", &Dynamics::jacobian_hybrid_rate,
                   rate + "hybrid" + needs);
  c.def(
      "jacobian",
      [](Dynamics& d, const py::object& frame, const std::string& kind, const py::object& q) {
        const FrameId id = checked_frame(d.robot(), frame, "jacobian");
        const Representation in = representation(kind, "jacobian");
        if (q.is_none()) return to_python(d.jacobian(id, in));
        return to_python(d.jacobian(id, in, view(vector_of(q, {"jacobian", "q"}, d.robot().nq()))));
      },
      py::arg("frame"), py::arg("kind"), py::arg("q") = py::none(),
      "jacobian($self, frame, kind, q=None)\n--\n\n"
      "jacobian_body, jacobian_space or jacobian_hybrid: kind is \"body\", \"space\" or "
      "\"hybrid\". With q it is that of another state, and only the joints that carry the frame "
      "are "
      "moved; the state of the last kinematics stays.");
  c.def(
      "jacobian_rate",
      [](Dynamics& d, const py::object& frame, const std::string& kind) {
        const FrameId id = checked_frame(d.robot(), frame, "jacobian_rate");
        return to_python(d.jacobian_rate(id, representation(kind, "jacobian_rate")));
      },
      py::arg("frame"), py::arg("kind"),
      "jacobian_rate($self, frame, kind)\n--\n\nThe time derivative of jacobian(frame, kind).");
}

void add_manipulability(py::class_<Dynamics>& c) {
  add_frame_method(c, "manipulability", &Dynamics::manipulability,
                   "Yoshikawa's sqrt(det(J J^T)) of the body Jacobian; zero where J has not full "
                   "row rank.");
  add_frame_method(c, "manipulability_gradient", &Dynamics::manipulability_gradient,
                   "Its derivative along every velocity coordinate, shape (nv,).");
  c.def(
      "null_space_projector",
      [](Dynamics& d, const py::object& frame, double cutoff) {
        const FrameId id = checked_frame(d.robot(), frame, "null_space_projector");
        checked_amount(cutoff, {"null_space_projector", "cutoff"});
        return to_python(d.null_space_projector(id, cutoff));
      },
      py::arg("frame"), py::arg("cutoff") = 1e-9,
      "null_space_projector($self, frame, cutoff=1e-09)\n--\n\n"
      "1 - J^+ J, shape (nv, nv): joint velocities that do not move the frame. Singular values "
      "below cutoff times the largest count as zero.");
}

void bind_com(py::module_& m) {
  using C = Com<double>;
  py::class_<C> c(m, "Com", "The centre of mass of the moving links, in ground axes.");
  c.def_property_readonly(
      "position", [](const C& x) { return frozen(to_array(x.position)); },
      "Shape (3,), read-only.");
  c.def_property_readonly(
      "velocity", [](const C& x) { return frozen(to_array(x.velocity)); },
      "Shape (3,), read-only; zero without v.");
  c.def_property_readonly(
      "acceleration", [](const C& x) { return frozen(to_array(x.acceleration)); },
      "Shape (3,), read-only; as if a were zero without a.");
  c.def("__repr__", [](const C& x) {
    return "Com(position=" + text(x.position) + ", velocity=" + text(x.velocity) +
           ", acceleration=" + text(x.acceleration) + ")";
  });
}

}  // namespace

Representation representation(const std::string& kind, const char* function) {
  if (kind == "body") return Representation::body;
  if (kind == "space") return Representation::space;
  if (kind == "hybrid") return Representation::hybrid;
  throw InputError(std::string(function) + ": kind is \"" + kind +
                   "\", needs \"body\", \"space\" or \"hybrid\"");
}

void bind_dynamics(py::module_& m) {
  bind_com(m);
  py::class_<Dynamics> c(
      m, "Dynamics",
      "Kinematics and dynamics of one robot; owns all working memory, checks and "
      "computes.\n\n"
      "Call kinematics, then ask. A frame is a name or a number. Arrays that "
      "come back are copies and belong to the caller. Threads may share a Robot, "
      "but every thread needs its own Dynamics. Loops of the robot are left open, with a warning: "
      "this is the tree without them.");
  add_state(c);
  add_series(c);
  add_motions(c);
  add_jacobians(c);
  c.def("com", &Dynamics::com,
        "com($self)\n--\n\nThe Com: position, velocity and acceleration of the centre of mass.");
  c.def(
      "com_jacobian", [](Dynamics& d) { return to_python(d.com_jacobian()); },
      "com_jacobian($self)\n--\n\n"
      "Shape (3, nv): J v is, on a ground at rest, the velocity of the centre of mass.");
  add_manipulability(c);
}

}  // namespace jounce::python

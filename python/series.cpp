// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of any order in Python: column k of an array is the k-th derivative.
#include "series.hpp"

#include "external.hpp"

namespace jounce::python {

Columns columns_of(py::handle object, const char* function, const char* name) {
  refuse_masked(object, {function, name});
  Columns columns = Columns::ensure(object);
  if (!columns) {
    PyErr_Clear();
    throw InputError(std::string(function) + ": " + name + " is not an array of numbers");
  }
  if (columns.ndim() != 2)
    throw InputError(std::string(function) + ": " + name + " has " +
                     std::to_string(columns.ndim()) + " dimensions, needs 2: (nv, derivatives)");
  return columns;
}

Eigen::Map<const Eigen::MatrixXd> matrix(const Columns& x) {
  return {x.data(), x.shape(0), x.shape(1)};
}

namespace {

/// The wrenches of one entry of external: F, F', ... each six numbers or a Wrench.
std::vector<Wrench<double>> derivatives_of(Object all, const char* function) {
  if (!py::isinstance<py::sequence>(all) && !py::isinstance<py::array>(all))
    throw py::type_error(std::string(function) +
                         ": external needs a list of wrenches, one per derivative");
  std::vector<Wrench<double>> derivatives;
  for (const py::handle one : all) derivatives.push_back(wrench_of(one, function));
  return derivatives;
}

/// What acts from outside: wrenches, and torques at the joints.
struct Outside : OutsideWrenches {
  Outside(const Robot& robot, Object external, Object joint_torques, const char* function)
      : OutsideWrenches(robot, external, function),
        torques(joint_torques.is_none() ? Columns(std::vector<py::ssize_t>{robot.nv(), 0})
                                        : columns_of(joint_torques, function, "joint_torques")) {}

  Columns torques;
};

int columns_less(const Columns& x, int n) { return static_cast<int>(x.shape(1)) - n; }

Array inverse_series(Dynamics& d, Object q_, Object motion_, Object external, Object torques) {
  const char* name = "inverse_series";
  const Array q = vector_of(q_, {name, "q"}, d.robot().nq());
  const Columns motion = columns_of(motion_, name, "motion");
  const Outside outside(d.robot(), external, torques, name);
  return copied(d.inverse_series(view(q), matrix(motion), columns_less(motion, 2), outside.wrenches,
                                 matrix(outside.torques)));
}

Array forward_series(Dynamics& d, Object q_, Object v_, Object taus_, Object external,
                     Object torques) {
  const char* name = "forward_series";
  const Array q = vector_of(q_, {name, "q"}, d.robot().nq());
  const Array v = vector_of(v_, {name, "v"}, d.robot().nv());
  const Columns taus = columns_of(taus_, name, "taus");
  const Outside outside(d.robot(), external, torques, name);
  return copied(d.forward_series(view(q), view(v), matrix(taus), columns_less(taus, 1),
                                 outside.wrenches, matrix(outside.torques)));
}

py::tuple hybrid_series(Dynamics& d, Object prescribed, Object q_, Object motion_, Object taus_,
                        Object external, Object torques) {
  const char* name = "hybrid_series";
  const Array q = vector_of(q_, {name, "q"}, d.robot().nq());
  const Columns motion = columns_of(motion_, name, "motion");
  const Columns taus = columns_of(taus_, name, "taus");
  const Outside outside(d.robot(), external, torques, name);
  const HybridSeriesResult found =
      d.hybrid_series(Flags(prescribed, name), view(q), matrix(motion), matrix(taus),
                      columns_less(taus, 1), outside.wrenches, matrix(outside.torques));
  return py::make_tuple(copied(found.motion), copied(found.taus));
}

void kinematics_series(Dynamics& d, const py::object& q_, const py::object& motion_) {
  const Array q = vector_of(q_, {"kinematics_series", "q"}, d.robot().nq());
  const Columns motion = columns_of(motion_, "kinematics_series", "motion");
  d.kinematics_series(view(q), matrix(motion), static_cast<int>(motion.shape(1)) - 1);
}

void set_base_motion_series(Dynamics& d, const std::vector<Twist<double>>& derivatives) {
  d.set_base_motion_series(derivatives);
}

void add_kinematic_series(py::class_<Dynamics>& c) {
  c.def(
      "kinematics_series", &kinematics_series, py::arg("q"), py::arg("motion"),
      "kinematics_series($self, q, motion)\n--\n\n"
      "Poses, twists and Jacobians with their derivatives along v, a, ..., shape (nv, order + 1); "
      "the three methods below tell about them until another series call.");
  c.def(
      "pose_derivative",
      [](const Dynamics& d, const py::object& frame, int order) {
        return to_array(
            d.pose_derivative(checked_frame(d.robot(), frame, "pose_derivative"), order));
      },
      py::arg("frame"), py::arg("order"),
      "pose_derivative($self, frame, order)\n--\n\n"
      "The derivative of the pose matrix of a frame, shape (4, 4).");
  c.def(
      "twist_derivative",
      [](const Dynamics& d, const py::object& frame, const std::string& kind, int order) {
        return d.twist_derivative(checked_frame(d.robot(), frame, "twist_derivative"),
                                  representation(kind, "twist_derivative"), order);
      },
      py::arg("frame"), py::arg("kind"), py::arg("order"),
      "twist_derivative($self, frame, kind, order)\n--\n\n"
      "The derivative, component by component, of twist_body, twist_space or twist_hybrid, a "
      "Twist.");
  c.def(
      "jacobian_derivative",
      [](Dynamics& d, const py::object& frame, const std::string& kind, int order) {
        return copied(d.jacobian_derivative(checked_frame(d.robot(), frame, "jacobian_derivative"),
                                            representation(kind, "jacobian_derivative"), order));
      },
      py::arg("frame"), py::arg("kind"), py::arg("order"),
      "jacobian_derivative($self, frame, kind, order)\n--\n\n"
      "The derivative of jacobian(frame, kind), shape (6, nv).");
}

void add_dynamic_series(py::class_<Dynamics>& c) {
  const std::string outside =
      " External wrenches are (frame, [F, F', ...], kind) each, joint_torques a (nv, n) array of "
      "forces from outside that help the actuators; derivatives not given are zero.";
  c.def("inverse_series", &inverse_series, py::arg("q"), py::arg("motion"),
        py::arg("external") = py::tuple(), py::arg("joint_torques") = py::none(),
        ("inverse_series($self, q, motion, external=(), joint_torques=None)\n--\n\n"
         "tau, tau', ..., shape (nv, order + 1), from the motion v, a, jerk, ..., shape (nv, order "
         "+ 2)." +
         outside)
            .c_str());
  c.def("forward_series", &forward_series, py::arg("q"), py::arg("v"), py::arg("taus"),
        py::arg("external") = py::tuple(), py::arg("joint_torques") = py::none(),
        ("forward_series($self, q, v, taus, external=(), joint_torques=None)\n--\n\n"
         "The motion v, a, jerk, ..., shape (nv, order + 2), that tau, tau', ..., shape (nv, order "
         "+ 1), give." +
         outside)
            .c_str());
  c.def("hybrid_series", &hybrid_series, py::arg("prescribed"), py::arg("q"), py::arg("motion"),
        py::arg("taus"), py::arg("external") = py::tuple(), py::arg("joint_torques") = py::none(),
        ("hybrid_series($self, prescribed, q, motion, taus, external=(), joint_torques=None)\n--"
         "\n\n"
         "(motion, taus) of all coordinates, from the motion of the prescribed ones and the forces "
         "of the others; one flag per velocity coordinate." +
         outside)
            .c_str());
}

}  // namespace

OutsideWrenches::OutsideWrenches(const Robot& robot, const py::object& external,
                                 const char* function) {
  for_each_external(robot, external, function, [&](FrameId frame, Object F, Representation in) {
    wrenches.push_back({frame, {}, in});
    derivatives.push_back(derivatives_of(F, function));
  });
  for (size_t k = 0; k < wrenches.size(); ++k) wrenches[k].derivatives = derivatives[k];
}

void add_series(py::class_<Dynamics>& c) {
  add_kinematic_series(c);
  c.def("set_max_order", &Dynamics::set_max_order, py::arg("order"),
        "set_max_order($self, order)\n--\n\n"
        "The highest order of inverse_series, forward_series and hybrid_series, 0 to 16; 4 at "
        "first.");
  c.def("max_order", &Dynamics::max_order,
        "max_order($self)\n--\n\nThe highest order there is room for.");
  c.def(
      "set_base_motion_series", &set_base_motion_series, py::arg("derivatives"),
      "set_base_motion_series($self, derivatives)\n--\n\n"
      "A base that moves: V_0, V_0', ... of the ground frame's body Twist, until set again; those "
      "not given are zero.");
  add_dynamic_series(c);
}

}  // namespace jounce::python

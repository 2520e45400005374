// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of any order in Python: column k of an array is the k-th derivative.
#include "series.hpp"

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

/// F, F', ... of one entry of wrenches, each six numbers or a Wrench.
std::vector<Wrench<double>> derivatives_of(Object all, const char* function,
                                           const std::string& entry) {
  std::vector<Wrench<double>> derivatives;
  for (const py::handle one : entries_of(all, std::string(function) + ": " + entry +
                                                  " needs a list of wrenches, one per derivative"))
    derivatives.push_back(wrench_of(
        one, function, "derivative " + std::to_string(derivatives.size()) + " of " + entry));
  return derivatives;
}

std::vector<Twist<double>> ground_series(Object ground, const char* function) {
  std::vector<Twist<double>> derivatives;
  if (ground.is_none()) return derivatives;
  for (const py::handle one :
       entries_of(ground, std::string(function) + ": ground needs a list of twists V, V', ..."))
    derivatives.push_back(
        twist_of(one, function, "ground[" + std::to_string(derivatives.size()) + "]"));
  return derivatives;
}

int columns_less(const Columns& x, int n) { return static_cast<int>(x.shape(1)) - n; }

Array inverse_series(Dynamics& d, const SeriesAround& x, Object q, Object motion_) {
  const Columns motion = columns_of(motion_, x.name, "motion");
  return copied(d.inverse_series(view(x.q(q)), matrix(motion), columns_less(motion, 2), x));
}

Array forward_series(Dynamics& d, const SeriesAround& x, Object q, Object v, Object taus_) {
  const Columns taus = columns_of(taus_, x.name, "taus");
  return copied(
      d.forward_series(view(x.q(q)), view(x.v(v, "v")), matrix(taus), columns_less(taus, 1), x));
}

py::tuple hybrid_series(Dynamics& d, const SeriesAround& x, Object prescribed, Object q,
                        Object motion_, Object taus_) {
  const Columns motion = columns_of(motion_, x.name, "motion");
  const Columns taus = columns_of(taus_, x.name, "taus");
  const HybridSeriesResult found =
      d.hybrid_series(Flags(prescribed, x.name), view(x.q(q)), matrix(motion), matrix(taus),
                      columns_less(taus, 1), x);
  return py::make_tuple(copied(found.motion), copied(found.taus));
}

void kinematics_series(Dynamics& d, Object q, Object motion_, Object ground) {
  const Vectors x(d.robot(), "kinematics_series");
  const Columns motion = columns_of(motion_, x.name, "motion");
  d.kinematics_series(view(x.q(q)), matrix(motion), columns_less(motion, 1),
                      ground_series(ground, x.name));
}

void add_kinematic_series(py::class_<Dynamics>& c) {
  c.def(
      "kinematics_series", &kinematics_series, py::arg("q"), py::arg("motion"), py::kw_only(),
      py::arg("ground") = py::none(),
      "kinematics_series($self, q, motion, *, ground=None)\n--\n\n"
      "Poses, twists and Jacobians with their derivatives along v, a, ..., shape (nv, order + 1); "
      "the three methods below tell about them until another series call. ground is that of "
      "inverse_series.");
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
  add_series_call(c, "inverse_series", &inverse_series,
                  "tau, tau', ..., shape (nv, order + 1), from the motion v, a, jerk, ..., shape "
                  "(nv, order + 2).",
                  "q", "motion");
  add_series_call(c, "forward_series", &forward_series,
                  "The motion v, a, jerk, ..., shape (nv, order + 2), that tau, tau', ..., shape "
                  "(nv, order + 1), give.",
                  "q", "v", "taus");
  add_series_call(c, "hybrid_series", &hybrid_series,
                  "(motion, taus) of all coordinates, from the motion of the prescribed ones and "
                  "the forces of the others; one flag per velocity coordinate.",
                  "prescribed", "q", "motion", "taus");
}

}  // namespace

SeriesAround::SeriesAround(const Robot& robot_, const char* function, Object wrenches,
                           Object ground, bool passive, bool gravity, Object joint_torques)
    : Vectors(robot_, function),
      ground_(ground_series(ground, function)),
      passive_(passive),
      gravity_(gravity),
      joint_torques_(joint_torques.is_none()
                         ? Columns(std::vector<py::ssize_t>{robot.nv(), 0})
                         : columns_of(joint_torques, function, "joint_torques")) {
  for_each_wrench(robot, wrenches, function,
                  [&](FrameId frame, Object F, Representation in, const std::string& entry) {
                    wrenches_.push_back({frame, {}, in});
                    derivatives_.push_back(derivatives_of(F, function, entry));
                  });
  for (size_t k = 0; k < wrenches_.size(); ++k) wrenches_[k].derivatives = derivatives_[k];
}

void add_series(py::class_<Dynamics>& c) {
  add_kinematic_series(c);
  c.def("set_max_order", &Dynamics::set_max_order, py::arg("order"),
        "set_max_order($self, order)\n--\n\n"
        "The highest order of inverse_series, forward_series and hybrid_series, 0 to 16; 4 at "
        "first.");
  c.def("max_order", &Dynamics::max_order,
        "max_order($self)\n--\n\nThe highest order there is room for.");
  add_dynamic_series(c);
}

}  // namespace jounce::python

// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of any order in Python: column k of an array is the k-th derivative.
#include "series.hpp"

#include "calls.hpp"
#include "representation.hpp"

namespace jounce::python {

Columns columns_of(py::handle object, const char* function, const char* name) {
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

Array inverse_series(Dynamics& d, const py::object& q_, const py::object& motion_) {
  const Array q = vector_of(q_, {"inverse_series", "q"}, d.robot().nq());
  const Columns motion = columns_of(motion_, "inverse_series", "motion");
  return copied(d.inverse_series(view(q), matrix(motion)));
}

Array forward_series(Dynamics& d, const py::object& q_, const py::object& v_,
                     const py::object& taus_) {
  const Array q = vector_of(q_, {"forward_series", "q"}, d.robot().nq());
  const Array v = vector_of(v_, {"forward_series", "v"}, d.robot().nv());
  const Columns taus = columns_of(taus_, "forward_series", "taus");
  return copied(d.forward_series(view(q), view(v), matrix(taus)));
}

py::tuple hybrid_series(Dynamics& d, const std::vector<bool>& prescribed, const py::object& q_,
                        const py::object& motion_, const py::object& taus_) {
  const Array q = vector_of(q_, {"hybrid_series", "q"}, d.robot().nq());
  const Columns motion = columns_of(motion_, "hybrid_series", "motion");
  const Columns taus = columns_of(taus_, "hybrid_series", "taus");
  const auto flags = std::make_unique<bool[]>(prescribed.size());
  std::copy(prescribed.begin(), prescribed.end(), flags.get());
  const HybridSeriesResult found =
      d.hybrid_series({flags.get(), prescribed.size()}, view(q), matrix(motion), matrix(taus),
                      static_cast<int>(taus.shape(1)) - 1);
  return py::make_tuple(copied(found.motion), copied(found.taus));
}

void kinematics_series(Dynamics& d, const py::object& q_, const py::object& motion_) {
  const Array q = vector_of(q_, {"kinematics_series", "q"}, d.robot().nq());
  const Columns motion = columns_of(motion_, "kinematics_series", "motion");
  d.kinematics_series(view(q), matrix(motion), static_cast<int>(motion.shape(1)) - 1);
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
      "The derivative of the pose matrix of a frame in the ground, shape (4, 4).");
  c.def(
      "twist_derivative",
      [](const Dynamics& d, const py::object& frame, const std::string& kind, int order) {
        return d.twist_derivative(checked_frame(d.robot(), frame, "twist_derivative"),
                                  representation(kind, "twist_derivative"), order);
      },
      py::arg("frame"), py::arg("kind"), py::arg("order"),
      "twist_derivative($self, frame, kind, order)\n--\n\n"
      "The component-wise derivative of twist_body, twist_space or twist_hybrid, a Twist.");
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

}  // namespace

void add_series(py::class_<Dynamics>& c) {
  add_kinematic_series(c);
  c.def("set_max_order", &Dynamics::set_max_order, py::arg("order"),
        "set_max_order($self, order)\n--\n\n"
        "The highest order of inverse_series, forward_series and hybrid_series, 0 to 16; 4 at "
        "first.");
  c.def("max_order", &Dynamics::max_order,
        "max_order($self)\n--\n\nThe highest order there is room for.");
  c.def("inverse_series", &inverse_series, py::arg("q"), py::arg("motion"),
        "inverse_series($self, q, motion)\n--\n\n"
        "tau, tau', ..., shape (nv, order + 1), from the motion v, a, jerk, ..., shape (nv, order "
        "+ 2).");
  c.def("forward_series", &forward_series, py::arg("q"), py::arg("v"), py::arg("taus"),
        "forward_series($self, q, v, taus)\n--\n\n"
        "The motion v, a, jerk, ..., shape (nv, order + 2), that tau, tau', ..., shape (nv, order "
        "+ 1), give.");
  c.def("hybrid_series", &hybrid_series, py::arg("prescribed"), py::arg("q"), py::arg("motion"),
        py::arg("taus"),
        "hybrid_series($self, prescribed, q, motion, taus)\n--\n\n"
        "(motion, taus) of all coordinates, from the motion of the prescribed ones and the forces "
        "of the others; one flag per velocity coordinate.");
}

}  // namespace jounce::python

// SPDX-License-Identifier: BSD-3-Clause
// Poses, twists and wrenches in Python.
#include "bindings.hpp"
#include "value.hpp"

namespace jounce::python {
namespace {

using Pose = SE3<double>;
using Velocity = Twist<double>;
using Force = Wrench<double>;

std::string pose_text(const Pose& T, int digits) {
  return "SE3(R=" + text(T.R.m, digits) + ", p=" + text(T.p, digits) + ")";
}
std::string twist_text(const Velocity& V, int digits) {
  return "Twist(w=" + text(V.w, digits) + ", v=" + text(V.v, digits) + ")";
}
std::string wrench_text(const Force& F, int digits) {
  return "Wrench(m=" + text(F.m, digits) + ", f=" + text(F.f, digits) + ")";
}

Pose pose_from_matrix(const py::object& matrix) {
  const Mat4<double> m = checked_mat4(matrix, {"SE3", "matrix"});
  for (int j = 0; j < 4; ++j)
    if (abs(m(3, j) - (j == 3 ? 1 : 0)) > unit_tolerance)
      throw InputError("SE3: last row of matrix is [" + text(m(3, 0), 6) + ", " + text(m(3, 1), 6) +
                       ", " + text(m(3, 2), 6) + ", " + text(m(3, 3), 6) + "], needs [0, 0, 0, 1]");
  const Mat3<double> R{
      {{m(0, 0), m(0, 1), m(0, 2)}, {m(1, 0), m(1, 1), m(1, 2)}, {m(2, 0), m(2, 1), m(2, 2)}}};
  return {checked_rotation(R, {"SE3", "matrix[:3, :3]"}), {m(0, 3), m(1, 3), m(2, 3)}};
}
Pose pose_from_parts(const py::object& R, const py::object& p) {
  const Argument argument{"SE3", "R", ", or an SO3"};
  const SO3<double> rotation = py::isinstance<SO3<double>>(R)
                                   ? R.cast<SO3<double>>()
                                   : checked_rotation(checked_mat3(R, argument), argument);
  return {rotation, checked_vec3(p, {"SE3", "p"})};
}

/// A twist or a wrench from six numbers, angular first.
template <class T>
T from_six(const py::object& vector, const char* type) {
  const Array a = checked_array(vector, {type, "vector"}, {6});
  return {{a.at(0), a.at(1), a.at(2)}, {a.at(3), a.at(4), a.at(5)}};
}

/// The vector-space operations, which twists and wrenches share but do not mix.
template <class T>
void add_linear_methods(py::class_<T>& c, const char* product) {
  const auto scale = [product](const T& V, double s) {
    return V * checked_number(s, {product, "s"});
  };
  c.def(
      "__add__", [](const T& V, const T& W) { return V + W; }, py::is_operator(), py::arg("other"));
  c.def(
      "__sub__", [](const T& V, const T& W) { return V - W; }, py::is_operator(), py::arg("other"));
  c.def("__neg__", [](const T& V) { return -V; });
  c.def("__mul__", scale, py::is_operator(), py::arg("s"));
  c.def("__rmul__", scale, py::is_operator(), py::arg("s"));
  c.def_property_readonly(
      "vector", [](const T& V) { return frozen(to_array(to_matrix(V))); },
      "All six numbers, angular first, shape (6,), read-only.");
}

void bind_pose_class(py::module_& m) {
  py::class_<Pose> c(
      m, "SE3",
      "The pose (R, p) of a frame b in a frame a: x_a = R x_b + p.\n\n"
      "SE3()        the identity\n"
      "SE3(R, p)    from an SO3 or a (3, 3) rotation matrix, and a point (3,)\n"
      "SE3(matrix)  from the (4, 4) matrix [R p; 0 1]\n\n"
      "T * U or T @ U composes (pose of c in a from b in a and c in b); T * x moves a "
      "point (3,) or points (n, 3) from b to a. A (4, 4) matrix does wherever an SE3 "
      "is asked for; numpy.asarray(T) is the matrix.");
  c.def(py::init<>());
  c.def(py::init(&pose_from_matrix), py::arg("matrix"));
  c.def(py::init(&pose_from_parts), py::arg("R"), py::arg("p"));
  c.def_property_readonly(
      "R", [](const Pose& T) { return frozen(to_array(T.R.m)); },
      "The axes of b in a, by columns, shape (3, 3), read-only.");
  c.def_property_readonly(
      "rotation", [](const Pose& T) { return T.R; }, "R as an SO3.");
  c.def_property_readonly(
      "p", [](const Pose& T) { return frozen(to_array(T.p)); },
      "The origin of b in a, shape (3,), read-only.");
  c.def_property_readonly(
      "matrix", [](const Pose& T) { return frozen(to_array(to_matrix(T))); },
      "[R p; 0 1], shape (4, 4), read-only.");
  c.def(
      "__mul__", [](const Pose& T, const Pose& U) { return T * U; }, py::arg("other"));
  c.def(
      "__mul__",
      [](const Pose& T, const py::object& x) {
        const char* hint = ", or an SE3; Ad and dual_Ad move twists and wrenches";
        return act(T, checked_points(x, {"SE3 * x", "x", hint}));
      },
      py::arg("other"));
  add_group_methods(c);
  add_array_method(c, [](const Pose& T) { return to_array(to_matrix(T)); });
  add_value_methods(c, &pose_text);
  py::implicitly_convertible<py::array, Pose>();  // a (4, 4) matrix, wherever a pose is needed
}

void bind_twist_class(py::module_& m) {
  py::class_<Velocity> c(m, "Twist",
                         "A velocity or screw V = (w, v): angular part first, both in the same "
                         "frame, v at its origin.\n\n"
                         "Twist()        zero\n"
                         "Twist(w, v)    from two arrays of shape (3,), rad/s and m/s\n"
                         "Twist(vector)  from six numbers, angular first\n\n"
                         "V + W, V - W, -V, s * V. A Twist and a Wrench cannot be added.");
  c.def(py::init<>());
  c.def(py::init([](const py::object& V) { return from_six<Velocity>(V, "Twist"); }),
        py::arg("vector"));
  c.def(py::init([](const py::object& w, const py::object& v) {
          return Velocity{checked_vec3(w, {"Twist", "w"}), checked_vec3(v, {"Twist", "v"})};
        }),
        py::arg("w"), py::arg("v"));
  c.def_property_readonly(
      "w", [](const Velocity& V) { return frozen(to_array(V.w)); },
      "The angular part, shape (3,), read-only.");
  c.def_property_readonly(
      "v", [](const Velocity& V) { return frozen(to_array(V.v)); },
      "The linear part, shape (3,), read-only.");
  add_linear_methods(c, "Twist * s");
  add_value_methods(c, &twist_text);
}

void bind_wrench_class(py::module_& m) {
  py::class_<Force> c(m, "Wrench",
                      "A moment and a force, or a momentum, F = (m, f): both in the same frame, "
                      "m about its origin.\n\n"
                      "Wrench()        zero\n"
                      "Wrench(m, f)    from two arrays of shape (3,), N m and N\n"
                      "Wrench(vector)  from six numbers, moment first\n\n"
                      "F + G, F - G, -F, s * F. A Twist and a Wrench cannot be added.");
  c.def(py::init<>());
  c.def(py::init([](const py::object& F) { return from_six<Force>(F, "Wrench"); }),
        py::arg("vector"));
  c.def(py::init([](const py::object& moment, const py::object& f) {
          return Force{checked_vec3(moment, {"Wrench", "m"}), checked_vec3(f, {"Wrench", "f"})};
        }),
        py::arg("m"), py::arg("f"));
  c.def_property_readonly(
      "m", [](const Force& F) { return frozen(to_array(F.m)); },
      "The moment about the origin, shape (3,), read-only.");
  c.def_property_readonly(
      "f", [](const Force& F) { return frozen(to_array(F.f)); },
      "The force, shape (3,), read-only.");
  add_linear_methods(c, "Wrench * s");
  add_value_methods(c, &wrench_text);
}

}  // namespace

void bind_poses(py::module_& m) {
  bind_pose_class(m);
  bind_twist_class(m);
  bind_wrench_class(m);
}

}  // namespace jounce::python

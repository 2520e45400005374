// SPDX-License-Identifier: BSD-3-Clause
// Rotations and quaternions in Python.
#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>
#include <jounce/group/eigen.hpp>

#include "bindings.hpp"
#include "value.hpp"

namespace jounce::python {
namespace {

using Rotation = SO3<double>;
using Quat = Quaternion<double>;

std::string rotation_text(const Rotation& R, int digits) {
  return "SO3(" + text(R.m, digits) + ")";
}
std::string quaternion_text(const Quat& q, int digits) {
  return "Quaternion(x=" + text(q.x, digits) + ", y=" + text(q.y, digits) +
         ", z=" + text(q.z, digits) + ", w=" + text(q.w, digits) + ")";
}

/// The rotation closest to m in the Frobenius norm: U diag(1, 1, det U V^T) V^T of the SVD of m.
Rotation nearest(const py::object& matrix) {
  const Eigen::Matrix3d m = to_eigen(checked_mat3(matrix, {"SO3.nearest", "matrix"}));
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Vector3d s = svd.singularValues();
  const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  if (!(s[1] + sign * s[2] > 1e-12 * s[0]))
    throw ComputationError("SO3.nearest: matrix has singular values " +
                           text(Vec3<double>{s[0], s[1], s[2]}, 6) +
                           ", several rotations are equally close");
  return {to_mat3(svd.matrixU() * Eigen::Vector3d(1, 1, sign).asDiagonal() *
                  svd.matrixV().transpose())};
}

Quat quaternion_from_array(const py::object& xyzw) {
  const Array a = checked_array(xyzw, {"Quaternion", "xyzw"}, {4});
  return {a.at(0), a.at(1), a.at(2), a.at(3)};
}
Quat quaternion_from_numbers(double x, double y, double z, double w) {
  return {checked_number(x, {"Quaternion", "x"}), checked_number(y, {"Quaternion", "y"}),
          checked_number(z, {"Quaternion", "z"}), checked_number(w, {"Quaternion", "w"})};
}

double length(const Quat& q) { return std::hypot(std::hypot(q.x, q.y), std::hypot(q.z, q.w)); }

const Quat& checked_unit(const Quat& q, const char* function) {
  if (!(abs(length(q) - 1) <= unit_tolerance))
    throw InputError(std::string(function) + ": quaternion has length " + text(length(q), 6) +
                     ", needs 1 within " + text(unit_tolerance) + "; normalize(q) gives it");
  return q;
}
Quat checked_normalize(const Quat& q) {
  const double l = length(q);
  if (!(l > 0 && std::isfinite(l)))
    throw InputError("normalize: quaternion has length " + text(l) + ", needs a direction");
  return normalize(Quat{q.x / l, q.y / l, q.z / l, q.w / l});
}

void bind_rotation_class(py::module_& m) {
  py::class_<Rotation> c(m, "SO3",
                         "A rotation, held as its 3x3 matrix R: x = R x', from the rotated frame "
                         "to the other.\n\n"
                         "SO3()        the identity\n"
                         "SO3(matrix)  from a (3, 3) matrix with R^T R = 1 within 1e-06, det R = 1"
                         "\n\nR * S composes; R * x rotates a point (3,) or points (n, 3).");
  c.def(py::init<>());
  c.def(py::init([](const py::object& matrix) {
          const Argument argument{"SO3", "matrix"};
          return checked_rotation(checked_mat3(matrix, argument), argument);
        }),
        py::arg("matrix"));
  c.def_static("nearest", &nearest, py::arg("matrix"),
               "nearest(matrix)\n--\n\n"
               "The rotation R that minimises |R - matrix| (Frobenius norm), for rounded or noisy "
               "data.");
  c.def_property_readonly(
      "matrix", [](const Rotation& R) { return frozen(to_array(R.m)); },
      "R, shape (3, 3), read-only.");
  c.def(
      "__mul__", [](const Rotation& R, const Rotation& S) { return R * S; }, py::arg("other"));
  c.def(
      "__mul__",
      [](const Rotation& R, const py::object& x) {
        return act(R, checked_points(x, {"SO3 * x", "x", ", or an SO3"}));
      },
      py::arg("other"));
  add_group_methods(c);
  add_array_method(c, [](const Rotation& R) { return to_array(R.m); });
  add_value_methods(c, &rotation_text);
}

void bind_quaternion_class(py::module_& m) {
  py::class_<Quat> c(m, "Quaternion",
                     "A quaternion x i + y j + z k + w, in the order x, y, z, w; a rotation where "
                     "its length is 1.\n\n"
                     "Quaternion()            the identity (0, 0, 0, 1)\n"
                     "Quaternion(x, y, z, w)  from four numbers\n"
                     "Quaternion(xyzw)        from an array of shape (4,)\n\n"
                     "q * r is the product of quaternions; q and -q are the same rotation.");
  c.def(py::init<>());
  c.def(py::init(&quaternion_from_numbers), py::arg("x"), py::arg("y"), py::arg("z"), py::arg("w"));
  c.def(py::init(&quaternion_from_array), py::arg("xyzw"));
  c.def_readonly("x", &Quat::x, "The coefficient of i.");
  c.def_readonly("y", &Quat::y, "The coefficient of j.");
  c.def_readonly("z", &Quat::z, "The coefficient of k.");
  c.def_readonly("w", &Quat::w, "The real part.");
  c.def_property_readonly(
      "xyzw", [](const Quat& q) { return frozen(Array(4, &q.x)); },
      "(x, y, z, w), shape (4,), read-only.");
  c.def(
      "__mul__", [](const Quat& q, const Quat& r) { return q * r; }, py::is_operator(),
      py::arg("other"));
  add_value_methods(c, &quaternion_text);
}

void bind_conversions(py::module_& m) {
  m.def("to_quaternion", &to_quaternion<double>, py::arg("R"),
        "to_quaternion(R)\n--\n\nThe unit quaternion of the rotation R, with w >= 0.");
  m.def(
      "to_rotation", [](const Quat& q) { return to_rotation(checked_unit(q, "to_rotation")); },
      py::arg("q"),
      "to_rotation(q)\n--\n\n"
      "R with R x = q x q^-1, for q of length 1 within 1e-06.");
  m.def("normalize", &checked_normalize, py::arg("q"),
        "normalize(q)\n--\n\nq / |q|: the quaternion of length 1 in the same direction.");
  m.def(
      "exp_quaternion",
      [](const py::object& w) {
        return exp_quaternion(checked_vec3(w, {"exp_quaternion", "w"}));
      },
      py::arg("w"),
      "exp_quaternion(w)\n--\n\n"
      "(sin(a/2) w/a, cos(a/2)), a = |w|: the quaternion of the rotation exp(w), w of shape (3,).");
  m.def(
      "inverse", [](const Quat& q) { return inverse(checked_unit(q, "inverse")); }, py::arg("T"));
  m.def(
      "log", [](const Quat& q) { return to_array(log(checked_unit(q, "log"))); }, py::arg("T"));
}

}  // namespace

void bind_rotations(py::module_& m) {
  bind_rotation_class(m);
  bind_quaternion_class(m);
  bind_conversions(m);
}

}  // namespace jounce::python

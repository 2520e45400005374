// SPDX-License-Identifier: BSD-3-Clause
// NumPy arrays in and out: every array is checked for kind, shape and NaN where it comes in.
#pragma once

#include <pybind11/numpy.h>

#include <initializer_list>
#include <jounce/group/matrices.hpp>
#include <span>
#include <string>
#include <vector>

namespace jounce::python {

namespace py = pybind11;

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// Which argument of which function a message is about, and what else it could have been.
struct Argument {
  const char* function;
  const char* name;
  const char* hint = "";
};

/// How far a matrix may be from a rotation, or a quaternion from length one.
inline constexpr double unit_tolerance = 1e-6;

/// "SE3: matrix", the beginning of every message.
std::string subject(const Argument& argument);
/// What Python calls the type of an object.
std::string type_name(py::handle object);

/// A number as text: with the given significant digits, or the shortest that reads back the same.
std::string text(double x, int digits = 0);
std::string text(const Vec3<double>& a, int digits = 0);
std::string text(const Mat3<double>& m, int digits = 0);

/// TypeError for a NumPy array with a mask: the numbers under it are none.
void refuse_masked(py::handle object, const Argument& argument);

/// Real, finite numbers of exactly this shape.
Array checked_array(py::handle object, const Argument& argument,
                    std::initializer_list<py::ssize_t> shape);
/// One point of shape (3,) or many of shape (n, 3).
Array checked_points(py::handle object, const Argument& argument);
double checked_number(double x, const Argument& argument);
/// A finite number that is not below zero.
double checked_amount(double x, const Argument& argument);
/// A vector of real numbers of shape (n,): other lengths and NaN pass, the library refuses them
/// in its own words. With `many`, (T, n) does as well.
Array vector_of(py::handle object, const Argument& argument, int n, bool many = false);
/// One number or a vector of any length, finite.
Array checked_numbers(py::handle object, const Argument& argument);

inline std::span<const double> view(const Array& a) {
  return {a.data(), static_cast<std::size_t>(a.size())};
}

Vec3<double> checked_vec3(py::handle object, const Argument& argument);
Mat3<double> checked_mat3(py::handle object, const Argument& argument);
Sym3<double> checked_sym3(py::handle object, const Argument& argument);
Mat4<double> checked_mat4(py::handle object, const Argument& argument);
SO3<double> checked_rotation(const Mat3<double>& m, const Argument& argument);
/// Refuses a matrix of n x n numbers by rows that is not symmetric.
void check_symmetric(const double* m, int n, const Argument& argument);

Array to_array(const Vec3<double>& a);
Array to_array(const Mat3<double>& m);
Array to_array(const Sym3<double>& m);
template <int Rows, int Cols>
Array to_array(const Matrix<double, Rows, Cols>& m) {
  return Array({Rows, Cols}, &m.m[0][0]);
}
/// The six numbers of a twist or wrench, angular first.
Array to_array(const Matrix<double, 6, 1>& m);
Array to_array(std::span<const double> x);

/// The same array, read-only: a property is a copy, and writing into it would change nothing.
Array frozen(Array a);

/// The points x of one array, each replaced by g * x.
template <class Group>
Array act(const Group& g, const Array& points) {
  Array moved(std::vector<py::ssize_t>(points.shape(), points.shape() + points.ndim()));
  const double* x = points.data();
  double* y = moved.mutable_data();
  for (py::ssize_t i = 0; i < points.size(); i += 3) {
    const Vec3<double> r = g * Vec3<double>{x[i], x[i + 1], x[i + 2]};
    y[i] = r.x;
    y[i + 1] = r.y;
    y[i + 2] = r.z;
  }
  return moved;
}

}  // namespace jounce::python

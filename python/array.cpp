// SPDX-License-Identifier: BSD-3-Clause
// The checks behind every array that comes in from Python.
#include "array.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <jounce/error.hpp>
#include <limits>
#include <string_view>

namespace jounce::python {
namespace {

/// "(3,)" or "(4, 4)", as NumPy writes a shape.
std::string shape_text(const py::ssize_t* shape, py::ssize_t ndim) {
  std::string s = "(";
  for (py::ssize_t i = 0; i < ndim; ++i) s += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return s + (ndim == 1 ? ",)" : ")");
}

std::string element_text(const Array& a, py::ssize_t flat) {
  std::string s;
  for (py::ssize_t i = a.ndim() - 1; i >= 0; --i) {
    s = std::to_string(flat % a.shape(i)) + (s.empty() ? "" : ", ") + s;
    flat /= a.shape(i);
  }
  return s.empty() ? s : "[" + s + "]";  // a number has no index
}

/// An array of real numbers of any shape; what it needs goes into the message.
Array real_array(py::handle object, const Argument& argument, const std::string& needs) {
  refuse_masked(object, argument);
  const auto any = py::array::ensure(object);
  if (!any || std::string_view("iuf").find(any.dtype().kind()) == std::string_view::npos) {
    const std::string found = any && py::isinstance<py::array>(object)
                                  ? "an array of " + std::string(py::str(any.dtype()))
                                  : "of type " + type_name(object);
    throw py::type_error(subject(argument) + " is " + found + ", needs real numbers of shape " +
                         needs + argument.hint);
  }
  return Array(any);
}

/// NumPy's own type, no subclass: nothing to check and nothing to convert but numbers.
bool is_plain(py::handle object) {
  static const PyTypeObject* const plain = Py_TYPE(py::array_t<double>().ptr());
  return Py_TYPE(object.ptr()) == plain;
}

[[noreturn]] void refuse_shape(const Array& a, const Argument& argument, const std::string& needs) {
  throw InputError(subject(argument) + " has shape " + shape_text(a.shape(), a.ndim()) +
                   ", needs " + needs + argument.hint);
}

Array finite(Array a, const Argument& argument) {
  for (py::ssize_t i = 0; i < a.size(); ++i)
    if (!std::isfinite(a.data()[i]))
      throw InputError(subject(argument) + element_text(a, i) + " is " + text(a.data()[i]) +
                       ", needs finite numbers");
  return a;
}

}  // namespace

std::string subject(const Argument& argument) {
  return std::string(argument.function) + ": " + argument.name;
}

std::string type_name(py::handle object) { return py::str(py::type::of(object).attr("__name__")); }

void refuse_masked(py::handle object, const Argument& argument) {
  if (is_plain(object) || !py::isinstance<py::array>(object)) return;
  if (py::isinstance(object, py::module_::import("numpy.ma").attr("MaskedArray")))
    throw py::type_error(subject(argument) + " is a masked array, needs plain numbers");
}

std::string text(double x, int digits) {
  char buffer[32];
  const double plus = x + 0.0;  // -0 becomes 0
  const auto end = digits == 0 ? std::to_chars(buffer, buffer + sizeof buffer, plus)
                               : std::to_chars(buffer, buffer + sizeof buffer, plus,
                                               std::chars_format::general, digits);
  return std::string(buffer, end.ptr);
}
std::string text(const Vec3<double>& a, int digits) {
  return "[" + text(a.x, digits) + ", " + text(a.y, digits) + ", " + text(a.z, digits) + "]";
}
std::string text(const Mat3<double>& m, int digits) {
  return "[" + text(m.row[0], digits) + ", " + text(m.row[1], digits) + ", " +
         text(m.row[2], digits) + "]";
}

Array checked_array(py::handle object, const Argument& argument,
                    std::initializer_list<py::ssize_t> shape) {
  const std::string needs = shape_text(shape.begin(), py::ssize_t(shape.size()));
  const Array a = real_array(object, argument, needs);
  if (!std::equal(shape.begin(), shape.end(), a.shape(), a.shape() + a.ndim()))
    refuse_shape(a, argument, needs);
  return finite(a, argument);
}
Array checked_points(py::handle object, const Argument& argument) {
  const char* needs = "(3,) or (n, 3)";
  const Array a = real_array(object, argument, needs);
  if (a.ndim() < 1 || a.ndim() > 2 || a.shape(a.ndim() - 1) != 3) refuse_shape(a, argument, needs);
  return finite(a, argument);
}
double checked_number(double x, const Argument& argument) {
  if (!std::isfinite(x))
    throw InputError(subject(argument) + " is " + text(x) + ", needs a finite number");
  return x;
}

double checked_amount(double x, const Argument& argument) {
  if (!(checked_number(x, argument) >= 0))
    throw InputError(subject(argument) + " is " + text(x) + ", needs a number >= 0");
  return x;
}
Array vector_of(py::handle object, const Argument& argument, int n, bool many) {
  const auto fits = [many](const Array& a) { return a.ndim() == 1 || (many && a.ndim() == 2); };
  if (is_plain(object) && py::isinstance<Array>(object)) {  // as it is, without another array
    auto a = py::reinterpret_borrow<Array>(object);
    if (fits(a)) return a;
  }
  const std::string needs = "(" + std::to_string(n) + ",)";
  const Array a = real_array(object, argument, needs);
  if (!fits(a)) refuse_shape(a, argument, needs);
  return a;
}
Array checked_numbers(py::handle object, const Argument& argument) {
  const char* needs = "() or (n,)";
  const Array a = real_array(object, argument, needs);
  if (a.ndim() > 1) refuse_shape(a, argument, needs);
  return finite(a, argument);
}

Vec3<double> checked_vec3(py::handle object, const Argument& argument) {
  const Array a = checked_array(object, argument, {3});
  return {a.at(0), a.at(1), a.at(2)};
}
Mat3<double> checked_mat3(py::handle object, const Argument& argument) {
  const Array a = checked_array(object, argument, {3, 3});
  Mat3<double> m;
  for (int i = 0; i < 3; ++i) m.row[i] = {a.at(i, 0), a.at(i, 1), a.at(i, 2)};
  return m;
}
Sym3<double> checked_sym3(py::handle object, const Argument& argument) {
  const Mat3<double> m = checked_mat3(object, argument);
  check_symmetric(&m.row[0].x, 3, argument);
  return symmetric(m);
}
Mat4<double> checked_mat4(py::handle object, const Argument& argument) {
  const Array a = checked_array(object, argument, {4, 4});
  Mat4<double> m;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) m(i, j) = a.at(i, j);
  return m;
}

SO3<double> checked_rotation(const Mat3<double>& m, const Argument& argument) {
  const Mat3<double> difference = transpose(m) * m - Mat3<double>::identity();
  double defect = 0;
  for (const Vec3<double>& row : difference.row)
    for (const double d : {row.x, row.y, row.z})
      defect = std::max(defect, std::isnan(d) ? std::numeric_limits<double>::infinity() : abs(d));
  const char* advice = "; SO3.nearest(matrix) gives the closest rotation";
  if (defect > unit_tolerance)
    throw InputError(subject(argument) + " is no rotation: R^T R differs from 1 by " +
                     text(defect, 6) + ", needs at most " + text(unit_tolerance) + advice);
  if (determinant(m) < 0)
    throw InputError(subject(argument) + " is no rotation: its determinant is " +
                     text(determinant(m), 6) + " (a reflection), needs 1" + advice);
  return {m};
}

void check_symmetric(const double* m, int n, const Argument& argument) {
  double largest = 0;
  for (int k = 0; k < n * n; ++k) largest = std::max(largest, abs(m[k]));
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      if (abs(m[i * n + j] - m[j * n + i]) > 1e-9 * largest)
        throw InputError(subject(argument) + " is not symmetric: [" + std::to_string(i) + ", " +
                         std::to_string(j) + "] is " + text(m[i * n + j], 6) + ", [" +
                         std::to_string(j) + ", " + std::to_string(i) + "] is " +
                         text(m[j * n + i], 6));
}

Array to_array(const Vec3<double>& a) { return Array(3, &a.x); }
Array to_array(const Mat3<double>& m) { return Array({3, 3}, &m.row[0].x); }
Array to_array(const Sym3<double>& m) { return to_array(to_matrix(m)); }
Array to_array(const Matrix<double, 6, 1>& m) { return Array(6, &m.m[0][0]); }
Array to_array(std::span<const double> x) { return Array(py::ssize_t(x.size()), x.data()); }

Array frozen(Array a) {
  a.attr("setflags")(py::arg("write") = false);
  return a;
}

}  // namespace jounce::python

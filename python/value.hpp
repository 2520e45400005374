// SPDX-License-Identifier: BSD-3-Clause
// What every value type of the Python module shares: text, comparison, copying, pickling.
//
// The types are plain structs of doubles, so all of it is written once on their numbers.
#pragma once

#include <pybind11/numpy.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <jounce/error.hpp>
#include <string>

#include "array.hpp"

namespace jounce::python {

template <class T>
using Numbers = std::array<double, sizeof(T) / sizeof(double)>;

/// No number differs by more than tolerance, relative to the largest number above 1.
template <class T>
bool is_approx(const T& a, const T& b, double tolerance) {
  if (!(tolerance >= 0))
    throw InputError("is_approx: tolerance is " + text(tolerance) + ", needs a number >= 0");
  const auto x = std::bit_cast<Numbers<T>>(a), y = std::bit_cast<Numbers<T>>(b);
  double largest = 1;
  for (const Numbers<T>& numbers : {x, y})
    for (const double n : numbers) largest = std::max(largest, std::abs(n));
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(std::abs(x[i] - y[i]) <= tolerance * largest)) return false;
  return true;
}

template <class T>
py::tuple get_state(const T& value) {
  const auto numbers = std::bit_cast<Numbers<T>>(value);
  py::tuple state(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) state[i] = numbers[i];
  return state;
}
template <class T>
T set_state(const py::tuple& state) {
  Numbers<T> numbers;
  if (state.size() != numbers.size())
    throw InputError("unpickling: state has " + std::to_string(state.size()) + " numbers, needs " +
                     std::to_string(numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = state[i].cast<double>();
  return std::bit_cast<T>(numbers);
}

/// T @ U and T.inverse() of a group, as T * U and inverse(T).
template <class T>
void add_group_methods(py::class_<T>& c) {
  c.attr("__matmul__") = c.attr("__mul__");
  c.def(
      "inverse", [](const T& x) { return inverse(x); },
      "inverse($self)\n--\n\nThe one that undoes it.");
}
/// numpy.asarray(value): the numbers that `numbers` gives.
template <class T, class Numbers>
void add_array_method(py::class_<T>& c, Numbers numbers) {
  c.def(
      "__array__",
      [numbers](const T& value, const py::object& dtype, const py::object&) {
        const py::object found = numbers(value);
        return dtype.is_none() ? found : py::object(found.attr("astype")(dtype));
      },
      py::arg("dtype") = py::none(), py::arg("copy") = py::none());
}

/// Adds the shared methods to the class T; write(value, digits) is its text.
template <class T>
void add_value_methods(py::class_<T>& c, std::string (*write)(const T&, int digits)) {
  const std::string name = py::str(c.attr("__name__"));
  c.def("is_approx", &is_approx<T>, py::arg("other"), py::arg("tolerance") = 1e-9,
        "is_approx($self, other, tolerance=1e-09)\n--\n\n"
        "Whether no number differs by more than tolerance * max(1, largest number).");
  c.def("__repr__", [write](const T& value) { return write(value, 0); });
  c.def("__str__", [write](const T& value) { return write(value, 6); });
  c.def("__eq__", [name](const T&, const py::object&) -> bool {
    throw py::type_error(name + ": == would compare rounding errors, use is_approx(other)");
  });
  c.def("__copy__", [](const T& value) { return value; });
  c.def(
      "__deepcopy__", [](const T& value, const py::dict&) { return value; }, py::arg("memo"));
  c.def(py::pickle(&get_state<T>, &set_state<T>));
  c.attr("__array_ufunc__") = py::none();  // array * value raises instead of making object arrays
}

}  // namespace jounce::python

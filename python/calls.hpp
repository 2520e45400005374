// SPDX-License-Identifier: BSD-3-Clause
// What bindings of Dynamics share: vectors in, copies of matrices and vectors out.
#pragma once

#include <jounce/dynamics.hpp>

#include "bindings.hpp"
#include "robot.hpp"

namespace jounce::python {

using Object = const py::object&;

/// Results own their numbers: the library's views last only until its next call.
template <class Matrix>
Array copied(const Eigen::MatrixBase<Matrix>& m) {
  if constexpr (Matrix::IsVectorAtCompileTime) {
    Array a(m.size());
    for (py::ssize_t i = 0; i < m.size(); ++i) a.mutable_at(i) = m(i);
    return a;
  } else {
    Array a({m.rows(), m.cols()});
    auto numbers = a.template mutable_unchecked<2>();
    for (py::ssize_t i = 0; i < m.rows(); ++i)
      for (py::ssize_t j = 0; j < m.cols(); ++j) numbers(i, j) = m(i, j);
    return a;
  }
}

/// Wrenches from outside: (frame, six numbers or a Wrench[, kind]) each.
std::vector<ExternalWrench> wrenches_of(const Robot& robot, Object all, const char* function);

/// The vectors of a call, checked by shape here and by value in the library.
struct Vectors {
  Vectors(const Robot& robot_, const char* function) : robot(robot_), name(function) {}
  Array q(Object x) const { return vector_of(x, {name, "q"}, robot.nq()); }
  Array v(Object x, const char* argument) const {
    return vector_of(x, {name, argument}, robot.nv());
  }
  std::vector<ExternalWrench> wrenches(Object external) const {
    return wrenches_of(robot, external, name);
  }

  const Robot& robot;
  const char* name;
};

}  // namespace jounce::python

// SPDX-License-Identifier: BSD-3-Clause
// What bindings of Dynamics share: vectors in, copies of matrices and vectors out.
#pragma once

#include <jounce/dynamics.hpp>
#include <memory>

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

/// Whose accelerations a hybrid call is given: one bool for each velocity coordinate.
class Flags {
 public:
  Flags(Object prescribed, const char* function);
  operator std::span<const bool>() const { return {values_.get(), size_}; }  // NOLINT

 private:
  std::unique_ptr<bool[]> values_;
  std::size_t size_ = 0;
};

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

/// A method of q, v, what is given besides (a or tau) and wrenches from outside, as call(d, ...).
template <class Call>
void add_state_call(py::class_<Dynamics>& c, const char* name, const char* given, Call call,
                    const char* doc) {
  c.def(
      name,
      [name, given, call](Dynamics& d, Object q, Object v, Object third, Object external) {
        const Vectors x(d.robot(), name);
        return call(d, view(x.q(q)), view(x.v(v, "v")), view(x.v(third, given)),
                    x.wrenches(external));
      },
      py::arg("q"), py::arg("v"), py::arg(given), py::arg("external") = py::tuple(), doc);
}

/// The same with weights y of the results.
template <class Call>
void add_weighted_call(py::class_<Dynamics>& c, const char* name, const char* given, Call call,
                       const char* doc) {
  c.def(
      name,
      [name, given, call](Dynamics& d, Object y, Object q, Object v, Object third,
                          Object external) {
        const Vectors x(d.robot(), name);
        return call(d, view(x.v(y, "y")), view(x.q(q)), view(x.v(v, "v")), view(x.v(third, given)),
                    x.wrenches(external));
      },
      py::arg("y"), py::arg("q"), py::arg("v"), py::arg(given), py::arg("external") = py::tuple(),
      doc);
}

}  // namespace jounce::python

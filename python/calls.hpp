// SPDX-License-Identifier: BSD-3-Clause
// What bindings of Dynamics share: vectors and surroundings in, copies of matrices and vectors out.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "bindings.hpp"
#include "surroundings.hpp"

namespace jounce::python {

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

/// Whose accelerations a hybrid call is given: one bool for each velocity coordinate.
class Flags {
 public:
  Flags(Object prescribed, const char* function);
  operator std::span<const bool>() const { return {values_.get(), size_}; }  // NOLINT

 private:
  std::unique_ptr<bool[]> values_;
  std::size_t size_ = 0;
};

/// A method, and what messages call it.
struct Name {
  Name(const char* method_) : Name(method_, method_) {}  // NOLINT: an argument
  Name(const char* method_, const char* function_) : method(method_), function(function_) {}

  /// The first line of its documentation, from the arguments between parentheses.
  std::string signature(const std::string& arguments) const {
    return std::string(method) + "(" + arguments + ")\n--\n\n";
  }

  const char *method, *function;
};

inline constexpr const char* around_doc =
    "\n\nwrenches from outside are (frame, six numbers or a Wrench, kind) each, moment first: in "
    "the frame's own axes ('body', also if left out), in ground axes at its origin ('hybrid') or "
    "at the ground's ('space'). ground is (V, Vdot) where the ground moves: its body Twist and "
    "that twist's derivative. passive says whether damping, friction and springs act, gravity "
    "whether gravity does.";

/// Adds call(d, around, given...) to a class or module; what surrounds the robot are its last
/// arguments.
template <class Scope, class Result, class D, class... Given, class... Names>
void add_around(Scope& scope, Name name, const std::string& arguments,
                const std::function<Result(D&, const Around&, Given...)>& call,
                const std::string& doc, const Names&... names) {
  const std::string all = arguments + ", wrenches=(), *, ground=None, passive=True, gravity=True";
  scope.def(
      name.method,
      [name, call](D& d, Given... given, Object wrenches, Object ground, bool passive,
                   bool gravity) {
        return call(d, Around(d.robot(), name.function, wrenches, ground, passive, gravity),
                    given...);
      },
      names..., py::arg("wrenches") = py::tuple(), py::kw_only(), py::arg("ground") = py::none(),
      py::arg("passive") = true, py::arg("gravity") = true,
      (name.signature(all) + doc + around_doc).c_str());
}

template <class>
using AnObject = Object;

/// ", q, v, a"
template <class... Names>
std::string listed(const Names*... names) {
  return ((std::string(", ") + names) + ...);
}

inline Array vector_named(const char* name, Object x, const Vectors& vectors) {
  return std::string_view(name) == "q" ? vectors.q(x) : vectors.v(x, name);
}

/// A method of vectors of these names and of what surrounds the robot, as call(d, vectors...,
/// around).
template <class D, class Call, class... Names>
void add_call(py::class_<D>& c, Name name, Call call, const std::string& doc,
              const Names*... names) {
  add_around(c, name, "$self" + listed(names...),
             std::function([=](D& d, const Around& around, AnObject<Names>... x) {
               return call(d, view(vector_named(names, x, around))..., around);
             }),
             doc, py::arg(names)...);
}

/// A method of vectors of these names and of the ground alone, as call(d, vectors..., ground).
template <class D, class Call, class... Names>
void add_ground_call(py::class_<D>& c, Name name, Call call, const std::string& doc,
                     const Names*... names) {
  c.def(
      name.method,
      [=](D& d, AnObject<Names>... x, Object ground) {
        const Vectors vectors(d.robot(), name.function);
        const OptionalGround<double> moving = ground_of(ground, name.function);
        return call(d, view(vector_named(names, x, vectors))..., moving);
      },
      py::arg(names)..., py::kw_only(), py::arg("ground") = py::none(),
      (name.signature("$self" + listed(names...) + ", *, ground=None") + doc +
       " ground is that of inverse.")
          .c_str());
}

}  // namespace jounce::python

// SPDX-License-Identifier: BSD-3-Clause
// Functions of Python that the library calls, also from code that does not hold the lock of the
// interpreter.
#pragma once

#include <jounce/command.hpp>
#include <memory>

#include "array.hpp"

namespace jounce::python {

/// A callable that may be copied and dropped by code that does not hold the interpreter's lock.
class PythonFunction {
 public:
  explicit PythonFunction(py::object function)
      : function_(new py::object(std::move(function)), [](py::object* x) {
          const py::gil_scoped_acquire lock;
          delete x;
        }) {}
  const py::object& get() const { return *function_; }

 private:
  std::shared_ptr<py::object> function_;
};

/// TypeError for what cannot be called.
void require_callable(const py::object& function, const Argument& argument, const char* needs);

/// A number, a PiecewisePolynomial or a function of time that returns a number.
Law read_law(const py::object& law, const char* function);

}  // namespace jounce::python

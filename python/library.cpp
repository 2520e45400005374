// SPDX-License-Identifier: BSD-3-Clause
// The library itself in Python: its exceptions, its version, the instruction set it uses.
#include <jounce/build.hpp>
#include <jounce/cpu.hpp>
#include <jounce/error.hpp>

#include "bindings.hpp"

namespace jounce::python {

namespace {

/// OSError, or the class of it that Python has for an errno, with the library's text.
void raise_unreadable(const UnreadableError& error) {
  const py::object os_error = py::reinterpret_borrow<py::object>(PyExc_OSError);
  const py::object type = py::type::of(os_error(error.code, "")).cast<py::object>();
  const py::object made = type(error.what());
  made.attr("errno") = error.code;
  PyErr_SetObject(type.ptr(), made.ptr());
}

}  // namespace

void bind_library(py::module_& m) {
  auto input = py::register_exception<InputError>(m, "InputError", PyExc_ValueError);
  input.attr("__module__") = "jounce";
  input.doc() =
      "Something handed in cannot be used: a wrong shape, NaN, a matrix that is no "
      "rotation.";
  auto computation =
      py::register_exception<ComputationError>(m, "ComputationError", PyExc_RuntimeError);
  computation.attr("__module__") = "jounce";
  computation.doc() = "The input is fine, the computation could not be done: a singular matrix.";

  py::register_exception_translator([](std::exception_ptr thrown) {  // after InputError's: first
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const UnreadableError& error) {
      raise_unreadable(error);
    }
  });

  m.def("version", &version, "version()\n--\n\nThe library's version, for example \"0.1.0\".");
  m.def("optimised", &optimised,
        "optimised()\n--\n\nWhether the compiler optimised the library; without that it is many "
        "times slower.");
  m.def(
      "best_isa", [] { return name(best_isa()); },
      "best_isa()\n--\n\n"
      "The instruction set in use: \"baseline\", \"avx2\" or \"avx512\".\n\n"
      "The environment variable JOUNCE_ISA asks for a lower one; InputError where it names "
      "anything else.");
}

}  // namespace jounce::python

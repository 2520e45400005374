// SPDX-License-Identifier: BSD-3-Clause
// Files that methods write.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "report/file.hpp"

namespace jounce::python {

/// An OSError where it does not arrive.
inline void save(const std::string& path, const std::string& bytes) {
  try {
    report::write_file(path, bytes);
  } catch (const std::runtime_error& error) {
    PyErr_SetString(PyExc_OSError, error.what());
    throw pybind11::error_already_set();
  }
}

}  // namespace jounce::python

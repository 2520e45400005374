// SPDX-License-Identifier: BSD-3-Clause
// What a refused call says.
#pragma once

#include <jounce/error.hpp>
#include <string>

namespace jounce::test {

/// The text of the library's error that f throws; "no error" where it throws none. Anything else
/// that is thrown fails the test.
template <class F>
std::string message(F f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  } catch (const ComputationError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace jounce::test

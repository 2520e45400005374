// SPDX-License-Identifier: BSD-3-Clause
// What is made small where motors can strain loops, and forces where there is no motor, as
// arguments of calls.
#pragma once

#include <jounce/constrained_dynamics.hpp>

#include "words.hpp"

namespace jounce::python {

inline Optimum read_optimum(py::handle x, const Call& call, const char* name) {
  const std::string given = word::read_name(x, call, name);
  if (given == "force") return Optimum::force;
  if (given == "torque") return Optimum::torque;
  throw InputError(subject({call.name, name}) + " is \"" + given +
                   "\", needs \"force\" or \"torque\"");
}
inline auto optimum() {
  return word::ByName{word::Word<Optimum, const char*>{"optimum", read_optimum, "force"}};
}
inline auto passive_forces() { return word::ByName{word::optional_vector("passive_forces")}; }

inline const char* const about_optimum =
    " Where motors can strain the loops against each other, optimum says what is made small: "
    "'force' lambda_, 'torque' the motor forces.";
inline const char* const about_passive_forces =
    " passive_forces are those of the other coordinates, where they are not zero.";

}  // namespace jounce::python

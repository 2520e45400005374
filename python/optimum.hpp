// SPDX-License-Identifier: BSD-3-Clause
// What is made small where motors can strain loops, forces where there is no motor, and how loops
// are solved, as arguments of calls.
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

/// How a door of closed loops solves, by name.
template <class Door>
void add_set_path(py::class_<Door>& c) {
  c.def(
      "set_path",
      [](Door& door, const std::string& path) {
        if (path == "fastest") door.set_path(ConstrainedPath::fastest);
        else if (path == "factors") door.set_path(ConstrainedPath::factors);
        else if (path == "clusters") door.set_path(ConstrainedPath::clusters);
        else
          throw InputError(subject({"set_path", "path"}) + " is \"" + path +
                           "\", needs \"fastest\", \"factors\" or \"clusters\"");
      },
      py::arg("path"),
      "set_path($self, path)\n--\n\n"
      "How its calls are solved from now on: by what is \"fastest\" for the robot, by \"factors\" "
      "of its mass matrix, or by \"clusters\" of loops wherever they can be. The answers are the "
      "same to rounding.");
}

inline const char* const about_optimum =
    " Where motors can strain the loops against each other, optimum says what is made small: "
    "'force' lambda_, 'torque' the motor forces.";
inline const char* const about_passive_forces =
    " passive_forces are those of the other coordinates, where they are not zero.";

}  // namespace jounce::python

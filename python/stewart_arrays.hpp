// SPDX-License-Identifier: BSD-3-Clause
// What the bindings of Gough-Stewart platforms share: six numbers, points, words for enumerators.
#pragma once

#include <jounce/error.hpp>
#include <string>

#include "array.hpp"
#include "stewart/words.hpp"

namespace jounce::python {

using namespace stewart_words;

/// Six finite numbers.
SixNumbers six_numbers(const py::object& object, const Argument& argument);
Array to_array(const SixNumbers& x);

/// The value of a word; InputError with all words where it is none.
template <class Enum, size_t N>
Enum named(const std::string& name, const Argument& argument,
           const std::pair<const char*, Enum> (&table)[N]) {
  std::string known;
  for (const auto& [text, value] : table) {
    if (name == text) return value;
    known += std::string(known.empty() ? "" : ", ") + "\"" + text + "\"";
  }
  throw InputError(subject(argument) + " is \"" + name + "\", needs one of " + known);
}
}  // namespace jounce::python

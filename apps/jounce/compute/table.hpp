// SPDX-License-Identifier: BSD-3-Clause
// The table of the quantities: names, keys, options and examples. Help, errors, the checks of the
// input and docs/command_line.md come from it.
#pragma once

#include "apps/jounce/compute/quantity.hpp"
#include "apps/jounce/reference.hpp"

namespace jounce::app {

struct Quantity : Reference {
  Json (*compute)(ComputeContext& c, JsonObject& state);
  bool closes_loops = false;  ///< the others treat the open tree
};

/// In the order in which people read them.
const std::vector<Quantity>& quantities();

/// InputError with the nearest name where there is none.
const Quantity& find_quantity(const std::string& name);

/// The names of the quantities that have an option, or read a key.
std::string quantities_with_option(const std::string& option);
std::string quantities_with_key(const std::string& key);

/// "q [v=0] [f_ext]" as keys: those in brackets are optional, =0 says what their absence means.
std::vector<Key> keys_of(const std::string& text);

/// Refuses keys that the quantity does not read, and names the first that is missing.
void check_keys(const Quantity& quantity, JsonObject& state);

}  // namespace jounce::app

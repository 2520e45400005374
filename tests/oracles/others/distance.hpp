// SPDX-License-Identifier: BSD-3-Clause
// How far two answers about a robot are apart.
#pragma once

#include <algorithm>
#include <optional>

#include "oracles/others/peer.hpp"

namespace jounce::others {

/// The mass matrix in units of sqrt(M_ii M_jj) (of its largest entry where a diagonal entry is
/// zero), forces and accelerations in those of their largest entry.
struct Distance {
  double mass = 0, inverse = 0, forward = 0;
  bool with_forward = false;  ///< both have it

  double worst() const { return std::max({mass, inverse, forward}); }
  bool is_another_reading() const { return !(mass <= 1e-6 && inverse <= 1e-6 && forward <= 1e-3); }
};

/// Nothing where they cannot be compared.
std::optional<Distance> distance(const Answer& ours, const Answer& theirs);

}  // namespace jounce::others

// SPDX-License-Identifier: BSD-3-Clause
// Asks a library in a process of its own: one that crashes or never ends has refused.
#pragma once

#include <optional>

#include "oracles/others/peer.hpp"

namespace jounce::others {

/// Nothing where it refuses, dies, or takes a minute.
std::optional<Answer> asked(const Ask& ask, const Question& question);

}  // namespace jounce::others

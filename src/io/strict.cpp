// SPDX-License-Identifier: BSD-3-Clause
// Strict reading: what would be ignored is refused.
#include "io/strict.hpp"

#include <jounce/error.hpp>

namespace jounce::io {

Loaded accepted(Loaded loaded, const std::string& origin, const ReadOptions& options) {
  if (!options.strict || loaded.ignored.empty()) return loaded;
  const Ignored& first = loaded.ignored.front();
  const std::size_t others = loaded.ignored.size() - 1;
  throw InputError(origin + ":" + std::to_string(first.line) + ":" + std::to_string(first.column) +
                   ": " + first.what + " would be ignored" +
                   (others == 0 ? "" : ", and " + std::to_string(others) + " more"));
}

}  // namespace jounce::io

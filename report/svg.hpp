// SPDX-License-Identifier: BSD-3-Clause
// A picture of a page.
#pragma once

#include <string>
#include <utility>

namespace jounce::report {

/// SVG, also in a narrow form for telephones; without one the page scrolls it there.
struct Svg {
  Svg(std::string wide_ = {}, std::string narrow_ = {})  // NOLINT: a picture may be one text
      : wide(std::move(wide_)), narrow(std::move(narrow_)) {}

  std::string wide, narrow;
};

}  // namespace jounce::report

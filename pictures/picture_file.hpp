// SPDX-License-Identifier: BSD-3-Clause
// Pictures as files: their endings say what is written.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/svg.hpp"

namespace jounce::pictures {

/// The endings of pictures.
inline constexpr std::string_view endings[] = {".svg", ".html"};

/// The ending of a path in small letters; the first one known where the path has none, as "-" and
/// /dev/stdout. InputError, which names those known, where it is another.
std::string ending(const std::string& path, std::span<const std::string_view> known = endings);

/// What a picture's file is to have: the SVG, or a page with it and these words.
std::string picture_text(const std::string& path, const report::Svg& svg, const std::string& title,
                         const std::string& summary = "");

}  // namespace jounce::pictures

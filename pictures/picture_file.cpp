// SPDX-License-Identifier: BSD-3-Clause
#include "pictures/picture_file.hpp"

#include <algorithm>
#include <filesystem>
#include <jounce/error.hpp>

#include "report/page.hpp"

namespace jounce::pictures {

std::string ending(const std::string& path, std::span<const std::string_view> known) {
  std::string found = std::filesystem::path(path).extension().string();
  for (char& letter : found)
    if (letter >= 'A' && letter <= 'Z') letter = char(letter - 'A' + 'a');
  if (found.empty()) return std::string(known.front());
  if (std::ranges::find(known, found) != known.end()) return found;
  std::string needed;
  for (size_t k = 0; k < known.size(); ++k)
    needed += (k == 0 ? "" : k + 1 < known.size() ? ", " : " or ") + std::string(known[k]);
  throw InputError(path + ": cannot be written as " + found + ", needs an ending " + needed);
}

std::string picture_text(const std::string& path, const report::Svg& svg, const std::string& title,
                         const std::string& summary) {
  if (ending(path) == ".svg") return svg.wide;
  return report::Page{title, summary, {{"Picture", "", {report::Figure{svg, ""}}}}}.to_html();
}

}  // namespace jounce::pictures

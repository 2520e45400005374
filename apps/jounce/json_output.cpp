// SPDX-License-Identifier: BSD-3-Clause
// The JSON that a subcommand writes.
#include "apps/jounce/json_output.hpp"

#include <algorithm>
#include <cmath>
#include <jounce/error.hpp>
#include <optional>

#include "report/file.hpp"

namespace jounce::app {
namespace {

/// ".tau[0]": where the first number that is not finite stands.
std::optional<std::string> place_not_finite(const Json& value) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) return "";
  if (!value.is_structured()) return std::nullopt;
  size_t k = 0;
  for (auto entry = value.begin(); entry != value.end(); ++entry, ++k)
    if (const auto below = place_not_finite(*entry))
      return (value.is_array() ? "[" + std::to_string(k) + "]" : "." + entry.key()) + *below;
  return std::nullopt;
}

/// A list of numbers or names, or an object of these and of such lists: no matrix.
bool is_flat(const Json& value) {
  return std::all_of(value.begin(), value.end(), [&](const Json& entry) {
    return !entry.is_structured() || (value.is_object() && entry.is_array() && is_flat(entry));
  });
}

std::string laid_out(const Json& value, const std::string& margin);

/// The entries of a list or object, each behind `before`, with `between` after all but the last.
std::string entries_of(const Json& value, const std::string& before, const std::string& between,
                       const std::string& margin) {
  std::string text;
  for (auto entry = value.begin(); entry != value.end(); ++entry) {
    text += (entry == value.begin() ? "" : between) + before;
    if (value.is_object()) text += Json(entry.key()).dump() + ": ";
    text += laid_out(*entry, margin);
  }
  return text;
}

/// As dump(1) has it, but rows of a matrix and short objects each on one line.
std::string laid_out(const Json& value, const std::string& margin) {
  constexpr size_t widest = 100;
  if (!value.is_structured() || value.empty()) return value.dump();
  const auto [open, close] = value.is_object() ? std::pair("{", "}") : std::pair("[", "]");
  if (is_flat(value)) {
    std::string line = open + entries_of(value, "", ", ", margin) + close;
    if (value.is_array() || line.size() + margin.size() <= widest) return line;
  }
  const std::string inner = margin + " ";
  return open + entries_of(value, "\n" + inner, ",", inner) + "\n" + margin + close;
}

}  // namespace

void append(Json& object, const std::string& key, Json value) {
  object.get_ref<Json::object_t&>().push_back({key, std::move(value)});
}

void require_finite(const Json& value, const std::string& who) {
  if (const auto place = place_not_finite(value))
    throw ComputationError(who + ": " + place->substr(place->starts_with('.') ? 1 : 0) +
                           " is not finite");
}

void write_json(const std::string& path, const Json& value, const std::string& who) {
  require_finite(value, who);
  write_text(path, laid_out(value, "") + "\n");
}

void write_text(const std::string& path, const std::string& text) {
  if (path == "-") report::write_standard_output(text);
  else report::write_file(path, text);
}

}  // namespace jounce::app

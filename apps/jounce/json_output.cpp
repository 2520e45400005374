// SPDX-License-Identifier: BSD-3-Clause
// The JSON that a subcommand writes.
#include "apps/jounce/json_output.hpp"

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
  write_text(path, value.dump(1) + "\n");
}

void write_text(const std::string& path, const std::string& text) {
  if (path == "-") report::write_standard_output(text);
  else report::write_file(path, text);
}

}  // namespace jounce::app

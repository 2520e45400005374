// SPDX-License-Identifier: BSD-3-Clause
// The JSON that a subcommand reads.
#include "apps/jounce/json_input.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <jounce/error.hpp>

#include "io/input_text.hpp"
#include "io/number_text.hpp"

namespace jounce::app {
namespace {

constexpr std::size_t most_bytes = std::size_t{256} << 20;  // a million states of an arm

}  // namespace

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string input_text(const std::string& path) {
  if (path == "-" && isatty(STDIN_FILENO) != 0)
    std::fputs("jounce: waiting for JSON on standard input; Ctrl-D ends it, --help shows one\n",
               stderr);
  std::string text =
      path == "-" ? io::standard_input_text(most_bytes) : io::file_text(path, most_bytes);
  if (text.size() <= most_bytes && text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError(input_name(path) + ": no input, needs a JSON object (--help shows one)");
  return text;
}

JsonInput::JsonInput(const std::string& path) : JsonInput(input_text(path), input_name(path)) {}

JsonInput::JsonInput(std::string text, const std::string& origin)
    : text_(std::move(text)),
      source_(text_, origin, most_bytes),
      root_(io::parse_json(source_)),
      context_{source_, {}} {}

JsonObject JsonInput::object(const std::string& who, const std::string& list_hint) {
  if (root_.kind != JsonValue::Kind::object)
    source_.fail(root_.offset, who + ": the input must be a JSON object, found " +
                                   describe(root_.kind) +
                                   (root_.kind == JsonValue::Kind::array ? list_hint : ""));
  return {context_, root_, who};
}

Vec3<double> position_of(JsonObject& object) {
  const std::vector<double> p = object.numbers("position", 3);
  return {p[0], p[1], p[2]};
}

SO3<double> rotation_of(JsonObject& object) {
  const std::vector<double> r = object.numbers("quaternion", 4);
  const Quaternion<double> q{r[0], r[1], r[2], r[3]};
  const double length = std::sqrt(squared_norm(q));
  if (!(std::abs(length - 1) <= 1e-6))
    object.fail(object.need("quaternion").offset,
                "\"quaternion\" has length " + io::number_text(length) + ", needs 1");
  return to_rotation(normalize(q));
}

}  // namespace jounce::app

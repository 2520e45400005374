// SPDX-License-Identifier: BSD-3-Clause
// Reads a robot from a file, by its content, or from the bundled ones.
#include <algorithm>
#include <jounce/error.hpp>
#include <jounce/io.hpp>

#include "io/builtin.hpp"
#include "io/input_text.hpp"
#include "io/xacro.hpp"

namespace jounce {
namespace {

constexpr std::string_view builtin_prefix = "builtin:";

/// The content of a robot's file; a bundled robot's name without its prefix is recognised.
std::string robot_text(const std::string& path) {
  try {
    return io::file_text(path);
  } catch (const UnreadableError& error) {
    const auto known = builtin_robots();
    if (std::find(known.begin(), known.end(), path) == known.end()) throw;
    throw UnreadableError(error.what() + ("; the bundled robot is builtin:" + path), error.code);
  }
}

/// The first character that is neither blank nor a byte-order mark.
char first_character(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? '\0' : text[first];
}

bool is_xacro(std::string_view text, const std::string& origin) {
  const io::SourceText source(text, origin);
  const ReadOptions none;
  io::Diagnostics diagnostics(source, none);
  return bool(io::xacro_mark(io::XmlReader(diagnostics)));
}

}  // namespace

Loaded read_robot(const std::string& path_or_name, const ReadOptions& options) {
  if (path_or_name.starts_with(builtin_prefix))
    return io::read_builtin(path_or_name.substr(builtin_prefix.size()), options);
  const std::string text = robot_text(path_or_name);
  const char first = first_character(text);
  if (first == '<' && options.run_xacro && is_xacro(text, path_or_name))
    return read_urdf(io::run_xacro(path_or_name), path_or_name + " (expanded)", options);
  if (first == '<') return read_urdf(text, path_or_name, options);
  if (first == '{') return read_json(text, path_or_name, options);
  const io::SourceText source(text, path_or_name);
  source.fail(text.find(first), "is neither URDF (starts with \"<\") nor JSON (starts with \"{\")");
}

}  // namespace jounce

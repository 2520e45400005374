// SPDX-License-Identifier: BSD-3-Clause
// JSON in and out of subcommands.
#include "apps/jounce/json_input.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <jounce/error.hpp>

#include "report/file.hpp"

namespace jounce::app {
namespace {

std::string read_all(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("cannot read \"" + path + "\"");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Json read_json(const std::string& path) {
  const std::string text = read_all(path), source = path == "-" ? "standard input" : path;
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const std::string_view before = std::string_view(text).substr(0, error.byte);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    throw InputError(source + ":" + std::to_string(line) + ": not valid JSON (byte " +
                     std::to_string(error.byte) + ")");
  } catch (const Json::out_of_range&) {
    throw InputError(source + ": a number is too large");
  }
}

void write_json(const std::string& path, const Json& value) {
  const std::string text = value.dump(1) + "\n";
  if (path == "-") std::cout << text << std::flush;
  else report::write_file(path, text);
}

std::vector<double> numbers(const Json& state, const char* key) {
  const auto found = state.find(key);
  if (found == state.end()) throw InputError("\"" + std::string(key) + "\" is missing");
  bool good = found->is_array();
  if (good)
    for (const Json& x : *found) good = good && x.is_number();
  if (!good) throw InputError("\"" + std::string(key) + "\" must be a list of numbers");
  return found->get<std::vector<double>>();
}

}  // namespace jounce::app

// SPDX-License-Identifier: BSD-3-Clause
// What a command reads and writes, for a terminal and as Markdown.
#include "apps/jounce/reference.hpp"

#include <algorithm>
#include <sstream>

namespace jounce::app {
namespace {

std::string in_brackets(const Key& key) { return key.needed ? key.name : "[" + key.name + "]"; }

/// "Out: `tau`, what the actuators must give; `a`, ...".
std::string markdown_list(const std::string& head, const std::vector<Key>& keys) {
  std::string text;
  for (const Key& key : keys)
    text += (text.empty() ? head : "; ") + "`" + key.name + "`" +
            (key.needed ? ", " : " (optional), ") + key.about;
  return text.empty() ? "" : wrapped(text + ".", 0, 120);
}

std::string markdown_of(const std::string& command, const Reference& reference) {
  std::string example = example_line(command, reference);
  for (size_t at = 0; (at = example.find('\n', at)) != std::string::npos; at += 5)
    example.insert(at + 1, "    ");
  return "### " + command + " " + reference.name + "\n" + reference.about + ".\n" +
         markdown_list("Options: ", reference.options) + markdown_list("Out: ", reference.out) +
         (reference.note.empty() ? "" : wrapped(reference.note, 0, 120)) + "\n    " + example +
         "\n\n";
}

/// Every key that goes in, once.
std::vector<Key> keys_in(const std::vector<Reference>& references) {
  std::vector<Key> keys;
  for (const Reference& reference : references)
    for (const Key& key : reference.in)
      if (std::none_of(keys.begin(), keys.end(),
                       [&](const Key& known) { return known.name == key.name; }))
        keys.push_back(key);
  return keys;
}

}  // namespace

std::string markdown_cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

std::vector<std::string> names_of(const std::vector<Key>& keys) {
  std::vector<std::string> names(keys.size());
  std::transform(keys.begin(), keys.end(), names.begin(), [](const Key& key) { return key.name; });
  return names;
}

std::string brief(const std::vector<Key>& keys) {
  std::string text;
  for (const Key& key : keys) text += (text.empty() ? "" : " ") + in_brackets(key);
  return text;
}

std::string described(const std::vector<Key>& keys) {
  size_t widest = 0;
  for (const Key& key : keys) widest = std::max(widest, in_brackets(key).size());
  std::string text;
  for (const Key& key : keys) {
    std::string lines = wrapped(key.about, widest + 5);
    lines.replace(2, in_brackets(key).size(), in_brackets(key));
    text += lines;
  }
  return text;
}

std::string example_line(const std::string& command, const Reference& reference) {
  return "echo '" + reference.example + "' |\n    jounce " + command + " " + reference.name +
         (reference.arguments.empty() ? "" : " " + reference.arguments);
}

std::string help_of(const std::string& command, const Reference& reference) {
  std::string text =
      "Reads:\n" + described(reference.in) + "\nWrites:\n" + described(reference.out);
  if (!reference.note.empty()) text += "\n" + wrapped(reference.note, 0);
  return text + "\nExample: " + example_line(command, reference) + "\n";
}

std::string markdown_of(const std::string& command, const std::vector<Reference>& references) {
  std::string text = "## " + command + "\n| key in | |\n|---|---|\n", table, sections;
  for (const Key& key : keys_in(references))
    text += "| `" + key.name + "` | " + markdown_cell(key.about) + " |\n";
  for (const Reference& reference : references) {
    table += "| " + reference.name + " | " + brief(reference.in) + " | " + brief(reference.out) +
             " | " + markdown_cell(reference.about) + " |\n";
    sections += markdown_of(command, reference);
  }
  return text + "\n| " + command + " | in | out | |\n|---|---|---|---|\n" + table + "\n" + sections;
}

std::string wrapped(const std::string& text, size_t indent, size_t width) {
  std::istringstream words(text);
  std::string all, line(indent, ' ');
  for (std::string word; words >> word;) {
    if (line.size() > indent && line.size() + 1 + word.size() > width) {
      all += line + "\n";
      line.assign(indent, ' ');
    }
    line += (line.size() > indent ? " " : "") + word;
  }
  return all + line + "\n";
}

}  // namespace jounce::app

// SPDX-License-Identifier: BSD-3-Clause
// What a command reads and writes, as its table says it: for its help, for the checks of its input
// and for docs/command_line.md.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace jounce::app {

/// A key of the JSON that goes in or comes out.
struct Key {
  std::string name, about;
  bool needed = true;
};

/// A command of which JSON goes in and JSON comes out.
struct Reference {
  std::string name;                   ///< "inverse", "fk"
  std::string about;                  ///< one line
  std::vector<Key> in, out, options;  ///< options of its own
  std::string note;                   ///< what else there is to know, or nothing
  std::string arguments;              ///< of the example, behind the name
  std::string example;                ///< the JSON that goes into it
};

/// A cell of a table in Markdown.
std::string markdown_cell(std::string text);

std::vector<std::string> names_of(const std::vector<Key>& keys);

/// "q v a [f_ext]".
std::string brief(const std::vector<Key>& keys);

/// Keys and what they are, one per line, indented.
std::string described(const std::vector<Key>& keys);

/// echo '{...}' | jounce COMMAND NAME ARGUMENTS
std::string example_line(const std::string& command, const Reference& reference);

/// What goes in, what comes out, the note and the example: for a terminal.
std::string help_of(const std::string& command, const Reference& reference);

/// The same of all that a command has, as a section of a page in Markdown.
std::string markdown_of(const std::string& command, const std::vector<Reference>& references);

/// The text in lines of at most `width` characters, each indented by `indent`.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width = 96);

}  // namespace jounce::app

// SPDX-License-Identifier: BSD-3-Clause
// A report of one page: chapters of text, tables, checks, figures and code, as HTML or plain text.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "report/svg.hpp"

namespace jounce::report {

struct Paragraph {
  std::string text = {};
};

/// Columns whose cells are all numbers are aligned to the right.
struct Table {
  std::string caption = {};
  std::vector<std::string> header = {};
  std::vector<std::vector<std::string>> rows = {};
};

struct Check {
  std::string name = {};
  std::string value = {};
  std::string bound = {};
  bool passed = false;
};

/// A check that value <= bound, or value >= bound; NaN fails.
Check at_most(std::string name, double value, double bound);
Check at_least(std::string name, double value, double bound);

struct Checks {
  std::vector<Check> rows = {};
};

/// The SVG is inserted as it is, so it must come from to_svg or another trusted writer.
struct Figure {
  Svg svg = {};
  std::string caption = {};
  bool small = false;  ///< small ones stand side by side
};

struct Code {
  std::string text = {};
};

/// A page of the documents, by its file in their folder: "dynamics.md".
struct Document {
  std::string title = {};
  std::string file = {};
};

/// Where more is told; in HTML where the page knows the folder.
struct ReadOn {
  std::vector<Document> documents = {};
};

using Block = std::variant<Paragraph, Table, Checks, Figure, Code, ReadOn>;

struct Chapter {
  std::string title = {};
  std::string id = {};  ///< anchor of letters, digits, - and _; made from the title when empty
  std::vector<Block> blocks = {};
};

struct Page {
  std::string title = {};
  std::string summary = {};
  std::vector<Chapter> chapters = {};
  std::filesystem::path documents = {};  ///< their folder, seen from the page's; empty: no links

  /// Whether no check failed; true without checks.
  bool all_passed() const;

  /// One self-contained HTML file that is also well-formed XML.
  std::string to_html() const;

  /// The page for a terminal of 80 columns, without figures.
  std::string to_text(bool colours) const;

  /// Writes to_html() whole or not at all; throws std::runtime_error with the path and the reason.
  void write(const std::filesystem::path& path) const;
};

}  // namespace jounce::report

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/jounce/pages.hpp"

#include <CLI/CLI.hpp>

#include "apps/jounce/command_line.hpp"
#include "apps/jounce/commands.hpp"
#include "apps/jounce/json_output.hpp"
#include "report/file.hpp"

namespace jounce::app {
namespace {

/// What a chapter holds, by kind: figures stand in the page alone.
struct ChapterJson {
  Json text = Json::array(), tables = Json::array(), checks = Json::array(), code = Json::array(),
       documents = Json::array();

  void operator()(const report::Paragraph& block) { text.push_back(block.text); }
  void operator()(const report::Table& block) {
    tables.push_back({{"caption", block.caption}, {"header", block.header}, {"rows", block.rows}});
  }
  void operator()(const report::Checks& block) {
    for (const report::Check& row : block.rows)
      checks.push_back(
          {{"name", row.name}, {"value", row.value}, {"bound", row.bound}, {"passed", row.passed}});
  }
  void operator()(const report::Figure&) {}
  void operator()(const report::Code& block) { code.push_back(block.text); }
  void operator()(const report::ReadOn& block) {
    for (const report::Document& one : block.documents) documents.push_back("docs/" + one.file);
  }
};

Json page_json(const report::Page& page) {
  Json chapters = Json::array();
  for (const report::Chapter& chapter : page.chapters) {
    ChapterJson parts;
    for (const report::Block& block : chapter.blocks) std::visit(parts, block);
    chapters.push_back({{"title", chapter.title},
                        {"text", std::move(parts.text)},
                        {"tables", std::move(parts.tables)},
                        {"checks", std::move(parts.checks)},
                        {"code", std::move(parts.code)},
                        {"documents", std::move(parts.documents)}});
  }
  return {{"title", page.title},
          {"summary", page.summary},
          {"passed", page.all_passed()},
          {"chapters", std::move(chapters)}};
}

/// The documents of the clone whose build folder has this program, or those installed with it;
/// empty where neither are.
std::filesystem::path documents() {
  std::error_code none;
  for (const char* const folder : {"../../docs", JOUNCE_INSTALLED_DOCUMENTS}) {
    std::filesystem::path found = (own_folder() / folder).lexically_normal();
    if (std::filesystem::exists(found / "conventions.md", none)) return found;
  }
  return {};
}

}  // namespace

void add_page_options(CLI::App& command, PageOptions& options) {
  command.add_option("--html", options.html, "Also write the page with its figures to FILE")
      ->type_name("FILE");
  command.add_flag("--json", options.json, "Texts, tables and checks as JSON");
}

void show(report::Page page, const PageOptions& options, const std::string& who) {
  if (options.json) write_json("-", page_json(page), who);
  else report::write_standard_output(page.to_text(colours_wanted()));
  if (options.html.empty()) return;
  const std::filesystem::path own = std::filesystem::absolute(options.html).lexically_normal();
  page.documents = documents().lexically_relative(own.parent_path());
  page.write(options.html);
  if (!options.json) report::write_standard_output("With figures: " + options.html + "\n");
}

}  // namespace jounce::app

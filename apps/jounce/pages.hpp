// SPDX-License-Identifier: BSD-3-Clause
// Commands whose result is a page: printed, written with its figures, or as JSON.
#pragma once

#include <string>

#include "report/page.hpp"

namespace CLI {
class App;
}

namespace jounce::app {

struct PageOptions {
  std::string html;
  bool json = false;
};

/// --html and --json.
void add_page_options(CLI::App& command, PageOptions& options);

/// Prints the page, its tables and checks as JSON where that was asked for, and writes it with its
/// figures where a file was named, with links to the documents where they are on this machine.
void show(report::Page page, const PageOptions& options, const std::string& who);

}  // namespace jounce::app

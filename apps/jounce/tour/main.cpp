// SPDX-License-Identifier: BSD-3-Clause
// jounce-tour: the program behind `jounce tour` and `jounce orders`.
#include <CLI/CLI.hpp>

#include "apps/jounce/command_line.hpp"
#include "apps/jounce/commands.hpp"
#include "apps/jounce/experiments.hpp"
#include "apps/jounce/tour/pages.hpp"

namespace jounce::app {
namespace {

report::Page make_page(const std::string& name) {
  if (name == "evaluation") return orders_evaluation_page();
  if (name == "frames") return orders_frames_page();
  return tour_page();
}

int run(int argc, char** argv) {
  CLI::App app("Show and check what the library does", "jounce");
  app.set_version_flag("--version", version_line());
  prepare(app);
  app.require_subcommand(1);
  add_experiments(app, [](std::span<const std::string> words, const PageOptions& options) {
    const report::Page page = make_page(words.back());
    show(page, options, words.front());
    if (words.front() == "tour" && !page.all_passed()) throw Failed("a check of the tour failed");
  });
  return run_command_line(app, argc, argv);
}

}  // namespace
}  // namespace jounce::app

int main(int argc, char** argv) { return jounce::app::tell_errors(jounce::app::run, argc, argv); }

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/jounce/experiments.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

namespace jounce::app {
namespace {

void add_experiment(CLI::App& parent, const std::vector<std::string>& words, const char* about,
                    const RunExperiment& run) {
  auto options = std::make_shared<PageOptions>();
  CLI::App* command = parent.add_subcommand(words.back(), about);
  add_page_options(*command, *options);
  std::string example = "Example: jounce";
  for (const std::string& word : words) example += " " + word;
  command->footer(example + " --html " + words.back() + ".html");
  command->callback([options, words, run] { run(words, *options); });
}

}  // namespace

void add_experiments(CLI::App& app, const RunExperiment& run) {
  CLI::App* orders = app.add_subcommand("orders", "Dynamics of any order: experiments, costs");
  orders->require_subcommand(1);
  orders->footer("Example: jounce orders frames --json");
  add_experiment(*orders, {"orders", "evaluation"},
                 "The evaluation of Ali, Gabellieri, Franchi 2026", run);
  add_experiment(*orders, {"orders", "frames"}, "Body, spatial and hybrid frames compared", run);
  add_experiment(app, {"tour"}, "Show and check what the library does", run);
}

}  // namespace jounce::app

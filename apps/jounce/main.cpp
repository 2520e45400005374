// SPDX-License-Identifier: BSD-3-Clause
// The command line `jounce`.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "apps/jounce/command_line.hpp"
#include "apps/jounce/commands.hpp"
#include "apps/jounce/compute/table.hpp"
#include "io/names.hpp"

namespace jounce::app {
namespace {

/// The heading over the commands in help.
void name_group(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    command->group("Commands");
    name_group(*command);
  }
}

void add_commands(CLI::App& app) {
  app.set_version_flag("--version", version_text);
  app.require_subcommand(1);
  add_info(app);
  add_doctor(app);
  add_compute(app);
  add_convert(app);
  add_simulate(app);
  add_plot(app);
  add_draw(app);
  add_stewart(app);
  add_propellers(app);
  add_programs(app);
  add_reference(app);
  add_shell(app);
  name_group(app);
  app.footer(
      "jounce COMMAND --help tells more of each. Examples:\n"
      "  jounce info builtin:arm7\n"
      "  jounce compute inverse --help\n"
      "  jounce plot builtin:arm7\n"
      "  jounce simulate builtin:five_bar --time 10\n"
      "  jounce tour");
}

/// `jounce jacobian`: the nearest command would mislead.
void check_no_quantity(const CLI::App& app, const std::string& word) {
  std::vector<std::string> commands, known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(command->get_name());
  for (const Quantity& quantity : quantities()) known.push_back(quantity.name);
  std::string text = "there is no command \"" + word + "\"";
  if (std::ranges::find(known, word) != known.end())
    throw InputError(text + "; it is a quantity: jounce compute " + word);
  if (word.starts_with("-") || !io::nearest_name(word, commands).empty()) return;
  std::string near = io::nearest_name(word, known);
  if (!near.empty()) throw InputError(text + near.insert(near.find('"') + 1, "compute "));
}

int run(int argc, char** argv) {
  CLI::App app("Dynamics of articulated rigid bodies on Lie groups, to any order.", "jounce");
  prepare(app);
  add_commands(app);
  if (argc > 1) check_no_quantity(app, argv[1]);
  return run_command_line(app, argc, argv);
}

}  // namespace
}  // namespace jounce::app

int main(int argc, char** argv) { return jounce::app::tell_errors(jounce::app::run, argc, argv); }

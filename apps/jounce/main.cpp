// SPDX-License-Identifier: BSD-3-Clause
// The command line `jounce`.
#include <CLI/CLI.hpp>

#include "apps/jounce/command_line.hpp"
#include "apps/jounce/commands.hpp"
#include "apps/jounce/compute/table.hpp"

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
void check_no_quantity(const std::string& word) {
  for (const Quantity& quantity : quantities())
    if (word == quantity.name) {
      std::string text = "there is no command \"" + word;
      text += "\"; it is a quantity: jounce compute " + word;
      throw InputError(text);
    }
}

int run(int argc, char** argv) {
  if (argc > 1) check_no_quantity(argv[1]);
  CLI::App app("Dynamics of articulated rigid bodies on Lie groups, to any order.", "jounce");
  prepare(app);
  add_commands(app);
  return run_command_line(app, argc, argv);
}

}  // namespace
}  // namespace jounce::app

int main(int argc, char** argv) { return jounce::app::tell_errors(jounce::app::run, argc, argv); }

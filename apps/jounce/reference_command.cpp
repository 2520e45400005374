// SPDX-License-Identifier: BSD-3-Clause
// jounce reference: what every command reads and writes, as docs/command_line.md has it.
#include <CLI/CLI.hpp>

#include "apps/jounce/commands.hpp"
#include "report/file.hpp"

namespace jounce::app {

void add_reference(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("reference", "Print what every command reads and writes, in Markdown");
  command->footer("Example: jounce reference > reference.md");
  command->callback([] {
    report::write_standard_output(compute_reference() + simulate_reference() + stewart_reference() +
                                  propellers_reference());
  });
}

}  // namespace jounce::app

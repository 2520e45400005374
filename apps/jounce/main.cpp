// SPDX-License-Identifier: BSD-3-Clause
// The command line `jounce`. Exit status: 0 done, 1 a computation or a write failed, 2 bad input,
// 130 stopped by ctrl-C.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <jounce/cpu.hpp>
#include <jounce/error.hpp>
#include <new>

#include "apps/jounce/commands.hpp"
#include "apps/jounce/help.hpp"
#include "report/file.hpp"

namespace {

/// A message may have several lines, one for each fault of a file.
int fail(int status, std::string message) {
  for (size_t end = 0; (end = message.find('\n', end)) != std::string::npos; ++end)
    message.insert(end + 1, "jounce: ");
  std::fprintf(stderr, "jounce: %s\n", message.c_str());
  return status;
}

}  // namespace

bool jounce::app::colours_wanted() {
  return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
}

namespace {

/// The heading over the commands in help.
void name_group(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    command->group("Commands");
    name_group(*command);
  }
}

void add_commands(CLI::App& app) {
  app.set_version_flag("--version", std::string("jounce ") + jounce::version());
  app.require_subcommand(1);
  app.parse_complete_callback([] { jounce::best_isa(); });  // refuses a JOUNCE_ISA there is not
  const auto formatter = std::make_shared<jounce::app::HelpFormatter>();
  formatter->label("SUBCOMMAND", "COMMAND");
  formatter->label("Positionals", "Arguments");
  app.formatter(formatter);
  jounce::app::add_info(app);
  jounce::app::add_doctor(app);
  jounce::app::add_compute(app);
  jounce::app::add_simulate(app);
  jounce::app::add_stewart(app);
  jounce::app::add_tour(app);
  jounce::app::add_bench(app);
  jounce::app::add_reference(app);
  name_group(app);
  app.footer(
      "jounce COMMAND --help tells more of each. Examples:\n"
      "  jounce info builtin:arm7\n"
      "  jounce compute inverse --help\n"
      "  jounce simulate builtin:five_bar --time 10\n"
      "  jounce tour");
}

int run(int argc, char** argv) {
  CLI::App app("Dynamics of articulated rigid bodies on Lie groups, to any order.", "jounce");
  add_commands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    jounce::report::write_standard_output(app.help());
  } catch (const CLI::Success& version) {
    jounce::report::write_standard_output(version.what() + std::string("\n"));
  } catch (const CLI::ParseError& error) {
    const std::string what = jounce::app::explain(app, error);
    if (!what.empty()) return fail(2, what);
    std::fputs(app.help().c_str(), stderr);
    return 2;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const jounce::app::ExitStatus& status) {
    return status.value;
  } catch (const jounce::InputError& error) {
    return fail(2, error.what());
  } catch (const std::bad_alloc&) {
    return fail(1, "out of memory: this robot or its input is too large for this machine");
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}

// SPDX-License-Identifier: BSD-3-Clause
// The command line `jounce`. Exit status: 0 done, 1 a computation failed, 2 bad input.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <jounce/cpu.hpp>
#include <jounce/error.hpp>

#include "apps/jounce/commands.hpp"

namespace {

int fail(int status, const char* message) {
  std::fprintf(stderr, "jounce: %s\n", message);
  return status;
}

}  // namespace

bool jounce::app::colours_wanted() {
  return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
}

namespace {

int run(int argc, char** argv) {
  CLI::App app("Dynamics of articulated rigid bodies on Lie groups, to any order.", "jounce");
  app.set_version_flag("--version", std::string("jounce ") + jounce::version());
  app.require_subcommand(1);
  app.footer("Example: jounce tour");
  app.parse_complete_callback([] { jounce::best_isa(); });  // refuses a JOUNCE_ISA there is not
  jounce::app::add_info(app);
  jounce::app::add_compute(app);
  jounce::app::add_stewart(app);
  jounce::app::add_tour(app);
  jounce::app::add_bench(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return fail(2, error.what());
  } catch (const jounce::InputError& error) {
    return fail(2, error.what());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}

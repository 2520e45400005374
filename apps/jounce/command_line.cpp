// SPDX-License-Identifier: BSD-3-Clause
#include "apps/jounce/command_line.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <jounce/build.hpp>
#include <jounce/cpu.hpp>
#include <jounce/error.hpp>
#include <new>

#include "apps/jounce/commands.hpp"
#include "apps/jounce/help.hpp"
#include "report/file.hpp"

namespace jounce::app {
namespace {

/// A message may have several lines, one for each fault of a file.
int fail(int status, std::string message) {
  for (size_t end = 0; (end = message.find('\n', end)) != std::string::npos; ++end)
    message.insert(end + 1, "jounce: ");
  std::fprintf(stderr, "jounce: %s\n", message.c_str());
  return status;
}

}  // namespace

bool colours_wanted() { return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr; }

std::string version_line() {
  return std::string("jounce ") + version() +
         (optimised() ? "" : std::string("\n") + unoptimised_warning);
}

void prepare(CLI::App& app) {
  app.parse_complete_callback([] { best_isa(); });
  const auto formatter = std::make_shared<HelpFormatter>();
  formatter->label("SUBCOMMAND", "COMMAND");
  formatter->label("Positionals", "Arguments");
  app.formatter(formatter);
}

CLI::Option* add_in(CLI::App& command, std::string& path, const std::string& about) {
  return command.add_option("-i,--in", path, about)->type_name("FILE");
}

CLI::Option* add_out(CLI::App& command, std::string& path, const std::string& about) {
  return command.add_option("-o,--out", path, about)->type_name("FILE");
}

std::filesystem::path own_folder() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
}

int run_command_line(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    if (!app.remaining(true).empty()) return fail(2, explain(app, help));
    report::write_standard_output(app.help());
  } catch (const CLI::Success& version) {
    report::write_standard_output(version.what() + std::string("\n"));
  } catch (const CLI::ParseError& error) {
    const std::string what = explain(app, error);
    if (!what.empty()) return fail(2, what);
    std::fputs(app.help().c_str(), stderr);
    return 2;
  }
  return 0;
}

int tell_errors(int (*run)(int, char**), int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const ExitStatus& status) {
    return status.value;
  } catch (const InputError& error) {
    return fail(2, error.what());
  } catch (const std::bad_alloc&) {
    return fail(1, "out of memory: this robot or its input is too large for this machine");
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}

}  // namespace jounce::app

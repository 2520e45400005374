// SPDX-License-Identifier: BSD-3-Clause
// jounce bench, tour and orders: they run programs beside this one, which those who only compute
// need not build.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "apps/jounce/command_line.hpp"
#include "apps/jounce/commands.hpp"
#include "apps/jounce/experiments.hpp"

namespace jounce::app {
namespace {

/// A program and the target that builds it.
struct Program {
  const char* name;
  const char* target;
};

[[noreturn]] void run_program(const Program& program, const std::string& command,
                              std::vector<std::string> rest) {
  std::string name = (own_folder() / program.name).string();
  std::vector<char*> arguments{name.data()};
  arguments.reserve(rest.size() + 2);
  for (std::string& one : rest) arguments.push_back(one.data());
  arguments.push_back(nullptr);
  execvp(name.c_str(), arguments.data());
  const int why = errno;
  std::string text = command;
  if (why == ENOENT)
    text +=
        ": there is no " + name + "; build it with cmake --build FOLDER --target " + program.target;
  else text += ": " + name + ": " + std::strerror(why);
  throw Failed(text);
}

void run_experiment(std::span<const std::string> words, const PageOptions& options) {
  std::vector<std::string> arguments(words.begin(), words.end());
  if (options.json) arguments.emplace_back("--json");
  if (!options.html.empty()) arguments.push_back("--html=" + options.html);
  run_program({"jounce-tour", "jounce_tour"}, words.front(), arguments);
}

}  // namespace

void add_programs(CLI::App& app) {
  add_experiments(app, run_experiment);
  CLI::App* bench = app.add_subcommand("bench", "Measure speed on this machine");
  bench->prefix_command()->set_help_flag();  // options are that program's
  bench->callback([bench] {
    run_program({"jounce-bench", "jounce_bench"}, "bench", bench->remaining());
  });
}

}  // namespace jounce::app

// SPDX-License-Identifier: BSD-3-Clause
// jounce bench: runs jounce-bench, the program beside this one. Who only computes need not build
// it.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "apps/jounce/commands.hpp"

namespace jounce::app {
namespace {

std::filesystem::path beside_this_program(const char* name) {
  std::error_code none;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", none);
  return none ? std::filesystem::path(name) : self.parent_path() / name;
}

[[noreturn]] void run_program(const std::filesystem::path& program, std::vector<std::string> rest) {
  std::string name = program.string();
  std::vector<char*> arguments{name.data()};
  arguments.reserve(rest.size() + 2);
  for (std::string& one : rest) arguments.push_back(one.data());
  arguments.push_back(nullptr);
  execvp(name.c_str(), arguments.data());
  if (errno == ENOENT)
    throw Failed("bench: there is no " + name +
                 "; build it with cmake --build FOLDER --target jounce_bench");
  throw Failed("bench: " + name + ": " + std::strerror(errno));
}

}  // namespace

void add_bench(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "Measure speed on this machine");
  command->prefix_command()->set_help_flag();  // options are that program's
  command->callback(
      [command] { run_program(beside_this_program("jounce-bench"), command->remaining()); });
}

}  // namespace jounce::app

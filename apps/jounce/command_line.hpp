// SPDX-License-Identifier: BSD-3-Clause
// How a program of ours parses its command line and tells what went wrong. Exit status: 0 done, 1 a
// computation or a write failed, 2 bad input, 130 stopped by ctrl-C.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

namespace jounce::app {

/// Help in our words, and a refusal of a JOUNCE_ISA that there is not.
void prepare(CLI::App& app);

/// -i, --in and -o, --out: the option of a command that reads or writes one file.
CLI::Option* add_in(CLI::App& command, std::string& path, const std::string& about);
CLI::Option* add_out(CLI::App& command, std::string& path, const std::string& about);

/// What a library that the compiler did not optimise is told to be.
inline constexpr const char* unoptimised_warning =
    "BUILT WITHOUT OPTIMISATION: many times slower than it is; configure with "
    "-DCMAKE_BUILD_TYPE=Release";
/// The version; with the warning below it where that is so.
std::string version_line();

/// Where the program that runs lies, with links followed; empty where the system does not tell.
std::filesystem::path own_folder();

/// Parses, runs the callbacks and returns the exit status.
int run_command_line(CLI::App& app, int argc, char** argv);

/// run(argc, argv), and what it throws told on standard error with its exit status.
int tell_errors(int (*run)(int, char**), int argc, char** argv);

}  // namespace jounce::app

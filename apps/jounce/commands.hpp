// SPDX-License-Identifier: BSD-3-Clause
// The subcommands: each adds itself to the parser and leaves what to run in its callback.
#pragma once

#include <stdexcept>
#include <string>

namespace CLI {
class App;
}

namespace jounce::app {

void add_compute(CLI::App& app);
void add_convert(CLI::App& app);
void add_doctor(CLI::App& app);
void add_draw(CLI::App& app);
void add_info(CLI::App& app);
void add_plot(CLI::App& app);
void add_programs(CLI::App& app);  // bench, orders, tour
void add_propellers(CLI::App& app);
void add_reference(CLI::App& app);
void add_shell(CLI::App& app);
void add_simulate(CLI::App& app);
void add_stewart(CLI::App& app);

/// The tables of what is read and written, in Markdown.
std::string compute_reference();
std::string simulate_reference();
std::string stewart_reference();
std::string propellers_reference();

/// The version, and how the tool was built.
std::string version_text();

/// Whether standard output is a terminal that wants colours (NO_COLOR is respected).
bool colours_wanted();

/// Thrown by a subcommand that has said all and wants this exit status.
struct ExitStatus {
  int value;
};

/// Thrown by a subcommand whose computation failed; main turns it into exit status 1.
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace jounce::app

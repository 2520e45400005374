// SPDX-License-Identifier: BSD-3-Clause
// What the tool says of itself: its help, and what is wrong with a command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "apps/jounce/reference.hpp"

namespace jounce::app {

/// Names on the left, wrapped text on the right, choices as a|b.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* app) const override;
};

/// The help of a command with JSON in and out: what it reads and writes, its options, an example.
class ReferenceFormatter : public HelpFormatter {
 public:
  ReferenceFormatter(std::string command, Reference reference)
      : command_(std::move(command)), reference_(std::move(reference)) {}
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;

 private:
  std::string command_;
  Reference reference_;
};

/// A command line that cannot be parsed, in one line, with the nearest name; "" where nothing was
/// asked for and help is the answer.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace jounce::app

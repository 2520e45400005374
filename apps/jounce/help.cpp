// SPDX-License-Identifier: BSD-3-Clause
// What the tool says of itself.
#include "apps/jounce/help.hpp"

#include <algorithm>

#include "io/names.hpp"

namespace jounce::app {
namespace {

/// A name on the left and, from column 30 on, what it is.
std::string two_columns(const std::string& name, const std::string& about) {
  constexpr size_t column = 30;
  std::string lines = wrapped(about, column);
  if (name.size() + 4 > column) return "  " + name + "\n" + lines;
  return lines.replace(2, name.size(), name);
}

/// The command that was asked for, of which nothing further was.
const CLI::App& innermost(const CLI::App& app) {
  const std::vector<CLI::App*> asked = app.get_subcommands();
  return asked.empty() ? app : innermost(*asked.front());
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// An argument that nobody takes.
std::string unexpected(const CLI::App& command, const std::string& argument) {
  if (argument.starts_with("-")) {
    const std::string name = argument.substr(0, argument.find('='));
    return "there is no option " + io::in_quotes(name) +
           io::nearest_or_all(name, options_of(command));
  }
  const std::vector<std::string> commands = commands_of(command);
  if (commands.empty()) return "there is no use for " + io::in_quotes(argument);
  const std::vector<std::string> options = options_of(command);
  const bool is_option = std::ranges::find(options, "--" + argument) != options.end();
  return "there is no command " + io::in_quotes(argument) +
         (is_option ? "; nearest: \"--" + argument + "\"" : io::nearest_or_all(argument, commands));
}

}  // namespace

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return two_columns(make_option_name(option, is_positional) + make_option_opts(option),
                     make_option_desc(option));
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  std::string type = option->get_type_name();
  if (type.empty() || option->get_positional()) return "";
  if (const size_t brace = type.find(":{"); brace != std::string::npos) {
    type = type.substr(brace + 2, type.size() - brace - 3);
    std::replace(type.begin(), type.end(), ',', '|');
  }
  return " " + type.substr(0, type.find(':'));
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return two_columns(command->get_name(), command->get_description());
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  return app->get_footer().empty() ? "" : app->get_footer() + "\n";
}

std::string ReferenceFormatter::make_help(const CLI::App* app, std::string name,
                                          CLI::AppFormatMode mode) const {
  return make_description(app) + make_usage(app, name) + "\n" + help_of(command_, reference_) +
         make_groups(app, mode);
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  const std::string who = &command == &app ? "" : command.get_name() + ": ";
  if (const std::vector<std::string> rest = app.remaining(true); !rest.empty())
    return who + unexpected(command, rest.front());
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 1 && option->get_items_expected_max() == 1)
      return who + option->get_name() + " is given " + std::to_string(option->count()) + " times";
  if (dynamic_cast<const CLI::RequiredError*>(&error) == nullptr) return who + error.what();
  for (const CLI::Option* option : command.get_options())
    if (option->get_required() && option->count() == 0)
      return who + option->get_name() + " is missing: " + option->get_description();
  return "";
}

}  // namespace jounce::app

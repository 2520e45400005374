// SPDX-License-Identifier: BSD-3-Clause
// What the tool says of itself.
#include "apps/jounce/help.hpp"

#include <algorithm>
#include <cctype>

#include "io/names.hpp"
#include "io/number_text.hpp"

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

/// "stewart tables" of the command that was asked for; empty of the program itself.
std::string words_of(const CLI::App& app) {
  const std::vector<CLI::App*> asked = app.get_subcommands();
  if (asked.empty()) return "";
  const std::string more = words_of(*asked.front());
  return asked.front()->get_name() + (more.empty() ? "" : " " + more);
}

/// " FILE" or " fixed|floating": what an option takes.
std::string value_of(const CLI::Option& option) {
  return HelpFormatter().make_option_opts(&option);
}

/// "body, space or hybrid" of "body|space|hybrid".
std::string any_of(std::string choices) {
  if (const size_t last = choices.rfind('|'); last != std::string::npos)
    choices.replace(last, 1, " or ");
  for (size_t bar = 0; (bar = choices.find('|')) != std::string::npos;)
    choices.replace(bar, 1, ", ");
  return choices;
}

/// What an option needs, for one that refused what it was given.
std::string needed(const CLI::Option& option, const std::string& given) {
  const std::string type = option.get_type_name();
  if (type.find(":{") != std::string::npos) return any_of(value_of(option).substr(1));
  const size_t range = type.find(" in [");
  const bool fraction = io::parse_number(given).fault == io::NumberFault::none;
  std::string text = range != std::string::npos || fraction ? "a whole number" : "a number";
  if (range == std::string::npos) return text;
  std::string ends = type.substr(range + 5, type.size() - range - 6);
  return text + " from " + ends.replace(ends.find(" - "), 3, " to ");
}

/// A value that an option cannot take, or that it lacks; empty where the error is about neither.
std::string refused_value(const CLI::App& command, const CLI::ParseError& error) {
  const std::string what = error.what();
  const bool lacks = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->get_positional()) continue;
    if (lacks && what.starts_with(name + ": ")) return name + " needs a value:" + value_of(*option);
    const bool is_this = what.starts_with(name + ": ") || what.find(": " + name + " = ") == 17;
    if (lacks || !is_this || option->results().empty()) continue;
    const std::string& given = option->results().back();
    return name + ": found " + io::in_quotes(given) + ", needs " + needed(*option, given);
  }
  return "";
}

/// A description that goes on behind a colon.
std::string going_on(std::string text) {
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  if (text.size() > 1 && small(text[1])) text[0] = char(std::tolower(text[0]));
  return text;
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
  const std::string who = &command == &app ? "" : words_of(app) + ": ";
  if (const std::vector<std::string> rest = app.remaining(true); !rest.empty())
    return who + unexpected(command, rest.front());
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 1 && option->get_items_expected_max() == 1)
      return who + option->get_name() + " is given " + std::to_string(option->count()) + " times";
  if (const std::string refused = refused_value(command, error); !refused.empty())
    return who + refused;
  if (dynamic_cast<const CLI::RequiredError*>(&error) == nullptr) return who + error.what();
  for (const CLI::Option* option : command.get_options())
    if (option->get_required() && option->count() == 0)
      return who + option->get_name() + " is missing: " + going_on(option->get_description());
  return "";
}

}  // namespace jounce::app

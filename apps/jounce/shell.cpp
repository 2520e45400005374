// SPDX-License-Identifier: BSD-3-Clause
// jounce completion and jounce man: what shells and man know of the commands, from the parser.
#include <CLI/CLI.hpp>
#include <jounce/cpu.hpp>
#include <jounce/error.hpp>
#include <jounce/io.hpp>

#include "apps/jounce/command_line.hpp"
#include "apps/jounce/commands.hpp"
#include "apps/jounce/compute/table.hpp"
#include "report/file.hpp"

namespace jounce::app {
namespace {

std::vector<const CLI::App*> commands_below(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string option_words(const CLI::App& app) {
  std::string words;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_snames()) words += " -" + name;
    for (const std::string& name : option->get_lnames()) words += " --" + name;
  }
  return words;
}

std::string command_words(const CLI::App& app) {
  std::string words;
  for (const CLI::App* command : commands_below(app)) words += " " + command->get_name();
  return words;
}

/// A line of a case: what may stand behind a command.
std::string bash_case(const std::string& path, const CLI::App& app) {
  std::string words = command_words(app) + option_words(app);
  if (path == "compute")
    for (const Quantity& quantity : quantities()) words += " " + quantity.name;
  std::string text =
      "    \"" + path + "\") words=\"" + words.substr(words.empty() ? 0 : 1) + "\" ;;\n";
  for (const CLI::App* command : commands_below(app))
    text += bash_case(path + (path.empty() ? "" : " ") + command->get_name(), *command);
  return text;
}

std::string bash_script(const CLI::App& app) {
  std::string models;
  for (const std::string_view name : builtin_robots()) models += " builtin:" + std::string(name);
  std::string below;
  for (const CLI::App* command : commands_below(app)) below += command_words(*command);
  return "# Completion of jounce for bash: source <(jounce completion)\n"
         "_jounce() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} path= word words\n"
         "  COMPREPLY=()\n"
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    case \" " +
         command_words(app) + below +
         " \" in *\" $word \"*) path=\"${path:+$path }$word\" ;; esac\n"
         "  done\n"
         "  case \"$path\" in\n" +
         bash_case("", app) +
         "  esac\n"
         "  words=\"$words" +
         models +
         "\"\n"
         "  if [[ $current == builtin:* ]]; then  # bash splits words at colons\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\") $(compgen -f -- \"$current\"))\n"
         "  fi\n"
         "}\n"
         "COMP_WORDBREAKS=${COMP_WORDBREAKS//:}\n"
         "complete -o filenames -F _jounce jounce\n";
}

/// A text as roff has it.
std::string roff(const std::string& text) {
  std::string out;
  for (size_t k = 0; k < text.size(); ++k) {
    const bool line_start = k == 0 || text[k - 1] == '\n';
    if (line_start && (text[k] == '.' || text[k] == '\'')) out += "\\&";
    out += text[k] == '\\' ? "\\e" : text[k] == '-' ? "\\-" : std::string(1, text[k]);
  }
  return out;
}

/// "-o, --out FILE", or what stands without a name.
std::string names_in_manual(const CLI::Option& option) {
  std::string names = option.get_name(option.get_positional(), true);
  if (const size_t comma = names.find(','); comma != std::string::npos)
    names.insert(comma + 1, " ");
  return names;
}

std::string man_section(const std::string& path, const CLI::App& app) {
  std::string text = ".SS jounce " + roff(path) + "\n" + roff(app.get_description()) + ".\n";
  for (const CLI::Option* option : app.get_options())
    text +=
        ".TP\n.B " + roff(names_in_manual(*option)) + "\n" + roff(option->get_description()) + "\n";
  for (const CLI::App* command : commands_below(app))
    text += man_section(path + " " + command->get_name(), *command);
  return text;
}

std::string man_page(const CLI::App& app) {
  std::string text = std::string(".TH JOUNCE 1 \"\" \"jounce ") + version() +
                     "\" \"User Commands\"\n.SH NAME\njounce \\- " + roff(app.get_description()) +
                     "\n.SH SYNOPSIS\n.B jounce\nCOMMAND [OPTIONS]\n.SH COMMANDS\n";
  for (const CLI::App* command : commands_below(app))
    text += man_section(command->get_name(), *command);
  text +=
      ".SH QUANTITIES\nWhat jounce compute knows; jounce compute QUANTITY \\-\\-help has keys "
      "and an example.\n";
  for (const Quantity& quantity : quantities())
    text += ".TP\n.B " + roff(quantity.name) + "\n" + roff(quantity.about) + "\n";
  return text +
         ".SH EXIT STATUS\n0 done, 1 a computation or a write failed, 2 bad input, 130 stopped by "
         "ctrl\\-C.\n";
}

}  // namespace

void add_shell(CLI::App& app) {
  CLI::App* completion =
      app.add_subcommand("completion", "Print a script with which bash completes commands");
  completion->footer("Example: source <(jounce completion)");
  completion->callback([&app] { report::write_standard_output(bash_script(app)); });
  CLI::App* man = app.add_subcommand("man", "Print the page of the manual");
  man->footer("Example: jounce man > jounce.1");
  man->callback([&app] { report::write_standard_output(man_page(app)); });
}

std::string version_text() {
  std::string text = version_line() + "\nbuilt by " JOUNCE_BUILT_BY "\n";
  try {
    text += std::string("instruction set ") + name(best_isa());
  } catch (const InputError& error) {  // JOUNCE_ISA names none; the version is wanted all the same
    text += error.what();
  }
  text += "\nrobots";
  for (const std::string_view one : builtin_robots()) text += " " + std::string(one);
  return text;
}

}  // namespace jounce::app

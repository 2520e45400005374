// SPDX-License-Identifier: BSD-3-Clause
// jounce compute: one quantity for one state or many, JSON in and JSON out.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <new>

#include "apps/jounce/command_line.hpp"
#include "apps/jounce/commands.hpp"
#include "apps/jounce/compute/beyond_limits.hpp"
#include "apps/jounce/compute/formats.hpp"
#include "apps/jounce/help.hpp"
#include "report/progress.hpp"

namespace jounce::app {
namespace {

struct ComputeOptions {
  ModelOptions model;
  std::string quantity, frame, kind, in = "-", out = "-", passive = "on", factorization, optimum,
                                     format, frames;

  /// Options that not every quantity has, and their values; empty where they are not given.
  std::vector<std::pair<std::string, std::string>> special() const {
    return {{"--frame", frame},
            {"--kind", kind},
            {"--factorization", factorization},
            {"--optimum", optimum},
            {"--frames", frames}};
  }
};

const Key* option_of(const Quantity& quantity, const std::string& name) {
  const auto found = std::find_if(quantity.options.begin(), quantity.options.end(),
                                  [&](const Key& key) { return key.name == name; });
  return found == quantity.options.end() ? nullptr : &*found;
}

/// Refuses options that the quantity does not have, and names those that it needs.
void check_options(const Quantity& quantity, const ComputeOptions& options) {
  for (const auto& [name, value] : options.special()) {
    const Key* const option = option_of(quantity, name);
    if (option == nullptr && !value.empty())
      throw InputError(quantity.name + ": " + name + " does not apply; it is an option of " +
                       quantities_with_option(name));
    if (option != nullptr && option->needed && value.empty())
      throw InputError(quantity.name + ": " + name + " is missing: " + option->about +
                       "; jounce info " + options.model.model + " lists them");
  }
}

/// {"states": [...]} or one state.
std::vector<const JsonValue*> states_of(JsonObject& input) {
  if (input.find("states") == nullptr) return {&input.value()};
  for (const io::JsonMember& member : input.value().members())
    if (member.key != "states")
      input.fail(member.offset,
                 io::in_quotes(member.key) + " stands beside \"states\", needs to be in a state");
  return input.objects("states");
}

/// The message of an error, without the name of the function or class that begins it: the
/// quantity's does.
std::string without_caller(const std::string& message) {
  const size_t colon =
      message.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_");
  const bool caller =
      colon != std::string::npos && colon > 0 && message.compare(colon, 2, ": ") == 0;
  return caller ? message.substr(colon + 2) : message;
}

/// One result. Errors of the library get the place, those of the reader have it.
Json result_of(const Quantity& quantity, ComputeContext& context, JsonObject& state) {
  check_keys(quantity, state);
  const auto placed = [&](const std::string& message) {
    return message.find(state.who() + ": ") != std::string::npos
               ? message
               : state.who() + ": " + without_caller(message);
  };
  try {
    Json result = quantity.compute(context, state);
    require_finite(result, state.who());
    if (state.find("t") == nullptr) return result;
    Json timed = {{"t", state.number("t")}};
    timed.update(result);
    return timed;
  } catch (const InputError& error) {
    throw InputError(placed(error.what()));
  } catch (const ComputationError& error) {
    throw ComputationError(placed(error.what()));
  }
}

/// What was asked for, what the file's name says, and on a terminal what people read.
std::string wanted_format(const ComputeOptions& options) {
  if (!options.format.empty()) return options.format;
  return options.out == "-" && isatty(STDOUT_FILENO) != 0 ? "text" : format_of(options.out);
}

void compute(const ComputeOptions& options, const Quantity& quantity,
             const ModelAndReport& loaded) {
  ComputeContext context(loaded.robot);
  context.frame = options.frame;
  context.kind = options.kind;
  context.factorization = options.factorization;
  context.optimum = options.optimum;
  context.frames = options.frames;
  context.passive = options.passive == "on";
  if (!context.frame.empty()) loaded.robot.frame(context.frame);  // refused before any state
  JsonInput input(
      states_json(quantity, loaded.robot, input_text(options.in), input_name(options.in)),
      input_name(options.in));
  JsonObject object = input.object(quantity.name, "; many states go in as {\"states\": [...]}");
  const std::vector<const JsonValue*> states = states_of(object);
  report::Progress progress(quantity.name, states.size());
  Json results = Json::array();
  BeyondLimits beyond(loaded.robot);
  for (size_t k = 0; k < states.size(); ++k) {
    const std::string where = states.size() > 1 ? ": state " + std::to_string(k) : "";
    JsonObject state(object.context(), *states[k], quantity.name + where);
    results.push_back(result_of(quantity, context, state));
    beyond.look(state);
    progress.advance();
  }
  progress.finish();
  tell_findings(options.model, loaded, !quantity.closes_loops);
  if (const std::string told = beyond.told(); !told.empty() && !options.model.quiet)
    std::fprintf(stderr, "jounce: %s\n", told.c_str());
  if (const std::string format = wanted_format(options); format != "json")
    return write_text(options.out, written_results(format, quantity, context.robot, results));
  write_json(options.out,
             {{"model", options.model.model},
              {"quantity", options.quantity},
              {"joints", joint_list(context.robot)},
              {"results", std::move(results)}},
             quantity.name);
}

/// "3.7 GB".
std::string bytes_text(double bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g GB", bytes / 1e9);
  return text;
}

void compute(const ComputeOptions& options) {
  const Quantity& quantity = find_quantity(options.quantity);
  check_options(quantity, options);
  const ModelAndReport loaded = load_model(options.model);
  try {
    compute(options, quantity, loaded);
  } catch (const std::bad_alloc&) {
    const double nv = loaded.robot.nv();
    throw Failed(quantity.name + ": out of memory: robot " + in_quotes(loaded.robot.name()) +
                 " has " + std::to_string(loaded.robot.nv()) +
                 " coordinates, and one matrix of all of them needs " + bytes_text(8 * nv * nv));
  }
}

/// All quantities, or the one that was asked for.
class ComputeFormatter : public HelpFormatter {
 public:
  explicit ComputeFormatter(std::shared_ptr<ComputeOptions> options)
      : options_(std::move(options)) {}

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode /*mode*/) const override {
    if (options_->quantity.empty()) return overview(app, name);
    const Quantity& quantity = find_quantity(options_->quantity);
    return quantity.about + ".\nUsage: " + name + " " + quantity.name + " MODEL [OPTIONS]\n\n" +
           help_of("compute", quantity) +
           "\nMany states go in as {\"states\": [...]}, as JSON lines, as CSV (columns t, q.JOINT, "
           "v.JOINT, ...)\nor NPZ; a state's \"t\" comes back. \"results\" has one entry for "
           "each.\n" +
           option_lines(app, &quantity);
  }

 private:
  std::string overview(const CLI::App* app, const std::string& name) const {
    std::string text = make_description(app) + "Usage: " + name +
                       " QUANTITY MODEL [OPTIONS]\n       " + name +
                       " QUANTITY --help     what it reads and writes, with an example\n\n"
                       "Quantities, what they read (...: and optional ones) and what they are:\n";
    for (const Quantity& quantity : quantities()) {
      std::string line = "  " + quantity.name;
      line.resize(30, ' ');
      line += needed_keys(quantity);
      line.resize(59, ' ');
      text += line + quantity.about.substr(0, quantity.about.find(':')) + "\n";
    }
    return text + option_lines(app, nullptr) + "\n" + make_footer(app);
  }

  static std::string needed_keys(const Quantity& quantity) {
    std::vector<Key> keys = quantity.in;
    std::erase_if(keys, [](const Key& key) { return !key.needed; });
    if (keys.empty()) keys.assign(quantity.in.begin(), quantity.in.begin() + 2);
    return brief(keys) + (keys.size() < quantity.in.size() ? " ..." : "");
  }

  /// MODEL and the options that apply.
  std::string option_lines(const CLI::App* app, const Quantity* quantity) const {
    std::string text = "\n" + make_option(app->get_option("MODEL"), true) + "\nOptions:\n";
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_positional()) continue;
      const std::string name = option->get_name();
      const auto special = options_->special();
      const bool optional = std::any_of(special.begin(), special.end(),
                                        [&](const auto& pair) { return pair.first == name; });
      if (!optional || quantity == nullptr || option_of(*quantity, name) != nullptr)
        text += make_option(option, false);
    }
    return text;
  }

  std::shared_ptr<ComputeOptions> options_;
};

}  // namespace

void add_compute(CLI::App& app) {
  auto options = std::make_shared<ComputeOptions>();
  CLI::App* command =
      app.add_subcommand("compute", "Compute a quantity of a robot, for one state or many");
  command->formatter(std::make_shared<ComputeFormatter>(options));
  command
      ->add_option("QUANTITY", options->quantity,
                   "what to compute; jounce compute --help lists all")
      ->required();
  add_model_options(*command, options->model);
  command
      ->add_option("--passive", options->passive,
                   "Damping, friction and springs act (default), or not")
      ->check(CLI::IsMember({"on", "off"}));
  command->add_option("--frame", options->frame, "Link or frame (fk: without it all links)")
      ->type_name("NAME");
  command->add_option("--kind", options->kind, "Axes of a Jacobian (default: body)")
      ->check(CLI::IsMember({"body", "space", "hybrid"}));
  command
      ->add_option("--factorization", options->factorization,
                   "Which Coriolis matrix (default: christoffel)")
      ->check(CLI::IsMember({"plain", "ploen", "lie", "christoffel"}));
  command
      ->add_option("--optimum", options->optimum,
                   "What motors make small where they can strain loops (default: force)")
      ->check(CLI::IsMember({"force", "torque"}));
  command
      ->add_option("--frames", options->frames,
                   "Frames of dynamics of any order, and of a free base there (default: body)")
      ->check(CLI::IsMember({"body", "spatial", "hybrid"}));
  add_in(*command, options->in, "The states (default: -, standard input)");
  add_out(*command, options->out, "The results (default: -, standard output)");
  command
      ->add_option("--format", options->format,
                   "Of the results (default: as --out ends, else json, on a terminal text)")
      ->check(CLI::IsMember(format_names));
  command->footer("Example: " + example_line("compute", find_quantity("inverse")));
  command->callback([options] { compute(*options); });
}

std::string compute_reference() {
  return markdown_of("compute", {quantities().begin(), quantities().end()});
}

}  // namespace jounce::app

// SPDX-License-Identifier: BSD-3-Clause
// jounce compute: one quantity for one state or many, JSON in and JSON out.
#include <CLI/CLI.hpp>

#include "apps/jounce/commands.hpp"
#include "apps/jounce/compute/quantity.hpp"

namespace jounce::app {
namespace {

struct ComputeOptions {
  ModelOptions model;
  std::string quantity, frame, kind = "body", in = "-", out = "-", passive = "on";
  std::string factorization = "christoffel";
};

/// {"states": [...]} or one state.
std::vector<Json> states_of(const Json& input) {
  if (!input.is_object()) throw InputError("the input must be a JSON object");
  if (!input.contains("states")) return {input};
  if (!input["states"].is_array()) throw InputError("\"states\" must be a list");
  std::vector<Json> states;
  for (const Json& state : input["states"]) {
    if (!state.is_object()) throw InputError("every entry of \"states\" must be an object");
    states.push_back(state);
  }
  return states;
}

const Quantity& find_quantity(const std::string& name) {
  std::string known;
  for (const std::span<const Quantity> part :
       {kinematic_quantities(), dynamic_quantities(), matrix_quantities(), derivative_quantities(),
        series_quantities()})
    for (const Quantity& quantity : part) {
      if (name == quantity.name) return quantity;
      known += std::string(known.empty() ? "" : ", ") + quantity.name;
    }
  throw InputError("there is no quantity \"" + name + "\"; there are " + known);
}

void compute(const ComputeOptions& options) {
  const Quantity& quantity = find_quantity(options.quantity);
  ComputeContext context(load_model(options.model).robot);
  context.frame = options.frame;
  context.kind = options.kind;
  context.factorization = options.factorization;
  context.dynamics.set_passive(options.passive == "on");
  const std::vector<Json> states = states_of(read_json(options.in));
  Json results = Json::array();
  for (size_t k = 0; k < states.size(); ++k) try {
      results.push_back(quantity.compute(context, states[k]));
    } catch (const InputError& error) {
      const std::string where = states.size() > 1 ? "state " + std::to_string(k) + ": " : "";
      throw InputError(options.quantity + ": " + where + error.what());
    }
  const Json out{{"model", options.model.model},
                 {"quantity", options.quantity},
                 {"joints", joint_list(context.robot)},
                 {"results", std::move(results)}};
  write_json(options.out, out);
}

}  // namespace

void add_compute(CLI::App& app) {
  auto options = std::make_shared<ComputeOptions>();
  CLI::App* command = app.add_subcommand("compute", "Compute a quantity for one state or many");
  command
      ->add_option("QUANTITY", options->quantity,
                   "fk, jacobian, ik, inverse, forward, hybrid, mass, gravity, bias, energy, "
                   "coriolis, momentum, regressor, inverse-derivatives, "
                   "forward-derivatives, hybrid-derivatives, inverse-second-derivatives, "
                   "forward-second-derivatives, higher-inverse, higher-forward or "
                   "higher-hybrid")
      ->required();
  add_model_options(*command, options->model);
  command->add_option("--frame", options->frame, "Link or frame (fk: all links without it)");
  command->add_option("--kind", options->kind, "Frame in which a Jacobian is expressed")
      ->check(CLI::IsMember({"body", "space", "hybrid"}));
  command->add_option("--factorization", options->factorization, "Which Coriolis matrix")
      ->check(CLI::IsMember({"plain", "ploen", "lie", "christoffel"}));
  command->add_option("--passive", options->passive, "Damping, friction and springs act, or not")
      ->check(CLI::IsMember({"on", "off"}));
  command->add_option("--in", options->in, "JSON file with the states, - for standard input");
  command->add_option("--out", options->out, "File for the results, - for standard output");
  command->footer(
      "Example: echo '{\"q\":[0,0,0,0,0,0,0]}' | jounce compute fk builtin:arm7 --frame flange");
  command->callback([options] { compute(*options); });
}

}  // namespace jounce::app

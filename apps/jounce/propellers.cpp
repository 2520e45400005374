// SPDX-License-Identifier: BSD-3-Clause
// jounce propellers wrenches | speeds: what rotors on a body give, and how fast they must turn.
#include <CLI/CLI.hpp>
#include <jounce/propellers.hpp>

#include "apps/jounce/command_line.hpp"
#include "apps/jounce/commands.hpp"
#include "apps/jounce/help.hpp"
#include "apps/jounce/json_input.hpp"
#include "apps/jounce/json_output.hpp"
#include "apps/jounce/reference.hpp"
#include "io/names.hpp"

namespace jounce::app {
namespace {

struct PropellerCommand : Reference {
  Json (*compute)(JsonObject& input);
};

Propellers propellers_of(JsonObject& input) {
  static const std::vector<std::string> known{
      "name", "position", "axis", "thrust_coefficient", "drag_coefficient", "spin"};
  std::vector<Propeller> all;
  for (const JsonValue* value : input.objects("propellers")) {
    JsonObject one(input.context(), *value,
                   input.who() + ": propeller " + std::to_string(all.size() + 1));
    one.allow_only(known, "a propeller");
    const auto vector = [&](const char* key) {
      const std::vector<double> x = one.numbers(key, 3);
      return Vec3<double>{x[0], x[1], x[2]};
    };
    const int spin = one.number("spin") > 0 ? 1 : -1;
    all.push_back({vector("position"), vector("axis"), one.number("thrust_coefficient"),
                   one.number("drag_coefficient"), spin});
  }
  return Propellers(all);
}

/// Lists of so many numbers, one per derivative, as columns.
Eigen::MatrixXd lists_of(JsonObject& input, const char* key, int rows) {
  const std::vector<const JsonValue*> lists = input.lists(key);
  Eigen::MatrixXd x(rows, Eigen::Index(lists.size()));
  for (size_t k = 0; k < lists.size(); ++k) {
    const std::vector<double> column = input.numbers_of(*lists[k], key, size_t(rows));
    x.col(Eigen::Index(k)) = Eigen::VectorXd::Map(column.data(), rows);
  }
  return x;
}

Json to_lists(const Eigen::MatrixXd& x) {
  Json all = Json::array();
  for (Eigen::Index k = 0; k < x.cols(); ++k)
    all.push_back(std::vector<double>(x.col(k).begin(), x.col(k).end()));
  return all;
}

Json propeller_wrenches(JsonObject& input) {
  const Propellers p = propellers_of(input);
  return {{"rank", p.rank()},
          {"wrenches", to_lists(p.wrench(lists_of(input, "speeds", p.count())))}};
}

Json propeller_speeds(JsonObject& input) {
  const Propellers p = propellers_of(input);
  const Eigen::MatrixXd wanted = lists_of(input, "wrenches", 6);
  const bool nearest = input.flag("nearest").value_or(false);
  const Eigen::MatrixXd found = nearest ? p.nearest_speeds(wanted) : p.speeds(wanted);
  return {{"rank", p.rank()}, {"speeds", to_lists(found)}, {"wrenches", to_lists(p.wrench(found))}};
}

constexpr const char* four_rotors =
    R"({"propellers":[
      {"position":[0.3,0,0],"axis":[0,0,1],"spin":1,
       "thrust_coefficient":1e-5,"drag_coefficient":2e-7},
      {"position":[0,0.3,0],"axis":[0,0,1],"spin":-1,
       "thrust_coefficient":1e-5,"drag_coefficient":2e-7},
      {"position":[-0.3,0,0],"axis":[0,0,1],"spin":1,
       "thrust_coefficient":1e-5,"drag_coefficient":2e-7},
      {"position":[0,-0.3,0],"axis":[0,0,1],"spin":-1,
       "thrust_coefficient":1e-5,"drag_coefficient":2e-7}],
    )";

Key propellers_key() {
  return {
      "propellers",
      "[{position, axis, thrust_coefficient, drag_coefficient, spin}, ...] in the body's frame, "
      "as models/aerial_manipulator_propellers.json has them"};
}
Key rank_key() { return {"rank", "the dimension of the wrenches that they can give"}; }

std::vector<PropellerCommand> propeller_commands() {
  return {{{"wrenches",
            "The wrench of propellers on their body, with its derivatives",
            {propellers_key(),
             {"speeds", "[[speeds], [their derivatives], ...], rad/s, one list per derivative"}},
            {rank_key(), {"wrenches", "[[m, f], [m', f'], ...] in the body's frame"}},
            {},
            "",
            "",
            std::string(four_rotors) + R"("speeds":[[700,700,700,700],[1,0,-1,0]]})"},
           propeller_wrenches},
          {{"speeds",
            "The speeds that give a wrench, with their derivatives",
            {propellers_key(),
             {"wrenches", "[[m, f], [m', f'], ...] in the body's frame, one list per derivative"},
             {"nearest", "true: those of the nearest wrench that they can give", false}},
            {rank_key(),
             {"speeds", "[[speeds], [their derivatives], ...], rad/s"},
             {"wrenches", "what they give"}},
            {},
            "Of many speeds those whose squares are least in the sum of squares.",
            "",
            std::string(four_rotors) + R"("wrenches":[[0,0,0,0.5,0,20]],"nearest":true})"},
           propeller_speeds}};
}

}  // namespace

std::string propellers_reference() {
  const std::vector<PropellerCommand> commands = propeller_commands();
  return markdown_of("propellers", {commands.begin(), commands.end()});
}

void add_propellers(CLI::App& app) {
  CLI::App* command = app.add_subcommand("propellers", "Speeds of rotors and wrenches on a body");
  command->require_subcommand(1);
  for (const PropellerCommand& one : propeller_commands()) {
    auto paths = std::make_shared<std::pair<std::string, std::string>>("-", "-");
    CLI::App* sub = command->add_subcommand(one.name, one.about);
    sub->formatter(std::make_shared<ReferenceFormatter>("propellers", one));
    add_in(*sub, paths->first, "What it reads (default: -, standard input)");
    add_out(*sub, paths->second, "What it writes (default: -, standard output)");
    sub->callback([paths, one] {
      const std::string who = "propellers " + one.name;
      JsonInput input(paths->first);
      JsonObject object = input.object(who);
      object.allow_only(names_of(one.in), who);
      for (const Key& key : one.in)
        if (key.needed) object.need(key.name);
      write_json(paths->second, one.compute(object), who);
    });
  }
  command->footer("Example: jounce propellers speeds --help");
}

}  // namespace jounce::app

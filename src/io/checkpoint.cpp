// SPDX-License-Identifier: BSD-3-Clause
// The state of a simulation as JSON, every part of it to the last bit.
#include <limits>

#include "io/json_object.hpp"
#include "io/json_text.hpp"
#include "io/names.hpp"
#include "io/record_parts.hpp"

namespace jounce {
namespace io {
namespace {

/// Calls `part` with the name of every member and the member itself. A member that is not named
/// here does not compile.
template <class State, class Part>
void for_each_part(State& state, Part part) {
  auto& [t, q, v, a, has_a, next_step, last_ratio, stiff, stiff_steps, momentum, moved,
         moved_before, moves, contacts, held, modes] = state;
  part("t", t), part("q", q), part("v", v), part("a", a), part("has_a", has_a);
  part("next_step", next_step), part("last_ratio", last_ratio);
  part("stiff", stiff), part("stiff_steps", stiff_steps);
  part("momentum", momentum), part("moved", moved), part("moved_before", moved_before);
  part("moves", moves), part("contacts", contacts), part("held", held), part("modes", modes);
}

struct StateWriter {
  const Robot& robot;
  JsonFields& fields;

  void operator()(const char* key, double x) const { fields.add(key, any_number(x)); }
  void operator()(const char* key, bool x) const { fields.add(key, x ? "true" : "false"); }
  void operator()(const char* key, int x) const { fields.add(key, std::to_string(x)); }
  void operator()(const char* key, const std::vector<double>& x) const {
    fields.any_numbers(key, x);
  }
  void operator()(const char* key, const std::vector<int>& x) const {
    fields.any_numbers(key, std::vector<double>(x.begin(), x.end()));
  }
  void operator()(const char* key, const std::vector<Contact>& contacts) const {
    std::vector<std::string> lines;
    for (const Contact& contact : contacts) {
      JsonFields one("contact");
      one.text("frame", robot.frame_info(contact.frame).name);
      one.text("kind", name(contact.kind));
      lines.push_back(one.on_one_line());
    }
    fields.lines(key, lines, 2);
  }
};

struct StateReader {
  const Robot& robot;
  JsonObject& object;

  void operator()(const char* key, double& x) const { x = object.any_number(key); }
  void operator()(const char* key, bool& x) const {
    object.need(key);
    x = *object.flag(key);
  }
  void operator()(const char* key, int& x) const {
    x = object.whole_number(key, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
  }
  void operator()(const char* key, std::vector<double>& x) const { x = object.any_numbers(key); }
  void operator()(const char* key, std::vector<int>& x) const {
    for (const double number : object.any_numbers(key)) {
      x.push_back(static_cast<int>(number));
      if (x.back() != number)
        object.fail(object.need(key).offset, in_quotes(key) + " needs whole numbers");
    }
  }
  void operator()(const char* key, std::vector<Contact>& contacts) const {
    for (const JsonValue* value : object.objects(key)) {
      JsonObject one(object.context(), *value, "contact");
      const auto kind = loop_kind(one.name("kind"));
      if (!kind) one.fail(one.offset(), "\"kind\" must be one of " + loop_kinds());
      contacts.push_back({robot.frame(one.name("frame")), *kind});
    }
  }
};

void check_size(JsonObject& object, const char* key, std::size_t found, int needed) {
  if (found != std::size_t(needed))
    object.fail(object.need(key).offset, in_quotes(key) + " has " + std::to_string(found) +
                                             " numbers, the robot needs " + std::to_string(needed));
}

}  // namespace
}  // namespace io

std::string write_checkpoint(const Robot& robot, const SimulationState& state) {
  io::JsonFields fields("checkpoint");
  fields.number("jounce_checkpoint", 1);
  fields.text("robot", robot.name());
  io::for_each_part(state, io::StateWriter{robot, fields});
  return fields.on_lines(0) + "\n";
}

SimulationState read_checkpoint(const Robot& robot, std::string_view text,
                                const std::string& origin) {
  const io::SourceText source(text, origin);
  const io::JsonValue root = io::parse_json(source);
  io::JsonContext context{source};
  io::JsonObject object(context, root, "checkpoint");
  object.whole_number("jounce_checkpoint", 1, 1);
  if (const std::string of = object.name("robot"); of != robot.name())
    object.fail(object.need("robot").offset,
                "is of robot " + in_quotes(of) + ", not of " + in_quotes(robot.name()));
  SimulationState state;
  io::for_each_part(state, io::StateReader{robot, object});
  io::check_size(object, "q", state.q.size(), robot.nq());
  io::check_size(object, "v", state.v.size(), robot.nv());
  io::check_size(object, "a", state.a.size(), robot.nv());
  return state;
}

}  // namespace jounce

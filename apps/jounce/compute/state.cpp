// SPDX-License-Identifier: BSD-3-Clause
// What several quantities read from a state: coordinates, wrenches, prescribed joints.
#include <algorithm>
#include <charconv>

#include "apps/jounce/compute/quantity.hpp"

namespace jounce::app {
namespace {

/// One coordinate of a joint, from the digits behind the colon of "joint:k".
int coordinate_of(const JsonObject& state, const char* key, const JsonValue& entry,
                  const JointInfo& joint, std::string_view digits) {
  int k = -1;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, k);
  if (error != std::errc() || stop != end || digits.front() == '-' || k >= joint.nv)
    state.fail(entry.offset, io::in_quotes(key) + ": " + io::in_quotes(entry.string()) +
                                 " names no coordinate of joint " + io::in_quotes(joint.name) +
                                 ", which has " + std::to_string(joint.nv) + ", counted from 0");
  return k;
}

/// "joint" or "joint:k"; a name may have colons of its own.
void add_joint(const Robot& robot, const JsonObject& state, const char* key, const JsonValue& entry,
               bool* flags) {
  const std::string& text = entry.string();
  const size_t colon = text.rfind(':');
  const auto joints = robot.joints();
  const bool whole = colon == std::string::npos ||
                     std::any_of(joints.begin(), joints.end(),
                                 [&](const JointInfo& joint) { return joint.name == text; });
  const JointInfo& joint = robot.joint(whole ? text : text.substr(0, colon));
  if (whole) std::fill_n(flags + joint.v, joint.nv, true);
  else
    flags[joint.v +
          coordinate_of(state, key, entry, joint, std::string_view(text).substr(colon + 1))] = true;
}

}  // namespace

std::vector<double> coordinates(const ComputeContext& c, JsonObject& state) {
  std::vector<double> q = state.numbers("q");
  c.robot.check_q(state.who(), "q", q);
  return q;
}

std::vector<double> velocities(const ComputeContext& c, JsonObject& state, const char* key) {
  const bool may_rest = std::string_view(key) != "tau";  // where the table lets v and a be absent
  if (may_rest && state.find(key) == nullptr) return std::vector<double>(size_t(c.robot.nv()));
  std::vector<double> x = state.numbers(key);
  c.robot.check_v(state.who(), key, x);
  return x;
}

StateVectors vectors_of(const ComputeContext& c, JsonObject& state) {
  StateVectors x{.q = coordinates(c, state), .v = {}, .a = {}, .tau = {}};
  x.v = velocities(c, state, "v");
  x.a = velocities(c, state, "a");
  if (state.find("tau") != nullptr) x.tau = velocities(c, state, "tau");
  return x;
}

std::unique_ptr<bool[]> joint_flags(const Robot& robot, JsonObject& state, const char* key) {
  auto flags = std::make_unique<bool[]>(static_cast<size_t>(robot.nv()));
  const std::string needs = io::in_quotes(key) + " must be a list of joint names";
  const JsonValue& list = state.need(key);
  if (list.kind != JsonValue::Kind::array) state.fail(list.offset, needs);
  for (const JsonValue& entry : list.items()) {
    if (entry.kind != JsonValue::Kind::string) state.fail(entry.offset, needs);
    add_joint(robot, state, key, entry, flags.get());
  }
  return flags;
}

namespace {

/// {"force", "point", "in"}: [Kim] (42).
OutsideWrench<double> force_of(JsonObject& given, FrameId frame) {
  static const std::vector<std::string> known = {"force", "point", "in"};
  given.allow_only(known, "a force at a point");
  const std::vector<double> f = given.numbers("force", 3);
  const std::string in = given.text_or("in", "body");
  if (in != "body" && in != "space" && in != "hybrid")
    given.fail(given.need("in").offset,
               "\"in\" is " + io::in_quotes(in) + ", needs \"body\", \"space\" or \"hybrid\"");
  return force_at(frame, given.vec3_or("point", {}), {f[0], f[1], f[2]},
                  in == "body"    ? Representation::body
                  : in == "space" ? Representation::space
                                  : Representation::hybrid);
}

Twist<double> twist_or_zero(JsonObject& object, const char* key) {
  if (object.find(key) == nullptr) return {};
  const std::vector<double> V = object.numbers(key, 6);
  return {{V[0], V[1], V[2]}, {V[3], V[4], V[5]}};
}

}  // namespace

OptionalGround<double> ground_motion(JsonObject& state) {
  const JsonValue* const value = state.find("ground");
  if (value == nullptr) return {};
  JsonObject ground(state.context(), *value, state.who() + ": \"ground\"");
  static const std::vector<std::string> known = {"velocity", "acceleration"};
  ground.allow_only(known, "a ground that moves");
  return Ground<double>{twist_or_zero(ground, "velocity"), twist_or_zero(ground, "acceleration")};
}

StateSurroundings surroundings(const ComputeContext& c, JsonObject& state) {
  StateSurroundings around{.wrenches = {}, .ground = ground_motion(state), .passive = c.passive};
  const JsonValue* const all = state.find("f_ext");
  if (all == nullptr) return around;
  JsonObject wrenches(state.context(), *all, state.who() + ": \"f_ext\"");
  for (const io::JsonMember& member : all->members()) {
    if (member.value.kind == JsonValue::Kind::object) {
      JsonObject force(state.context(), member.value,
                       wrenches.who() + ": " + io::in_quotes(member.key));
      around.wrenches.push_back(force_of(force, c.robot.frame(member.key)));
      continue;
    }
    const std::vector<double> F = wrenches.numbers(member.key, 6);
    around.wrenches.push_back({c.robot.frame(member.key),
                               {{F[0], F[1], F[2]}, {F[3], F[4], F[5]}},
                               Representation::body});
  }
  return around;
}

std::vector<double> numbers_or_null(const JsonObject& state, const JsonValue& value,
                                    const std::string& where, int n,
                                    const std::function<bool(int)>& needed) {
  if (value.kind != JsonValue::Kind::array)
    state.fail(value.offset, where + " must be a list of numbers, found " + describe(value.kind));
  if (value.items().size() != static_cast<size_t>(n))
    state.fail(value.offset, where + " has " + std::to_string(value.items().size()) +
                                 " elements, needs " + std::to_string(n));
  std::vector<double> x(static_cast<size_t>(n));
  for (int k = 0; k < n; ++k) {
    const JsonValue& entry = value.items()[static_cast<size_t>(k)];
    if (entry.kind == JsonValue::Kind::number) x[static_cast<size_t>(k)] = entry.number;
    else if (entry.kind != JsonValue::Kind::null || needed(k))
      state.fail(entry.offset, where + "[" + std::to_string(k) + "] must be a number, found " +
                                   describe(entry.kind));
  }
  return x;
}

HybridInput hybrid_input(const ComputeContext& c, JsonObject& state) {
  const int n = c.robot.nv();
  HybridInput x{.q = coordinates(c, state),
                .v = velocities(c, state, "v"),
                .flags = joint_flags(c.robot, state, "prescribed"),
                .a = {},
                .tau = {}};
  x.a = numbers_or_null(state, state.need("a"), "\"a\"", n,
                        [&](int k) { return x.flags[size_t(k)]; });
  x.tau = numbers_or_null(state, state.need("tau"), "\"tau\"", n,
                          [&](int k) { return !x.flags[size_t(k)]; });
  return x;
}

}  // namespace jounce::app

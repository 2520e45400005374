// SPDX-License-Identifier: BSD-3-Clause
// Typed access to the keys of a JSON object.
#include "io/json_object.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/names.hpp"
#include "io/number_text.hpp"
#include "numbers.hpp"

namespace jounce::io {
namespace {

constexpr double unit_tolerance = 1e-6;

}  // namespace

const char* describe(JsonValue::Kind kind) {
  constexpr std::array<const char*, 6> words = {"null",     "true or false", "a number",
                                                "a string", "a list",        "an object"};
  return words.at(std::size_t(kind));
}

JsonObject::JsonObject(JsonContext& context, const JsonValue& value, std::string who)
    : context_(context), value_(value), who_(std::move(who)) {
  if (value.kind != JsonValue::Kind::object)
    fail(value.offset, std::string("must be an object, found ") + describe(value.kind));
  used_.resize(value.members().size());
}

void JsonObject::fail(std::size_t offset, const std::string& message) const {
  context_.source.fail(offset, who_ + ": " + message);
}

const JsonValue* JsonObject::find(std::string_view key) {
  for (std::size_t k = 0; k < value_.members().size(); ++k)
    if (value_.members()[k].key == key) return used_[k] = true, &value_.members()[k].value;
  return nullptr;
}

const JsonValue& JsonObject::need(std::string_view key) {
  if (const JsonValue* value = find(key)) return *value;
  fail(value_.offset, "key " + in_quotes(key) + " is missing");
}

void JsonObject::leave(std::string_view key) {
  for (std::size_t k = 0; k < used_.size(); ++k)
    if (value_.members()[k].key == key) used_[k] = false;
}

void JsonObject::finish() {
  if (context_.diagnostics == nullptr) return;
  for (std::size_t k = 0; k < used_.size(); ++k) {
    if (used_[k]) continue;
    const std::string key = "key " + in_quotes(value_.members()[k].key);
    context_.diagnostics->add(FindingKind::unknown, value_.members()[k].offset, key + " of " + who_,
                              key);
  }
}

void JsonObject::allow_only(std::span<const std::string> known, std::string_view owner,
                            const std::function<std::string(const std::string&)>& hint) const {
  for (const JsonMember& member : value_.members()) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    const std::string elsewhere = hint ? hint(member.key) : "";
    fail(member.offset, in_quotes(member.key) + " is not a key of " + std::string(owner) +
                            (elsewhere.empty() ? nearest_or_all(member.key, known) : elsewhere));
  }
}

void JsonObject::check_kind(const JsonValue& value, std::string_view key,
                            JsonValue::Kind kind) const {
  if (value.kind != kind)
    fail(value.offset,
         in_quotes(key) + " must be " + describe(kind) + ", found " + describe(value.kind));
}

void JsonObject::check_entry(const JsonValue& item, std::string_view key,
                             JsonValue::Kind kind) const {
  if (item.kind != kind)
    fail(item.offset, "an entry of " + in_quotes(key) + " must be " + describe(kind) + ", found " +
                          describe(item.kind));
}

std::string JsonObject::name(std::string_view key) {
  const JsonValue& value = need(key);
  check_kind(value, key, JsonValue::Kind::string);
  if (value.string().empty()) fail(value.offset, in_quotes(key) + " is empty");
  return value.string();
}

std::string JsonObject::text_or(std::string_view key, std::string otherwise) {
  const JsonValue* const value = find(key);
  if (value == nullptr) return otherwise;
  check_kind(*value, key, JsonValue::Kind::string);
  return value->string();
}

double JsonObject::number(std::string_view key) {
  const JsonValue& value = need(key);
  check_kind(value, key, JsonValue::Kind::number);
  return value.number;
}

double JsonObject::number_or(std::string_view key, double otherwise) {
  return find(key) == nullptr ? otherwise : number(key);
}

std::optional<bool> JsonObject::flag(std::string_view key) {
  const JsonValue* const value = find(key);
  if (value == nullptr) return std::nullopt;
  check_kind(*value, key, JsonValue::Kind::boolean);
  return value->number != 0;
}

int JsonObject::whole_number(std::string_view key, int least, int most) {
  const JsonValue& value = need(key);
  check_kind(value, key, JsonValue::Kind::number);
  if (!(value.number >= least && value.number <= most) || value.number != std::floor(value.number))
    fail(value.offset, in_quotes(key) + " is " + number_text(value.number) +
                           ", needs a whole number from " + std::to_string(least) + " to " +
                           std::to_string(most));
  return static_cast<int>(value.number);
}

std::vector<double> JsonObject::numbers(std::string_view key) {
  const JsonValue& value = need(key);
  check_kind(value, key, JsonValue::Kind::array);
  std::vector<double> numbers;
  numbers.reserve(value.items().size());
  for (const JsonValue& item : value.items()) {
    if (item.kind != JsonValue::Kind::number)
      fail(item.offset, in_quotes(key) + "[" + std::to_string(numbers.size()) +
                            "] must be a number, found " + describe(item.kind));
    numbers.push_back(item.number);
  }
  return numbers;
}

std::vector<double> JsonObject::numbers_of(const JsonValue& value, std::string_view key,
                                           std::size_t count) const {
  check_kind(value, key, JsonValue::Kind::array);
  std::vector<double> numbers;
  for (const JsonValue& item : value.items()) {
    check_entry(item, key, JsonValue::Kind::number);
    numbers.push_back(item.number);
  }
  if (numbers.size() != count)
    fail(value.offset, in_quotes(key) + " has " + std::to_string(numbers.size()) +
                           (numbers.size() == 1 ? " number" : " numbers") + ", needs " +
                           std::to_string(count));
  return numbers;
}

std::vector<double> JsonObject::numbers(std::string_view key, std::size_t count) {
  return numbers_of(need(key), key, count);
}

Vec3<double> JsonObject::vec3_or(std::string_view key, const Vec3<double>& otherwise) {
  if (find(key) == nullptr) return otherwise;
  const std::vector<double> v = numbers(key, 3);
  return {v[0], v[1], v[2]};
}

std::vector<double> JsonObject::list(std::string_view key, std::optional<double> unlimited) {
  const JsonValue* const value = find(key);
  if (value == nullptr) return {};
  const auto is_null = [](const JsonValue& item) { return item.kind == JsonValue::Kind::null; };
  if (value->kind != JsonValue::Kind::array) {
    if (unlimited && is_null(*value)) return {*unlimited};
    check_kind(*value, key, JsonValue::Kind::number);
    return {value->number};
  }
  std::vector<double> numbers;
  for (const JsonValue& item : value->items()) {
    if (!unlimited || !is_null(item)) check_entry(item, key, JsonValue::Kind::number);
    numbers.push_back(is_null(item) ? *unlimited : item.number);
  }
  return numbers;
}

SE3<double> JsonObject::placement(std::string_view key) {
  SE3<double> T;
  const JsonValue* const value = find(key);
  if (value == nullptr) return T;
  JsonObject object(context_, *value, who_ + ": " + std::string(key));
  T.p = object.vec3_or("position", {});
  const JsonValue* const quaternion = object.find("quaternion");
  if (const JsonValue* const rotation = object.find("rotation")) {
    if (quaternion != nullptr)
      object.fail(quaternion->offset, "\"rotation\" and \"quaternion\" are both given");
    const std::vector<double> r = object.numbers("rotation", 9);
    T.R.m = {{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}}};
    if (!is_rotation(T.R)) object.fail(rotation->offset, "\"rotation\" is not a rotation matrix");
  } else if (quaternion != nullptr) {
    const std::vector<double> q = object.numbers("quaternion", 4);
    const Quaternion<double> unit{q[0], q[1], q[2], q[3]};
    const double length = std::sqrt(squared_norm(unit));
    if (!(std::abs(length - 1) < unit_tolerance))
      object.fail(quaternion->offset,
                  "\"quaternion\" has length " + number_text(length) + ", needs 1");
    T.R = to_rotation(normalize(unit));
  }
  object.finish();
  return T;
}

double JsonObject::any_number_of(const JsonValue& value, std::string_view key) const {
  if (value.kind == JsonValue::Kind::string)
    if (const auto number = parse_any_number(value.string()); number && !std::isfinite(*number))
      return *number;
  check_entry(value, key, JsonValue::Kind::number);
  return value.number;
}
double JsonObject::any_number(std::string_view key) { return any_number_of(need(key), key); }
std::vector<double> JsonObject::any_numbers(std::string_view key) {
  return any_numbers_of(need(key), key);
}
std::vector<double> JsonObject::any_numbers_of(const JsonValue& value, std::string_view key) const {
  check_kind(value, key, JsonValue::Kind::array);
  std::vector<double> numbers;
  numbers.reserve(value.items().size());
  for (const JsonValue& item : value.items()) numbers.push_back(any_number_of(item, key));
  return numbers;
}

std::vector<const JsonValue*> JsonObject::entries(std::string_view key, JsonValue::Kind kind) {
  std::vector<const JsonValue*> result;
  const JsonValue* const value = find(key);
  if (value == nullptr) return result;
  check_kind(*value, key, JsonValue::Kind::array);
  for (const JsonValue& item : value->items()) {
    check_entry(item, key, kind);
    result.push_back(&item);
  }
  return result;
}

JointKind read_kind(JsonObject& object) {
  const std::string text = object.name("kind");
  const std::optional<JointKind> kind = joint_kind(text);
  if (kind && *kind != JointKind::custom) return *kind;
  std::string known;
  for (int k = 0; k < int(JointKind::custom); ++k)
    known += (k == 0 ? "" : ", ") + std::string(jounce::name(JointKind(k)));
  object.fail(object.need("kind").offset, "kind " + in_quotes(text) + " is not one of " + known);
}

namespace {

/// What a loop or a bushing joins.
template <class Description>
void read_ends(JsonObject& object, Description& to) {
  to.link_1 = object.text_or("link_1", "");
  to.link_2 = object.text_or("link_2", "");
  to.placement_1 = object.placement("placement_1");
  to.placement_2 = object.placement("placement_2");
}

}  // namespace

LoopDescription read_loop(JsonObject& object) {
  LoopDescription loop;
  loop.name = object.name("name");
  const std::string text = object.name("kind");
  const std::optional<LoopKind> kind = loop_kind(text);
  if (!kind)
    object.fail(object.need("kind").offset,
                "kind " + in_quotes(text) + " is not one of " + loop_kinds());
  loop.kind = *kind;
  if (loop.kind == LoopKind::gear) {
    for (const JsonValue* value : object.objects("joints")) {
      JsonObject joint(object.context(), *value, object.who() + ": joint");
      loop.joints.push_back({joint.name("name"), joint.number_or("ratio", 1)});
      joint.finish();
    }
    loop.offset = object.number_or("offset", 0);
    return loop;
  }
  read_ends(object, loop);
  if (loop.kind == LoopKind::distance) loop.length = object.number("length");
  if (loop.kind == LoopKind::rolling) loop.radius = object.number("radius");
  return loop;
}

BushingDescription read_bushing(JsonObject& object) {
  BushingDescription bushing;
  bushing.name = object.name("name");
  read_ends(object, bushing);
  for (const auto& [key, to] :
       {std::pair("stiffness", &bushing.stiffness), std::pair("damping", &bushing.damping)}) {
    if (object.find(key) == nullptr) continue;
    const std::vector<double> numbers = object.numbers(key, 6);
    std::copy(numbers.begin(), numbers.end(), to->begin());
  }
  return bushing;
}

}  // namespace jounce::io

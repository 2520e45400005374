// SPDX-License-Identifier: BSD-3-Clause
// Typed access to the keys of a JSON object; the keys nobody asked for are reported.
//
// `who` starts each message: joint "j4".
#pragma once

#include <array>
#include <functional>
#include <jounce/group/se3.hpp>
#include <jounce/io.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/diagnostics.hpp"
#include "io/json_tree.hpp"

namespace jounce::io {

/// Where a JSON text is read from, and who is told what was skipped in it.
struct JsonContext {
  const SourceText& source;
  Diagnostics* diagnostics = nullptr;  ///< or nobody
};

class JsonObject {
 public:
  /// Fails where the value is not an object.
  JsonObject(JsonContext& context, const JsonValue& value, std::string who);

  const std::string& who() const { return who_; }
  JsonContext& context() const { return context_; }
  const JsonValue& value() const { return value_; }
  void set_who(std::string who) { who_ = std::move(who); }
  std::size_t offset() const { return value_.offset; }
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;

  /// The value of a key, or nothing. Asking is using.
  const JsonValue* find(std::string_view key);
  const JsonValue& need(std::string_view key);
  /// A key that was asked for and says nothing here counts as not used.
  void leave(std::string_view key);
  /// Notes every key that was not used.
  void finish();
  /// Refuses keys that are not `known` with the nearest one; `owner` is whose keys they are, and
  /// `hint` ends the message about a key.
  void allow_only(std::span<const std::string> known, std::string_view owner,
                  const std::function<std::string(const std::string&)>& hint = nullptr) const;

  std::string name(std::string_view key);
  std::string text_or(std::string_view key, std::string otherwise);
  double number(std::string_view key);
  double number_or(std::string_view key, double otherwise);
  int whole_number(std::string_view key, int least, int most);
  std::optional<bool> flag(std::string_view key);     ///< nothing where the key is absent
  std::vector<double> numbers(std::string_view key);  ///< of any length
  std::vector<double> numbers(std::string_view key, std::size_t count);
  Vec3<double> vec3_or(std::string_view key, const Vec3<double>& otherwise);
  /// One number or a list of any length; empty where the key is absent. null is `unlimited`.
  std::vector<double> list(std::string_view key, std::optional<double> unlimited = std::nullopt);
  /// {"position", "rotation" or "quaternion"}; identity where the key is absent.
  SE3<double> placement(std::string_view key);
  /// The objects of a list, or its lists; none where the key is absent.
  std::vector<const JsonValue*> objects(std::string_view key) {
    return entries(key, JsonValue::Kind::object);
  }
  std::vector<const JsonValue*> lists(std::string_view key) {
    return entries(key, JsonValue::Kind::array);
  }
  /// Numbers of any kind, those that are not finite as strings "nan", "inf" and "-inf".
  double any_number(std::string_view key);
  std::vector<double> any_numbers(std::string_view key);
  std::vector<double> any_numbers_of(const JsonValue& value, std::string_view key) const;

  /// The numbers of a list.
  std::vector<double> numbers_of(const JsonValue& value, std::string_view key,
                                 std::size_t count) const;

 private:
  std::vector<const JsonValue*> entries(std::string_view key, JsonValue::Kind kind);
  double any_number_of(const JsonValue& value, std::string_view key) const;
  void check_kind(const JsonValue& value, std::string_view key, JsonValue::Kind kind) const;
  void check_entry(const JsonValue& item, std::string_view key, JsonValue::Kind kind) const;

  JsonContext& context_;
  const JsonValue& value_;
  std::string who_;
  std::vector<bool> used_;
};

/// The kind of a joint; fails with the known ones.
JointKind read_kind(JsonObject& object);
/// A loop whose links the robot may not have.
LoopDescription read_loop(JsonObject& object);
/// A bushing, likewise.
BushingDescription read_bushing(JsonObject& object);

/// "an object", "a number", ...: for messages.
const char* describe(JsonValue::Kind kind);

}  // namespace jounce::io

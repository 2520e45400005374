// SPDX-License-Identifier: BSD-3-Clause
// nlohmann-json checks the grammar and tells what comes next; a cursor finds where it stands.
#include "io/json_tree.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "io/number_text.hpp"

namespace jounce::io {
namespace {

/// The events of nlohmann's parser, which follow the text strictly from left to right.
class TreeBuilder : public nlohmann::json::json_sax_t {
 public:
  explicit TreeBuilder(const SourceText& source) : source_(source), text_(source.text()) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
  }

  JsonValue take() { return std::move(root_); }

  bool null() override {
    word(JsonValue::Kind::null);
    return true;
  }
  bool boolean(bool yes) override {
    word(JsonValue::Kind::boolean).number = yes ? 1 : 0;
    return true;
  }
  bool number_integer(std::int64_t) override { return number(); }
  bool number_unsigned(std::uint64_t) override { return number(); }
  bool number_float(double, const std::string&) override { return number(); }
  bool binary(binary_t&) override { return false; }

  bool string(std::string& text) override {
    JsonValue& value = next(JsonValue::Kind::string);
    skip_string();
    if (has_control_character(text))
      source_.fail(value.offset, "string " + in_quotes(text) + " has a control character");
    value.parts->string = std::move(text);
    return true;
  }
  bool key(std::string& text) override {
    seek();
    open_.back()->parts->members.push_back({text, at_, {}});
    skip_string();
    return true;
  }
  bool start_object(std::size_t) override { return start(JsonValue::Kind::object); }
  bool start_array(std::size_t) override { return start(JsonValue::Kind::array); }
  bool end_object() override {
    refuse_repeated_keys(*open_.back());
    return end();
  }
  bool end_array() override { return end(); }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    seek();
    if (error.id == 406) source_.fail(at_, describe(NumberFault::out_of_range, token));
    const std::size_t offset = std::min(at_, std::max<std::size_t>(position, 1) - 1);
    const std::size_t end = text_.find_last_not_of(" \t\r\n") + 1;
    if (position > end) source_.fail(text_.size(), "the JSON text ends too early");
    source_.fail(offset, "is not JSON: unexpected " + in_quotes(token_at(offset)));
  }

 private:
  /// What a person would call the thing that stands at `offset`.
  std::string_view token_at(std::size_t offset) const {
    const std::string_view rest = text_.substr(offset, 40);
    if (rest.starts_with('"')) return rest.substr(1, rest.find('"', 1) - 1);
    return rest.substr(0, std::max<std::size_t>(1, rest.find_first_of(" \t\r\n,:[]{}\"")));
  }

  /// Moves to the start of the next token.
  void seek() { at_ = std::min(text_.find_first_not_of(" \t\r\n,:", at_), text_.size()); }

  JsonValue& next(JsonValue::Kind kind) {
    seek();
    JsonValue& value = place();
    value.kind = kind;
    value.offset = static_cast<std::uint32_t>(at_);
    if (kind >= JsonValue::Kind::string) value.parts = std::make_unique<JsonParts>();
    return value;
  }

  JsonValue& place() {
    if (open_.empty()) return root_;
    JsonValue& parent = *open_.back();
    if (parent.kind == JsonValue::Kind::object) return parent.parts->members.back().value;
    return parent.parts->items.emplace_back();
  }

  JsonValue& word(JsonValue::Kind kind) {
    JsonValue& value = next(kind);
    at_ = std::min(text_.find_first_not_of("aeflnrstu", at_), text_.size());
    return value;
  }

  bool number() {
    JsonValue& value = next(JsonValue::Kind::number);
    const std::size_t end = std::min(text_.find_first_not_of("+-.0123456789eE", at_), text_.size());
    const std::string_view digits = text_.substr(at_, end - at_);
    const NumberText parsed = parse_number(digits);
    if (parsed.fault != NumberFault::none) source_.fail(at_, describe(parsed.fault, digits));
    value.number = parsed.value;
    at_ = end;
    return true;
  }

  void skip_string() {
    for (++at_; text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    ++at_;
  }

  bool start(JsonValue::Kind kind) {
    JsonValue& value = next(kind);
    if (int(open_.size()) == SourceText::depth_limit)
      source_.fail(
          at_, "values are nested more than " + std::to_string(SourceText::depth_limit) + " deep");
    open_.push_back(&value);  // stays valid: its siblings come after it is closed
    ++at_;
    return true;
  }

  bool end() {
    seek();
    ++at_;
    open_.pop_back();
    return true;
  }

  void refuse_repeated_keys(const JsonValue& object) const {
    std::vector<std::pair<std::string_view, std::size_t>> keys;
    for (const JsonMember& member : object.members()) keys.emplace_back(member.key, member.offset);
    std::sort(keys.begin(), keys.end());
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    const auto twin = std::adjacent_find(keys.begin(), keys.end(), same);
    if (twin != keys.end())
      source_.fail((twin + 1)->second, "key " + in_quotes(twin->first) + " appears twice");
  }

  const SourceText& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  JsonValue root_;
  std::vector<JsonValue*> open_;
};

}  // namespace

JsonValue::JsonValue() = default;
JsonValue::JsonValue(JsonValue&&) noexcept = default;
JsonValue& JsonValue::operator=(JsonValue&&) noexcept = default;
JsonValue::~JsonValue() = default;

const std::string& JsonValue::string() const { return parts->string; }
const std::vector<JsonValue>& JsonValue::items() const { return parts->items; }
const std::vector<JsonMember>& JsonValue::members() const { return parts->members; }

JsonValue parse_json(const SourceText& source) {
  TreeBuilder builder(source);
  const std::string_view text = source.text();
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

}  // namespace jounce::io

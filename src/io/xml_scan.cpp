// SPDX-License-Identifier: BSD-3-Clause
// The strict scan of an XML text: one loop over its markup and a stack of open tags.
#include "io/xml_scan.hpp"

#include <array>
#include <charconv>
#include <optional>

namespace jounce::io {
namespace {

constexpr int attribute_limit = 100;  // of one tag: what looks for one takes linear time

constexpr bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Characters behind the first of a name.
constexpr std::array<bool, 256> in_names = [] {
  std::array<bool, 256> names{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    names[byte] = is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
  }
  return names;
}();
bool is_name(char c) { return in_names[static_cast<unsigned char>(c)]; }

class Scanner {
 public:
  explicit Scanner(const SourceText& source, std::size_t at = 0)
      : source_(source), text_(source.text()), at_(at) {}

  void document() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    while (at_ < text_.size()) {
      if (text_[at_] == '<') markup();
      else characters();
    }
    if (depth_ > 0)
      source_.fail(at_, "the text ends inside <" + std::string(open_[depth_ - 1].name) +
                            "> of line " + line(open_[depth_ - 1].offset));
    if (!had_root_) source_.fail(at_, "has no element");
  }

  std::string_view read_name() {
    const std::size_t start = at_;
    if (at_ < text_.size() && is_name_start(text_[at_]))
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  /// Moves past one attribute; fails where it is malformed.
  AttributePlace attribute() {
    AttributePlace place{at_, 0, 0};
    const std::string_view name = read_name();
    if (name.empty()) source_.fail(at_, "malformed tag <" + std::string(tag_) + ">");
    if (name == "xmlns:xacro") has_xacro_ = true;
    skip_blanks();
    if (peek() != '=') source_.fail(at_, "attribute " + in_quotes(name) + " has no value");
    ++at_;
    skip_blanks();
    const char quote = peek();
    if (quote != '"' && quote != '\'')
      source_.fail(at_, "the value of attribute " + in_quotes(name) + " is not in quotes");
    place.value = ++at_;
    skip_to(quote == '"' ? "\"<" : "'<");
    if (peek() != quote)
      source_.fail(place.value - 1, "the value of attribute " + in_quotes(name) + " does not end");
    place.value_length = at_++ - place.value;
    return place;
  }

  bool has_xacro() const { return has_xacro_; }

  void skip_blanks() {
    while (at_ < text_.size() && is_xml_blank(text_[at_])) ++at_;
  }

 private:
  struct Open {
    std::string_view name;
    std::size_t offset = 0;
  };

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool ahead(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  std::string line(std::size_t offset) const {
    return std::to_string(source_.position(offset).line);
  }

  void markup() {
    if (ahead("<!--")) return skip_past("-->", 4, "comment");
    if (ahead("<?")) return skip_past("?>", 2, "processing instruction");
    if (ahead("<![CDATA[")) {
      if (depth_ == 0) source_.fail(at_, "text outside the root element");
      return skip_past("]]>", 9, "CDATA section");
    }
    if (ahead("<!"))
      source_.fail(at_, "document type declarations (<!DOCTYPE, <!ENTITY) are refused");
    if (ahead("</")) return closing_tag();
    opening_tag();
  }

  void skip_past(std::string_view end, std::size_t skip, const std::string& what) {
    const std::size_t found = text_.find(end, at_ + skip);
    if (found == std::string_view::npos) source_.fail(at_, "this " + what + " does not end");
    at_ = found + end.size();
  }

  void opening_tag() {
    const std::size_t start = at_++;
    tag_ = read_name();
    if (tag_.empty()) source_.fail(start, "\"<\" is not followed by a name");
    if (tag_.starts_with("xacro:")) has_xacro_ = true;
    if (depth_ == 0 && had_root_) source_.fail(start, "a second root element <" + name() + ">");
    if (depth_ == SourceText::depth_limit)
      source_.fail(
          start, "tags are nested more than " + std::to_string(SourceText::depth_limit) + " deep");
    had_root_ = true;
    for (int attributes = 0;; ++attributes) {
      const std::size_t before = at_;
      skip_blanks();
      if (at_ == text_.size()) source_.fail(start, "tag <" + name() + "> does not end");
      if (ahead("/>")) return void(at_ += 2);
      if (peek() == '>') break;
      if (before == at_) source_.fail(at_, "malformed tag <" + name() + ">");
      if (attributes == attribute_limit)
        source_.fail(start, "tag <" + name() + "> has more than " +
                                std::to_string(attribute_limit) + " attributes");
      attribute();
    }
    ++at_;
    open_[depth_++] = {tag_, start};
  }

  void closing_tag() {
    const std::size_t start = at_;
    at_ += 2;
    const std::string closed(read_name());
    skip_blanks();
    if (peek() != '>') source_.fail(start, "tag </" + closed + "> does not end");
    ++at_;
    if (depth_ == 0) source_.fail(start, "</" + closed + "> closes nothing");
    const Open& open = open_[--depth_];
    if (open.name != closed)
      source_.fail(start, "</" + closed + "> does not close <" + std::string(open.name) +
                              "> of line " + line(open.offset));
  }

  void characters() {
    if (depth_ > 0) return skip_to("<<");
    skip_blanks();
    if (at_ < text_.size() && text_[at_] != '<')
      source_.fail(at_, had_root_ || at_ > 0 ? "text outside the root element"
                                             : "is not XML: does not start with \"<\"");
  }

  /// To the next of two characters, or the end, past entities.
  void skip_to(const char* two) {
    const char* const end = text_.data() + text_.size();
    for (;;) {
      const char* at = text_.data() + at_;
      while (at != end && *at != two[0] && *at != two[1] && *at != '&') ++at;
      at_ = std::size_t(at - text_.data());
      if (at == end || *at != '&') return;
      entity();
    }
  }

  /// &lt; &gt; &amp; &quot; &apos; and characters by number.
  void entity() {
    const std::size_t end = text_.find(';', at_);
    const std::string_view body =
        end == std::string_view::npos ? "" : text_.substr(at_ + 1, end - at_ - 1);
    if (is_control_entity(body))
      source_.fail(at_, "\"&" + std::string(body) + ";\": control characters are refused");
    if (!is_entity(body))
      source_.fail(at_, "\"&\" does not start one of &lt; &gt; &amp; &quot; &apos; &#NUMBER;");
    at_ = end + 1;
  }

  /// The number of &#10; or &#xa;, or nothing.
  static std::optional<unsigned> character_number(std::string_view body) {
    if (!body.starts_with('#')) return std::nullopt;
    const bool hexadecimal = body.starts_with("#x");
    body.remove_prefix(hexadecimal ? 2 : 1);
    unsigned code = 0;
    const char* const end = body.data() + body.size();
    const auto [stop, error] = std::from_chars(body.data(), end, code, hexadecimal ? 16 : 10);
    if (stop != end || error != std::errc()) return std::nullopt;
    return code;
  }

  static bool is_control_entity(std::string_view body) {
    const std::optional<unsigned> code = character_number(body);
    return code && (*code < 0x20 || *code == 0x7f);
  }

  static bool is_entity(std::string_view body) {
    for (const std::string_view known : {"lt", "gt", "amp", "quot", "apos"})
      if (body == known) return true;
    const std::optional<unsigned> code = character_number(body);
    return code && *code <= 0x10ffff && (*code < 0xd800 || *code > 0xdfff);
  }

  std::string name() const { return std::string(tag_); }

  const SourceText& source_;
  std::string_view text_;
  std::size_t at_;
  std::string_view tag_;
  Open open_[SourceText::depth_limit];
  int depth_ = 0;
  bool had_root_ = false;
  bool has_xacro_ = false;
};

}  // namespace

bool scan_xml(const SourceText& source) {
  Scanner scanner(source);
  scanner.document();
  return scanner.has_xacro();
}

AttributePlace attribute_place(const SourceText& source, std::size_t element, int index) {
  Scanner scanner(source, element);
  scanner.read_name();
  AttributePlace place;
  for (int k = 0; k <= index; ++k) {
    scanner.skip_blanks();
    place = scanner.attribute();
  }
  return place;
}

}  // namespace jounce::io

// SPDX-License-Identifier: BSD-3-Clause
// A small XML reader for tests: says what is not well-formed and lists the elements.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace jounce::report::testing {

struct Element {
  std::string name = {};
  std::map<std::string, std::string> attributes = {};
  std::string text = {};  // directly inside, entities kept
};

struct Xml {
  std::vector<Element> elements = {};  // in order of their start tags
  std::string error = {};              // empty: well-formed

  std::vector<Element> with(const std::string& name, const std::string& kind) const {
    std::vector<Element> found;
    for (const Element& e : elements) {
      const auto c = e.attributes.find("class");
      const std::string own = c == e.attributes.end() ? "" : c->second;
      if (e.name == name && own == kind) found.push_back(e);
    }
    return found;
  }
};

inline bool is_name(std::string_view text) {
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != ':') return false;
  }
  return !text.empty();
}

inline bool entities_are_fine(std::string_view text) {
  for (auto at = text.find('&'); at != text.npos; at = text.find('&', at + 1)) {
    const std::string_view rest = text.substr(at);
    bool known = false;
    for (const char* name : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
      known = known || rest.starts_with(name);
    }
    if (!known) return false;
  }
  return true;
}

// Reads name="value" pairs; an error text or nothing.
inline std::string read_attributes(std::string_view tag, Element& element) {
  while (true) {
    const auto start = tag.find_first_not_of(" \n");
    if (start == tag.npos) return {};
    if (start == 0) return "no space before an attribute";
    tag.remove_prefix(start);
    const auto equals = tag.find("=\"");
    const auto end = equals == tag.npos ? tag.npos : tag.find('"', equals + 2);
    if (end == tag.npos) return "attribute without quotes: " + std::string(tag);
    const std::string name(tag.substr(0, equals));
    const std::string value(tag.substr(equals + 2, end - equals - 2));
    if (!is_name(name)) return "bad attribute name: " + name;
    if (value.find('<') != value.npos || !entities_are_fine(value)) return "bad value: " + value;
    if (!element.attributes.emplace(name, value).second) return "attribute twice: " + name;
    tag.remove_prefix(end + 1);
  }
}

// Takes one tag (without < and >); open holds the indices of the elements not yet closed.
inline void read_tag(std::string_view tag, Xml& xml, std::vector<std::size_t>& open) {
  if (tag.starts_with('/')) {
    if (open.empty() || xml.elements[open.back()].name != tag.substr(1)) {
      xml.error = "unexpected end tag: " + std::string(tag);
    } else {
      open.pop_back();
    }
    return;
  }
  const bool closed = tag.ends_with('/');
  if (closed) tag.remove_suffix(1);
  if (open.empty() && !xml.elements.empty()) xml.error = "second root: " + std::string(tag);
  const auto space = std::min(tag.find(' '), tag.size());
  Element element{std::string(tag.substr(0, space)), {}, {}};
  if (!is_name(element.name)) xml.error = "bad element name: " + element.name;
  const std::string trouble = read_attributes(tag.substr(space), element);
  if (!trouble.empty()) xml.error = trouble;
  if (!closed) open.push_back(xml.elements.size());
  xml.elements.push_back(element);
}

inline Xml read_xml(std::string_view text) {
  Xml xml;
  std::vector<std::size_t> open = {};
  if (text.starts_with("<!DOCTYPE html>\n")) text.remove_prefix(16);
  while (!text.empty() && xml.error.empty()) {
    const auto start = std::min(text.find('<'), text.size());
    const std::string_view content = text.substr(0, start);
    if (!entities_are_fine(content)) xml.error = "bad entity: " + std::string(content);
    if (!open.empty()) {
      xml.elements[open.back()].text += content;
    } else if (content.find_first_not_of(" \n") != content.npos) {
      xml.error = "text outside the root: " + std::string(content);
    }
    if (start == text.size()) break;
    const auto end = text.find('>', start);
    if (end == text.npos) {
      xml.error = "tag without end";
      break;
    }
    read_tag(text.substr(start + 1, end - start - 1), xml, open);
    text.remove_prefix(end + 1);
  }
  if (xml.error.empty() && !open.empty()) xml.error = "open: " + xml.elements[open.back()].name;
  if (xml.error.empty() && xml.elements.empty()) xml.error = "no root";
  return xml;
}

}  // namespace jounce::report::testing

// SPDX-License-Identifier: BSD-3-Clause
// Typed access to XML elements and attributes on top of pugixml.
#include "io/xml_reader.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/number_text.hpp"

namespace jounce::io {
namespace {

std::string tag(pugi::xml_node node) { return "<" + std::string(node.name()) + ">"; }

/// <origin> of joint "j", or just joint "j" where that is the element itself.
std::string element_of(pugi::xml_node node, const std::string& who) {
  return who.starts_with(std::string(node.name()) + " ") ? who : tag(node) + " of " + who;
}

/// The start of a message; nothing where the element has no name yet.
std::string start(const std::string& who) { return who.empty() ? "" : who + ": "; }

/// joint "j": attribute "xyz" of <origin>
std::string attribute_of(pugi::xml_node node, const char* attribute, const std::string& who) {
  const bool own = who.starts_with(std::string(node.name()) + " ");
  return start(who) + "attribute " + in_quotes(attribute) + (own ? "" : " of " + tag(node));
}

bool contains(XmlReader::Names names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

XmlReader::XmlReader(const SourceText& source) : source_(source) {
  scan_xml(source);
  const auto result = document_.load_buffer(source.text().data(), source.text().size(),
                                            pugi::parse_default, pugi::encoding_utf8);
  if (!result)
    source.fail(std::size_t(result.offset),
                "is not well-formed XML: " + std::string(result.description()));
}

std::size_t XmlReader::offset(pugi::xml_node node) const {
  const std::ptrdiff_t start = node.offset_debug() - (node.type() == pugi::node_element ? 1 : 0);
  return std::size_t(std::max<std::ptrdiff_t>(0, start));
}

void XmlReader::fail(pugi::xml_node node, const std::string& message) const {
  source_.fail(offset(node), message);
}

void XmlReader::fail(pugi::xml_node node, const char* attribute, const std::string& message) const {
  const pugi::xml_attribute found = node.attribute(attribute);
  source_.fail(found ? place(node, found).value : offset(node), message);
}

AttributePlace XmlReader::place(pugi::xml_node node, pugi::xml_attribute attribute) const {
  int index = 0;
  for (auto a = node.first_attribute(); a && a != attribute; a = a.next_attribute()) ++index;
  return attribute_place(source_, offset(node) + 1, index);
}

void XmlReader::expect(pugi::xml_node node, const std::string& who, Names attributes,
                       Names children) {
  check_attributes(node, who, attributes);
  check_children(node, who, children);
}

void XmlReader::check_attributes(pugi::xml_node node, const std::string& who, Names known) {
  for (const pugi::xml_attribute attribute : node.attributes()) {
    if (node.attribute(attribute.name()) != attribute)
      source_.fail(place(node, attribute).name,
                   attribute_of(node, attribute.name(), who) + " appears twice");
    if (!contains(known, attribute.name())) ignore(node, attribute.name(), who);
  }
}

void XmlReader::check_children(pugi::xml_node node, const std::string& who, Names known) {
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_element) {
      if (std::string_view(child.name()).starts_with("xacro:"))
        fail(child, tag(child) + ": this is xacro; run it through the xacro tool to get URDF");
      if (!contains(known, child.name())) ignore(child, who);
    } else if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
      const std::string_view text = child.value();
      const std::size_t first = std::min(text.find_first_not_of(xml_blanks), text.size());
      const std::size_t last = text.find_last_not_of(xml_blanks);
      report(offset(child) + first, "text " + in_quotes(text.substr(first, last + 1 - first)) +
                                        " in " + element_of(node, who));
    }
  }
}

void XmlReader::ignore(pugi::xml_node node, const std::string& who) {
  report(offset(node), tag(node) + " of " + who);
}

void XmlReader::ignore(pugi::xml_node node, const char* attribute, const std::string& who) {
  const pugi::xml_attribute found = node.attribute(attribute);
  if (found)
    report(place(node, found).name,
           "attribute " + in_quotes(attribute) + " of " + element_of(node, who));
}

void XmlReader::report(std::size_t offset, std::string what) {
  const Position at = source_.position(offset);
  ignored_.push_back({at.line, at.column, std::move(what)});
}

std::vector<Ignored> XmlReader::take_ignored() {
  std::stable_sort(ignored_.begin(), ignored_.end(), [](const Ignored& a, const Ignored& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  return std::move(ignored_);
}

pugi::xml_node XmlReader::child(pugi::xml_node node, const char* name,
                                const std::string& who) const {
  const pugi::xml_node found = node.child(name);
  if (const pugi::xml_node second = found.next_sibling(name))
    fail(second, who + ": " + tag(second) + " appears twice in " + tag(node));
  return found;
}

pugi::xml_node XmlReader::needed_child(pugi::xml_node node, const char* name,
                                       const std::string& who) const {
  const pugi::xml_node found = child(node, name, who);
  if (!found) fail(node, who + ": " + tag(node) + " has no <" + name + ">");
  return found;
}

std::string XmlReader::name(pugi::xml_node node, const char* attribute,
                            const std::string& who) const {
  const pugi::xml_attribute found = node.attribute(attribute);
  if (!found) fail(node, start(who) + tag(node) + " has no attribute " + in_quotes(attribute));
  std::string value = found.value();
  if (value.empty()) fail(node, attribute, attribute_of(node, attribute, who) + " is empty");
  return value;
}

std::vector<double> XmlReader::numbers(pugi::xml_node node, const char* attribute,
                                       std::size_t count, const std::string& who) const {
  const pugi::xml_attribute found = node.attribute(attribute);
  if (!found) fail(node, start(who) + tag(node) + " has no attribute " + in_quotes(attribute));
  const std::string_view text = found.value();
  std::vector<double> values;
  for (std::size_t at = text.find_first_not_of(xml_blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(xml_blanks, at), text.size());
    const std::string_view token = text.substr(at, end - at);
    const NumberText number = parse_number(token);
    if (number.fault != NumberFault::none) {
      const AttributePlace where = place(node, found);
      const bool as_written = where.value_length == text.size();
      source_.fail(where.value + (as_written ? at : 0),
                   attribute_of(node, attribute, who) + ": " + describe(number.fault, token));
    }
    values.push_back(number.value);
    at = text.find_first_not_of(xml_blanks, end);
  }
  if (values.size() != count)
    fail(node, attribute,
         attribute_of(node, attribute, who) + " has " + std::to_string(values.size()) +
             (values.size() == 1 ? " number" : " numbers") + ", needs " + std::to_string(count));
  return values;
}

double XmlReader::number(pugi::xml_node node, const char* attribute, const std::string& who) const {
  return numbers(node, attribute, 1, who)[0];
}

double XmlReader::number_or(pugi::xml_node node, const char* attribute, double otherwise,
                            const std::string& who) const {
  return node.attribute(attribute) ? number(node, attribute, who) : otherwise;
}

Vec3<double> XmlReader::vec3(pugi::xml_node node, const char* attribute,
                             const std::string& who) const {
  const std::vector<double> v = numbers(node, attribute, 3, who);
  return {v[0], v[1], v[2]};
}

SE3<double> XmlReader::origin(pugi::xml_node node, const std::string& who) {
  SE3<double> T;
  const pugi::xml_node origin = child(node, "origin", who);
  if (!origin) return T;
  expect(origin, who, {"xyz", "rpy"});
  if (origin.attribute("xyz")) T.p = vec3(origin, "xyz", who);
  if (origin.attribute("rpy")) T.R = rotation_from_rpy(vec3(origin, "rpy", who));
  return T;
}

SO3<double> rotation_from_rpy(const Vec3<double>& rpy) {
  if (rpy.x == 0 && rpy.y == 0 && rpy.z == 0) return {};
  const double cr = std::cos(rpy.x), sr = std::sin(rpy.x), cp = std::cos(rpy.y);
  const double sp = std::sin(rpy.y), cy = std::cos(rpy.z), sy = std::sin(rpy.z);
  return {{{{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
            {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
            {-sp, cp * sr, cp * cr}}}};
}

}  // namespace jounce::io

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

/// ${...} and $(...): what xacro would have replaced.
bool is_xacro_value(std::string_view value) {
  return value.find("${") != std::string_view::npos || value.find("$(") != std::string_view::npos;
}
std::string xacro_hint(std::string_view value) {
  return ": " + in_quotes(value) + " is xacro: run xacro robot.urdf.xacro > robot.urdf";
}

/// The start of a message; nothing where the element has no name yet.
std::string start(const std::string& who) { return who.empty() ? "" : who + ": "; }

/// joint "j": attribute "xyz" of <origin>
std::string attribute_of(pugi::xml_node node, const char* attribute, const std::string& who) {
  const bool own = who.starts_with(std::string(node.name()) + " ");
  return start(who) + "attribute " + in_quotes(attribute) + (own ? "" : " of " + tag(node));
}

/// Elements and attributes that say something about the dynamics that is not read.
constexpr std::string_view changing_dynamics[] = {"loop_joint", "force_element", "joint_properties",
                                                  "drake:ball_constraint",
                                                  "drake:linear_bushing_rpy"};
constexpr std::string_view attributes_changing_dynamics[] = {
    "armature", "rotor_inertia", "spring_reference", "spring_stiffness", "stiffness", "D",
    "K",        "mu_coulomb",    "mu_viscous",       "coulomb_window"};
/// Those of other programs, of which dynamics has no use.
constexpr std::string_view of_no_use[] = {
    "actuator",     "bullet",       "calibration",       "cdf",     "collision_checking",
    "compiler",     "contact",      "controller_gains",  "density", "collision_filter_group",
    "gazebo",       "material",     "hardwareInterface", "mujoco",  "plane",
    "plugin",       "ros2_control", "safety_controller", "sdf",     "self_collision_checking",
    "self_filter",  "sensor",       "specular",          "texture", "traits",
    "transmission", "verbose"};
constexpr std::string_view attributes_of_no_use[] = {
    "concave", "dont_collapse", "group", "iyx", "izx", "izy", "name", "type", "version"};

template <std::size_t N>
bool is_one_of(std::string_view name, const std::string_view (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool contains(XmlReader::Names names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

XmlReader::XmlReader(Diagnostics& diagnostics)
    : diagnostics_(diagnostics), source_(diagnostics.source()) {
  has_xacro_ = scan_xml(source_);
  const auto result = document_.load_buffer(source_.text().data(), source_.text().size(),
                                            pugi::parse_default, pugi::encoding_utf8);
  if (!result)
    source_.fail(std::size_t(result.offset),
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
  const pugi::xml_attribute first = node.first_attribute();
  for (pugi::xml_attribute attribute = first; attribute; attribute = attribute.next_attribute()) {
    const std::string_view name = attribute.name();
    for (pugi::xml_attribute before = first; before != attribute; before = before.next_attribute())
      if (before.name() == name)
        source_.fail(place(node, attribute).name,
                     attribute_of(node, attribute.name(), who) + " appears twice");
    if (!contains(known, name)) ignore(node, attribute.name(), who);
  }
}

void XmlReader::check_children(pugi::xml_node node, const std::string& who, Names known) {
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_element) {
      if (!contains(known, child.name())) ignore(child, who);
    } else if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
      const std::string_view text = child.value();
      const std::size_t first = std::min(text.find_first_not_of(xml_blanks), text.size());
      const std::size_t last = text.find_last_not_of(xml_blanks);
      diagnostics_.add(FindingKind::unknown, offset(child) + first,
                       "text " + in_quotes(text.substr(first, last + 1 - first)) + " in " +
                           element_of(node, who),
                       "text");
    }
  }
}

void XmlReader::ignore(pugi::xml_node node, const std::string& who) {
  const std::string_view name = node.name();
  FindingKind kind = FindingKind::unknown;
  if (is_one_of(name, changing_dynamics)) kind = FindingKind::not_applied;
  else if (is_one_of(name, of_no_use) || name.starts_with("drake:")) kind = FindingKind::unused;
  else if (name.starts_with("xacro:"))
    return warn(FindingKind::xacro, node, tag(node) + " of " + who + " is left over from xacro");
  leave(node, who, kind);
}

void XmlReader::leave(pugi::xml_node node, const std::string& who, FindingKind kind) {
  diagnostics_.add(kind, offset(node), tag(node) + " of " + who, tag(node));
}

void XmlReader::ignore(pugi::xml_node node, const char* attribute, const std::string& who) {
  const pugi::xml_attribute found = node.attribute(attribute);
  if (!found) return;
  const std::string_view name = attribute;
  FindingKind kind = FindingKind::unknown;
  if (is_one_of(name, attributes_of_no_use) || name.starts_with("xmlns"))
    kind = FindingKind::unused;
  if (is_one_of(name, attributes_changing_dynamics))
    kind = is_zero_text(found.value()) ? FindingKind::unused : FindingKind::not_applied;
  diagnostics_.add(kind, place(node, found).name,
                   "attribute " + in_quotes(attribute) + " of " + element_of(node, who),
                   "attribute " + in_quotes(attribute) + " of " + tag(node));
}

pugi::xml_node XmlReader::child(pugi::xml_node node, const char* name,
                                const std::string& who) const {
  const pugi::xml_node found = node.child(name);
  for (pugi::xml_node next = found.next_sibling(name); next; next = next.next_sibling(name))
    diagnostics_.add(FindingKind::repeated, offset(next),
                     who + ": " + tag(next) + " appears twice in " + tag(node) + "; that of line " +
                         std::to_string(source_.position(offset(found)).line) + " is used",
                     tag(next) + " in " + tag(node));
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
  if (is_xacro_value(value))
    fail(node, attribute, attribute_of(node, attribute, who) + xacro_hint(value));
  if (value.empty()) fail(node, attribute, attribute_of(node, attribute, who) + " is empty");
  return value;
}

void XmlReader::numbers(pugi::xml_node node, const char* attribute, std::span<double> values,
                        const std::string& who) const {
  const pugi::xml_attribute found = node.attribute(attribute);
  if (!found) fail(node, start(who) + tag(node) + " has no attribute " + in_quotes(attribute));
  const std::string_view text = found.value();
  std::size_t count = 0;
  for (std::size_t at = 0;; ++count) {
    while (at < text.size() && is_xml_blank(text[at])) ++at;
    if (at == text.size()) break;
    std::size_t end = at + 1;
    while (end < text.size() && !is_xml_blank(text[end])) ++end;
    const std::string_view token = text.substr(at, end - at);
    const NumberText number = parse_number(token);
    if (number.fault != NumberFault::none) refuse_number(node, found, token, who);
    if (count < values.size()) values[count] = number.value;
    at = end;
  }
  if (count != values.size())
    fail(node, attribute,
         attribute_of(node, attribute, who) + " has " + std::to_string(count) +
             (count == 1 ? " number" : " numbers") + ", needs " + std::to_string(values.size()));
}

void XmlReader::refuse_number(pugi::xml_node node, pugi::xml_attribute attribute,
                              std::string_view token, const std::string& who) const {
  const std::string_view text = attribute.value();
  const AttributePlace where = place(node, attribute);
  const bool as_written = where.value_length == text.size();
  const auto at = std::size_t(token.data() - text.data());
  source_.fail(where.value + (as_written ? at : 0),
               attribute_of(node, attribute.name(), who) +
                   (is_xacro_value(text) ? xacro_hint(text)
                                         : ": " + describe(parse_number(token).fault, token)));
}

double XmlReader::number(pugi::xml_node node, const char* attribute, const std::string& who) const {
  double value = 0;
  numbers(node, attribute, {&value, 1}, who);
  return value;
}

double XmlReader::number_or(pugi::xml_node node, const char* attribute, double otherwise,
                            const std::string& who) const {
  double value = otherwise;
  if (node.attribute(attribute))
    diagnostics_.attempt([&] { value = number(node, attribute, who); });
  return value;
}

std::optional<bool> XmlReader::flag(pugi::xml_node node, const char* attribute,
                                    const std::string& who) const {
  if (!node.attribute(attribute)) return std::nullopt;
  const std::string text = name(node, attribute, who);
  if (text != "true" && text != "false")
    fail(node, attribute,
         who + ": " + attribute + " is " + in_quotes(text) + ", needs \"true\" or \"false\"");
  return text == "true";
}

Vec3<double> XmlReader::vec3(pugi::xml_node node, const char* attribute,
                             const std::string& who) const {
  double v[3];
  numbers(node, attribute, v, who);
  return {v[0], v[1], v[2]};
}

SE3<double> XmlReader::origin(pugi::xml_node node, const std::string& who) {
  const pugi::xml_node origin = child(node, "origin", who);
  if (!origin) return {};
  expect(origin, who, {"xyz", "rpy"});
  return placement(origin, who);
}

SE3<double> XmlReader::placement(pugi::xml_node node, const std::string& who) const {
  SE3<double> T;
  if (node.attribute("xyz")) T.p = vec3(node, "xyz", who);
  if (node.attribute("rpy")) T.R = rotation_from_rpy(vec3(node, "rpy", who));
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

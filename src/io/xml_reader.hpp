// SPDX-License-Identifier: BSD-3-Clause
// Typed access to XML elements and attributes, with errors and reports that know line and column.
//
// Every element goes through `expect` once, which says what may stand in it and notes the rest.
// `who` starts each message: joint "j4".
#pragma once

#include <array>
#include <initializer_list>
#include <jounce/group/se3.hpp>
#include <jounce/io.hpp>
#include <optional>
#include <pugixml.hpp>
#include <span>
#include <string>

#include "io/diagnostics.hpp"
#include "io/xml_scan.hpp"

namespace jounce::io {

class XmlReader {
 public:
  using Names = std::initializer_list<std::string_view>;

  /// Scans and parses the text.
  explicit XmlReader(Diagnostics& diagnostics);

  const SourceText& source() const { return source_; }
  Diagnostics& diagnostics() const { return diagnostics_; }
  pugi::xml_node root() const { return document_.document_element(); }
  bool has_xacro() const { return has_xacro_; }  ///< in a tag or an attribute, anywhere
  /// Where the "<" of an element stands in the text.
  std::size_t offset(pugi::xml_node node) const;
  [[noreturn]] void fail(pugi::xml_node node, const std::string& message) const;
  /// At the value of the attribute.
  [[noreturn]] void fail(pugi::xml_node node, const char* attribute,
                         const std::string& message) const;

  /// Fails where an attribute is repeated; notes attributes, elements and text not named here.
  void expect(pugi::xml_node node, const std::string& who, Names attributes, Names children = {});
  /// Notes an element or attribute that is skipped: as not applied, unused or unknown.
  void ignore(pugi::xml_node node, const std::string& who);
  void ignore(pugi::xml_node node, const char* attribute, const std::string& who);
  /// Notes an element of which dynamics has no use here.
  void leave(pugi::xml_node node, const std::string& who, FindingKind kind = FindingKind::unused);
  void warn(FindingKind kind, pugi::xml_node node, const std::string& message) const {
    diagnostics_.add(kind, offset(node), message);
  }

  /// The first child of that name, or none; warns where there are several.
  pugi::xml_node child(pugi::xml_node node, const char* name, const std::string& who) const;
  pugi::xml_node needed_child(pugi::xml_node node, const char* name, const std::string& who) const;

  /// A text that is not empty.
  std::string name(pugi::xml_node node, const char* attribute, const std::string& who) const;
  double number(pugi::xml_node node, const char* attribute, const std::string& who) const;
  /// "true" or "false"; nothing where the attribute is absent.
  std::optional<bool> flag(pugi::xml_node node, const char* attribute,
                           const std::string& who) const;
  /// Where the attribute is absent, or no number (a fault), what is given.
  double number_or(pugi::xml_node node, const char* attribute, double otherwise,
                   const std::string& who) const;
  Vec3<double> vec3(pugi::xml_node node, const char* attribute, const std::string& who) const;
  /// As many numbers as there are values.
  void numbers(pugi::xml_node node, const char* attribute, std::span<double> values,
               const std::string& who) const;
  /// The <origin> in a node: identity where there is none.
  SE3<double> origin(pugi::xml_node node, const std::string& who);
  /// The attributes xyz and rpy of a node.
  SE3<double> placement(pugi::xml_node node, const std::string& who) const;

 private:
  AttributePlace place(pugi::xml_node node, pugi::xml_attribute attribute) const;
  [[noreturn]] void refuse_number(pugi::xml_node node, pugi::xml_attribute attribute,
                                  std::string_view token, const std::string& who) const;
  void check_attributes(pugi::xml_node node, const std::string& who, Names known);
  void check_children(pugi::xml_node node, const std::string& who, Names known);

  Diagnostics& diagnostics_;
  const SourceText& source_;
  pugi::xml_document document_;
  bool has_xacro_ = false;
};

/// Roll about x, pitch about y, yaw about z, in fixed axes.
SO3<double> rotation_from_rpy(const Vec3<double>& rpy);

}  // namespace jounce::io

// SPDX-License-Identifier: BSD-3-Clause
// Typed access to XML elements and attributes, with errors and reports that know line and column.
//
// Every element goes through `expect` once, which says what may stand in it and reports the rest.
// `who` starts each message: joint "j4".
#pragma once

#include <array>
#include <initializer_list>
#include <jounce/group/se3.hpp>
#include <jounce/io.hpp>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "io/source_text.hpp"
#include "io/xml_scan.hpp"

namespace jounce::io {

class XmlReader {
 public:
  using Names = std::initializer_list<std::string_view>;

  /// Scans and parses the text.
  explicit XmlReader(const SourceText& source);

  const SourceText& source() const { return source_; }
  pugi::xml_node root() const { return document_.document_element(); }
  /// Where the "<" of an element stands in the text.
  std::size_t offset(pugi::xml_node node) const;
  [[noreturn]] void fail(pugi::xml_node node, const std::string& message) const;
  /// At the value of the attribute.
  [[noreturn]] void fail(pugi::xml_node node, const char* attribute,
                         const std::string& message) const;

  /// Fails where an attribute is repeated; reports attributes, elements and text not named here.
  void expect(pugi::xml_node node, const std::string& who, Names attributes, Names children = {});
  void ignore(pugi::xml_node node, const std::string& who);
  void ignore(pugi::xml_node node, const char* attribute, const std::string& who);
  std::vector<Ignored> take_ignored();

  /// The only child of that name, or none.
  pugi::xml_node child(pugi::xml_node node, const char* name, const std::string& who) const;
  pugi::xml_node needed_child(pugi::xml_node node, const char* name, const std::string& who) const;

  /// A text that is not empty.
  std::string name(pugi::xml_node node, const char* attribute, const std::string& who) const;
  double number(pugi::xml_node node, const char* attribute, const std::string& who) const;
  double number_or(pugi::xml_node node, const char* attribute, double otherwise,
                   const std::string& who) const;
  Vec3<double> vec3(pugi::xml_node node, const char* attribute, const std::string& who) const;
  std::vector<double> numbers(pugi::xml_node node, const char* attribute, std::size_t count,
                              const std::string& who) const;
  /// The <origin> in a node: identity where there is none.
  SE3<double> origin(pugi::xml_node node, const std::string& who);

 private:
  AttributePlace place(pugi::xml_node node, pugi::xml_attribute attribute) const;
  void check_attributes(pugi::xml_node node, const std::string& who, Names known);
  void check_children(pugi::xml_node node, const std::string& who, Names known);
  void report(std::size_t offset, std::string what);

  const SourceText& source_;
  pugi::xml_document document_;
  std::vector<Ignored> ignored_;
};

/// Roll about x, pitch about y, yaw about z, in fixed axes.
SO3<double> rotation_from_rpy(const Vec3<double>& rpy);

}  // namespace jounce::io

// SPDX-License-Identifier: BSD-3-Clause
// A strict linear look at an XML text before a parser builds anything from it.
#pragma once

#include "io/source_text.hpp"

namespace jounce::io {

inline constexpr std::string_view xml_blanks = " \t\r\n";
constexpr bool is_xml_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Fails where tags are not closed, not nested or nested deeper than SourceText::depth_limit, where
/// an attribute is malformed, where there is a DOCTYPE or an entity other than the five of XML, and
/// where there is not exactly one root element. Uses constant memory and time linear in the text.
/// Whether a tag or an attribute belongs to xacro (xacro:macro, xmlns:xacro).
bool scan_xml(const SourceText& source);

/// Where an attribute stands in the text.
struct AttributePlace {
  std::size_t name = 0, value = 0;
  std::size_t value_length = 0;
};

/// The place of the index-th attribute of the element whose name starts at `element`; the text must
/// have passed scan_xml.
AttributePlace attribute_place(const SourceText& source, std::size_t element, int index);

}  // namespace jounce::io

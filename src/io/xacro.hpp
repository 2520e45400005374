// SPDX-License-Identifier: BSD-3-Clause
// xacro, the macro language that URDF is often written in: recognised, and expanded by its own
// tool.
#pragma once

#include <string>

#include "io/xml_reader.hpp"

namespace jounce::io {

/// The place of what makes a text a source of URDF and not URDF, or `none`: elements of xacro that
/// include or choose, and any at all where there is no <link> or the file is *.xacro.
struct XacroMark {
  static constexpr std::size_t none = std::size_t(-1);
  std::size_t offset = none;
  explicit operator bool() const { return offset != none; }
};
XacroMark xacro_mark(const XmlReader& xml);

/// "is xacro, ...: run xacro robot.urdf.xacro > robot.urdf, ...".
std::string xacro_advice(const std::string& origin);

/// What the program `xacro`, found in PATH and run without a shell, makes of a file. InputError
/// where it cannot be run, fails or writes more than a text may have.
std::string run_xacro(const std::string& path);

}  // namespace jounce::io

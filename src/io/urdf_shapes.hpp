// SPDX-License-Identifier: BSD-3-Clause
// The <visual> and <collision> elements of URDF.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/xml_reader.hpp"

namespace jounce::io {

/// Reads shapes; materials may be defined anywhere in the file and used by name.
class UrdfShapes {
 public:
  UrdfShapes(XmlReader& xml, const ReadOptions& options);

  Shape visual(pugi::xml_node node, const std::string& who);
  Shape collision(pugi::xml_node node, const std::string& who);

 private:
  void collect_materials();
  void define_material(pugi::xml_node material, const std::string& who);
  Shape shape(pugi::xml_node node, const std::string& who);
  void read_solid(pugi::xml_node solid, Shape& result, const std::string& who);
  Mesh mesh(pugi::xml_node node, const std::string& who);
  double size(pugi::xml_node node, const char* attribute, const std::string& who) const;

  XmlReader& xml_;
  const ReadOptions& options_;
  std::map<std::string, std::vector<double>> colours_;
};

}  // namespace jounce::io

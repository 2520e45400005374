// SPDX-License-Identifier: BSD-3-Clause
// The <visual> and <collision> elements of URDF.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/mesh_path.hpp"
#include "io/xml_reader.hpp"

namespace jounce::io {

/// Reads shapes; materials may be defined anywhere in the file and used by name.
class UrdfShapes {
 public:
  UrdfShapes(XmlReader& xml, const ReadOptions& options)
      : xml_(xml), meshes_(xml.diagnostics(), options) {}

  /// Once, before any shape.
  void collect_materials();
  /// The <visual> and <collision> elements of a link; one that is none is left out with a warning.
  void read(pugi::xml_node node, LinkDescription& link, const std::string& who);

 private:
  Shape visual(pugi::xml_node node, const std::string& who);
  Shape collision(pugi::xml_node node, const std::string& who);
  std::vector<double> rgba(pugi::xml_node node, const std::string& who) const;
  std::vector<double> colour(pugi::xml_node node, const std::string& who);
  std::optional<std::vector<double>> colour_of(pugi::xml_node material, const std::string& who);
  Shape shape(pugi::xml_node node, const std::string& who);
  void read_solid(pugi::xml_node solid, Shape& result, const std::string& who);
  Mesh mesh(pugi::xml_node node, const std::string& who);
  Vec3<double> scale(pugi::xml_node node, const std::string& who);
  double size(pugi::xml_node node, const char* attribute, const std::string& who) const;

  XmlReader& xml_;
  MeshFinder meshes_;
  std::map<std::string, std::vector<double>> colours_;  ///< of the materials of the file
  std::map<std::string, pugi::xml_node> used_colours_;  ///< of the first visual that gives one
};

}  // namespace jounce::io

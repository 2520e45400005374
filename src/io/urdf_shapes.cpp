// SPDX-License-Identifier: BSD-3-Clause
// Shapes and colours of URDF: box, cylinder, sphere, capsule, mesh, material.
#include "io/urdf_shapes.hpp"

#include "io/mesh_path.hpp"
#include "io/number_text.hpp"

namespace jounce::io {

UrdfShapes::UrdfShapes(XmlReader& xml, const ReadOptions& options) : xml_(xml), options_(options) {
  collect_materials();
}

void UrdfShapes::collect_materials() {
  for (const pugi::xml_node material : xml_.root().children("material")) {
    const std::string who = "material " + in_quotes(xml_.name(material, "name", ""));
    xml_.expect(material, who, {"name"}, {"color"});
    define_material(material, who);
  }
  for (const pugi::xml_node link : xml_.root().children("link"))
    for (const pugi::xml_node visual : link.children("visual"))
      for (const pugi::xml_node material : visual.children("material"))
        define_material(material, "link " + in_quotes(link.attribute("name").value()));
}

void UrdfShapes::define_material(pugi::xml_node material, const std::string& who) {
  const pugi::xml_node colour = xml_.child(material, "color", who);
  if (colour)
    colours_.try_emplace(material.attribute("name").value(), xml_.numbers(colour, "rgba", 4, who));
}

Shape UrdfShapes::visual(pugi::xml_node node, const std::string& who) {
  xml_.expect(node, who, {"name"}, {"origin", "geometry", "material"});
  Shape result = shape(node, who);
  const pugi::xml_node material = xml_.child(node, "material", who);
  if (!material) return result;
  xml_.expect(material, who, {"name"}, {"color"});
  if (const pugi::xml_node colour = xml_.child(material, "color", who)) {
    xml_.expect(colour, who, {"rgba"});
    result.colour = xml_.numbers(colour, "rgba", 4, who);
  } else if (const auto known = colours_.find(material.attribute("name").value());
             known != colours_.end()) {
    result.colour = known->second;
  } else {
    xml_.ignore(material, who);  // without a colour it says nothing
  }
  return result;
}

Shape UrdfShapes::collision(pugi::xml_node node, const std::string& who) {
  xml_.expect(node, who, {"name"}, {"origin", "geometry"});
  return shape(node, who);
}

Shape UrdfShapes::shape(pugi::xml_node node, const std::string& who) {
  Shape result;
  result.name = node.attribute("name").value();
  result.placement = xml_.origin(node, who);
  const pugi::xml_node geometry = xml_.needed_child(node, "geometry", who);
  xml_.expect(geometry, who, {}, {"box", "cylinder", "sphere", "capsule", "mesh"});
  pugi::xml_node solid;
  for (const pugi::xml_node child : geometry.children()) {
    const std::string_view kind = child.name();
    if (kind != "box" && kind != "cylinder" && kind != "sphere" && kind != "capsule" &&
        kind != "mesh")
      continue;
    if (solid) xml_.fail(child, who + ": <geometry> has two shapes");
    solid = child;
  }
  if (!solid)
    xml_.fail(geometry,
              who + ": <geometry> needs <box>, <cylinder>, <sphere>, <capsule> or <mesh>");
  read_solid(solid, result, who);
  return result;
}

void UrdfShapes::read_solid(pugi::xml_node solid, Shape& result, const std::string& who) {
  const std::string_view kind = solid.name();
  if (kind == "mesh") {
    result.geometry = mesh(solid, who);
  } else if (kind == "box") {
    xml_.expect(solid, who, {"size"});
    const Vec3<double> edges = xml_.vec3(solid, "size", who);
    if (edges.x < 0 || edges.y < 0 || edges.z < 0)
      xml_.fail(solid, "size",
                who + ": size " + triple_text(edges.x, edges.y, edges.z) + " of <box> is negative");
    result.geometry = Box{edges};
  } else if (kind == "sphere") {
    xml_.expect(solid, who, {"radius"});
    result.geometry = Sphere{size(solid, "radius", who)};
  } else {
    xml_.expect(solid, who, {"radius", "length"});
    const double radius = size(solid, "radius", who), length = size(solid, "length", who);
    if (kind == "cylinder") result.geometry = Cylinder{radius, length};
    else result.geometry = Capsule{radius, length};
  }
}

Mesh UrdfShapes::mesh(pugi::xml_node node, const std::string& who) {
  xml_.expect(node, who, {"filename", "scale"});
  Mesh result;
  result.file = find_mesh(xml_.name(node, "filename", who), xml_.source().origin(), options_);
  if (node.attribute("scale")) result.scale = xml_.vec3(node, "scale", who);
  return result;
}

double UrdfShapes::size(pugi::xml_node node, const char* attribute, const std::string& who) const {
  const double value = xml_.number(node, attribute, who);
  if (value < 0)
    xml_.fail(node, attribute,
              who + ": " + attribute + " " + number_text(value) + " of <" + node.name() +
                  "> is negative");
  return value;
}

}  // namespace jounce::io

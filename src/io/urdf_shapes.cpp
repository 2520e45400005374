// SPDX-License-Identifier: BSD-3-Clause
// Shapes and colours of URDF: box, cylinder, sphere, capsule, mesh, material.
#include "io/urdf_shapes.hpp"

#include "io/number_text.hpp"
#include "numbers.hpp"

namespace jounce::io {

void UrdfShapes::collect_materials() {
  for (const pugi::xml_node material : xml_.root().children("material"))
    xml_.diagnostics().attempt(
        [&] {
          const std::string who = "material " + in_quotes(xml_.name(material, "name", ""));
          xml_.expect(material, who, {"name"}, {"color", "texture"});
          if (const pugi::xml_node node = xml_.child(material, "color", who))
            colours_.try_emplace(material.attribute("name").value(), colour(node, who));
        },
        FindingKind::shape);
  for (const pugi::xml_node link : xml_.root().children("link"))
    for (const pugi::xml_node visual : link.children("visual"))
      for (const pugi::xml_node material : visual.children("material"))
        if (const pugi::xml_node node = material.child("color"))
          if (node.attribute("rgba"))
            used_colours_.try_emplace(material.attribute("name").value(), node);
}

std::vector<double> UrdfShapes::rgba(pugi::xml_node node, const std::string& who) const {
  std::vector<double> values(4);
  xml_.numbers(node, "rgba", values, who);
  return values;
}

std::vector<double> UrdfShapes::colour(pugi::xml_node node, const std::string& who) {
  xml_.expect(node, who, {"rgba"});
  return rgba(node, who);
}

/// The colour of a material: its own, that of the file, or that of another visual.
std::optional<std::vector<double>> UrdfShapes::colour_of(pugi::xml_node material,
                                                         const std::string& who) {
  xml_.expect(material, who, {"name"}, {"color", "texture"});
  const std::string name = material.attribute("name").value();
  if (const pugi::xml_node own = xml_.child(material, "color", who)) return colour(own, who);
  if (const auto known = colours_.find(name); known != colours_.end()) return known->second;
  if (const auto used = used_colours_.find(name); used != used_colours_.end())
    return rgba(used->second, who);
  xml_.leave(material, who);  // without a colour it says nothing
  return std::nullopt;
}

void UrdfShapes::read(pugi::xml_node node, LinkDescription& link, const std::string& who) {
  for (const pugi::xml_node one : node.children("visual"))
    xml_.diagnostics().attempt([&] { link.visual.push_back(visual(one, who)); }, FindingKind::shape,
                               ": left out");
  for (const pugi::xml_node one : node.children("collision"))
    xml_.diagnostics().attempt([&] { link.collision.push_back(collision(one, who)); },
                               FindingKind::shape, ": left out");
}

Shape UrdfShapes::visual(pugi::xml_node node, const std::string& who) {
  xml_.expect(node, who, {"name"}, {"origin", "geometry", "material"});
  Shape result = shape(node, who);
  const pugi::xml_node material = xml_.child(node, "material", who);
  if (!material) return result;
  xml_.diagnostics().attempt([&] { result.colour = colour_of(material, who); }, FindingKind::shape,
                             ": no colour");
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
    if (solid)
      xml_.warn(FindingKind::shape, child, who + ": <geometry> has two shapes: the first is used");
    else solid = child;
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
      xml_.fail(solid, "size", who + ": size " + short_text(edges) + " of <box> is negative");
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
  result.file = meshes_.find(xml_.name(node, "filename", who), xml_.offset(node));
  if (node.attribute("scale")) result.scale = scale(node, who);
  return result;
}

/// Three factors, or one for all three.
Vec3<double> UrdfShapes::scale(pugi::xml_node node, const std::string& who) {
  const std::string_view text = node.attribute("scale").value();
  const NumberText one = parse_number(text);
  if (one.fault != NumberFault::none) return xml_.vec3(node, "scale", who);
  xml_.warn(FindingKind::shape, node,
            who + ": scale " + in_quotes(text) + " of <mesh> is one number: used for all three");
  return {one.value, one.value, one.value};
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

// SPDX-License-Identifier: BSD-3-Clause
// Reads box, cylinder, sphere, capsule and mesh of the JSON format.
#include "io/json_shapes.hpp"

#include "io/number_text.hpp"
#include "numbers.hpp"

namespace jounce::io {
namespace {

double size(JsonObject& object, std::string_view key) {
  const double value = object.number(key);
  if (value < 0)
    object.fail(object.need(key).offset,
                std::string(key) + " " + number_text(value) + " is negative");
  return value;
}

Box read_box(JsonObject& shape) {
  const Vec3<double> edges = shape.vec3_or("box", {});
  if (edges.x < 0 || edges.y < 0 || edges.z < 0)
    shape.fail(shape.need("box").offset, "size " + short_text(edges) + " is negative");
  return {edges};
}

Mesh read_mesh(JsonObject& object, MeshFinder& meshes) {
  const std::string file = object.name("file");
  return {meshes.find(file, object.need("file").offset), object.vec3_or("scale", {1, 1, 1})};
}

/// The one kind of solid that the shape names.
std::string_view solid_kind(JsonObject& shape) {
  std::string_view found;
  for (const std::string_view kind : {"box", "cylinder", "sphere", "capsule", "mesh"}) {
    if (shape.find(kind) == nullptr) continue;
    if (!found.empty()) shape.fail(shape.need(kind).offset, "has two kinds of solid");
    found = kind;
  }
  if (found.empty())
    shape.fail(shape.offset(),
               "needs one of \"box\", \"cylinder\", \"sphere\", \"capsule\", "
               "\"mesh\"");
  return found;
}

}  // namespace

Shape read_shape(JsonContext& context, const JsonValue& value, const std::string& who,
                 MeshFinder& meshes) {
  JsonObject object(context, value, who);
  Shape shape;
  shape.name = object.text_or("name", "");
  shape.placement = object.placement("placement");
  if (object.find("colour") != nullptr) shape.colour = object.numbers("colour", 4);
  const std::string_view kind = solid_kind(object);
  if (kind == "box") {
    shape.geometry = read_box(object);
    object.finish();
    return shape;
  }
  JsonObject solid(context, object.need(kind), who + ": " + std::string(kind));
  if (kind == "mesh") shape.geometry = read_mesh(solid, meshes);
  else if (kind == "sphere") shape.geometry = Sphere{size(solid, "radius")};
  else if (kind == "cylinder")
    shape.geometry = Cylinder{size(solid, "radius"), size(solid, "length")};
  else shape.geometry = Capsule{size(solid, "radius"), size(solid, "length")};
  solid.finish();
  object.finish();
  return shape;
}

}  // namespace jounce::io

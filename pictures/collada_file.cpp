// SPDX-License-Identifier: BSD-3-Clause
// Geometries are triangles, polylist or polygons over a source of positions; nodes of the scene
// place them. COLLADA 1.4.1, https://www.khronos.org/files/collada_spec_1_4.pdf
#include "pictures/collada_file.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <pugixml.hpp>
#include <stdexcept>

#include "pictures/word_reader.hpp"

namespace jounce::pictures {
namespace {

using Node = pugi::xml_node;
using Point = Vec3<double>;

constexpr int deepest = 64;                // nodes in nodes
constexpr int most_nodes = 100'000;        // that are gone through
constexpr size_t most_parts = 12'000'000;  // corners and faces of all copies that the scene places

struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string described(const Node& node) {
  const std::string id = node.attribute("id").as_string();
  return std::string("<") + node.name() + ">" + (id.empty() ? "" : " \"" + id + "\"");
}

/// A linear map and a shift: matrices of a scene may scale.
struct Placement {
  double A[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Point p{};

  Point operator*(const Point& x) const {
    return Point{A[0][0] * x.x + A[0][1] * x.y + A[0][2] * x.z,
                 A[1][0] * x.x + A[1][1] * x.y + A[1][2] * x.z,
                 A[2][0] * x.x + A[2][1] * x.y + A[2][2] * x.z} +
           p;
  }
  Placement operator*(const Placement& other) const {
    Placement product;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        product.A[i][j] = 0;
        for (int k = 0; k < 3; ++k) product.A[i][j] += A[i][k] * other.A[k][j];
      }
    product.p = *this * other.p;
    return product;
  }
};

/// The numbers of an element that must have so many.
std::vector<double> numbers_of(const Node& node, size_t count) {
  const std::string_view text = node.text().get();
  Words words(text);
  std::vector<double> numbers(std::min(count, text.size()));
  for (double& x : numbers) x = words.number();
  const bool finite =
      std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
  if (!finite || !words.done() || numbers.size() != count)
    throw Fault(described(node) + " needs " + std::to_string(count) + " finite numbers");
  return numbers;
}

/// exp of an angle about an axis, by Rodrigues' formula.
Placement turned(const Point& axis, double angle) {
  const double length = norm(axis);
  if (!(length > 0)) return {};
  const double n[3] = {axis.x / length, axis.y / length, axis.z / length};
  const double c = std::cos(angle), s = std::sin(angle);
  const double cross[3][3] = {{0, -n[2], n[1]}, {n[2], 0, -n[0]}, {-n[1], n[0], 0}};
  Placement turn;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      turn.A[i][j] = (i == j ? c : 0) + (1 - c) * n[i] * n[j] + s * cross[i][j];
  return turn;
}

/// matrix, translate, rotate or scale; nothing of other elements.
std::optional<Placement> step_of(const Node& node) {
  const std::string name = node.name();
  Placement step;
  if (name == "matrix") {
    const std::vector<double> m = numbers_of(node, 16);
    for (size_t i = 0; i < 3; ++i)
      for (size_t j = 0; j < 3; ++j) step.A[i][j] = m[4 * i + j];
    step.p = {m[3], m[7], m[11]};
  } else if (name == "translate") {
    const std::vector<double> x = numbers_of(node, 3);
    step.p = {x[0], x[1], x[2]};
  } else if (name == "rotate") {
    const std::vector<double> x = numbers_of(node, 4);
    step = turned({x[0], x[1], x[2]}, x[3] * std::numbers::pi / 180);
  } else if (name == "scale") {
    const std::vector<double> x = numbers_of(node, 3);
    for (size_t i = 0; i < 3; ++i) step.A[i][i] = x[i];
  } else return std::nullopt;
  return step;
}

class ColladaScene {
 public:
  explicit ColladaScene(const Node& root) {
    const auto list = [&](const char* library, const char* kind) {
      for (const Node group : root.children(library))
        for (const Node one : group.children(kind))
          by_id_.try_emplace(one.attribute("id").as_string(), one);
    };
    list("library_geometries", "geometry");
    list("library_nodes", "node");
    list("library_visual_scenes", "visual_scene");
    const Node scene = root.child("scene").child("instance_visual_scene");
    if (scene)
      for (const Node node : found(scene).children("node")) add_node(node, {}, 0);
    else
      for (const Node group : root.children("library_geometries"))  // nothing places them
        for (const Node one : group.children("geometry")) add_geometry(one, {});
  }

  Triangles mesh;

 private:
  Node found(const Node& instance) const {
    const std::string url = instance.attribute("url").as_string();
    const auto at = by_id_.find(url.starts_with('#') ? url.substr(1) : url);
    if (at == by_id_.end())
      throw Fault(described(instance) + ": there is no \"" + url + "\" in the file");
    return at->second;
  }

  void add_node(const Node& node, Placement at, int depth) {
    if (depth > deepest)
      throw Fault("nodes are nested more than " + std::to_string(deepest) + " deep");
    if (++nodes_ > most_nodes)
      throw Fault("has more than " + std::to_string(most_nodes) + " nodes");
    for (const Node child : node.children())
      if (const auto step = step_of(child)) at = at * *step;
    for (const Node child : node.children("instance_geometry")) add_geometry(found(child), at);
    for (const Node child : node.children("instance_node")) add_node(found(child), at, depth + 1);
    for (const Node child : node.children("node")) add_node(child, at, depth + 1);
  }

  void add_geometry(const Node& geometry, const Placement& at);
  void add_faces(const Node& geometry, const Node& group, int first, int count);

  std::map<std::string, Node> by_id_;
  int nodes_ = 0;
};

/// The element of a mesh with this id, "#positions".
Node within(const Node& mesh, const Node& input) {
  const std::string url = input.attribute("source").as_string();
  const Node found =
      mesh.find_child_by_attribute("id", url.starts_with('#') ? url.c_str() + 1 : "");
  if (!found) throw Fault("<input>: there is no \"" + url + "\" in its mesh");
  return found;
}

Node input_of(const Node& group, const char* semantic) {
  return group.find_child_by_attribute("input", "semantic", semantic);
}

void ColladaScene::add_geometry(const Node& geometry, const Placement& at) {
  const Node mesh_node = geometry.child("mesh");
  if (!mesh_node) return;  // a spline or a hull
  const Node vertices = mesh_node.child("vertices"), position = input_of(vertices, "POSITION");
  if (!position) throw Fault(described(geometry) + " has no POSITION");
  const Node source = within(mesh_node, position), floats = source.child("float_array");
  const Node accessor = source.child("technique_common").child("accessor");
  const auto stride = accessor.attribute("stride").as_uint(3);
  const auto count = floats.attribute("count").as_uint();
  if (stride < 3 || count % stride != 0)
    throw Fault(described(source) + ": " + std::to_string(count) + " numbers in strides of " +
                std::to_string(stride));
  if (mesh.corners.size() + count / stride > most_parts)
    throw Fault("has more than " + std::to_string(most_parts) + " corners");
  const auto first = int(mesh.corners.size());
  const std::vector<double> numbers = numbers_of(floats, count);
  for (size_t k = 0; k < numbers.size(); k += stride)
    mesh.corners.push_back(at * Point{numbers[k], numbers[k + 1], numbers[k + 2]});
  for (const Node group : mesh_node.children()) {
    const std::string name = group.name();
    if (name == "triangles" || name == "polylist" || name == "polygons")
      add_faces(geometry, group, first, int(mesh.corners.size()) - first);
  }
}

/// How many corners the faces of a group have, one after the other.
class FaceSizes {
 public:
  explicit FaceSizes(const Node& group)
      : group_(group), words_(group.child("vcount").text().get()) {}

  size_t next() {
    if (std::string_view(group_.name()) == "triangles") return 3;
    if (!group_.child("vcount")) return size_t(-1);  // <polygons>: each <p> is one
    const double size = words_.number();
    if (!(size >= 3 && size <= 1e6))
      throw Fault("<vcount> of " + described(group_) + " needs 3 or more for every face");
    return size_t(size);
  }

 private:
  Node group_;
  Words words_;
};

/// <p> has a number for every input of every corner.
void ColladaScene::add_faces(const Node& geometry, const Node& group, int first, int count) {
  const std::string who = described(group) + " of " + described(geometry);
  const Node vertex = input_of(group, "VERTEX");
  if (!vertex) throw Fault(who + " has no VERTEX");
  size_t inputs = 1;
  for (const Node input : group.children("input"))
    inputs = std::max(inputs, size_t(input.attribute("offset").as_uint()) + 1);
  if (inputs > 64) throw Fault(who + " has " + std::to_string(inputs) + " inputs");
  const auto offset = size_t(vertex.attribute("offset").as_uint());
  FaceSizes sizes(group);
  for (const Node p : group.children("p")) {
    Words words(p.text().get());
    std::vector<int> face;
    for (size_t size = 0; !words.done();) {
      if (face.empty()) size = sizes.next();
      double corner = -1;
      for (size_t k = 0; k < inputs; ++k)
        if (const double x = words.number(); k == offset) corner = x;
      if (!(corner >= 0 && corner < count))
        throw Fault(who + " names a corner that is none of its " + std::to_string(count));
      face.push_back(first + int(corner));
      if (face.size() >= 3) mesh.faces.push_back({face[0], face[face.size() - 2], face.back()});
      if (face.size() >= size) face.clear();
    }
    if (mesh.faces.size() > most_parts)
      throw Fault("has more than " + std::to_string(most_parts) + " faces");
  }
}

}  // namespace

Triangles collada(std::string_view text) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  Triangles none;
  if (!parsed) {
    none.fault = std::string("is no XML: ") + parsed.description();
    return none;
  }
  const Node root = document.child("COLLADA");
  try {
    ColladaScene scene(root);
    const double unit = root.child("asset").child("unit").attribute("meter").as_double(1);
    if (!(unit > 0 && std::isfinite(unit))) throw Fault("<unit> needs a length in m");
    for (Point& p : scene.mesh.corners) p = p * unit;
    if (scene.mesh.faces.empty()) scene.mesh.fault = "has no triangles";
    return std::move(scene.mesh);
  } catch (const Fault& fault) {
    none.fault = fault.what();
    return none;
  }
}

}  // namespace jounce::pictures

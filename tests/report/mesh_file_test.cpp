// SPDX-License-Identifier: BSD-3-Clause
// Triangles of mesh files, and fewer of them.
#include "pictures/mesh_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace jounce::pictures {
namespace {

double area(const Triangles& mesh) {
  double sum = 0;
  for (const auto& face : mesh.faces) {
    const auto corner = [&](size_t k) { return mesh.corners[size_t(face[k])]; };
    sum += norm(cross(corner(1) - corner(0), corner(2) - corner(0))) / 2;
  }
  return sum;
}

/// A sphere of radius 1 with about 2 n^2 faces.
Triangles sphere(int n) {
  Triangles mesh;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const double a = M_PI * i / n, b = 2 * M_PI * j / n;
      mesh.corners.push_back({std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)});
      const int k = (n + 1) * i + j;
      if (i == n || j == n) continue;
      mesh.faces.push_back({k, k + 1, k + n + 1});
      mesh.faces.push_back({k + 1, k + n + 2, k + n + 1});
    }
  return mesh;
}

std::string binary_stl(const Triangles& mesh) {
  std::string bytes(80, 'x');
  const auto put = [&](auto x) { bytes.append(reinterpret_cast<const char*>(&x), sizeof x); };
  put(std::uint32_t(mesh.faces.size()));
  for (const auto& face : mesh.faces) {
    for (int k = 0; k < 3; ++k) put(0.0f);
    for (const int c : face)
      for (const double x :
           {mesh.corners[size_t(c)].x, mesh.corners[size_t(c)].y, mesh.corners[size_t(c)].z})
        put(float(x));
    put(std::uint16_t(0));
  }
  return bytes;
}

TEST(MeshFile, KindsByContent) {
  const Triangles ball = sphere(20), again = read_triangles(binary_stl(ball));
  EXPECT_EQ(again.faces.size(), ball.faces.size());
  EXPECT_NEAR(area(again), area(ball), 1e-5);  // floats
  const Triangles text = read_triangles(
      "solid one\n facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 2 0 0\n"
      " vertex 0 1.5e0 0\n endloop\n endfacet\nendsolid\n");
  ASSERT_EQ(text.faces.size(), 1u);
  EXPECT_DOUBLE_EQ(area(text), 1.5);
  const Triangles square = read_triangles(
      "# a comment\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1/1/1 2/2/1 3//1 -1\n");
  EXPECT_EQ(square.faces.size(), 2u);
  EXPECT_DOUBLE_EQ(area(square), 1);
}

/// A square of 1 x 2 as a mesh of COLLADA, its faces and what places it given.
std::string collada_of(const std::string& faces, const std::string& scene) {
  return "<?xml version='1.0'?><COLLADA><asset><unit meter='0.01'/><up_axis>Y_UP</up_axis></asset>"
         "<library_geometries><geometry id='g'><mesh><source id='s'><float_array count='12'>"
         "0 0 0  100 0 0\n100 200 0  0 2e2 0</float_array><technique_common><accessor stride='3'/>"
         "</technique_common></source><vertices id='v'><input semantic='POSITION' source='#s'/>"
         "</vertices>" +
         faces + "</mesh></geometry></library_geometries>" + scene + "</COLLADA>";
}
const std::string vertex = "<input semantic='VERTEX' source='#v' offset='0'/>";
const std::string normals = "<input semantic='NORMAL' source='#n' offset='1'/>";

TEST(MeshFile, ColladaInMetres) {
  const std::string faces[] = {
      "<triangles>" + vertex + normals + "<p>0 9 1 9 2 9 0 9 2 9 3 9</p></triangles>",
      "<polylist>" + vertex + "<vcount>4</vcount><p>0 1 2 3</p></polylist>",
      "<polygons>" + vertex + "<p>0 1 2 3</p></polygons>",
      "<polylist>" + vertex + "<vcount>3 3</vcount><p>0 1 2 0 2 3</p></polylist>"};
  for (const std::string& one : faces) {
    const Triangles mesh = read_triangles(collada_of(one, ""));
    EXPECT_EQ(mesh.fault, "") << one;
    ASSERT_EQ(mesh.faces.size(), 2u) << one;
    EXPECT_NEAR(area(mesh), 2, 1e-12) << one;
    EXPECT_NEAR(mesh.corners[2].y, 2, 1e-12) << one;  // up_axis turns nothing
  }
}

/// Twice, by a matrix that turns and scales by 3, and by a quarter turn of a node in a node.
TEST(MeshFile, ColladaWhereItsSceneHasIt) {
  const std::string square = "<polygons>" + vertex + "<p>0 1 2 3</p></polygons>";
  const std::string scene =
      "<library_nodes><node id='n'><rotate>0 0 2 90</rotate><instance_geometry url='#g'/></node>"
      "</library_nodes><library_visual_scenes><visual_scene id='w'>"
      "<node><matrix>0 -3 0 0  3 0 0 0  0 0 3 100  0 0 0 1</matrix><instance_geometry url='#g'/>"
      "</node><node><translate>10 0 -50</translate><node><instance_node url='#n'/></node></node>"
      "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#w'/></scene>";
  const Triangles mesh = read_triangles(collada_of(square, scene));
  EXPECT_EQ(mesh.fault, "");
  ASSERT_EQ(mesh.corners.size(), 8u);
  EXPECT_NEAR(area(mesh), 2 * 9 + 2, 1e-12);
  EXPECT_NEAR(norm(mesh.corners[2] - Vec3<double>{-6, 3, 1}), 0, 1e-12);
  EXPECT_NEAR(norm(mesh.corners[6] - Vec3<double>{-1.9, 1, -0.5}), 0, 1e-12);
}

TEST(MeshFile, ColladaThatIsDamagedSaysWhere) {
  const auto fault = [](const std::string& faces, const std::string& scene = "") {
    return read_triangles(collada_of(faces, scene)).fault;
  };
  EXPECT_EQ(fault(""), "has no triangles");
  EXPECT_EQ(fault("<triangles id='t'><p>0 1 2</p></triangles>"),
            "<triangles> \"t\" of <geometry> \"g\" has no VERTEX");
  EXPECT_EQ(fault("<triangles>" + vertex + "<p>0 1 4</p></triangles>"),
            "<triangles> of <geometry> \"g\" names a corner that is none of its 4");
  EXPECT_EQ(fault("<polylist>" + vertex + "<vcount>2</vcount><p>0 1 2</p></polylist>"),
            "<vcount> of <polylist> needs 3 or more for every face");
  EXPECT_EQ(fault("", "<scene><instance_visual_scene url='#x'/></scene>"),
            "<instance_visual_scene>: there is no \"#x\" in the file");
  const std::string around =
      "<library_visual_scenes><visual_scene id='w'><node id='a'><instance_node url='#a'/></node>"
      "</visual_scene></library_visual_scenes><library_nodes><node id='a'><instance_node url='#a'/>"
      "</node></library_nodes><scene><instance_visual_scene url='#w'/></scene>";
  EXPECT_EQ(fault("", around), "nodes are nested more than 64 deep");
  EXPECT_EQ(read_triangles("<COLLADA>").fault.substr(0, 11), "is no XML: ");
  EXPECT_EQ(read_triangles("<COLLADA><library_geometries><geometry id='h'><mesh><vertices/></mesh>"
                           "</geometry></library_geometries></COLLADA>")
                .fault,
            "<geometry> \"h\" has no POSITION");
}

TEST(MeshFile, WhatIsNoneHasNoFaces) {
  for (const char* bytes : {"", "solid", "hello", "f 1 2 3", "v 0 0 0\nv 1 0 0\nf 1 2 9",
                            "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3"})
    EXPECT_TRUE(read_triangles(bytes).faces.empty()) << bytes;
  const std::string whole = binary_stl(sphere(3));
  EXPECT_TRUE(read_triangles(whole.substr(0, whole.size() - 1)).faces.empty());
  EXPECT_EQ(load_triangles("/none.stl").fault, "cannot be read: No such file or directory");
  EXPECT_EQ(read_triangles("hello").fault,
            "has no triangle of STL, OBJ or COLLADA, or is cut short");
}

TEST(MeshFile, FewerFacesOfTheSameShape) {
  const Triangles ball = sphere(100), few = simplified(ball, 2000);
  EXPECT_EQ(ball.faces.size(), 20000u);
  EXPECT_LE(few.faces.size(), 2000u);
  EXPECT_GT(few.faces.size(), 500u);
  EXPECT_NEAR(area(few), area(ball), 0.05 * area(ball));
  EXPECT_EQ(simplified(sphere(5), 2000).faces.size(), sphere(5).faces.size());
}

}  // namespace
}  // namespace jounce::pictures

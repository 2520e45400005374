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

TEST(MeshFile, WhatIsNoneHasNoFaces) {
  for (const char* bytes : {"", "solid", "hello", "f 1 2 3", "v 0 0 0\nv 1 0 0\nf 1 2 9",
                            "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3"})
    EXPECT_TRUE(read_triangles(bytes).faces.empty()) << bytes;
  const std::string whole = binary_stl(sphere(3));
  EXPECT_TRUE(read_triangles(whole.substr(0, whole.size() - 1)).faces.empty());
  EXPECT_TRUE(load_triangles("/none.stl").faces.empty());
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

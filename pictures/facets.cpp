// SPDX-License-Identifier: BSD-3-Clause
#include "pictures/facets.hpp"

#include <cmath>
#include <numbers>

#include "pictures/mesh_file.hpp"

namespace jounce::pictures {
namespace {

using Point = Vec3<double>;
constexpr int sides = 16;  // of what is round

Facet facet(std::vector<Point> corners, const Point& normal) {
  return {std::move(corners), normal};
}

/// A point on the circle of this radius and height about z.
Point around(double radius, int k, double z) {
  const double angle = 2 * std::numbers::pi * k / sides;
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

std::vector<Facet> of(const Box& box) {
  const double size[3] = {box.size.x / 2, box.size.y / 2, box.size.z / 2};
  std::vector<Facet> all;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      std::vector<Point> corners;
      for (const auto& [a, b] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
        double x[3];
        x[axis] = side * size[axis];
        x[(axis + 1) % 3] = a * size[(axis + 1) % 3];
        x[(axis + 2) % 3] = b * size[(axis + 2) % 3];
        corners.push_back({x[0], x[1], x[2]});
      }
      double n[3] = {0, 0, 0};
      n[axis] = side;
      all.push_back(facet(std::move(corners), {n[0], n[1], n[2]}));
    }
  return all;
}

/// The side of a body of revolution between two circles.
void add_ring(std::vector<Facet>& all, double r0, double z0, double r1, double z1) {
  for (int k = 0; k < sides; ++k) {
    const double angle = std::numbers::pi * (2 * k + 1) / sides;
    const double length = std::hypot(z1 - z0, r1 - r0);
    const Point normal{(z1 - z0) / length * std::cos(angle), (z1 - z0) / length * std::sin(angle),
                       (r0 - r1) / length};
    all.push_back(
        facet({around(r0, k, z0), around(r0, k + 1, z0), around(r1, k + 1, z1), around(r1, k, z1)},
              normal));
  }
}

void add_cap(std::vector<Facet>& all, double radius, double z, double side) {
  std::vector<Point> corners;
  for (int k = 0; k < sides; ++k) corners.push_back(around(radius, k, z));
  all.push_back(facet(std::move(corners), {0, 0, side}));
}

std::vector<Facet> of(const Cylinder& x) {
  std::vector<Facet> all;
  add_ring(all, x.radius, -x.length / 2, x.radius, x.length / 2);
  add_cap(all, x.radius, -x.length / 2, -1);
  add_cap(all, x.radius, x.length / 2, 1);
  return all;
}

/// Half spheres with a cylinder between them.
std::vector<Facet> of(const Capsule& x) {
  constexpr int rings = 3;  // of a half sphere
  std::vector<Facet> all;
  if (x.length > 0) add_ring(all, x.radius, -x.length / 2, x.radius, x.length / 2);
  for (int k = 0; k < rings; ++k) {
    const double low = std::numbers::pi / 2 * k / rings,
                 high = std::numbers::pi / 2 * (k + 1) / rings;
    const double r0 = x.radius * std::cos(low), r1 = x.radius * std::cos(high);
    const double z0 = x.length / 2 + x.radius * std::sin(low);
    const double z1 = x.length / 2 + x.radius * std::sin(high);
    add_ring(all, r0, z0, r1, z1);
    add_ring(all, r1, -z1, r0, -z0);
  }
  return all;
}
std::vector<Facet> of(const Sphere& x) { return of(Capsule{x.radius, 0}); }
std::vector<Facet> of(const Mesh& x, std::string& fault) {
  const Triangles mesh = simplified(load_triangles(x.file), most_faces);
  if (!mesh.fault.empty()) fault = x.file + ": " + mesh.fault;
  std::vector<Facet> all;
  for (const std::array<int, 3>& face : mesh.faces) {
    std::vector<Point> corners;
    for (const int k : face) {
      const Point& p = mesh.corners[size_t(k)];
      corners.push_back({x.scale.x * p.x, x.scale.y * p.y, x.scale.z * p.z});
    }
    const Point across = cross(corners[1] - corners[0], corners[2] - corners[0]);
    const double area = norm(across);
    if (area > 0) all.push_back({std::move(corners), across * (1 / area), true});
  }
  return all;
}

}  // namespace

std::vector<Facet> facets_of(const Shape& shape, std::string& fault) {
  std::vector<Facet> all = std::visit(
      [&](const auto& x) {
        if constexpr (requires { of(x, fault); }) return of(x, fault);
        else return of(x);
      },
      shape.geometry);
  for (Facet& one : all) {
    for (Point& corner : one.corners) corner = shape.placement * corner;
    one.normal = shape.placement.R * one.normal;
  }
  return all;
}

}  // namespace jounce::pictures

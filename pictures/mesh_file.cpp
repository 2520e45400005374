// SPDX-License-Identifier: BSD-3-Clause
#include "pictures/mesh_file.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "pictures/collada_file.hpp"
#include "pictures/word_reader.hpp"

namespace jounce::pictures {
namespace {

using Point = Vec3<double>;

constexpr size_t stl_header = 84, stl_face = 50;  // bytes
static_assert(std::endian::native == std::endian::little, "as STL has its numbers");

template <class T>
T number_at(std::string_view bytes, size_t at) {
  T x;
  std::memcpy(&x, bytes.data() + at, sizeof x);
  return x;
}

/// Whether the count of faces in its head is that of its length.
bool is_binary_stl(std::string_view bytes) {
  if (bytes.size() < stl_header) return false;
  return bytes.size() >= stl_header + stl_face * size_t(number_at<std::uint32_t>(bytes, 80)) &&
         bytes.substr(0, 512).find("facet") == std::string_view::npos;
}

void add_face(Triangles& mesh, const Point (&corner)[3]) {
  const auto first = int(mesh.corners.size());
  for (const Point& p : corner) mesh.corners.push_back(p);
  mesh.faces.push_back({first, first + 1, first + 2});
}

Triangles binary_stl(std::string_view bytes) {
  Triangles mesh;
  const auto count = size_t(number_at<std::uint32_t>(bytes, 80));
  for (size_t k = 0; k < count; ++k) {
    Point corner[3];
    for (size_t c = 0; c < 3; ++c) {
      const size_t at = stl_header + stl_face * k + 12 * (c + 1);  // after the normal
      corner[c] = {number_at<float>(bytes, at), number_at<float>(bytes, at + 4),
                   number_at<float>(bytes, at + 8)};
    }
    add_face(mesh, corner);
  }
  return mesh;
}

Triangles text_stl(std::string_view text) {
  Triangles mesh;
  Words words(text);
  Point corner[3];
  int found = 0;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "facet") found = 0;
    if (word != "vertex") continue;
    corner[found++ % 3] = words.point();
    if (found == 3) add_face(mesh, corner);
  }
  return mesh;
}

/// A corner of a face, "7", "7/1" or "7//3", from 1 or from the end: its number, or -1.
int corner_of(std::string_view word, int count) {
  int x = 0;
  if (std::from_chars(word.data(), word.data() + word.size(), x).ec != std::errc()) return -1;
  const int k = x < 0 ? count + x : x - 1;
  return k >= 0 && k < count ? k : -1;
}

/// Corners "v x y z" and faces "f a b c ...", whose further corners make a fan.
Triangles wavefront(std::string_view text) {
  Triangles mesh;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    Words words(line);
    const std::string_view kind = words.next();
    if (kind == "v") mesh.corners.push_back(words.point());
    if (kind != "f") continue;
    const auto count = int(mesh.corners.size());
    const int first = corner_of(words.next(), count);
    int last = corner_of(words.next(), count);
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      const int next = corner_of(word, count);
      if (first >= 0 && last >= 0 && next >= 0) mesh.faces.push_back({first, last, next});
      last = next;
    }
  }
  return mesh;
}

bool is_finite(const Point& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

/// The box of all corners.
struct Bounds {
  Point low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};

  explicit Bounds(const std::vector<Point>& corners) {
    for (const Point& p : corners) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  }
};

/// Corners in cells of this size become the first of each; faces that lose a side go.
Triangles in_cells(const Triangles& mesh, const Point& low, double size) {
  std::map<std::array<long, 3>, int> cells;
  Triangles found;
  std::vector<int> place;
  for (const Point& p : mesh.corners) {
    const Point from = p - low;
    const std::array<long, 3> cell = {std::lround(from.x / size), std::lround(from.y / size),
                                      std::lround(from.z / size)};
    const auto [at, is_new] = cells.try_emplace(cell, int(found.corners.size()));
    if (is_new) found.corners.push_back(p);
    place.push_back(at->second);
  }
  std::set<std::array<int, 3>> seen;
  for (const std::array<int, 3>& face : mesh.faces) {
    std::array<int, 3> now;
    for (size_t c = 0; c < 3; ++c) now[c] = place[size_t(face[c])];
    if (now[0] == now[1] || now[1] == now[2] || now[2] == now[0]) continue;
    std::array<int, 3> sorted = now;
    std::sort(sorted.begin(), sorted.end());
    if (seen.insert(sorted).second) found.faces.push_back(now);
  }
  return found;
}

}  // namespace

Triangles read_triangles(std::string_view bytes) {
  if (bytes.substr(0, 4096).find("<COLLADA") != std::string_view::npos) return collada(bytes);
  const bool stl = is_binary_stl(bytes), text = !stl && bytes.starts_with("solid");
  Triangles mesh = stl ? binary_stl(bytes) : text ? text_stl(bytes) : wavefront(bytes);
  std::erase_if(mesh.faces, [&](const std::array<int, 3>& face) {
    return !std::all_of(face.begin(), face.end(),
                        [&](int k) { return is_finite(mesh.corners[size_t(k)]); });
  });
  for (Point& p : mesh.corners)
    if (!is_finite(p)) p = mesh.faces.empty() ? Point{} : mesh.corners[size_t(mesh.faces[0][0])];
  if (mesh.faces.empty())
    mesh.fault = stl || text ? "is STL without a triangle"
                             : "has no triangle of STL, OBJ or COLLADA, or is cut short";
  return mesh;
}

Triangles load_triangles(const std::string& path) {
  constexpr std::streamoff most = 64 << 20;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {{}, {}, std::string("cannot be read: ") + std::strerror(errno)};
  if (file.tellg() > most) return {{}, {}, "is larger than 64 MiB"};
  file.seekg(0);
  return read_triangles(std::string(std::istreambuf_iterator<char>(file), {}));
}

Triangles simplified(Triangles mesh, int most) {
  if (int(mesh.faces.size()) <= most) return mesh;
  const Bounds box(mesh.corners);
  const double length = norm(box.high - box.low);
  Triangles best;
  for (double cells = 96; cells >= 4; cells *= 0.75) {
    best = in_cells(mesh, box.low, length / cells);
    if (int(best.faces.size()) <= most) break;
  }
  return best;
}

}  // namespace jounce::pictures

// SPDX-License-Identifier: BSD-3-Clause
// Finds all poses of one random complex platform of every family, for src/stewart.
//
// Monodromy: one pose is known by construction (a random x, and the lengths that fit it). Moving
// the platform around random loops in its family permutes the poses; whatever the known ones turn
// into is a pose too. The number of poses stops growing when all are known.
//   stewart_start_systems FILE      writes the table
//   stewart_start_systems --check   finds the poses again and compares them with the table
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

#include "split_mix.hpp"
#include "stewart/kernels.hpp"
#include "stewart/start_system.hpp"
#include "stewart/tracker.hpp"

namespace jounce::stewart_detail {
namespace {

using Number = Complex<double>;

Number on_circle(SplitMix& random) {
  const double angle = 6.283185307179586 * random.uniform();
  return {std::cos(angle), std::sin(angle)};
}
Number number(SplitMix& random) {
  return on_circle(random) * std::sqrt(-2 * std::log(1 - random.uniform()));
}

struct Platform {
  Leg<Number> leg[legs];
};

void turn(Number (&x)[3], double angle) {
  const Number old[2] = {x[0], x[1]};
  x[0] = old[0] * std::cos(angle) - old[1] * std::sin(angle);
  x[1] = old[0] * std::sin(angle) + old[1] * std::cos(angle);
}

Platform random_platform(Family family, SplitMix& random) {
  Platform p;
  for (Leg<Number>& leg : p.leg) {
    for (Number& x : leg.a) x = number(random);
    for (Number& x : leg.b) x = number(random);
    leg.c = number(random);
  }
  for (int i = 1; i < legs && family == Family::paired; i += 2)
    for (int k = 0; k < 3; ++k) p.leg[i].b[k] = p.leg[i - 1].b[k];
  for (int i = 0; i < legs && family == Family::semi_regular; ++i)
    for (auto* x : {&p.leg[i].a, &p.leg[i].b}) {
      const auto& first = x == &p.leg[i].a ? p.leg[0].a : p.leg[0].b;
      (*x)[0] = first[0];
      (*x)[1] = i % 2 == 0 ? first[1] : -first[1];
      (*x)[2] = {};
    }
  for (int i = 2; i < legs && family == Family::semi_regular; ++i) {
    const double angle = 2.0943951023931957 * (i / 2);  // 120 degrees
    turn(p.leg[i].a, angle);
    turn(p.leg[i].b, angle);
  }
  return p;
}

Number form_value(const Leg<Number>& leg, const Number* x) {
  LegForm<Number> form{};
  add_linear(form, leg);
  add_products(form, leg.a, leg.b);
  Number row[unknowns], value{};
  half_gradient(form, x, row);
  for (int i = 0; i < unknowns; ++i) value += row[i] * x[i];
  for (int i = 4; i < unknowns; ++i) value += x[i] * x[i] * 4.0;
  return value;
}

/// A random point of the Study quadric, of unit length.
Path random_pose(SplitMix& random) {
  Path path;
  Number* x = path.x;
  for (int i = 0; i < unknowns; ++i) x[i] = number(random);
  x[7] = -(x[0] * x[4] + x[1] * x[5] + x[2] * x[6]) / x[3];
  double size = 0;
  for (const Number& z : path.x) size += squared_norm(z);
  for (Number& z : path.x) z = z * (1 / std::sqrt(size));
  return path;
}

/// c of every leg such that x is a pose of the platform.
void fit_lengths(Platform& platform, const Number* x) {
  Number ee{};
  for (int i = 0; i < 4; ++i) ee += x[i] * x[i];
  for (Leg<Number>& leg : platform.leg) {
    leg.c = {};
    leg.c = -form_value(leg, x) / ee;
  }
}

double distance(const Path& a, const Path& b) {
  Number product{};
  for (int i = 0; i < unknowns; ++i) product += conj(a.x[i]) * b.x[i];
  return std::sqrt(std::max(0.0, 1 - squared_norm(product)));
}

bool contains(const std::vector<Path>& roots, const Path& x) {
  for (const Path& root : roots)
    if (distance(root, x) < 1e-6) return true;
  return false;
}

/// Where the poses of one platform go as it turns into another; lost ones are left out.
std::vector<Path> follow(const std::vector<Path>& from, const Platform& start,
                         const Platform& target, Number gamma) {
  const Homotopy H = make_homotopy(start.leg, target.leg, gamma);
  TrackOptions tight;
  tight.prediction_error = 1e-6;
  tight.correction = 1e-8;
  std::vector<Path> paths = from, arrived;
  for (Path& path : paths) path = {.x = {}, .s = 1}, path = from[size_t(&path - paths.data())];
  if (!paths.empty()) stewart_kernels().track_paths(H, tight, paths.data(), int(paths.size()));
  for (Path& path : paths)
    if (path.end == PathEnd::finite) {
      path.s = 1;
      path.end = PathEnd::open;
      path.steps = 0;
      arrived.push_back(path);
    }
  return arrived;
}

struct Solved {
  Platform platform;
  std::vector<Path> roots;
};

/// Ends after 20 loops in a row that brought nothing new.
Solved monodromy(Family family, std::uint64_t seed) {
  SplitMix random(seed);
  Solved solved{random_platform(family, random), {random_pose(random)}};
  fit_lengths(solved.platform, solved.roots[0].x);
  for (int idle = 0; idle < 20; ++idle) {
    const Platform other = random_platform(family, random);
    const Number gamma = on_circle(random), back = on_circle(random);
    const std::vector<Path> there = follow(solved.roots, solved.platform, other, gamma);
    for (const Path& path : follow(there, other, solved.platform, back))
      if (!contains(solved.roots, path)) {
        solved.roots.push_back(path);
        idle = -1;
      }
  }
  return solved;
}

constexpr const char* names[] = {"general", "semi_regular", "paired"};
constexpr std::uint64_t seeds[] = {1, 2, 3};

void write_numbers(std::ofstream& out, const Number* z, int count) {
  char text[64];
  for (int i = 0; i < count; ++i) {
    std::snprintf(text, sizeof(text), "%.17g, %.17g,", z[i].re, z[i].im);
    out << (i % 2 == 0 ? "    " : " ") << text << (i % 2 == 1 || i + 1 == count ? "\n" : "");
  }
}

void write_table(const char* path) {
  std::ofstream out(path);
  out << "// SPDX-License-Identifier: BSD-3-Clause\n"
         "// Written by tools/stewart_start_systems.cpp, do not edit.\n"
         "#include \"stewart/start_system.hpp\"\n\nnamespace jounce::stewart_detail {\n"
         "namespace {\n\n";
  std::vector<size_t> roots;
  for (int f = 0; f < 3; ++f) {
    const Solved solved = monodromy(Family(f), seeds[f]);
    out << "// clang-format off\nconstexpr double " << names[f] << "[] = {\n";
    for (const Leg<Number>& leg : solved.platform.leg) {
      const Number z[7] = {leg.a[0], leg.a[1], leg.a[2], leg.b[0], leg.b[1], leg.b[2], leg.c};
      write_numbers(out, z, 7);
    }
    for (const Path& root : solved.roots) write_numbers(out, root.x, unknowns);
    out << "};\n// clang-format on\n\n";
    roots.push_back(solved.roots.size());
    std::printf("%s: %zu poses\n", names[f], solved.roots.size());
  }
  out << "constexpr StartSystem table[] = {\n";
  for (size_t f = 0; f < roots.size(); ++f)
    out << "    {Family::" << names[f] << ", " << roots[f] << ", " << names[f] << "},\n";
  out << "};\n\n}  // namespace\n\n"
         "std::span<const StartSystem> start_systems() { return table; }\n\n"
         "}  // namespace jounce::stewart_detail\n";
}

/// The table's poses are those of its platform, and a search with other loops finds no other.
bool check_table() {
  bool good = true;
  for (const StartSystem& system : start_systems()) {
    const Solved again = monodromy(system.family, seeds[int(system.family)] + 1000);
    std::printf("%s: %d poses in the table, %zu found again\n", names[int(system.family)],
                system.roots, again.roots.size());
    good = good && int(again.roots.size()) == system.roots;
  }
  return good;
}

}  // namespace
}  // namespace jounce::stewart_detail

int main(int argc, char** argv) {
  using namespace jounce::stewart_detail;
  if (argc != 2) return std::fputs("stewart_start_systems FILE | --check\n", stderr), 2;
  if (std::strcmp(argv[1], "--check") == 0) return check_table() ? 0 : 1;
  write_table(argv[1]);
  return 0;
}

// SPDX-License-Identifier: BSD-3-Clause
// What it costs a user to compile a file that includes the library.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "benchmarks/bench.hpp"

namespace jounce::bench {
namespace {

const char* const user_file = R"(#include <jounce/jounce.hpp>
int main() {
  const jounce::SE3<double> T = jounce::exp(jounce::Twist<double>{{0, 0, 1}, {1, 0, 0}});
  return jounce::log(T).w.z > 0 ? 0 : 1;
}
)";
const char* const eigen_alone = "#include <Eigen/Core>\n";

/// s of processor time that this process's children have taken.
double children_seconds() {
  rusage use{};
  getrusage(RUSAGE_CHILDREN, &use);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

/// s, the least of three; negative where it does not compile.
double seconds_to_compile(const std::filesystem::path& folder, const char* text) {
  std::ofstream(folder / "user.cpp") << text;
  const std::string command = std::string("'") + JOUNCE_COMPILER + "' -std=c++20 -O2 -I'" +
                              JOUNCE_INCLUDE + "' -isystem '" + JOUNCE_EIGEN + "' -c '" +
                              (folder / "user.cpp").string() + "' -o '" +
                              (folder / "user.o").string() + "'";
  double best = 1e300;
  for (int trial = 0; trial < 3; ++trial) {
    const double start = children_seconds();
    if (std::system(command.c_str()) != 0) return -1;
    best = std::min(best, children_seconds() - start);
  }
  return best;
}

}  // namespace

std::vector<Row> compile_cost() {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("jounce-" + std::to_string(std::rand()));
  if (!fs::exists(JOUNCE_COMPILER) || !fs::exists(JOUNCE_INCLUDE)) return {};
  fs::create_directories(folder);
  const double user = seconds_to_compile(folder, user_file);
  const double eigen = seconds_to_compile(folder, eigen_alone);
  fs::remove_all(folder);
  if (user < 0 || eigen < 0) return {};
  return {{.robot = "", .algorithm = "compile-user-file", .ns = user * 1e9},
          {.robot = "", .algorithm = "compile-user-file/eigen-alone", .ns = eigen * 1e9}};
}

}  // namespace jounce::bench

// SPDX-License-Identifier: BSD-3-Clause
// What it costs a user to compile a file that includes the library.
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

}  // namespace

std::vector<Row> compile_cost() {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("jounce-" + std::to_string(std::rand()));
  if (!fs::exists(JOUNCE_COMPILER) || !fs::exists(JOUNCE_INCLUDE)) return {};
  fs::create_directories(folder);
  std::ofstream(folder / "user.cpp") << user_file;
  const std::string command = std::string("'") + JOUNCE_COMPILER + "' -std=c++20 -O2 -I'" +
                              JOUNCE_INCLUDE + "' -isystem '" + JOUNCE_EIGEN + "' -c '" +
                              (folder / "user.cpp").string() + "' -o '" +
                              (folder / "user.o").string() + "'";
  bool compiled = true;
  double best = 1e300;
  for (int trial = 0; trial < 3 && compiled; ++trial) {
    const auto start = std::chrono::steady_clock::now();
    compiled = std::system(command.c_str()) == 0;
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  fs::remove_all(folder);
  if (!compiled) return {};
  return {{.robot = "", .algorithm = "compile-user-file", .ns = best * 1e9}};
}

}  // namespace jounce::bench

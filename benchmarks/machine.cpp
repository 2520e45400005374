// SPDX-License-Identifier: BSD-3-Clause
// The name of the machine that a table was measured on.
#include <fstream>

#include "benchmarks/bench.hpp"

namespace jounce::bench {

std::string machine_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
#if defined(__aarch64__)
  return "aarch64";
#else
  return "unknown";
#endif
}

}  // namespace jounce::bench

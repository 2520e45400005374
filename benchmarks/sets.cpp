// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/sets.hpp"

#include <cstdio>
#include <filesystem>
#include <jounce/cpu.hpp>
#include <jounce/error.hpp>
#include <memory>
#include <nlohmann/json.hpp>

namespace jounce::bench {
namespace {

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

struct Output {
  std::string text;
  bool succeeded;
};
Output output_of(const std::string& isa, const std::vector<std::string>& arguments,
                 const char* more = "") {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  std::string command = "JOUNCE_ISA=" + isa + " " + quoted(self);
  for (const std::string& one : arguments) command += " " + quoted(one);
  command += more;
  std::FILE* pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c)
  if (pipe == nullptr) throw ComputationError("bench: " + command + " does not run");
  std::string text;
  char part[4096];
  for (size_t n = 0; (n = std::fread(part, 1, sizeof(part), pipe)) > 0;) text.append(part, n);
  return {text, pclose(pipe) == 0};
}

Row row_of(const nlohmann::json& x, const std::string& isa) {
  return {.robot = x.at("robot"),
          .algorithm = x.at("algorithm"),
          .library = x.at("library"),
          .isa = isa,
          .mode = x.at("mode"),
          .lanes = x.at("lanes"),
          .threads = x.at("threads"),
          .ns = x.at("ns"),
          .flops = x.at("flops"),
          .peak_fraction = x.at("peak_fraction"),
          .ratio = x.value("ratio", 0.0),
          .difference = x.value("difference", -1.0)};
}

}  // namespace

std::vector<std::string> other_sets() {
  std::vector<std::string> found;
  for (const char* isa : {"baseline", "avx2", "avx512"})
    if (std::string(isa) != name(best_isa()) &&
        output_of(isa, {"--set"}, " 2>/dev/null").text == std::string(isa) + "\n")
      found.emplace_back(isa);
  return found;
}

std::vector<Row> rows_on(const std::string& isa, const std::vector<std::string>& arguments) {
  const Output output = output_of(isa, arguments);
  if (!output.succeeded) throw ComputationError("bench: no measurement on " + isa);
  std::vector<Row> rows;
  for (const nlohmann::json& x : nlohmann::json::parse(output.text).at("results"))
    rows.push_back(row_of(x, isa));
  return rows;
}

}  // namespace jounce::bench

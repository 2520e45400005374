// SPDX-License-Identifier: BSD-3-Clause
// Every word of every door, checks included: on robots, with a wrench in each kind of axes; and on
// chains and trees, to see how its time grows.
#include <cctype>
#include <cmath>
#include <iostream>
#include <jounce/error.hpp>
#include <map>

#include "benchmarks/bench.hpp"
#include "benchmarks/cpu_time.hpp"
#include "benchmarks/fits.hpp"
#include "benchmarks/flops.hpp"
#include "benchmarks/robots.hpp"
#include "tests/model/named_words.hpp"

namespace jounce::bench {
namespace {

/// Words that are a quantity of the command line go by its name.
constexpr std::pair<const char*, const char*> quantities[] = {
    {"Kinematics::at", "fk"},
    {"Kinematics::at 2", "fk-velocity"},
    {"Kinematics::at 3", "fk-velocity-acceleration"},
    {"Kinematics::jacobian", "jacobian"},
    {"Dynamics::inverse", "inverse"},
    {"Dynamics::forward", "forward"},
    {"Dynamics::hybrid", "hybrid"},
    {"Dynamics::mass", "mass"},
    {"Dynamics::mass_inverse", "mass-inverse"},
    {"Dynamics::coriolis", "coriolis"},
    {"Dynamics::gravity", "gravity"},
    {"Dynamics::bias", "bias"},
    {"Dynamics::energy", "energy"},
    {"Dynamics::momentum", "momentum"},
    {"Regressor::regressor", "regressor"},
    {"Derivatives::inverse_derivatives", "inverse-derivatives"},
    {"Derivatives::forward_derivatives", "forward-derivatives"},
    {"Derivatives::hybrid_derivatives", "hybrid-derivatives"},
    {"SecondDerivatives::inverse_second_derivatives", "inverse-second-derivatives"},
    {"SecondDerivatives::forward_second_derivatives", "forward-second-derivatives"},
    {"Series::inverse_series", "higher-inverse"},
    {"Series::forward_series", "higher-forward"},
    {"Series::hybrid_series", "higher-hybrid"},
    {"InverseKinematics::ik", "ik"},
    {"InverseKinematics::ik velocity", "ik-velocity"},
    {"ConstrainedDynamics::constrained_forward", "constrained-forward"},
    {"ConstrainedDynamics::constrained_inverse", "constrained-inverse"},
    {"ConstrainedDynamics::constrained_hybrid", "constrained-hybrid"},
    {"ClosedKinematics::closed_jacobian", "constrained-jacobian"},
    {"ClosedKinematics::ik", "constrained-ik"}};

/// "inverse with a wrench in body axes" of "Dynamics::inverse with a wrench in body axes".
std::string algorithm_of(const std::string& call) {
  const size_t wrench = std::min(call.find(" with a wrench"), call.size());
  for (const auto& [word, quantity] : quantities)
    if (call.substr(0, wrench) == word) return quantity + call.substr(wrench);
  return call;
}

/// Those of the calls whose operations are counted.
std::map<std::string, double> flops_of(const Robot& robot) {
  const DynamicsFlops flops = count_dynamics(robot);
  return {{"inverse", double(flops.inverse.total())},
          {"forward", double(flops.forward.total())},
          {"hybrid", double(flops.hybrid.total())},
          {"mass", double(flops.mass.total())},
          {"fk", double(flops.poses.total())},
          {"fk-velocity", double(flops.twists.total())},
          {"fk-velocity-acceleration", double(flops.accelerations.total())},
          {"inverse-derivatives", double(flops.inverse_derivatives.total())},
          {"MassFactors::solve", double(flops.mass_solve.total())}};
}

bool is_hot(const test::Word& word) {
  for (const char* door : {"Dynamics", "Kinematics", "MassFactors", "Derivatives", "Series"})
    if (word.door == door) return true;
  return false;
}

/// What a robot's words take; calls for which `wanted` says so.
template <class Wanted>
std::vector<Row> rows_of(const NamedRobot& named, double seconds, Wanted wanted) {
  test::WordsInMotion words(named.robot);
  const std::map<std::string, double> flops = flops_of(named.robot);
  std::vector<Row> rows;
  for (const test::NamedCall& one : words.calls()) {
    if (!wanted(one)) continue;
    words.surround(one);
    Row row{.robot = named.name, .algorithm = algorithm_of(one.name)};
    if (const auto counted = flops.find(row.algorithm); counted != flops.end())
      row.flops = counted->second;
    try {
      one.run();
      row.ns = cpu_nanoseconds([&] { one.run(); }, seconds);
    } catch (const std::exception& refused) {  // not of every robot
      std::cerr << "bench: " << named.name << ": " << refused.what() << "\n";
      continue;
    }
    rows.push_back(with_peak(row));
  }
  return rows;
}

void append(std::vector<Row>& all, std::vector<Row> more) {
  for (Row& row : more) all.push_back(std::move(row));
}

/// The same shape in growing sizes. Calls that would take too long at the next one are left out.
void append_growing(const std::string& shape, std::span<const int> sizes, std::vector<Row>& all) {
  constexpr double longest = 1e9;  // ns
  std::map<std::string, double> expected;
  for (size_t k = 0; k < sizes.size(); ++k) {
    const auto soon_enough = [&](const test::NamedCall& one) {
      const auto found = expected.find(algorithm_of(one.name));
      return !one.wrench && (k == 0 || (found != expected.end() && found->second < longest));
    };
    std::vector<Row> rows =
        rows_of(benchmark_robot(shape + "-" + std::to_string(sizes[k])), 0.005, soon_enough);
    expected.clear();
    if (k + 1 < sizes.size())
      for (const Row& row : rows)
        expected[row.algorithm] = row.ns * std::pow(double(sizes[k + 1]) / sizes[k], 4);
    append(all, std::move(rows));
  }
}

}  // namespace

std::vector<Row> words(const Selection& selection) {
  std::vector<Row> rows;
  for (const std::string& name : selection.robots_or({"arm7", "quadruped", "humanoid"}))
    append(rows, rows_of(benchmark_robot(name), 0.01, [&](const test::NamedCall& one) {
             return !selection.quick || is_hot(*one.word);
           }));
  if (selection.quick || !selection.robots.empty()) return rows;
  append_growing("chain", std::array{10, 30, 100}, rows);
  append_growing("binary-tree", std::array{15, 63, 127}, rows);
  return rows;
}

std::vector<Growth> growths(const std::vector<Row>& rows) {
  struct Shape {
    std::string name, before, behind;  ///< the number of what grows
  };
  const Shape shapes[] = {{"chain", "chain-", ""},
                          {"binary-tree", "binary-tree-", ""},
                          {"four-bars in series", "four_bars_", ""},
                          {"four-bars in branches", "four_bars_", "_in_branches"}};
  std::map<std::pair<std::string, std::string>, Points> points;
  for (const Row& row : rows)
    for (const Shape& shape : shapes) {
      if (row.library != "jounce" || !row.isa.empty() || !row.robot.starts_with(shape.before))
        continue;
      size_t digits = 0;
      const std::string rest = row.robot.substr(shape.before.size());
      if (rest.empty() || !std::isdigit(rest.front())) continue;
      const double size = std::stod(rest, &digits);
      if (rest.substr(digits) == shape.behind)
        points[{row.algorithm, shape.name}].emplace_back(size, row.ns);
    }
  std::vector<Growth> found;
  for (auto& [key, at] : points) {
    std::sort(at.begin(), at.end());
    size_t from = at.size();
    while (from > 0 && 1.5 * at[from - 1].first > at.back().first) --from;
    if (from > 0) found.push_back({key.first, key.second, exponent(at, from - 1)});
  }
  return found;
}

}  // namespace jounce::bench

// SPDX-License-Identifier: BSD-3-Clause
// Builds for different instruction sets give the same results: the same calls in one process a set.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <jounce/cpu.hpp>
#include <jounce/derivatives.hpp>
#include <jounce/regressor.hpp>
#include <jounce/second_derivatives.hpp>
#include <span>

#include "model/random_robot.hpp"
#include "support/built_sets.hpp"
#include "support/dense.hpp"

namespace jounce::test {
namespace {

struct Result {
  std::string name;
  std::vector<double> numbers;
};

/// What every kernel computes, on random trees with every kind of joint.
std::vector<Result> results() {
  std::vector<Result> all;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    RobotInMotion c(seed);
    Dynamics& d = c.dynamics;
    Derivatives derivatives(c.robot);
    SecondDerivatives second(c.robot);
    Regressor regressor(c.robot);
    const auto add = [&](const char* name, const auto& x) {
      const Eigen::MatrixXd copy = x;
      all.push_back(
          {name + (" of robot " + std::to_string(seed)), {copy.data(), copy.data() + copy.size()}});
    };
    add("inverse", d.inverse(c.q, c.v, c.a, c.around()));
    add("forward", d.forward(c.q, c.v, c.a, c.around()));
    add("mass", d.mass(c.q)), add("mass_inverse", d.mass_inverse(c.q));
    const InverseDerivatives inverse = derivatives.inverse(c.q, c.v, c.a);
    add("dtau_dq", inverse.dq), add("dtau_dv", inverse.dv), add("dtau_da", inverse.da);
    const ForwardDerivatives forward = derivatives.forward(c.q, c.v, c.a);
    add("da_dq", forward.dq), add("da_dv", forward.dv), add("da_dtau", forward.dtau);
    add("coriolis", d.coriolis(c.q, c.v).matrix), add("regressor", regressor.force(c.q, c.v, c.a));
    const int n = c.robot.nv();
    const InverseSecondDerivatives tensors = second.inverse(c.q, c.v, c.a);
    add("d2tau_dqdq", Eigen::Map<const Eigen::MatrixXd>(tensors.dqdq.data(), n, n * n));
    const FrameId last{int(c.robot.frames().size()) - 1};
    add("jacobian", c.kinematics.at(c.q).jacobian_body(last));
  }
  return all;
}

void write(const std::vector<Result>& all, const std::string& file) {
  std::ofstream out(file);
  out.precision(17);
  for (const Result& one : all) {
    out << one.name << '\n' << one.numbers.size();
    for (const double x : one.numbers) out << ' ' << x;
    out << '\n';
  }
}
std::vector<Result> read(const std::string& file) {
  std::ifstream in(file);
  std::vector<Result> all;
  for (std::string name; std::getline(in, name);) {
    size_t size = 0;
    in >> size;
    all.push_back({name, std::vector<double>(size)});
    for (double& x : all.back().numbers) in >> x;
    in.ignore();
  }
  return all;
}

/// What the calls give on one instruction set: this program again, told where to write.
std::vector<Result> results_on(Isa isa) {
  const std::string file = testing::TempDir() + "jounce_results_" + name(isa);
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = std::string("JOUNCE_ISA=") + name(isa) + " JOUNCE_RESULTS='" + file +
                              "' '" + program +
                              "' --gtest_filter=InstructionSets.ResultsAgree > /dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::vector<Result> all = read(file);
  std::filesystem::remove(file);
  return all;
}

/// Relative to the largest entry: sums in another order differ by rounding errors, and what solves
/// with a mass matrix multiplies them by its condition: 1e-9 there.
TEST(InstructionSets, ResultsAgree) {
  if (const char* file = std::getenv("JOUNCE_RESULTS")) return write(results(), file);
  if (std::getenv("JOUNCE_ISA") != nullptr) return;  // compared where nothing is forced
  const std::vector<Isa> sets = built_sets();
  const std::vector<Result> expected = results_on(sets.front());
  ASSERT_FALSE(expected.empty());
  for (const Isa isa : std::span(sets).subspan(1)) {
    const std::vector<Result> actual = results_on(isa);
    ASSERT_EQ(actual.size(), expected.size()) << name(isa);
    for (size_t k = 0; k < actual.size(); ++k) {
      using Map = Eigen::Map<const Eigen::VectorXd>;
      const Map x(actual[k].numbers.data(), long(actual[k].numbers.size()));
      const Map y(expected[k].numbers.data(), long(expected[k].numbers.size()));
      const bool solved = actual[k].name[0] == 'f' || actual[k].name.starts_with("da_") ||
                          actual[k].name.starts_with("mass_inverse");
      EXPECT_LE(largest(x - y), (solved ? 1e-9 : 1e-12) * largest(y))
          << actual[k].name << ", " << name(isa);
    }
  }
}

}  // namespace
}  // namespace jounce::test

// SPDX-License-Identifier: BSD-3-Clause
// How many instructions the hot calls take, by single-stepping them: the same number whatever else
// the machine is doing. The instruction set is JOUNCE_ISA's; a step takes some 10 us.
//
//   instruction_counts           a line for each call: set, robot, call, instructions
#include <csignal>
#include <cstdio>
#include <functional>
#include <jounce/cpu.hpp>
#include <jounce/io.hpp>
#include <jounce/jounce.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/regressor.hpp>

namespace {

using namespace jounce;

struct Call {
  const char* name;
  std::function<void()> run;
};

/// A robot in one state, and what a user calls in a loop.
class Subject {
 public:
  Subject(std::string subject_name, Robot subject)
      : name(std::move(subject_name)), robot(std::move(subject)), dyn(robot), regressor(robot) {
    for (int k = 0; k < robot.nv(); ++k) {
      v.push_back(0.3 - 0.1 * (k % 5));
      flags[k] = k % 2 == 0;
    }
    motion = Eigen::MatrixXd::Constant(robot.nv(), order + 2, 0.1);
    taus = Eigen::MatrixXd::Constant(robot.nv(), order + 1, 0.2);
    dyn.factor_mass(q);
    dyn.reserve_second_derivatives();
  }

  std::vector<Call> calls() {
    std::vector<Call> all = first_calls();
    if (robot.nv() < 10) {  // else a million steps
      all.push_back(
          {"inverse-second-derivatives", [this] { dyn.inverse_second_derivatives(q, v, v); }});
      all.push_back(
          {"inverse-second-products", [this] { dyn.inverse_second_products(v, q, v, v); }});
    }
    return all;
  }

  std::string name;

 private:
  std::vector<Call> first_calls() {
    return {{"kinematics", [this] { dyn.kinematics(q, v, v); }},
            {"jacobian", [this] { dyn.jacobian(tip, Representation::body); }},
            {"jacobian-path", [this] { dyn.jacobian(tip, Representation::hybrid, q); }},
            {"inverse", [this] { dyn.inverse(q, v, v); }},
            {"forward", [this] { dyn.forward(q, v, v); }},
            {"hybrid", [this] { dyn.hybrid(prescribed(), q, v, v, v); }},
            {"mass", [this] { dyn.mass(q); }},
            {"mass-inverse", [this] { dyn.mass_inverse(q); }},
            {"mass-solve", [this] { dyn.mass_solve(v); }},
            {"bias", [this] { dyn.bias(q, v); }},
            {"gravity", [this] { dyn.gravity(q); }},
            {"energy", [this] { dyn.energy(q, v); }},
            {"coriolis", [this] { dyn.coriolis(q, v); }},
            {"momentum", [this] { dyn.momentum(q, v); }},
            {"centroidal", [this] { dyn.centroidal(q, v); }},
            {"joint-wrenches", [this] { dyn.joint_wrenches(q, v, v); }},
            {"regressor", [this] { regressor.force(q, v, v); }},
            {"inverse-derivatives", [this] { dyn.inverse_derivatives(q, v, v); }},
            {"forward-derivatives", [this] { dyn.forward_derivatives(q, v, v); }},
            {"hybrid-derivatives", [this] { dyn.hybrid_derivatives(prescribed(), q, v, v, v); }},
            {"inverse-vector-jacobian", [this] { dyn.inverse_vector_jacobian(v, q, v, v); }},
            {"forward-jacobian-vector", [this] { dyn.forward_jacobian_vector(q, v, v, v, v, v); }},
            {"higher-inverse", [this] { dyn.inverse_series(q, motion); }},
            {"higher-forward", [this] { dyn.forward_series(q, v, taus); }},
            {"higher-hybrid", [this] { dyn.hybrid_series(prescribed(), q, motion, taus, order); }}};
  }

  std::span<const bool> prescribed() const { return {flags.get(), v.size()}; }

  static constexpr int order = 2;
  Robot robot;
  Dynamics dyn;
  Regressor regressor;
  std::vector<double> q = robot.random(1), v;
  std::unique_ptr<bool[]> flags = std::make_unique<bool[]>(static_cast<size_t>(robot.nv()));
  Eigen::MatrixXd motion, taus;
  FrameId tip = FrameId(static_cast<int>(robot.description().links.size()) - 1);
};

// The processor's trap flag raises SIGTRAP after every instruction; the handler counts them.
volatile long steps = 0;
void count_step(int) { steps = steps + 1; }

[[gnu::always_inline]] inline void set_trap_flag() {
  asm volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
}
[[gnu::always_inline]] inline void clear_trap_flag() {
  asm volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
}

[[gnu::noinline]] long count(const std::function<void()>& run) {
  steps = 0;
  set_trap_flag();
  run();
  clear_trap_flag();
  return steps;
}

void print_counts(Subject& subject) {
  const long of_nothing = count([] {});
  for (const Call& call : subject.calls()) {
    call.run();
    std::fflush(stdout);
    std::printf("%s,%s,%s,%ld\n", jounce::name(best_isa()), subject.name.c_str(), call.name,
                count(call.run) - of_nothing);
  }
}

/// Every kind of joint, mimic joints and passive forces, on a free base.
Robot mixed_robot() {
  return Robot(generate({.name = "mixed",
                         .shape = TreeShape::random_tree,
                         .bodies = 6,
                         .kinds = all_joint_kinds(false, false),
                         .free_base = true,
                         .mimic = true,
                         .passive = true,
                         .seed = 7}));
}

}  // namespace

int main() try {
  std::signal(SIGTRAP, count_step);
  for (const char* name : {"arm7", "quadruped", "humanoid"}) {
    Subject subject(name, load(std::string("builtin:") + name));
    print_counts(subject);
  }
  Subject mixed("mixed", mixed_robot());
  print_counts(mixed);
} catch (const InputError& error) {  // an instruction set that this processor does not have
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
